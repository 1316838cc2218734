-- One row per ex-right step in the exchange's previous closes without an event on record, for stocks whose events are
-- on record at all: additive adjustment would be wrong across it.
with spans as (
    select
        symbol,
        min(ex_date) as first_date
    from checked_corporate_actions
    group by symbol
),

steps as (
    select
        steps.*,
        steps.expected_previous_close_cny * steps.backward_factor / steps.traded_before_factor as close_before_cny,
        lag(steps.trade_date) over (partition by steps.symbol order by steps.trade_date) as traded_before_date
    from bar_steps as steps
    where steps.is_trading
)

select
    steps.symbol as subject,
    steps.trade_date,
    steps.previous_close_cny,
    steps.trade_date || ' 前收由 ' || printf('%.2f', steps.close_before_cny) || ' 变为 ' || steps.previous_close_cny
    || '，没有对应的分红送配' as note
from steps
inner join spans on steps.symbol = spans.symbol and steps.trade_date >= spans.first_date
anti join checked_corporate_actions as events
    on
        steps.symbol = events.symbol
        and steps.traded_before_date < events.ex_date
        and steps.trade_date >= events.ex_date
where abs(steps.previous_close_cny - steps.close_before_cny) > 0.0015
