-- One row per document whose sentences are quoted though no such filing of that stock is on record.
select
    texts.symbol as subject,
    texts.announcement_id,
    count(*) as sentences,
    texts.announcement_id || ' 有 ' || count(*) || ' 句，公告列表里没有它' as note
from checked_filing_texts as texts
anti join checked_announcements as filings
    on texts.announcement_id = filings.announcement_id and texts.symbol = filings.symbol
group by texts.symbol, texts.announcement_id
