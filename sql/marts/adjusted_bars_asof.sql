-- Parameters: as_of
-- One row per (symbol, trade_date) on or before as_of: the traded bar × its backward factor ÷ the factor in force at
-- as_of. Return-preserving, never negative, and an ex-date after as_of changes nothing. The anchor comes from the
-- events, not from the bars: a stock suspended through its ex-date has no bar that carries the new factor.
with bars as (
    select
        symbol,
        trade_date,
        open_cny,
        high_cny,
        low_cny,
        close_cny,
        volume_shares,
        amount_cny
    from staging.daily_bars
    where trade_date <= as_of and is_trading
),

anchors as (
    select
        symbol,
        arg_max(backward_factor, ex_date) as backward_factor
    from staging.adjust_factors
    where ex_date <= as_of
    group by symbol
),

factored as (
    select
        bars.*,
        coalesce(steps.backward_factor, 1) / coalesce(anchors.backward_factor, 1) as forward_factor
    from bars
    asof left join staging.adjust_factors as steps
        on bars.symbol = steps.symbol and bars.trade_date >= steps.ex_date
    left join anchors on bars.symbol = anchors.symbol
)

select
    symbol,
    trade_date,
    open_cny * forward_factor as open_cny,
    high_cny * forward_factor as high_cny,
    low_cny * forward_factor as low_cny,
    close_cny * forward_factor as close_cny,
    close_cny as raw_close_cny,
    volume_shares,
    amount_cny,
    forward_factor
from factored
