-- Title: 数据校验拦下了什么
-- Parameter: since date = null 只看这一天及以后
select
    cast(checked_at as date) as checked_on,
    subject,
    suite,
    expectation,
    unexpected_count,
    sample
from quality.validations
where not success and ($since is null or cast(checked_at as date) >= $since)
order by checked_at desc, subject, expectation
