-- One row per bar that cannot be: high under, or low above, another price; a price of zero; a halt with turnover.
select
    symbol as subject,
    trade_date,
    open_cny,
    high_cny,
    low_cny,
    close_cny,
    volume_shares,
    trade_date || ' 开 ' || open_cny || ' 高 ' || high_cny || ' 低 ' || low_cny || ' 收 ' || close_cny as note
from checked_daily_bars
where
    high_cny < greatest(open_cny, close_cny, low_cny)
    or low_cny > least(open_cny, close_cny)
    or close_cny <= 0
    or (is_trading and least(open_cny, low_cny) <= 0)
    or (not is_trading and volume_shares > 0)
