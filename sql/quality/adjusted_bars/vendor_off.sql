-- One row per adjusted close of a vendor that the vendor's own method does not give from our bars and events.
select
    symbol as subject,
    trade_date,
    vendor,
    fault,
    close_cny,
    expected_cny,
    concat(trade_date, ' ', vendor, ' 复权收盘 ', round(close_cny, 4), '，按其方法重算 ', round(expected_cny, 4)) as note
from vendor_faults
