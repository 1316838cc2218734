-- One row per filing under a watched code that is another company's: its printed name is not ours, its title does not
-- name us, and the name is a company we know or came up after filings under our own name (so it is no former name).
with filings as (
    select
        filings.*,
        coalesce(printed.plain, filings.name) as printed_name,
        regexp_replace(filings.title, '\s', '', 'g') as plain_title
    from checked_announcements as filings
    left join plain_names as printed on filings.name = printed.written
),

own_names as (
    select distinct
        instruments.symbol,
        names.plain as name
    from raw.instruments as instruments
    inner join plain_names as names on instruments.name = names.written
),

strangers as (
    select filings.*
    from filings
    where
        not exists (
            select 1 from own_names
            where
                own_names.symbol = filings.symbol
                and (filings.printed_name = own_names.name or contains(filings.plain_title, own_names.name))
        )
        and filings.symbol in (select named.symbol from own_names as named)
),

first_own as (
    select
        filings.symbol,
        min(filings.published_at) as published_at
    from filings
    inner join own_names on filings.symbol = own_names.symbol and filings.printed_name = own_names.name
    group by filings.symbol
)

select
    strangers.symbol as subject,
    strangers.announcement_id,
    strangers.name,
    strangers.title,
    strangers.announcement_id || ' ' || strangers.name || '：' || strangers.title as note
from strangers
left join first_own on strangers.symbol = first_own.symbol
where
    strangers.published_at > first_own.published_at
    or exists (
        select 1 from own_names
        where own_names.symbol <> strangers.symbol and own_names.name = strangers.printed_name
    )
