-- One row per news item without a headline.
select
    news_id,
    symbol as subject,
    news_id || ' 没有标题' as note
from checked_news
where trim(title) = ''
