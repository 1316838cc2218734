-- One row per stock, session, multiple and window: the wide percentile table made long, for checks on all cells alike.
select
    symbol,
    trade_date,
    'pe_ttm' as name,
    pe_ttm as value,
    pe_ttm_status as status,
    unnest([1, 3, 5, 10]) as years,
    unnest([pe_ttm_pct_1y, pe_ttm_pct_3y, pe_ttm_pct_5y, pe_ttm_pct_10y]) as pct,
    unnest([pe_ttm_obs_1y, pe_ttm_obs_3y, pe_ttm_obs_5y, pe_ttm_obs_10y]) as obs
from checked_valuation_percentiles
union all by name
select
    symbol,
    trade_date,
    'pb' as name,
    pb as value,
    pb_status as status,
    unnest([1, 3, 5, 10]) as years,
    unnest([pb_pct_1y, pb_pct_3y, pb_pct_5y, pb_pct_10y]) as pct,
    unnest([pb_obs_1y, pb_obs_3y, pb_obs_5y, pb_obs_10y]) as obs
from checked_valuation_percentiles
union all by name
select
    symbol,
    trade_date,
    'ps_ttm' as name,
    ps_ttm as value,
    ps_ttm_status as status,
    unnest([1, 3, 5, 10]) as years,
    unnest([ps_ttm_pct_1y, ps_ttm_pct_3y, ps_ttm_pct_5y, ps_ttm_pct_10y]) as pct,
    unnest([ps_ttm_obs_1y, ps_ttm_obs_3y, ps_ttm_obs_5y, ps_ttm_obs_10y]) as obs
from checked_valuation_percentiles
