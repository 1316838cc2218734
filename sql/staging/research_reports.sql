-- One row per (report_id, symbol): a sell-side report.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    report_id,
    symbol,
    report_date,
    title,
    organisation,
    rating,
    abstract,
    forecast_year,
    eps_year_0_cny,
    eps_year_1_cny,
    url,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.research_reports')
qualify
    row_number() over (
        partition by report_id, symbol
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
