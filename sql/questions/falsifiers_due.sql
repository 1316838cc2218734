-- Title: 什么情况说明谁错了，按期限排
-- Parameter: symbol varchar = null 只看这只股票
select
    falsifiers.due_date,
    runs.symbol,
    falsifiers.side,
    falsifiers.description,
    falsifiers.metric,
    falsifiers.operator,
    falsifiers.threshold,
    falsifiers.unit,
    runs.topic,
    falsifiers.debate_id
from debates.falsifiers
inner join debates.runs on falsifiers.debate_id = runs.debate_id
where $symbol is null or runs.symbol = $symbol
order by falsifiers.due_date nulls last, runs.symbol, falsifiers.falsifier_id
