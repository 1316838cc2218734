-- One row per session on which a renumbered company's bars under its old and its new code differ in the close.
with latest as (
    select
        bars.symbol,
        bars.trade_date,
        arg_max(bars.close_cny, bars.fetched_at) as close_cny
    from raw.daily_bars as bars
    where coalesce(bars.published_at <= getvariable('cutoff')::timestamptz, true)
    group by bars.symbol, bars.trade_date
)

select
    instruments.symbol as subject,
    present.trade_date,
    former.close_cny as former_close_cny,
    present.close_cny,
    present.trade_date || ' 旧代码 ' || instruments.former_symbol || ' 收 ' || former.close_cny || '，新代码收 '
    || present.close_cny as note
from checked_instruments as instruments
inner join latest as former on instruments.former_symbol = former.symbol
inner join latest as present on instruments.symbol = present.symbol and former.trade_date = present.trade_date
where abs(former.close_cny - present.close_cny) > 0.005
