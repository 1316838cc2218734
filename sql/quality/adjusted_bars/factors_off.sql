-- One row per adjusted bar whose factor is not its backward factor over that of the run's session, or whose close is
-- not raw close × factor: recomputed from the event table, the anchor included.
with anchors as (
    select
        watched.symbol,
        coalesce(arg_max(factors.backward_factor, factors.ex_date), 1) as anchor_factor
    from watched_symbols as watched
    cross join gate_run
    left join checked_adjust_factors as factors
        on watched.symbol = factors.symbol and gate_run.session >= factors.ex_date
    group by watched.symbol
),

expected as (
    select
        steps.symbol,
        steps.trade_date,
        steps.close_cny as raw_close_cny,
        steps.backward_factor / anchors.anchor_factor as forward_factor
    from bar_steps as steps
    inner join anchors on steps.symbol = anchors.symbol
)

select
    bars.symbol as subject,
    bars.trade_date,
    bars.forward_factor,
    expected.forward_factor as expected_factor,
    bars.trade_date || ' 因子 ' || printf('%.6f', bars.forward_factor) || '，应为 '
    || printf('%.6f', expected.forward_factor) as note
from checked_adjusted_bars as bars
inner join expected on bars.symbol = expected.symbol and bars.trade_date = expected.trade_date
where
    abs(bars.forward_factor / expected.forward_factor - 1) > 1e-9
    or abs(bars.raw_close_cny - expected.raw_close_cny) > 1e-9
    or abs(bars.close_cny / (expected.raw_close_cny * expected.forward_factor) - 1) > 1e-9
