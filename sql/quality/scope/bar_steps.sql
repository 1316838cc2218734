-- One row per bar of a watched stock beside what came before it: checks compare steps, not levels.
-- The step's expected previous close is the close traded before, carried over every ex-date in between; the exchange
-- repeats it to the cent, but rounds the reference price of an ex-date, and factors are printed with six decimals.
with bars as (
    select
        bars.*,
        sessions.session_no,
        coalesce(factors.backward_factor, 1) as backward_factor
    from checked_daily_bars as bars
    left join exchange_sessions as sessions on bars.trade_date = sessions.trade_date
    asof left join checked_adjust_factors as factors
        on bars.symbol = factors.symbol and bars.trade_date >= factors.ex_date
),

steps as (
    select
        *,
        lag(trade_date) over past as row_before_date,
        lag(session_no) over past as row_before_no,
        lag(close_cny * backward_factor) over past / backward_factor as carried_close_cny,
        lag(backward_factor) over past as row_before_factor,
        last_value(case when is_trading then backward_factor end ignore nulls) over strictly_past
            as traded_before_factor,
        last_value(case when is_trading then session_no end ignore nulls) over strictly_past as traded_before_no,
        last_value(case when is_trading then close_cny * backward_factor end ignore nulls) over strictly_past
        / backward_factor as expected_previous_close_cny
    from bars
    window
        past as (partition by symbol order by trade_date),
        strictly_past as (
            partition by symbol order by trade_date rows between unbounded preceding and 1 preceding
        )
)

select
    *, -- noqa: AM04
    row_before_factor <> backward_factor as has_event_since_row,
    traded_before_factor <> backward_factor as has_event
from steps
