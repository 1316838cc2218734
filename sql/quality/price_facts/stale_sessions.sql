-- One row per traded session of a watched stock after its last row of price facts.
with last_rows as (
    select
        symbol,
        max(trade_date) as last_date
    from checked_price_facts
    group by symbol
)

select
    bars.symbol as subject,
    bars.trade_date,
    '止于 ' || last_rows.last_date || '，缺 ' || bars.trade_date as note
from checked_daily_bars as bars
inner join last_rows on bars.symbol = last_rows.symbol and bars.trade_date > last_rows.last_date
where bars.is_trading
