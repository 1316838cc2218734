-- One row per stock, session and multiple on which two vendors differ in sign or by more than 20 %.
with shared as (
    select
        symbol,
        trade_date
    from raw.valuations
    where symbol in (select watched.symbol from watched_symbols as watched)
    group by symbol, trade_date
    having min(vendor) <> max(vendor)
),

latest as (
    select
        multiples.symbol,
        multiples.trade_date,
        multiples.vendor,
        arg_max([multiples.pe_ttm, multiples.pb], multiples.fetched_at) as pair
    from raw.valuations as multiples
    semi join shared on multiples.symbol = shared.symbol and multiples.trade_date = shared.trade_date
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
