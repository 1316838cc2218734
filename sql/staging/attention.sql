-- One row per (symbol, trade_date): retail attention.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    trade_date,
    popularity_rank,
    rank_change,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.attention')
qualify
    row_number() over (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
