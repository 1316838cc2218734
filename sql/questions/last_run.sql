-- Title: 最近一次运行里每只股票的交代
select
    accounts.symbol,
    accounts.protocol,
    accounts.outcome,
    accounts.reason,
    accounts.debate_id,
    batches.trade_date,
    batches.finished_at
from ops.accounts
inner join ops.batches on accounts.batch_id = batches.batch_id
qualify batches.finished_at = max(batches.finished_at) over ()
order by accounts.symbol, accounts.protocol
