-- One row per halt that ends before it starts, or inside which (its first and last day aside) the stock traded: such a
-- record would excuse sessions that are missing.
select
    halts.symbol as subject,
    halts.start_date,
    halts.end_date,
    min(bars.trade_date) as trade_date,
    concat_ws('，', halts.start_date || ' 起停牌', halts.end_date || ' 止', min(bars.trade_date) || ' 有成交') as note
from checked_suspensions as halts
cross join gate_run
left join checked_daily_bars as bars
    on
        halts.symbol = bars.symbol
        and bars.is_trading
        and bars.volume_shares > 0
        and halts.start_date < bars.trade_date
        and coalesce(halts.end_date, gate_run.session) > bars.trade_date
group by halts.symbol, halts.start_date, halts.end_date
having halts.end_date < halts.start_date or count(bars.trade_date) > 0
