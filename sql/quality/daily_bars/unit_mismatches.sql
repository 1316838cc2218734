-- One row per bar whose mean price, amount / volume, lies outside [low, high]: shares and lots, or units of money,
-- mixed up. Vendors that quote whole lots are off by up to 100 shares; amounts are rounded.
select
    symbol as subject,
    trade_date,
    volume_shares,
    amount_cny,
    low_cny,
    high_cny,
    trade_date || ' 成交额/成交量 ' || printf('%.2f', amount_cny / volume_shares)
    || ' 不在 [' || low_cny || ', ' || high_cny || ']' as note
from checked_daily_bars
where
    is_trading
    and volume_shares > 0
    and (
        amount_cny < low_cny * (volume_shares - 100) * (1 - 1e-4) - 1
        or amount_cny > high_cny * (volume_shares + 100) * (1 + 1e-4) + 1
    )
