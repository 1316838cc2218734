-- One row per 龙虎榜 row whose net buying is not buying less selling, or whose window contradicts its own reason: a
-- three-day sum must never pass for one day.
select
    symbol as subject,
    trade_date,
    reason,
    window_sessions,
    net_buy_cny,
    buy_cny,
    sell_cny,
    trade_date || ' ' || reason || '：买 ' || coalesce(buy_cny::varchar, '空') || ' 卖 '
    || coalesce(sell_cny::varchar, '空') || ' 净 ' || coalesce(net_buy_cny::varchar, '空') as note
from checked_top_list
where
    abs(buy_cny - sell_cny - net_buy_cny) > 1 + 0.001 * (buy_cny + sell_cny)
    or (window_sessions = 3) <> regexp_matches(reason, '连续.*(三|3) ?个(收盘|交易)')
