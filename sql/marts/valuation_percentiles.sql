-- Built as: compiled
-- One row per (symbol, trade_date): where a session's multiples stand among their own past. This is the readable
-- definition; the table is filled by the compiled pass of flows/market/percentiles.py, and tests hold the two equal.
-- Percentile = 100 × (less + 0.5 × equal) / observations in (trade_date - years, trade_date], today included.
-- An observation is a positive multiple published for a session; a loss or a hole is none and has no percentile.
-- Fewer observations than 60 % of the exchange's sessions in the window, listed or not: null, the count is shown.
with published as (
    select
        valuations.symbol,
        valuations.trade_date,
        valuations.pe_ttm,
        valuations.pb,
        valuations.ps_ttm
    from staging.valuations
    semi join marts.sessions on valuations.trade_date = sessions.trade_date
),

multiples as (
    select
        symbol,
        trade_date,
        'pe_ttm' as multiple,
        pe_ttm as level
    from published
    union all
    select
        symbol,
        trade_date,
        'pb' as multiple,
        pb as level
    from published
    union all
    select
        symbol,
        trade_date,
        'ps_ttm' as multiple,
        ps_ttm as level
    from published
),

observations as (
    select
        symbol,
        trade_date,
        multiple,
        level
    from multiples
    where level > 0
),

window_lengths as (
    select unnest([1, 3, 5, 10]) as years
),

windows as (
    select
        ends.trade_date,
        window_lengths.years,
        count(*) as session_count
    from marts.sessions as ends
    cross join window_lengths
    inner join marts.sessions as members
        on
            ends.trade_date >= members.trade_date
            and ends.trade_date - to_years(window_lengths.years) < members.trade_date
    group by ends.trade_date, window_lengths.years
),

counted as (
    select
        multiples.symbol,
        multiples.trade_date,
        multiples.multiple,
        multiples.level,
        windows.years,
        windows.session_count,
        count(observations.level) as observation_count,
        count(*) filter (where observations.level < multiples.level)
        + 0.5 * count(*) filter (where observations.level = multiples.level) as rank_from_below
    from multiples
    inner join windows on multiples.trade_date = windows.trade_date
    left join observations
        on
            multiples.symbol = observations.symbol
            and multiples.multiple = observations.multiple
            and multiples.trade_date >= observations.trade_date
            and multiples.trade_date - to_years(windows.years) < observations.trade_date
    group by all
),

ranked as (
    select
        symbol,
        trade_date,
        multiple,
        level,
        years,
        observation_count,
        observation_count < 0.6 * session_count as is_short,
        case
            when level > 0 and observation_count >= 0.6 * session_count
                then 100 * rank_from_below / observation_count
        end as percentile
    from counted
),

statuses as (
    select
        symbol,
        trade_date,
        multiple,
        case
            when level is null then 'missing'
            when level <= 0 then 'loss'
            when is_short then 'short_window'
            else 'ok'
        end as status
    from ranked
    where years = 10
)

select
    ranked.symbol,
    ranked.trade_date,
    max(ranked.level) filter (where ranked.multiple = 'pe_ttm') as pe_ttm,
    max(statuses.status) filter (where ranked.multiple = 'pe_ttm') as pe_ttm_status,
    max(ranked.percentile) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 1) as pe_ttm_pct_1y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 1) as pe_ttm_obs_1y,
    max(ranked.percentile) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 3) as pe_ttm_pct_3y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 3) as pe_ttm_obs_3y,
    max(ranked.percentile) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 5) as pe_ttm_pct_5y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 5) as pe_ttm_obs_5y,
    max(ranked.percentile) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 10) as pe_ttm_pct_10y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pe_ttm' and ranked.years = 10) as pe_ttm_obs_10y,
    max(ranked.level) filter (where ranked.multiple = 'pb') as pb,
    max(statuses.status) filter (where ranked.multiple = 'pb') as pb_status,
    max(ranked.percentile) filter (where ranked.multiple = 'pb' and ranked.years = 1) as pb_pct_1y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pb' and ranked.years = 1) as pb_obs_1y,
    max(ranked.percentile) filter (where ranked.multiple = 'pb' and ranked.years = 3) as pb_pct_3y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pb' and ranked.years = 3) as pb_obs_3y,
    max(ranked.percentile) filter (where ranked.multiple = 'pb' and ranked.years = 5) as pb_pct_5y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pb' and ranked.years = 5) as pb_obs_5y,
    max(ranked.percentile) filter (where ranked.multiple = 'pb' and ranked.years = 10) as pb_pct_10y,
    max(ranked.observation_count) filter (where ranked.multiple = 'pb' and ranked.years = 10) as pb_obs_10y,
    max(ranked.level) filter (where ranked.multiple = 'ps_ttm') as ps_ttm,
    max(statuses.status) filter (where ranked.multiple = 'ps_ttm') as ps_ttm_status,
    max(ranked.percentile) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 1) as ps_ttm_pct_1y,
    max(ranked.observation_count) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 1) as ps_ttm_obs_1y,
    max(ranked.percentile) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 3) as ps_ttm_pct_3y,
    max(ranked.observation_count) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 3) as ps_ttm_obs_3y,
    max(ranked.percentile) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 5) as ps_ttm_pct_5y,
    max(ranked.observation_count) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 5) as ps_ttm_obs_5y,
    max(ranked.percentile) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 10) as ps_ttm_pct_10y,
    max(ranked.observation_count) filter (where ranked.multiple = 'ps_ttm' and ranked.years = 10) as ps_ttm_obs_10y
from ranked
inner join statuses
    on
        ranked.symbol = statuses.symbol
        and ranked.trade_date = statuses.trade_date
        and ranked.multiple = statuses.multiple
group by ranked.symbol, ranked.trade_date
