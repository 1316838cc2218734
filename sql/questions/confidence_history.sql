-- Title: 一只股票常规辩论的裁决倾向怎样变化，比上次变了多少
-- Parameter: symbol varchar = null 只看这只股票
select
    symbol,
    trade_date,
    protocol,
    model,
    title,
    verdict,
    confidence,
    confidence - lag(confidence) over (
        partition by symbol, protocol, model order by trade_date, finished_at
    ) as change_from_last,
    conclusion
from debates.runs
where confidence is not null and is_standing and ($symbol is null or symbol = $symbol)
order by symbol, protocol, model, trade_date desc
