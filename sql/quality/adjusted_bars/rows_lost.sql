-- One row per traded raw bar of a watched stock that has no adjusted bar; a suspended day has none by design.
select
    bars.symbol as subject,
    bars.trade_date,
    '缺 ' || bars.trade_date as note
from checked_daily_bars as bars
anti join checked_adjusted_bars as adjusted
    on bars.symbol = adjusted.symbol and bars.trade_date = adjusted.trade_date
where bars.is_trading
