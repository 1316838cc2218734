-- Title: 哪些话里的数字没有通过核对，正确值是多少
-- Parameter: symbol varchar = null 只看这只股票
select
    runs.trade_date,
    runs.symbol,
    claim_checks.claim_id,
    claim_checks.text as written,
    claim_checks.verdict,
    claim_checks.expected,
    claim_checks.unit,
    claim_checks.fact_id,
    claim_checks.reason,
    runs.model
from debates.claim_checks
inner join debates.runs on claim_checks.debate_id = runs.debate_id
where
    claim_checks.verdict in ('unsupported', 'mismatch')
    and ($symbol is null or runs.symbol = $symbol)
order by runs.trade_date desc, runs.symbol, claim_checks.claim_id, claim_checks.start
