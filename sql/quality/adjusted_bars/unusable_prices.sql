-- One row per adjusted bar with a price or factor that is not positive.
select
    symbol as subject,
    trade_date,
    close_cny,
    forward_factor,
    trade_date || ' 复权收盘 ' || close_cny || '，因子 ' || forward_factor as note
from checked_adjusted_bars
where not (close_cny > 0 and high_cny > 0 and raw_close_cny > 0 and forward_factor > 0)
