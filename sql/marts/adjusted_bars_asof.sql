-- Parameters: as_of
-- One row per (symbol, trade_date) on or before as_of: the traded bar × its backward factor ÷ the factor in force at
-- as_of. Return-preserving, never negative, and an ex-date after as_of changes nothing. The anchor comes from the
-- events, not from the bars: a stock suspended through its ex-date has no bar that carries the new factor.
with bars as (
    select
        symbol,
        trade_date,
        open_cny,
        high_cny,
        low_cny,
        close_cny,
        volume_shares,
        amount_cny
    from staging.daily_bars
    where trade_date <= as_of and is_trading
),

-- All steps of a symbol and its anchor in one row, a step of 1 before the first ex-date included: a second mention of
-- staging.adjust_factors would be planned a second time, and planning is most of the time one stock takes.
histories as (
    select
        symbol,
        arg_max(backward_factor, ex_date) as anchor,
        list_prepend(date '1990-12-18', list(ex_date order by ex_date)) as ex_dates,
        list_prepend(1.0::double, list(backward_factor order by ex_date)) as factors
    from staging.adjust_factors
    where ex_date <= as_of
    group by symbol
),

steps as (
    select
        symbol,
        anchor,
        unnest(ex_dates) as ex_date,
        unnest(list_append(ex_dates[2:], as_of + 1)) as until,
        unnest(factors) as backward_factor
    from histories
),

-- The few steps of a symbol make ranges: an asof join would sort every bar of the market for the same answer.
factored as (
    select
        bars.*,
        coalesce(steps.backward_factor / steps.anchor, 1) as forward_factor
    from bars
    left join steps
        on
            bars.symbol = steps.symbol
            and bars.trade_date >= steps.ex_date
            and bars.trade_date < steps.until
)

select
    symbol,
    trade_date,
    open_cny * forward_factor as open_cny,
    high_cny * forward_factor as high_cny,
    low_cny * forward_factor as low_cny,
    close_cny * forward_factor as close_cny,
    close_cny as raw_close_cny,
    volume_shares,
    amount_cny,
    forward_factor
from factored
