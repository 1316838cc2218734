-- One row per (symbol, start_date): a trading halt; its end is null until the notice that names it.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    start_date,
    end_date,
    reason,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.suspensions')
qualify
    row_number() over (
        partition by symbol, start_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
