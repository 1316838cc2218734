-- One row per (symbol, trade_date): the vendor's estimate of net flow.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    trade_date,
    main_net_cny,
    main_net_pct,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.fund_flows')
qualify
    row_number() over (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
