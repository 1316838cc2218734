-- One row per traded session inside a stock's valuation history without any multiple: named, never filled.
with spans as (
    select
        symbol,
        min(trade_date) as first_date,
        max(trade_date) as last_date
    from checked_valuations
    group by symbol
)

select
    bars.symbol as subject,
    bars.trade_date,
    bars.trade_date || ' 未发布任何估值' as note
from checked_daily_bars as bars
inner join spans on bars.symbol = spans.symbol and bars.trade_date between spans.first_date and spans.last_date
left join checked_valuations as multiples
    on bars.symbol = multiples.symbol and bars.trade_date = multiples.trade_date
where bars.is_trading and coalesce(multiples.pe_ttm, multiples.pb, multiples.ps_ttm) is null
