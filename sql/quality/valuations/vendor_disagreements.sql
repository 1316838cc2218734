-- One row per stock, session and multiple on which two vendors differ in sign or by more than 20 %.
with latest as (
    select
        multiples.symbol,
        multiples.trade_date,
        multiples.vendor,
        arg_max([multiples.pe_ttm, multiples.pb], multiples.fetched_at) as pair
    from raw.valuations as multiples
    semi join watched_symbols as watched on multiples.symbol = watched.symbol
    where coalesce(multiples.published_at <= getvariable('cutoff')::timestamptz, true)
    group by multiples.symbol, multiples.trade_date, multiples.vendor
),

long as (
    select
        symbol,
        trade_date,
        vendor,
        unnest(['pe_ttm', 'pb']) as name,
        unnest(pair) as multiple
    from latest
)

select
    symbol as subject,
    trade_date,
    name,
    min(multiple) as lowest,
    max(multiple) as highest,
    trade_date || ' ' || name || '：' || string_agg(vendor || ' ' || round(multiple, 2), '、' order by vendor) as note
from long
where multiple is not null
group by symbol, trade_date, name
having max(multiple) - min(multiple) > 0.2 * least(abs(min(multiple)), abs(max(multiple)))
