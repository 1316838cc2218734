-- One row per filing without a title.
select
    announcement_id,
    symbol as subject,
    announcement_id || ' 没有标题' as note
from checked_announcements
where trim(title) = ''
