-- One row per raw bar of a watched stock that has no adjusted bar.
select
    bars.symbol as subject,
    bars.trade_date,
    '缺 ' || bars.trade_date as note
from checked_daily_bars as bars
anti join checked_adjusted_bars as adjusted
    on bars.symbol = adjusted.symbol and bars.trade_date = adjusted.trade_date
