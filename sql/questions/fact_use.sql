-- Title: 哪些事实被引用得最多，站在哪一边
-- Parameter: symbol varchar = null 只看这只股票
select
    runs.symbol,
    runs.trade_date,
    cited.fact_id,
    count(*) filter (where cited.side = 'for') as cited_for,
    count(*) filter (where cited.side = 'against') as cited_against,
    max(cited.score) as best_score
from (
    select
        debate_id,
        side,
        score,
        unnest(fact_ids) as fact_id
    from debates.claims
) as cited
inner join debates.runs on cited.debate_id = runs.debate_id
where $symbol is null or runs.symbol = $symbol
group by all
order by runs.trade_date desc, runs.symbol, cited_for + cited_against desc, cited.fact_id
