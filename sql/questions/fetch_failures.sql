-- Title: 哪些来源没有问到，为什么
-- Parameter: vendor varchar = null 只看这个来源
select
    fetched_at,
    vendor,
    kind,
    symbol,
    status,
    attempts,
    retryable,
    message
from raw.fetches
where
    status not in ('OK', 'NO_DATA', 'NOT_SUPPORTED')
    and ($vendor is null or vendor = $vendor)
order by fetched_at desc, vendor, kind, symbol
limit 500
