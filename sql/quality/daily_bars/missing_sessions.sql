-- One row per watched stock and session between two of its bars that has none though the stock was trading.
-- A gap is a halt if a halt is on record or the exchange's next previous close is the close before the gap
-- (carried over ex-dates): had the stock traded in between, the exchange would have quoted that day's close.
with gaps as (
    select
        steps.*,
        abs(steps.previous_close_cny - steps.carried_close_cny)
        <= case when steps.has_event_since_row then 0.0105 + 4e-6 * steps.carried_close_cny else 0.0015 end as is_halt
    from bar_steps as steps
    where steps.session_no - steps.row_before_no > 1
)

select
    gaps.symbol as subject,
    sessions.trade_date,
    '缺 ' || sessions.trade_date as note
from gaps
cross join gate_run
inner join exchange_sessions as sessions
    on gaps.row_before_no < sessions.session_no and gaps.session_no > sessions.session_no
anti join checked_suspensions as halts
    on
        gaps.symbol = halts.symbol
        and sessions.trade_date >= halts.start_date
        and sessions.trade_date <= coalesce(halts.end_date, gate_run.session)
where gaps.is_halt is not true
