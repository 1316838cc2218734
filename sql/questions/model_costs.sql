-- Title: 每天在每个模型上用了多少次调用、多少词元、多少钱
select
    cast(started_at as date) as on_date,
    model,
    count(*) as calls,
    count(*) filter (where cached) as cached_calls,
    count(*) filter (where status = 'failed') as failed_calls,
    sum(tokens_in) as tokens_in,
    sum(tokens_out) as tokens_out,
    sum(cost_cny) as cost_cny
from debates.llm_calls
group by all
order by on_date desc, model
