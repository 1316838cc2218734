-- One row per watched stock that shares its popularity rank of a day with another: one answer was taken for two stocks.
select
    ranks.symbol as subject,
    ranks.trade_date,
    ranks.popularity_rank,
    ranks.trade_date || ' 人气第 ' || ranks.popularity_rank || ' 名与 ' || others.symbol || ' 相同' as note
from checked_attention as ranks
inner join checked_attention as others
    on
        ranks.trade_date = others.trade_date
        and ranks.popularity_rank = others.popularity_rank
        and ranks.symbol <> others.symbol
