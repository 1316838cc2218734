-- Title: 哪些股票的估值处在自身历史的高位或低位
-- Parameter: beyond double = 80 高于它，或低于 100 减它，才列出
select
    symbol,
    trade_date,
    pe_ttm,
    pe_ttm_pct_3y,
    pe_ttm_obs_3y,
    pe_ttm_status,
    pb,
    pb_pct_3y
from marts.valuation_percentiles
where
    pe_ttm_pct_3y >= $beyond
    or pe_ttm_pct_3y <= 100 - $beyond
qualify trade_date = max(trade_date) over (partition by symbol)
order by pe_ttm_pct_3y desc, symbol
