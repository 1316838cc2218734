-- One row per (symbol, trade_date, reason): a top-list row; one-day and three-day sums have different reasons.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    trade_date,
    reason,
    window_sessions,
    net_buy_cny,
    buy_cny,
    sell_cny,
    change_pct,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.top_list')
qualify
    row_number() over (
        partition by symbol, trade_date, reason
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
