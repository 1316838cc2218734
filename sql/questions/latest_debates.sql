-- Title: 每只股票最近一次辩论的结论（不含只审一条论点的单点复审）
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
where protocol <> 'targeted' and ($protocol is null or protocol = $protocol)
qualify row_number() over (partition by symbol, protocol order by trade_date desc, finished_at desc) = 1
order by symbol, protocol
