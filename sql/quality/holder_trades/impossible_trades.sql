-- One row per trade that ends before it starts, was noticed before it started, or whose share count contradicts its
-- percentage of the capital by more than a factor of two.
select
    trades.symbol as subject,
    trades.holder,
    trades.end_date,
    trades.notice_date,
    trades.changed_shares,
    trades.changed_pct,
    trades.notice_date || ' ' || trades.holder || ' ' || trades.direction || ' ' || trades.changed_shares::bigint
    || ' 股（称占 ' || coalesce(trades.changed_pct::varchar, '空') || '%）' as note
from checked_holder_trades as trades
left join share_counts on trades.symbol = share_counts.symbol
where
    trades.start_date > trades.end_date
    or trades.notice_date < trades.start_date
    or (
        trades.changed_pct > 0.1
        and not trades.changed_shares / share_counts.total_shares * 100 / trades.changed_pct between 0.5 and 2
    )
