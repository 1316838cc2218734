-- One row per (symbol, trade_date): the pledged share on a weekly date.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    trade_date,
    pledge_ratio_pct,
    pledged_shares,
    pledge_count,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.pledges')
qualify
    row_number() over (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
