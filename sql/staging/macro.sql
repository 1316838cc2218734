-- One row per (indicator, period): one value of one indicator.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    indicator,
    period,
    value,
    unit,
    published_at,
    vendor,
    fetched_at
from raw.macro
where published_at <= coalesce(getvariable('cutoff'), 'infinity'::timestamptz)
qualify row_number() over (partition by indicator, period order by published_at desc, fetched_at desc) = 1
