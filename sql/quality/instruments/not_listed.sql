-- One row per watched stock that is not listed on the session: too early, or delisted before it.
select
    instruments.symbol as subject,
    instruments.listed_date,
    instruments.delisted_date,
    case
        when instruments.listed_date > gate_run.session then '上市日 ' || instruments.listed_date
        else '已于 ' || instruments.delisted_date || ' 退市'
    end as note
from checked_instruments as instruments
cross join gate_run
where instruments.listed_date > gate_run.session or instruments.delisted_date < gate_run.session
