-- One row per (symbol, ex_date): the cumulative backward factor from the ex-date on.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    ex_date,
    backward_factor,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.adjust_factors')
qualify
    row_number() over (
        partition by symbol, ex_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
