-- One row per report whose stated growth of revenue is more than two points off the growth over the stored report of
-- the year before: a restated base, or a wrong period. Named, because the stated figure may be the comparable one.
select
    reports.symbol as subject,
    reports.report_period,
    reports.revenue_yoy_pct,
    round(100 * (reports.revenue_cny / earlier.revenue_cny - 1), 2) as recomputed_pct,
    reports.report_period || ' 营收同比称 ' || reports.revenue_yoy_pct || '%，按上年报告重算 '
    || round(100 * (reports.revenue_cny / earlier.revenue_cny - 1), 2) || '%' as note
from checked_financial_indicators as reports
inner join checked_financial_indicators as earlier
    on
        reports.symbol = earlier.symbol
        and last_day(reports.report_period - interval 1 year) = earlier.report_period
where
    earlier.revenue_cny > 0
    and abs(reports.revenue_yoy_pct - 100 * (reports.revenue_cny / earlier.revenue_cny - 1)) > 2
