-- One row per factor that is not positive or whose ex-date is no session.
select
    factors.symbol as subject,
    factors.ex_date,
    factors.backward_factor,
    factors.ex_date || ' 因子 ' || factors.backward_factor as note
from checked_adjust_factors as factors
cross join calendar_range
left join exchange_sessions as sessions on factors.ex_date = sessions.trade_date
where
    not factors.backward_factor > 0
    or (sessions.trade_date is null and factors.ex_date between calendar_range.first and calendar_range.last)
