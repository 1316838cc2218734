-- One row per stock whose latest PE contradicts its own reports: another sign than the trailing profit, or more than
-- half as large again as market value / trailing profit. Trailing = cumulative + last year − same period last year.
with reports as (
    select
        symbol,
        report_period,
        net_profit_cny
    from checked_financial_indicators
    where net_profit_cny is not null
),

rolling_profits as (
    select
        latest.symbol,
        latest.report_period,
        case
            when month(latest.report_period) = 12 then latest.net_profit_cny
            else latest.net_profit_cny + full_year.net_profit_cny - same_period.net_profit_cny
        end as profit_cny
    from reports as latest
    left join reports as full_year
        on
            latest.symbol = full_year.symbol
            and full_year.report_period = make_date(year(latest.report_period) - 1, 12, 31)
    left join reports as same_period
        on
            latest.symbol = same_period.symbol
            and same_period.report_period = last_day(latest.report_period - interval 1 year)
    qualify row_number() over (partition by latest.symbol order by latest.report_period desc) = 1
),

newest as (
    select * from checked_valuations
    where pe_ttm is not null
    qualify row_number() over (partition by symbol order by trade_date desc) = 1
)

select
    newest.symbol as subject,
    newest.trade_date,
    newest.pe_ttm,
    rolling_profits.profit_cny,
    newest.trade_date || ' 市盈率 ' || round(newest.pe_ttm, 2) || '，截至 ' || rolling_profits.report_period
    || ' 的滚动净利润 ' || round(rolling_profits.profit_cny / 1e8, 2) || ' 亿元' as note
from newest
inner join rolling_profits on newest.symbol = rolling_profits.symbol
where
    sign(newest.pe_ttm) <> sign(rolling_profits.profit_cny)
    or greatest(
        newest.pe_ttm / (newest.market_cap_cny / rolling_profits.profit_cny),
        newest.market_cap_cny / rolling_profits.profit_cny / newest.pe_ttm
    ) > 1.5
