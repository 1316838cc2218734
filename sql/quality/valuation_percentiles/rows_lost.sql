-- One row per valuation row of a watched stock that has no row of percentiles.
select
    multiples.symbol as subject,
    multiples.trade_date,
    '缺 ' || multiples.trade_date as note
from checked_valuations as multiples
anti join checked_valuation_percentiles as percentiles
    on multiples.symbol = percentiles.symbol and multiples.trade_date = percentiles.trade_date
