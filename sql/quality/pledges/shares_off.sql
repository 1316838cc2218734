-- One row per pledge whose share count contradicts its percentage of the capital by more than a factor of two: shares
-- and 万股, or two columns, mixed up.
select
    pledges.symbol as subject,
    pledges.trade_date,
    pledges.pledge_ratio_pct,
    pledges.pledged_shares,
    pledges.trade_date || ' 质押 ' || pledges.pledged_shares::bigint || ' 股，称占 ' || pledges.pledge_ratio_pct
    || '%，按总股本为 ' || round(100 * pledges.pledged_shares / share_counts.total_shares, 2) || '%' as note
from checked_pledges as pledges
inner join share_counts on pledges.symbol = share_counts.symbol
where
    pledges.pledge_ratio_pct > 0.1
    and not pledges.pledged_shares / share_counts.total_shares * 100 / pledges.pledge_ratio_pct between 0.5 and 2
