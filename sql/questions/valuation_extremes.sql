-- Title: 哪些股票的估值处在自身近三年历史的高位或低位
-- Parameter: beyond double = 80 高于它，或低于 100 减它，才列出
-- The filter stands beside the choice of the newest row: a stock no longer extreme is not listed with an old day.
-- A short window has no percentile, so it is null here and decides nothing; a loss-maker is found by its book value.
select
    symbol,
    trade_date,
    pe_ttm,
    pe_ttm_pct_3y,
    pe_ttm_obs_3y,
    pb,
    pb_pct_3y,
    pb_obs_3y
from marts.valuation_percentiles
qualify
    trade_date = max(trade_date) over (partition by symbol)
    and (
        pe_ttm_pct_3y >= $beyond
        or pe_ttm_pct_3y <= 100 - $beyond
        or pb_pct_3y >= $beyond
        or pb_pct_3y <= 100 - $beyond
    )
order by pe_ttm_pct_3y desc nulls last, pb_pct_3y desc, symbol
