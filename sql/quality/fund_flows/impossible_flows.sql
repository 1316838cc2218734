-- One row per flow larger than the day's turnover, or whose percentage is more than two points off flow / turnover.
select
    flows.symbol as subject,
    flows.trade_date,
    flows.main_net_cny,
    flows.main_net_pct,
    flows.trade_date || ' 主力净流入 ' || flows.main_net_cny::bigint || ' 元，称占 '
    || coalesce(flows.main_net_pct::varchar, '空') || '%，成交额 ' || bars.amount_cny::bigint as note
from checked_fund_flows as flows
inner join checked_daily_bars as bars on flows.symbol = bars.symbol and flows.trade_date = bars.trade_date
where
    bars.amount_cny > 0
    and (
        abs(flows.main_net_cny) > bars.amount_cny
        or abs(100 * flows.main_net_cny / bars.amount_cny - flows.main_net_pct) > 2
    )
