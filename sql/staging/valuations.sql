-- One row per (symbol, trade_date): the multiples as published; a loss stays negative, a hole stays null.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    trade_date,
    pe_ttm,
    pb,
    ps_ttm,
    pcf_ttm,
    market_cap_cny,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.valuations')
qualify
    row_number() over (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
