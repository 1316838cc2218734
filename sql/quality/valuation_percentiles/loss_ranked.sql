-- One row per stock, session, multiple and window that is ranked though it is a loss or missing, or whose status
-- contradicts the multiple: a loss is not cheap, and a hole is not a loss.
select
    symbol as subject,
    trade_date,
    name,
    years,
    value as multiple,
    status,
    pct,
    trade_date || ' ' || name || ' = ' || coalesce(value::varchar, '空') || ' 状态 ' || status
    || coalesce('，分位 ' || round(pct, 2), '') as note
from percentile_cells
where
    (pct is not null and not coalesce(value > 0, false))
    or (status = 'loss') <> coalesce(value <= 0, false)
    or (status = 'missing') <> (value is null)
