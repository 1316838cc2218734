-- One row per report whose period is no quarter end or that was noticed or visible before its period ended.
select
    symbol as subject,
    report_period,
    notice_date,
    published_at::date as published_date,
    report_period || ' 的报告公告于 ' || notice_date as note
from checked_financial_indicators
where
    report_period <> last_day(report_period)
    or month(report_period) % 3 <> 0
    or notice_date <= report_period
    or published_at::date <= report_period
