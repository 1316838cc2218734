-- Title: 双方分歧落在哪个数字上，是否已见分晓
-- Parameter: metric varchar = null 只看这个指标，如 net_profit_yoy_pct
-- Parameter: symbol varchar = null 只看这只股票
-- Parameter: since date = null 只看这一天及以后的辩论
with settled as (
    select
        item_id,
        settled_for,
        actual_value
    from debates.outcomes
    where item_kind = 'disagreement'
    qualify row_number() over (partition by item_id order by settled_at desc) = 1
)

select
    runs.trade_date,
    runs.symbol,
    disagreements.metric,
    disagreements.for_value,
    disagreements.against_value,
    disagreements.unit,
    disagreements.for_probability,
    disagreements.due_date,
    coalesce(settled.settled_for, 'open') as settled_for,
    settled.actual_value,
    disagreements.assumption,
    runs.topic,
    disagreements.debate_id,
    disagreements.disagreement_id
from debates.disagreements
inner join debates.runs on disagreements.debate_id = runs.debate_id
left join settled on disagreements.disagreement_id = settled.item_id
where
    ($metric is null or disagreements.metric = $metric)
    and ($symbol is null or runs.symbol = $symbol)
    and ($since is null or runs.trade_date >= $since)
order by runs.trade_date desc, runs.symbol, disagreements.disagreement_id
