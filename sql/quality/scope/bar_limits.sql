-- One row per traded bar of a watched stock: the price limit in force, percent; null where none applies.
-- Without a dated ST flag the company's present one holds from its publication on; before, the wider limit is taken.
-- The rules are the frames limit_rules and listing_rules of market.limits, so that they stand in one place.
-- A halted first session is free after a relisting or at the start of the delisting period (its filings say so),
-- after the share reform of 2005-2008, and after a year's halt that lies before the filings we know.
with stocks as (
    select
        instruments.symbol,
        instruments.board,
        instruments.listed_date,
        instruments.is_st,
        instruments.published_at::date as flagged_date,
        listing.session_no as listed_no,
        (
            select min(filings.published_at) from checked_announcements as filings
            where filings.symbol = instruments.symbol
        ) as first_filing_at
    from checked_instruments as instruments
    asof left join exchange_sessions as listing on instruments.listed_date <= listing.trade_date
),

bars as (
    select
        steps.*,
        stocks.board,
        stocks.listed_date,
        steps.session_no - stocks.listed_no + 1 as listing_session_no,
        coalesce(steps.is_st, stocks.is_st and steps.trade_date >= stocks.flagged_date, false) as was_st,
        steps.session_no - steps.traded_before_no - 1 as halted_sessions,
        coalesce(stocks.first_filing_at::date > steps.trade_date, true) as is_before_filings
    from bar_steps as steps
    inner join stocks on steps.symbol = stocks.symbol
    where steps.is_trading
),

lifted as (
    select distinct
        bars.symbol,
        bars.trade_date
    from bars
    left join checked_announcements as filings
        on
            bars.symbol = filings.symbol
            and filings.published_at::date between bars.trade_date - 60 and bars.trade_date
            and regexp_matches(filings.title, '恢复上市|重新上市|退市整理')
    where
        bars.halted_sessions > 0
        and (
            filings.symbol is not null
            or (bars.halted_sessions > 240 and bars.is_before_filings)
            or (bars.halted_sessions > 2 and bars.trade_date between date '2005-06-01' and date '2008-12-31')
        )
),

final as (
    select
        bars.symbol,
        bars.trade_date,
        coalesce(bars.previous_close_cny, bars.expected_previous_close_cny) as base_cny,
        bars.low_cny,
        bars.high_cny,
        bars.close_cny,
        case
            when lifted.symbol is not null or bars.listing_session_no <= listing.free_sessions then null
            when bars.listing_session_no = 1 then coalesce(listing.first_day_pct, ordinary.pct)
            else ordinary.pct
        end as limit_pct
    from bars
    left join lifted on bars.symbol = lifted.symbol and bars.trade_date = lifted.trade_date
    left join limit_rules as ordinary
        on
            bars.board = ordinary.board
            and bars.was_st = ordinary.is_st
            and bars.trade_date >= ordinary.since
            and bars.trade_date < ordinary.until
    left join listing_rules as listing
        on
            bars.board = listing.board
            and coalesce(bars.listed_date, bars.trade_date) >= listing.since
            and coalesce(bars.listed_date, bars.trade_date) < listing.until
)

select * from final
