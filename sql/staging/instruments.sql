-- One row per (symbol): what is known of a company, under the symbol it trades under now.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    name,
    board,
    industry,
    listed_date,
    delisted_date,
    is_st,
    former_symbol,
    symbol_since,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.instruments')
qualify row_number() over (partition by symbol order by is_former asc, published_at desc, fetched_at desc) = 1
