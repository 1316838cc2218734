-- Title: 与同一股票、同一协议的上一次常规辩论相比，变了什么
-- Parameter: symbol varchar = null 只看这只股票
with counted as (
    select
        runs.debate_id,
        count(claims.claim_id) filter (where claims.status = 'standing') as standing_claims,
        count(claims.claim_id) filter (where claims.status in ('refuted', 'unsupported', 'conceded')) as fallen_claims
    from debates.runs
    left join debates.claims on runs.debate_id = claims.debate_id
    group by runs.debate_id
),

numbered as (
    select
        runs.*,
        counted.standing_claims,
        counted.fallen_claims,
        row_number() over (
            partition by runs.symbol, runs.protocol order by runs.trade_date desc, runs.finished_at desc
        ) as age
    from debates.runs
    inner join counted on runs.debate_id = counted.debate_id
    where runs.is_standing and runs.status in ('complete', 'partial')
)

select
    newest.symbol,
    newest.protocol,
    previous.trade_date as previous_date,
    newest.trade_date as newest_date,
    previous.confidence as confidence_from,
    newest.confidence as confidence_to,
    previous.conclusion as conclusion_from,
    newest.conclusion as conclusion_to,
    newest.pack_version <> previous.pack_version as has_new_facts,
    newest.standing_claims - previous.standing_claims as standing_claims_change,
    newest.fallen_claims - previous.fallen_claims as fallen_claims_change
from numbered as newest
inner join numbered as previous on newest.symbol = previous.symbol and newest.protocol = previous.protocol
where newest.age = 1 and previous.age = 2 and ($symbol is null or newest.symbol = $symbol)
order by abs(newest.confidence - previous.confidence) desc nulls last, newest.symbol
