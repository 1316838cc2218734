-- One row per (symbol, report_period): a report's figures; a restatement replaces them from its own publication on.
-- Of several versions the latest publication visible at the cutoff counts, of several fetches of it the last.
select
    symbol,
    report_period,
    notice_date,
    revenue_cny,
    revenue_yoy_pct,
    net_profit_cny,
    net_profit_yoy_pct,
    deducted_net_profit_cny,
    eps_cny,
    bvps_cny,
    roe_pct,
    gross_margin_pct,
    net_margin_pct,
    debt_ratio_pct,
    operating_cash_flow_cny,
    published_at,
    vendor,
    fetched_at
from staging.visible('raw.financial_indicators')
qualify
    row_number() over (
        partition by symbol, report_period
        order by is_former asc, published_at desc, fetched_at desc
    ) = 1
