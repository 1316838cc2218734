-- One row per line that calls its document readable without a sentence and page, or quotes one that was not readable.
select
    symbol as subject,
    announcement_id,
    sentence_no,
    readability,
    announcement_id || ' 第 ' || sentence_no || ' 句，' || readability as note
from checked_filing_texts
where
    (readability = 'readable' and sentence_no > 0 and (sentence is null or page is null))
    or (readability <> 'readable' and sentence is not null)
