-- One row per (news_id, symbol): a news item found for the company.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    news_id,
    symbol,
    title,
    content,
    media,
    url,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.news')
qualify
    row_number() over (
        partition by news_id, symbol
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
