-- One row per vendor day that contradicts the known exchange calendar.
select
    '*' as subject,
    vendor_days.trade_date,
    vendor_days.is_session,
    vendor_days.trade_date || (case when vendor_days.is_session then ' 被标为开市' else ' 被标为休市' end) as note
from checked_trade_dates as vendor_days
cross join calendar_range
left join exchange_sessions as sessions on vendor_days.trade_date = sessions.trade_date
where
    vendor_days.trade_date between calendar_range.first and calendar_range.last
    and vendor_days.is_session <> (sessions.trade_date is not null)
