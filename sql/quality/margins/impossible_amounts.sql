-- One row per margin row that exceeds what it is part of: purchases over the day's turnover, or a balance over the
-- market value. Catches yuan and 亿元 mixed up.
select
    margins.symbol as subject,
    margins.trade_date,
    margins.margin_balance_cny,
    margins.margin_buy_cny,
    margins.trade_date || ' 融资余额 ' || coalesce(margins.margin_balance_cny::bigint::varchar, '空') || '，融资买入 '
    || coalesce(margins.margin_buy_cny::bigint::varchar, '空') as note
from checked_margins as margins
left join checked_daily_bars as bars on margins.symbol = bars.symbol and margins.trade_date = bars.trade_date
left join checked_valuations as multiples
    on margins.symbol = multiples.symbol and margins.trade_date = multiples.trade_date
where
    margins.margin_buy_cny > 1.001 * bars.amount_cny + 1
    or margins.margin_balance_cny > multiples.market_cap_cny
