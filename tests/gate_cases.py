"""What breaks each check of the gate: one case per business expectation, so that none can be there for show."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from tests.gate_market import EX_DATE, HALT, SESSIONS, SYMBOLS, published

A, B, C, D = SYMBOLS
LAST, BEFORE_LAST = SESSIONS[-1], SESSIONS[-2]


def set_(table: str, assignment: str, symbol: str = A, day: date = LAST) -> str:
    """SQL that changes one row."""
    return f"update {table} set {assignment} where symbol = '{symbol}' and trade_date = '{day}'"


#: A fallback in the chain: the bars of a vendor that quotes no previous close, under the factors of another.
BARS_OF_ANOTHER_VENDOR = ["update staging.daily_bars set vendor = 'eastmoney', previous_close_cny = null"]

#: (suite, check) → SQL that breaks one thing, and the subjects that must be named.
CASES: dict[tuple[str, str], tuple[list[str], set[str]]] = {
    ("staging.instruments", "not_listed"): (
        [f"update staging.instruments set delisted_date = '{BEFORE_LAST}' where symbol = '{A}'",
         f"update staging.instruments set listed_date = '{LAST + timedelta(days=9)}' where symbol = '{B}'"], {A, B}),
    ("staging.instruments", "board_mismatch"): (
        [f"update staging.instruments set board = 'chinext' where symbol = '{A}'"], {A}),
    ("staging.trade_dates", "calendar_conflicts"): (
        [f"update staging.trade_dates set is_session = false where trade_date = '{LAST}'"], {"*"}),
    ("staging.daily_bars", "stale_sessions"): (
        [f"delete from staging.daily_bars where symbol = '{A}' and trade_date = '{LAST}'"], {A}),
    ("staging.daily_bars", "missing_sessions"): (
        [f"delete from staging.daily_bars where symbol = '{A}' and trade_date = '{SESSIONS[30]}'"], {A}),
    ("staging.daily_bars", "incoherent_bars"): (
        [set_("staging.daily_bars", "high_cny = low_cny - 0.5"),
         set_("staging.daily_bars", "volume_shares = 5", C, HALT[0])], {A, C}),
    ("staging.daily_bars", "beyond_limit"): ([set_("staging.daily_bars", "close_cny = 20, high_cny = 20")], {A}),
    ("staging.daily_bars", "unit_mismatches"): (
        [set_("staging.daily_bars", "volume_shares = volume_shares / 100")], {A}),
    ("staging.daily_bars", "vendor_disagreements"): (
        ["insert into raw.daily_bars by name select * replace ('eastmoney' as vendor, close_cny + 0.02 as close_cny) "
         f"from raw.daily_bars where symbol = '{A}' and trade_date = '{LAST}'"], {A}),
    ("staging.daily_bars", "renumbered_conflicts"): (
        [f"update staging.instruments set former_symbol = '600999.SH' where symbol = '{A}'",
         "insert into raw.daily_bars by name select * replace ('600999.SH' as symbol, close_cny + 1 as close_cny) "
         f"from raw.daily_bars where symbol = '{A}' and trade_date = '{LAST}'"], {A}),
    ("staging.adjust_factors", "steps_off"): (["delete from staging.adjust_factors"], {A}),
    ("staging.adjust_factors", "unusable_factors"): (
        ["update staging.adjust_factors set ex_date = '2025-03-29'"], {A}),
    ("staging.adjust_factors", "mixed_vendors"): (
        ["insert into staging.adjust_factors by name select * replace ('sina' as vendor, 7.25 as backward_factor, "
         f"date '{SESSIONS[25]}' as ex_date) from staging.adjust_factors"], {A}),
    ("staging.adjust_factors", "unconfirmed_steps"): (BARS_OF_ANOTHER_VENDOR, {A}),
    ("staging.valuations", "stale_sessions"): (
        [f"delete from staging.valuations where symbol = '{A}' and trade_date = '{LAST}'"], {A}),
    ("staging.valuations", "vendor_disagreements"): (
        ["insert into raw.valuations by name select * replace ('eastmoney' as vendor, -pe_ttm as pe_ttm) "
         f"from raw.valuations where symbol = '{A}' and trade_date = '{LAST}'"], {A}),
    ("staging.valuations", "off_reported"): (
        ["insert into staging.financial_indicators (symbol, report_period, notice_date, net_profit_cny, published_at, "
         f"fetched_at, vendor) values ('{A}', '2024-12-31', '2025-03-20', -5e8, '2025-03-20', '2025-03-20', 'x')"],
        {A}),
    ("staging.valuations", "unpublished_sessions"): (
        [set_("staging.valuations", "pe_ttm = null, pb = null, ps_ttm = null", A, SESSIONS[30]),
         f"delete from staging.valuations where symbol = '{B}' and trade_date = '{SESSIONS[30]}'"], {A, B}),
    ("staging.announcements", "foreign_filings"): (
        [f"update staging.announcements set name = '宁德时代' where announcement_id = '{A}-2'"], {A}),
    ("staging.financial_indicators", "growth_off"): (
        ["insert into staging.financial_indicators (symbol, report_period, revenue_cny, revenue_yoy_pct) values "
         f"('{A}', '2023-12-31', 1e9, null), ('{A}', '2024-12-31', 1.2e9, 35), "
         f"('{B}', '2023-12-31', 1e9, null), ('{B}', '2024-12-31', 1.2e9, 20)"], {A}),
    ("staging.attention", "shared_ranks"): (
        ["insert into staging.attention (symbol, trade_date, popularity_rank) values "
         f"('{A}', '{LAST}', 7), ('{B}', '{LAST}', 7), ('{C}', '{LAST}', 8), ('{D}', '{BEFORE_LAST}', 7)"], {A, B}),
    ("marts.adjusted_bars", "unusable_prices"): (
        [set_("marts.adjusted_bars", "close_cny = -1.0", A, SESSIONS[3])], {A}),
    ("marts.adjusted_bars", "factors_off"): (
        [f"update marts.adjusted_bars set forward_factor = 1 where symbol = '{A}'"], {A}),
    ("marts.adjusted_bars", "returns_off"): (
        [f"update marts.adjusted_bars set close_cny = raw_close_cny where symbol = '{A}'"], {A}),
    ("marts.adjusted_bars", "vendor_off"): (
        [f"insert into vendor_faults values ('{A}', '{LAST}', 'sina', 'differs', 9.0, 10.0)"], {A}),
    ("marts.adjusted_bars", "rows_lost"): (
        [f"delete from marts.adjusted_bars where symbol = '{A}' and trade_date = '{SESSIONS[5]}'"], {A}),
    ("marts.valuation_percentiles", "percentiles_off"): (
        [set_("marts.valuation_percentiles", "pb_pct_1y = 12"),
         set_("marts.valuation_percentiles", "ps_ttm_obs_10y = 3", B)], {A, B}),
    ("marts.valuation_percentiles", "loss_ranked"): (
        [set_("marts.valuation_percentiles", "pe_ttm_pct_3y = 12", D),
         set_("marts.valuation_percentiles", "pb_status = 'missing'", A)], {A, D}),
    ("marts.valuation_percentiles", "rows_lost"): (
        [f"delete from marts.valuation_percentiles where symbol = '{A}' and trade_date = '{SESSIONS[5]}'"], {A}),
    ("marts.price_facts", "incoherent_facts"): (
        [set_("marts.price_facts", "low_52w_cny = close_cny + 0.5"), set_("marts.price_facts", "change_pct = 3", B)],
        {A, B}),
    ("marts.price_facts", "stale_sessions"): (
        [f"delete from marts.price_facts where symbol = '{A}' and trade_date = '{LAST}'"], {A}),
}  # fmt: skip

#: (suite, check) → changes to a valid row that leave it sound, and further changes each of which breaks it. Value
#: and close of the healthy market make one billion shares.
ROW_CASES: dict[tuple[str, str], tuple[dict[str, Any], list[dict[str, Any]]]] = {
    ("staging.corporate_actions", "events_off"): (
        {"ex_date": EX_DATE, "cash_cny": 0.0, "bonus_ratio": 0.25, "rights_ratio": 0.0, "rights_price_cny": None},
        [{"bonus_ratio": 2.5}, {"cash_cny": 0.15}, {"ex_date": SESSIONS[8]}, {"ex_date": date(2025, 3, 29)}]),
    ("staging.corporate_actions", "unlisted_steps"): (
        {"ex_date": EX_DATE}, [{"ex_date": SESSIONS[5]}, {"ex_date": EX_DATE - timedelta(days=5)}]),
    ("staging.filing_texts", "unreadable_mismatch"): (
        {"sentence_no": 1, "page": 2, "sentence": "营收增长 5%。", "readability": "readable"},
        [{"sentence": None}, {"page": None}, {"readability": "scanned"}]),
    ("staging.filing_texts", "orphan_sentences"): (
        {"announcement_id": f"{A}-1"}, [{"announcement_id": f"{B}-1"}, {"announcement_id": "none"}]),
    ("staging.earnings_forecasts", "contradictory_forecasts"): (
        {"forecast_type": "预增", "value_low_cny": 1e8, "value_high_cny": 2e8, "change_low_pct": 10.0,
         "change_high_pct": 20.0},
        [{"value_low_cny": 3e8}, {"change_low_pct": 30.0}, {"forecast_type": "预减"}, {"forecast_type": "首亏"},
         {"change_low_pct": -20.0, "change_high_pct": -10.0},
         {"forecast_type": "扭亏", "value_low_cny": -2e8, "value_high_cny": -1e8}]),
    ("staging.earnings_forecasts", "impossible_periods"): (
        {"report_period": date(2024, 12, 31), "notice_date": date(2025, 1, 20)},
        [{"report_period": date(2024, 12, 30)}, {"report_period": date(2024, 11, 30)},
         {"notice_date": date(2023, 12, 1)}, {"notice_date": date(2025, 7, 2)}]),
    ("staging.financial_indicators", "impossible_periods"): (
        {"report_period": date(2024, 12, 31), "notice_date": date(2025, 3, 20), "published_at": published(LAST)},
        [{"report_period": date(2024, 10, 31)}, {"notice_date": date(2024, 12, 31)},
         {"published_at": published(date(2024, 12, 30))}]),
    ("staging.financial_indicators", "contradictory_figures"): (
        {"net_profit_cny": 1e8, "eps_cny": 0.1, "revenue_cny": 1e9, "net_margin_pct": 10.0, "gross_margin_pct": 30.0},
        [{"eps_cny": -0.1}, {"gross_margin_pct": 3000.0}, {"net_margin_pct": -10.0}]),
    ("staging.news", "blank_titles"): ({}, [{"title": ""}, {"title": "  "}]),
    ("staging.announcements", "blank_titles"): ({}, [{"title": ""}]),
    ("staging.research_reports", "impossible_dates"): (
        {"report_date": BEFORE_LAST, "forecast_year": 2025, "published_at": published(LAST)},
        [{"report_date": LAST + timedelta(days=3)}, {"forecast_year": 2019}, {"forecast_year": 2028}]),
    ("staging.pledges", "shares_off"): (
        {"pledge_ratio_pct": 10.0, "pledged_shares": 1e8},
        [{"pledged_shares": 1e4}, {"pledged_shares": 12.34}, {"pledge_ratio_pct": 99.0}]),
    ("staging.holder_trades", "impossible_trades"): (
        {"start_date": BEFORE_LAST, "end_date": LAST, "notice_date": LAST, "changed_shares": 1e7, "changed_pct": 1.0},
        [{"end_date": SESSIONS[3]}, {"notice_date": SESSIONS[3]}, {"changed_shares": 1e3},
         {"changed_shares": 1e11}]),
    ("staging.unlocks", "shares_off"): (
        {"unlocked_shares": 1e8, "unlocked_pct": 10.0},
        [{"unlocked_shares": 1e4}, {"unlocked_shares": 1.1e9, "unlocked_pct": None}]),
    ("staging.top_list", "contradictory_rows"): (
        {"reason": "日涨幅偏离值达到7%的前5只证券", "window_sessions": 1, "buy_cny": 3e7, "sell_cny": 1e7,
         "net_buy_cny": 2e7},
        [{"net_buy_cny": 3e7}, {"window_sessions": 3}, {"reason": "连续三个交易日内，涨幅偏离值累计达到20%的证券"}]),
    ("staging.margins", "impossible_amounts"): (
        {"trade_date": LAST, "margin_balance_cny": 5e8, "margin_buy_cny": 5e5},
        [{"margin_balance_cny": 5e12}, {"margin_buy_cny": 5e9}]),
    ("staging.fund_flows", "impossible_flows"): (
        {"trade_date": LAST, "main_net_cny": 0.0, "main_net_pct": 0.0},
        [{"main_net_cny": 1e9, "main_net_pct": None}, {"main_net_pct": 15.0}]),
    ("staging.suspensions", "traded_inside"): (
        {"start_date": HALT[0], "end_date": HALT[0]},
        [{"end_date": SESSIONS[20]}, {"end_date": None}, {"end_date": SESSIONS[3]}]),
    ("staging.macro", "implausible_values"): (
        {"indicator": "PMI", "period": date(2025, 2, 28), "value": 50.2, "unit": "index"},
        [{"value": 5020.0}, {"unit": "pct"}, {"period": date(2025, 4, 30)},
         {"indicator": "LPR1Y", "unit": "pct", "value": 310.0}, {"indicator": "CPI", "unit": "pct", "value": 102.0}]),
    ("staging.peers", "contradictory_peers"): (
        {"peer_symbol": B, "trade_date": LAST, "pe_ttm": None},
        [{"peer_symbol": A}, {"pe_ttm": 999.0}, {"pe_ttm": -5.0}]),
}  # fmt: skip
