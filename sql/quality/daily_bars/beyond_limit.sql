-- One row per bar that traded outside its limit prices: previous close × (1 ± limit), half up, at least one tick.
-- Whole cents, so that 1.05 may reach 1.16 and no binary fraction decides. 44 % up goes with 36 % down.
with limits as (
    select
        *,
        round(base_cny * 100)::bigint as base_cents,
        limit_pct::bigint as up_pct,
        (case when limit_pct = 44 then 36 else limit_pct end)::bigint as down_pct
    from bar_limits
    where limit_pct is not null and base_cny > 0
),

prices as (
    select
        *,
        greatest((base_cents * (100 + up_pct) + 50) // 100, base_cents + 1) as upper_cents,
        greatest(least((base_cents * (100 - down_pct) + 50) // 100, base_cents - 1), 1) as lower_cents
    from limits
)

select
    symbol as subject,
    trade_date,
    base_cny,
    low_cny,
    high_cny,
    close_cny,
    limit_pct,
    trade_date || ' 收 ' || close_cny || '（前收 ' || base_cny || '，限 '
    || printf('%.2f', lower_cents / 100) || '–' || printf('%.2f', upper_cents / 100) || '）' as note
from prices
where
    round(greatest(high_cny, close_cny) * 100)::bigint > upper_cents
    or round(least(low_cny, close_cny) * 100)::bigint < lower_cents
