-- Title: 各模型、各角色的数字核对通过率
select
    runs.model,
    coalesce(claims.role, 'report') as role,
    count(*) as checked,
    count(*) filter (where claim_checks.verdict in ('supported', 'rounded', 'derived')) as passed,
    count(*) filter (where claim_checks.verdict in ('unsupported', 'mismatch')) as failed,
    round(
        100.0 * count(*) filter (where claim_checks.verdict in ('supported', 'rounded', 'derived')) / count(*), 1
    ) as passed_pct
from debates.claim_checks
inner join debates.runs on claim_checks.debate_id = runs.debate_id
left join debates.claims
    on claim_checks.debate_id = claims.debate_id and claim_checks.claim_id = claims.claim_id
where claim_checks.verdict <> 'not_a_quantity'
group by all
order by runs.model, role
