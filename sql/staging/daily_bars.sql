-- One row per (symbol, trade_date): the unadjusted bar, under the company's present symbol.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    trade_date,
    open_cny,
    high_cny,
    low_cny,
    close_cny,
    previous_close_cny,
    volume_shares,
    amount_cny,
    turnover_pct,
    is_trading,
    is_st,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.daily_bars')
qualify
    row_number() over (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
