-- One row per stock, multiple and window of the newest session whose percentile is not what counting gives:
-- 100 × (less + equal / 2) / n over positive multiples in (t − N years, t], null under 60 % of the sessions.
with stored as (
    select * from percentile_cells
    qualify trade_date = max(trade_date) over (partition by symbol)
),

observations as (
    select
        symbol,
        trade_date,
        'pe_ttm' as name,
        pe_ttm as value
    from checked_valuations
    union all by name
    select
        symbol,
        trade_date,
        'pb' as name,
        pb as value
    from checked_valuations
    union all by name
    select
        symbol,
        trade_date,
        'ps_ttm' as name,
        ps_ttm as value
    from checked_valuations
),

windows as (
    select
        stored.*,
        (
            select count(*) from exchange_sessions as sessions
            where
                sessions.trade_date > stored.trade_date - to_years(stored.years)
                and sessions.trade_date <= stored.trade_date
        ) as sessions
    from stored
),

counted as (
    select
        windows.symbol,
        windows.trade_date,
        windows.name,
        windows.years,
        any_value(windows.value) as value,
        any_value(windows.pct) as pct,
        any_value(windows.obs) as obs,
        any_value(windows.sessions) as sessions,
        count(past.value) as n,
        count(past.value) filter (where past.value < windows.value) as less,
        count(past.value) filter (where past.value = windows.value) as equal
    from windows
    left join observations as past
        on
            windows.symbol = past.symbol
            and windows.name = past.name
            and past.value > 0
            and not isnan(past.value)
            and windows.trade_date - to_years(windows.years) < past.trade_date
            and windows.trade_date >= past.trade_date
    group by windows.symbol, windows.trade_date, windows.name, windows.years
),

expected as (
    select
        *,
        case
            when value > 0 and not isnan(value) and n >= 0.6 * sessions then 100 * (less + 0.5 * equal) / n
        end as expected_pct
    from counted
)

select
    symbol as subject,
    trade_date,
    name,
    years,
    pct,
    expected_pct,
    obs,
    n,
    trade_date || ' ' || name || ' ' || years || ' 年分位 ' || coalesce(round(pct, 2)::varchar, '空') || '（n='
    || obs || '），应为 ' || coalesce(round(expected_pct, 2)::varchar, '空') || '（n=' || n || '）' as note
from expected
where
    obs <> n
    or (pct is null) <> (expected_pct is null)
    or abs(pct - expected_pct) > 1e-9
