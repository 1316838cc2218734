-- One row: bars of the session as a percentage of those of the session before, over stocks listed on it and not
-- known to be halted; a half-loaded day must not pass. Under ten stocks each is judged on its own freshness.
with expected as (
    select watched.symbol
    from watched_symbols as watched
    cross join gate_run
    left join checked_instruments as instruments on watched.symbol = instruments.symbol
    anti join checked_suspensions as halts
        on
            watched.symbol = halts.symbol
            and gate_run.session >= halts.start_date
            and gate_run.session <= coalesce(halts.end_date, gate_run.session)
    where coalesce(instruments.delisted_date >= gate_run.session, true)
),

counts as (
    select
        count(*) filter (where bars.trade_date = gate_run.session) as today,
        count(*) filter (where bars.trade_date = gate_run.previous_session) as yesterday
    from expected
    cross join gate_run
    inner join checked_daily_bars as bars on expected.symbol = bars.symbol
)

select
    '*' as subject,
    today,
    yesterday,
    case when yesterday < 10 then 100 else (100 * today) // yesterday end as value,
    '当日 ' || today || ' 只，前一交易日 ' || yesterday || ' 只' as note
from counts
