-- One row per (symbol, peer_symbol): another company of the same industry.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    visible.symbol,
    coalesce(renumberings.symbol, visible.peer_symbol) as peer_symbol,
    visible.peer_name,
    visible.industry,
    visible.trade_date,
    visible.pe_ttm,
    visible.pb,
    visible.published_at,
    visible.vendor,
    visible.fetched_at
from staging.visible('raw.peers') as visible
left join staging.renumberings on visible.peer_symbol = renumberings.former_symbol
qualify
    row_number() over (
        partition by visible.symbol, coalesce(renumberings.symbol, visible.peer_symbol)
        order by visible.is_former asc, visible.published_at desc, visible.fetched_at desc
    ) = 1
