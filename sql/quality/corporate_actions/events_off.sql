-- One row per event the exchange did not price: its reference price (close − cash + rights × price) / (1 + bonus +
-- rights) is not the previous close quoted on the ex-date, or the ex-date is no session. Catches invented dividends,
-- amounts per ten shares taken as per share, and gifts that moved no price.
with events as (
    select
        events.*,
        sessions.trade_date is null as is_off_session,
        steps.previous_close_cny,
        steps.expected_previous_close_cny * steps.backward_factor / steps.traded_before_factor as close_before_cny,
        (close_before_cny - events.cash_cny + events.rights_ratio * coalesce(events.rights_price_cny, 0))
        / (1 + events.bonus_ratio + events.rights_ratio) as reference_cny
    from checked_corporate_actions as events
    cross join calendar_range
    left join exchange_sessions as sessions on events.ex_date = sessions.trade_date
    left join bar_steps as steps
        on events.symbol = steps.symbol and events.ex_date = steps.trade_date and steps.is_trading
    where events.ex_date between calendar_range.first and calendar_range.last
)

select
    symbol as subject,
    ex_date,
    cash_cny,
    bonus_ratio,
    rights_ratio,
    previous_close_cny,
    round(reference_cny, 4) as reference_cny,
    case
        when is_off_session then ex_date || ' 不是交易日'
        else ex_date || ' 按方案参考价 ' || printf('%.3f', reference_cny) || '，交易所前收 ' || previous_close_cny
    end as note
from events
where is_off_session or abs(previous_close_cny - reference_cny) > 0.0105
