-- One row per (symbol, ex_date): what was paid or issued per share held.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    ex_date,
    cash_cny,
    bonus_ratio,
    rights_ratio,
    rights_price_cny,
    plan,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.corporate_actions')
qualify
    row_number() over (
        partition by symbol, ex_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
