-- One row per stock whose factors come from several vendors: each counts from a base of its own, so the step between
-- their rows is an invention and every adjusted price across it with it.
select
    symbol as subject,
    min(ex_date) as first_ex_date,
    '因子分别来自 ' || string_agg(distinct vendor, '、' order by vendor) as note
from checked_adjust_factors
group by symbol
having min(vendor) <> max(vendor)
