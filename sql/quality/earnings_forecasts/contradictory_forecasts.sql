-- One row per forecast whose bounds are reversed or whose type contradicts its own figures.
select
    symbol as subject,
    report_period,
    metric,
    forecast_type,
    value_low_cny,
    value_high_cny,
    change_low_pct,
    change_high_pct,
    report_period || ' ' || coalesce(forecast_type, '未分类') || '：' || coalesce(change_low_pct::varchar, '空') || ' 至 '
    || coalesce(change_high_pct::varchar, '空') || '%' as note
from checked_earnings_forecasts
where
    value_low_cny > value_high_cny
    or change_low_pct > change_high_pct
    or (forecast_type in ('预增', '略增') and change_high_pct < 0)
    or (forecast_type in ('预减', '略减') and change_low_pct > 0)
    or (forecast_type in ('扭亏', '续盈') and value_high_cny < 0)
    or (forecast_type in ('首亏', '续亏') and value_low_cny > 0)
