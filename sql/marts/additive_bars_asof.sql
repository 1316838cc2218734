-- Parameters: as_of
-- One row per (symbol, trade_date) on or before as_of, by the vendors' other method (East Money, Tencent, TDX), so
-- that a number on a user's screen can be reproduced to the cent: over each later event on or before as_of,
-- price = (price - cash + rights × rights price) / (1 + bonus + rights). The events after a bar compose to
-- price × slope + shift, rounded half up to the cent once, at the end (1e-9 keeps a binary 10.475 a tie). Returns
-- between such prices are not returns, and old prices can fall to zero or below; is_positive says which did.
with events as (
    select
        symbol,
        ex_date,
        1 / (1 + bonus_ratio + rights_ratio) as slope,
        (if(rights_ratio = 0, 0, rights_ratio * rights_price_cny) - cash_cny) / (1 + bonus_ratio + rights_ratio)
            as shift
    from staging.corporate_actions
    where ex_date <= as_of
),

rescaled as (
    select
        symbol,
        ex_date,
        shift,
        product(slope) over from_here_on as slope,
        coalesce(product(slope) over after_here, 1) as later_slope
    from events
    window
        from_here_on as (
            partition by symbol order by ex_date rows between current row and unbounded following
        ),
        after_here as (
            partition by symbol order by ex_date rows between 1 following and unbounded following
        )
),

composed as (
    select
        symbol,
        ex_date,
        slope,
        case
            when count(*) over from_here_on = count(shift) over from_here_on
                then sum(shift * later_slope) over from_here_on
        end as shift
    from rescaled
    window from_here_on as (
        partition by symbol order by ex_date rows between current row and unbounded following
    )
),

bars as (
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

rescaled_bars as (
    select
        bars.*,
        if(composed.symbol is null, 1, composed.slope) as slope,
        if(composed.symbol is null, 0, composed.shift) + 1e-9 as shift
    from bars
    asof left join composed on bars.symbol = composed.symbol and bars.trade_date < composed.ex_date
)

select
    symbol,
    trade_date,
    round(open_cny * slope + shift, 2) as open_cny,
    round(high_cny * slope + shift, 2) as high_cny,
    round(low_cny * slope + shift, 2) as low_cny,
    round(close_cny * slope + shift, 2) as close_cny,
    close_cny as raw_close_cny,
    volume_shares,
    amount_cny,
    round(low_cny * slope + shift, 2) > 0 as is_positive
from rescaled_bars
