-- Title: 各模型、各角色有多少论点多次重试仍未过校验，被弃用
with turns as (
    select
        runs.model,
        turns.debate_id,
        turns.turn_no,
        turns.role
    from debates.turns
    inner join debates.runs on turns.debate_id = runs.debate_id
    where turns.status = 'ok'
),

made as (
    select
        debate_id,
        turn_no,
        count(*) as arguments
    from debates.claims
    group by debate_id, turn_no
),

refused as (
    select
        debate_id,
        turn_no,
        count(*) as arguments,
        min(cause) as cause
    from debates.refusals
    where part in ('claims', 'pro', 'con')
    group by debate_id, turn_no
)

select
    turns.model,
    turns.role,
    count(*) as turns,
    sum(made.arguments) as arguments_kept,
    sum(coalesce(refused.arguments, 0)) as arguments_refused,
    round(
        100.0 * sum(coalesce(refused.arguments, 0)) / sum(made.arguments + coalesce(refused.arguments, 0)), 1
    ) as refused_pct,
    min(refused.cause) as sample
from turns
inner join made on turns.debate_id = made.debate_id and turns.turn_no = made.turn_no
left join refused on turns.debate_id = refused.debate_id and turns.turn_no = refused.turn_no
group by turns.model, turns.role
order by arguments_refused desc, turns.model, turns.role
