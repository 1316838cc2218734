-- One row per forecast whose period is no quarter end, or that was noticed before the period's year began or more than
-- six months after the period ended.
select
    symbol as subject,
    report_period,
    notice_date,
    report_period || ' 的预告公告于 ' || notice_date as note
from checked_earnings_forecasts
where
    report_period <> last_day(report_period)
    or month(report_period) % 3 <> 0
    or notice_date < make_date(year(report_period), 1, 1)
    or notice_date > report_period + interval 6 months
