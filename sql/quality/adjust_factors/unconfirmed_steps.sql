-- One row per ex-date on which the factor of one vendor stands on the bar of another, as after a fallback in the chain,
-- and nothing on record bears the step out: no version of the bar quotes the exchange's previous close, and no dividend
-- or issue since the session traded before gives it. A late or shifted ex-date would pass unseen there. With a previous
-- close on the bar, steps_off judges.
with sources as (
    select
        symbol,
        min(vendor) as vendor
    from checked_adjust_factors
    group by symbol
),

traded as (
    select
        *,
        lag(trade_date) over (partition by symbol order by trade_date) as traded_before_date
    from bar_steps
    where is_trading
),

steps as (
    select
        bars.symbol,
        bars.trade_date,
        bars.traded_before_date,
        bars.vendor as bar_vendor,
        sources.vendor as factor_vendor,
        bars.expected_previous_close_cny,
        bars.expected_previous_close_cny * bars.backward_factor / bars.traded_before_factor as close_before_cny
    from traded as bars
    inner join sources on bars.symbol = sources.symbol
    where bars.has_event and bars.previous_close_cny is null and bars.vendor <> sources.vendor
)

select
    steps.symbol as subject,
    steps.trade_date,
    steps.trade_date || ' 因子来自 ' || steps.factor_vendor || '，日线来自 ' || steps.bar_vendor
    || ' 且没有交易所前收盘价，也没有当日的分红送配可以核对' as note
from steps
anti join checked_corporate_actions as events
    on
        steps.symbol = events.symbol
        and steps.trade_date >= events.ex_date
        and steps.traded_before_date < events.ex_date
        and abs(
            (steps.close_before_cny - events.cash_cny + events.rights_ratio * coalesce(events.rights_price_cny, 0))
            / (1 + events.bonus_ratio + events.rights_ratio) - steps.expected_previous_close_cny
        ) <= 0.0105 + 4e-6 * steps.expected_previous_close_cny
