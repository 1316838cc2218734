-- One row per traded bar whose exchange previous close the factor does not reproduce: close before × factor before /
-- factor after must be that price, on an ex-date within a tick. Catches a late or missing factor, a wrong one, and an
-- event that was listed but moved no price.
select
    symbol as subject,
    trade_date,
    previous_close_cny,
    round(expected_previous_close_cny, 4) as expected_cny,
    trade_date || ' 交易所前收 ' || previous_close_cny || '，按因子应为 '
    || printf('%.3f', expected_previous_close_cny) as note
from bar_steps
where
    is_trading
    and abs(previous_close_cny - expected_previous_close_cny)
    > case when has_event then 0.0105 + 4e-6 * expected_previous_close_cny else 0.0015 end
