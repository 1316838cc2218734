-- One row per (symbol, ex_date): the cumulative backward factor from the ex-date on.
-- All rows of a symbol are of one vendor, since vendors count from different bases: of those that know the newest
-- ex-date visible at the cutoff, the one fetched last. Of several versions the latest publication visible counts, of
-- several fetches of it the last.
with seen as (
    select * from staging.visible('raw.adjust_factors')
),

chosen as (
    select
        symbol,
        vendor
    from seen
    group by symbol, vendor
    qualify
        row_number() over (
            partition by symbol order by max(ex_date) desc, max(fetched_at) desc, vendor asc
        ) = 1
)

select
    seen.symbol,
    seen.ex_date,
    seen.backward_factor,
    seen.published_at,
    seen.vendor,
    seen.fetched_at
from seen
inner join chosen on seen.symbol = chosen.symbol and seen.vendor = chosen.vendor
qualify
    row_number() over (
        partition by seen.symbol, seen.ex_date
        order by seen.is_former asc, seen.published_at desc, seen.fetched_at desc
    ) = 1
