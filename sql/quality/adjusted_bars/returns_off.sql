-- One row per traded bar whose adjusted return is not the exchange's own, close / previous close: no dividend or split
-- may look like a crash, and no adjustment may hide one.
with returns as (
    select
        adjusted.symbol,
        adjusted.trade_date,
        adjusted.close_cny / lag(adjusted.close_cny) over (
            partition by adjusted.symbol order by adjusted.trade_date
        ) as adjusted_ratio,
        steps.close_cny / steps.previous_close_cny as exchange_ratio,
        steps.previous_close_cny
    from checked_adjusted_bars as adjusted
    inner join bar_steps as steps on adjusted.symbol = steps.symbol and adjusted.trade_date = steps.trade_date
    where steps.is_trading
)

select
    symbol as subject,
    trade_date,
    round(100 * (adjusted_ratio - 1), 3) as adjusted_return_pct,
    round(100 * (exchange_ratio - 1), 3) as exchange_return_pct,
    trade_date || ' 复权涨跌 ' || printf('%.2f', 100 * (adjusted_ratio - 1)) || '%，交易所涨跌 '
    || printf('%.2f', 100 * (exchange_ratio - 1)) || '%' as note
from returns
where abs(adjusted_ratio / exchange_ratio - 1) > 0.0105 / previous_close_cny + 4e-6
