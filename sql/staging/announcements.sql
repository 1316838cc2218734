-- One row per (announcement_id, symbol): a filing; one filed under a former code is not counted twice.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    announcement_id,
    symbol,
    name,
    title,
    category,
    url,
    is_date_only,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.announcements')
qualify
    row_number() over (
        partition by announcement_id, symbol
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
