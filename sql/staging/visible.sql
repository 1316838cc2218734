-- Parameters: relation
-- One row per row of the raw table named by relation that a reader could see at the connection's cutoff, under the
-- symbol the company trades under now. Both branches filter on the plain column, so that asking for one symbol reads
-- one symbol's blocks; a coalesce over an outer join would read the whole market.
select
    seen.*, -- noqa: AM04
    false as is_former
from query_table(relation) as seen -- noqa: RF02
anti join staging.renumberings on seen.symbol = renumberings.former_symbol
where seen.published_at <= coalesce(getvariable('cutoff'), 'infinity'::timestamptz)
union all by name
select
    seen.* exclude (symbol), -- noqa: RF02
    renumberings.symbol,
    true as is_former
from query_table(relation) as seen -- noqa: RF02
inner join staging.renumberings on seen.symbol = renumberings.former_symbol
where seen.published_at <= coalesce(getvariable('cutoff'), 'infinity'::timestamptz)
