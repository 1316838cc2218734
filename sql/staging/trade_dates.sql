-- One row per (trade_date): whether the exchange is open.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    trade_date,
    is_session,
    published_at,
    vendor,
    fetched_at
from raw.trade_dates
where published_at <= coalesce(getvariable('cutoff'), 'infinity'::timestamptz)
qualify row_number() over (partition by trade_date order by published_at desc, fetched_at desc) = 1
