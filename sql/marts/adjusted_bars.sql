-- Built as: view
-- One row per (symbol, trade_date): the forward-adjusted bar anchored at the latest session visible. A view over the
-- raw bars, so that an ex-date rewrites nothing.
with latest as (
    select max(trade_date) as session
    from raw.daily_bars
    where published_at <= coalesce(getvariable('cutoff'), 'infinity'::timestamptz)
)

select
    symbol,
    trade_date,
    open_cny,
    high_cny,
    low_cny,
    close_cny,
    raw_close_cny,
    volume_shares,
    amount_cny,
    forward_factor
from marts.adjusted_bars_asof((select latest.session from latest))
