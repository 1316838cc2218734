-- One row per (symbol, unlock_date, share_type): restricted shares that become tradable.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    unlock_date,
    share_type,
    unlocked_shares,
    unlocked_pct,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.unlocks')
qualify
    row_number() over (
        partition by symbol, unlock_date, share_type
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
