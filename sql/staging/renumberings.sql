-- Built as: table
-- One row per former_symbol: the symbol the same company trades under now. Identity is no market information, so it
-- does not depend on the cutoff: a backfill finds a company under the symbol a reader types today. A table, since every
-- other model reads it.
with recursive steps as (
    select
        former_symbol,
        symbol,
        symbol_since
    from staging.known_successions
    union
    select
        former_symbol,
        symbol,
        symbol_since
    from raw.instruments
    where former_symbol is not null and former_symbol <> symbol
),

hops as (
    select
        former_symbol,
        symbol,
        symbol_since,
        1 as hop
    from steps
    union all
    select
        hops.former_symbol,
        steps.symbol,
        steps.symbol_since,
        hops.hop + 1 as hop
    from hops
    inner join steps on hops.symbol = steps.former_symbol
    where hops.hop < 5
)

select
    hops.former_symbol,
    hops.symbol,
    hops.symbol_since
from hops
anti join steps on hops.symbol = steps.former_symbol
qualify
    row_number() over (
        partition by hops.former_symbol order by hops.symbol_since desc nulls last, hops.hop desc, hops.symbol asc
    ) = 1
