-- One row per (symbol, report_period, metric, notice_date): a forecast line; a revision is a row of its own.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    report_period,
    notice_date,
    metric,
    forecast_type,
    value_low_cny,
    value_high_cny,
    change_low_pct,
    change_high_pct,
    prior_value_cny,
    summary,
    reason,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.earnings_forecasts')
qualify
    row_number() over (
        partition by symbol, report_period, metric, notice_date
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
