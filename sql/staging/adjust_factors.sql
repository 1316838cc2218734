-- One row per (symbol, ex_date): the cumulative backward factor from the ex-date on.
-- All rows of a symbol are of one vendor, since vendors count from different bases: of those that know the newest
-- ex-date visible at the cutoff, the one fetched last. Of several versions the latest publication visible counts, of
-- several fetches of it the last.
-- Windows instead of a join with the chosen vendor: every mention of staging.visible is planned anew, and planning is
-- most of the time a question about one stock takes.
with seen as (
    select
        symbol,
        ex_date,
        backward_factor,
        published_at,
        vendor,
        fetched_at,
        is_former,
        max(ex_date) over vendors as newest_ex_date,
        max(fetched_at) over vendors as last_fetched_at
    from staging.visible('raw.adjust_factors')
    window vendors as (partition by symbol, vendor)
),

chosen as (
    select *
    from seen
    qualify
        dense_rank() over (
            partition by symbol order by newest_ex_date desc, last_fetched_at desc, vendor asc
        ) = 1
)

select
    symbol,
    ex_date,
    backward_factor,
    published_at,
    vendor,
    fetched_at
from chosen
qualify
    row_number() over (
        partition by symbol, ex_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
