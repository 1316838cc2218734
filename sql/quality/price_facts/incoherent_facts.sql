-- One row per stock and session whose price facts contradict each other or the raw bar they are of.
select
    facts.symbol as subject,
    facts.trade_date,
    facts.close_cny,
    bars.close_cny as raw_close_cny,
    facts.trade_date || ' 收 ' || facts.close_cny || '，52 周 ' || coalesce(facts.low_52w_cny::varchar, '空') || '–'
    || coalesce(facts.high_52w_cny::varchar, '空') as note
from checked_price_facts as facts
inner join bar_steps as bars on facts.symbol = bars.symbol and facts.trade_date = bars.trade_date
where
    abs(facts.close_cny - bars.close_cny) > 1e-9
    or facts.close_cny > facts.high_52w_cny + 1e-9
    or facts.close_cny < facts.low_52w_cny - 1e-9
    or facts.high_52w_cny > facts.high_3y_cny + 1e-9
    or facts.low_52w_cny < facts.low_3y_cny - 1e-9
    or not coalesce(facts.position_52w_pct between -1e-9 and 100 + 1e-9, true)
    or facts.drawdown_52w_pct > 1e-9
    or greatest(facts.up_days_60d, facts.limit_up_days_60d, facts.limit_down_days_60d) > 60
    or abs(facts.change_pct - 100 * (bars.close_cny / bars.previous_close_cny - 1)) > 1e-6
