-- One row per report dated after it could be read, or whose first forecast year is not around its date (vendors label
-- the forecasts of all years with the current one).
select
    symbol as subject,
    report_id,
    report_date,
    forecast_year,
    report_id || ' 日期 ' || report_date || '，预测年 ' || coalesce(forecast_year::varchar, '空') as note
from checked_research_reports
where
    report_date > published_at::date
    or abs(forecast_year - year(report_date)) > 1
