-- One row per (symbol, trade_date): margin trading of a session, visible from the next morning on.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    trade_date,
    margin_balance_cny,
    margin_buy_cny,
    short_volume_shares,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.margins')
qualify
    row_number() over (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
