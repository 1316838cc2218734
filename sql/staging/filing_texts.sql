-- One row per (announcement_id, sentence_no): a sentence with figures, or sentence 0 saying why there is none.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    announcement_id,
    symbol,
    sentence_no,
    page,
    readability,
    sentence,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.filing_texts')
qualify
    row_number() over (
        partition by announcement_id, sentence_no
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
