-- One row per unlock whose share count contradicts its percentage of the capital by more than a factor of two, or that
-- is larger than the capital.
select
    unlocks.symbol as subject,
    unlocks.unlock_date,
    unlocks.unlocked_shares,
    unlocks.unlocked_pct,
    unlocks.unlock_date || ' 解禁 ' || unlocks.unlocked_shares::bigint || ' 股，称占 '
    || coalesce(unlocks.unlocked_pct::varchar, '空') || '%，按总股本为 '
    || round(100 * unlocks.unlocked_shares / share_counts.total_shares, 2) || '%' as note
from checked_unlocks as unlocks
inner join share_counts on unlocks.symbol = share_counts.symbol
where
    unlocks.unlocked_shares > 1.02 * share_counts.total_shares
    or (
        unlocks.unlocked_pct > 0.1
        and not unlocks.unlocked_shares / share_counts.total_shares * 100 / unlocks.unlocked_pct between 0.5 and 2
    )
