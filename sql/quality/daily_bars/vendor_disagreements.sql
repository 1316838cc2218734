-- One row per bar on which the latest versions of two vendors differ in the close by more than half a cent.
with shared as (
    select
        symbol,
        trade_date
    from raw.daily_bars
    where symbol in (select watched.symbol from watched_symbols as watched)
    group by symbol, trade_date
    having min(vendor) <> max(vendor)
),

latest as (
    select
        bars.symbol,
        bars.trade_date,
        bars.vendor,
        arg_max(bars.close_cny, bars.fetched_at) as close_cny
    from raw.daily_bars as bars
    semi join shared on bars.symbol = shared.symbol and bars.trade_date = shared.trade_date
    where coalesce(bars.published_at <= getvariable('cutoff')::timestamptz, true)
    group by bars.symbol, bars.trade_date, bars.vendor
)

select
    symbol as subject,
    trade_date,
    min(close_cny) as lowest_cny,
    max(close_cny) as highest_cny,
    trade_date || ' 收盘价：' || string_agg(vendor || ' ' || close_cny, '、' order by vendor) as note
from latest
group by symbol, trade_date
having max(close_cny) - min(close_cny) > 0.005
