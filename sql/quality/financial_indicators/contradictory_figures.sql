-- One row per report whose figures cannot be of one company: profit and earnings per share of different sign, a gross
-- margin over 100 %, or a net margin that is not profit / revenue.
select
    symbol as subject,
    report_period,
    revenue_cny,
    net_profit_cny,
    eps_cny,
    gross_margin_pct,
    net_margin_pct,
    report_period || ' 净利润 ' || coalesce(round(net_profit_cny / 1e8, 2)::varchar, '空') || ' 亿元，每股收益 '
    || coalesce(eps_cny::varchar, '空') || '，净利率 ' || coalesce(net_margin_pct::varchar, '空') || '%' as note
from checked_financial_indicators
where
    (abs(eps_cny) >= 0.01 and sign(eps_cny) <> sign(net_profit_cny))
    or gross_margin_pct > 100
    or (abs(net_profit_cny) > 0.02 * revenue_cny and sign(net_margin_pct) <> sign(net_profit_cny))
