-- One row per watched stock and session after its last bar, up to the session of the run, that no halt explains.
with last_bars as (
    select
        watched.symbol,
        max(bars.trade_date) as last_date
    from watched_symbols as watched
    inner join checked_daily_bars as bars on watched.symbol = bars.symbol
    group by watched.symbol
)

select
    last_bars.symbol as subject,
    last_bars.last_date,
    sessions.trade_date,
    '止于 ' || last_bars.last_date || '，缺 ' || sessions.trade_date as note
from last_bars
cross join gate_run
inner join exchange_sessions as sessions
    on last_bars.last_date < sessions.trade_date and gate_run.session >= sessions.trade_date
anti join checked_suspensions as halts
    on
        last_bars.symbol = halts.symbol
        and sessions.trade_date >= halts.start_date
        and sessions.trade_date <= coalesce(halts.end_date, gate_run.session)
