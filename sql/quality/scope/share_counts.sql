-- One row per watched stock: total shares by its newest market value and close; what share counts are held against.
select
    multiples.symbol,
    multiples.market_cap_cny / bars.close_cny as total_shares
from checked_valuations as multiples
inner join checked_daily_bars as bars
    on multiples.symbol = bars.symbol and multiples.trade_date = bars.trade_date
where multiples.market_cap_cny > 0 and bars.close_cny > 0
qualify row_number() over (partition by multiples.symbol order by multiples.trade_date desc) = 1
