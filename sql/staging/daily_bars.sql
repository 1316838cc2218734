-- One row per (symbol, trade_date): the unadjusted bar, under the company's present symbol.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
-- Not every vendor quotes the exchange's previous close and the ST flag. Where the version that counts is silent, the
-- last one that was not speaks: one evening's fallback must not take from the gate what it checks factors against.
select
    symbol,
    trade_date,
    open_cny,
    high_cny,
    low_cny,
    close_cny,
    first_value(previous_close_cny ignore nulls) over versions as previous_close_cny,
    volume_shares,
    amount_cny,
    turnover_pct,
    is_trading,
    first_value(is_st ignore nulls) over versions as is_st,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.daily_bars')
window
    versions as (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
        rows between unbounded preceding and unbounded following
    )
qualify
    row_number() over (
        partition by symbol, trade_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
