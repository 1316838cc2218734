-- One row per (symbol, holder, direction, end_date, notice_date): one holder's increase or reduction.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    holder,
    direction,
    changed_shares,
    changed_pct,
    holding_after_pct,
    start_date,
    end_date,
    notice_date,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.holder_trades')
qualify
    row_number() over (
        partition by symbol, holder, direction, end_date, notice_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
