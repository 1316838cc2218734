-- Title: 每只股票最近一次常规辩论的结论（话题、单点复审与补充重审见 other_debates）
-- Parameter: protocol varchar = null 只看这种协议
select
    symbol,
    trade_date,
    protocol,
    verdict,
    confidence,
    swap_agreement,
    status,
    title,
    debate_id
from debates.runs
where is_standing and ($protocol is null or protocol = $protocol)
qualify row_number() over (partition by symbol, protocol order by trade_date desc, finished_at desc) = 1
order by symbol, protocol
