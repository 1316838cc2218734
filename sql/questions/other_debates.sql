-- Title: 不是常规辩论的各场：话题、单点复审、补充材料后重审，各自的命题与裁决
-- Parameter: symbol varchar = null 只看这只股票
select
    trade_date,
    symbol,
    protocol,
    topic,
    proposition,
    verdict,
    confidence,
    status,
    previous_debate_id,
    debate_id
from debates.runs
where not is_standing and ($symbol is null or symbol = $symbol)
order by trade_date desc, finished_at desc, symbol, debate_id
