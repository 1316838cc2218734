-- One row per peer that is the company itself, or whose PE of a day differs by more than a fifth from the valuation we
-- hold of that company.
select
    peers.symbol as subject,
    peers.peer_symbol,
    peers.trade_date,
    peers.pe_ttm,
    multiples.pe_ttm as own_pe_ttm,
    peers.trade_date || ' ' || peers.peer_name || ' 市盈率 ' || coalesce(round(peers.pe_ttm, 2)::varchar, '空')
    || coalesce('，自有数据 ' || round(multiples.pe_ttm, 2), '') as note
from checked_peers as peers
left join checked_valuations as multiples
    on peers.peer_symbol = multiples.symbol and peers.trade_date = multiples.trade_date
where
    peers.peer_symbol = peers.symbol
    or abs(peers.pe_ttm - multiples.pe_ttm) > 0.2 * abs(multiples.pe_ttm)
