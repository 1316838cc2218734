"""Raw tables, one per kind (PRODUCT M5): append-only, vendor-neutral columns and units.

Decision: a source adapter is the only code that knows its vendor's column names and units, so it
already delivers canonical columns (shares, CNY, percent as percent numbers). The raw table keeps
every version of every row with its vendor; ``staging`` picks the latest version visible as of T.
``published_at`` is the row's own publication time, else the kind's publication time on its date
(``KIND_RULES``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time

from flows.contracts.columns import (
    NOTICE_DATE,
    PUBLISHED_AT,
    REPORT_PERIOD,
    SYMBOL,
    SYSTEM,
    TRADE_DATE,
)
from flows.contracts.table import Column, Table, day, flag, moment, number, text, whole

BOARDS = ("main", "star", "chinext", "bse")
FILING_CLASSES = (
    "业绩预告", "重大合同", "增减持", "权益分派", "风险提示", "问询监管", "诉讼", "重组",
    "解禁", "质押", "回购", "股权激励", "定期报告", "其他",
)  # fmt: skip


def _raw(kind: str, meaning: str, grain: tuple[str, ...], *columns: Column) -> Table:
    return Table(f"raw.{kind}", meaning, grain, (*columns, PUBLISHED_AT, *SYSTEM))


INSTRUMENTS = _raw(
    "instruments", "One listed company as it was known; versions by published_at.", ("symbol",),
    SYMBOL,
    text("name", "Short name as displayed, e.g. 浦发银行."),
    text("board", "Listing board.", values=BOARDS),
    text("industry", "Industry of the vendor's classification.", nullable=True),
    day("listed_date", "First listed session.", nullable=True),
    day("delisted_date", "Last listed session.", nullable=True),
    flag("is_st", "Special treatment (ST or *ST) from published_at on.", nullable=True),
    text("former_symbol", "Symbol before a code change or merger; same company.", nullable=True),
    day("symbol_since", "First session under this symbol after a code change.", nullable=True),
)  # fmt: skip

TRADE_DATES = _raw(
    "trade_dates", "One calendar day of the exchange.", ("trade_date",),
    TRADE_DATE,
    flag("is_session", "Whether the exchange is open."),
)  # fmt: skip

DAILY_BARS = _raw(
    "daily_bars", "Unadjusted daily bar; a suspended day may be flat with volume 0 or absent.",
    ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("open_cny", "Open, CNY per share.", minimum=0),
    number("high_cny", "High, CNY per share.", minimum=0),
    number("low_cny", "Low, CNY per share.", minimum=0),
    number("close_cny", "Close, CNY per share.", minimum=0),
    number("previous_close_cny", "Exchange's previous close (ex-right reference price on an ex-date).",
           nullable=True, minimum=0),
    number("volume_shares", "Volume, shares.", minimum=0),
    number("amount_cny", "Turnover value, CNY.", nullable=True, minimum=0),
    number("turnover_pct", "Turnover rate, percent of free float.", nullable=True, minimum=0),
    flag("is_trading", "False on a suspended day."),
    flag("is_st", "Dated ST flag where the vendor gives one.", nullable=True),
)  # fmt: skip

ADJUST_FACTORS = _raw(
    "adjust_factors", "Cumulative backward factor from an ex-date on; 1 before the first event.",
    ("symbol", "ex_date"),
    SYMBOL,
    day("ex_date", "Ex-right date (除权除息日)."),
    number("backward_factor", "Cumulative product of previous close / ex-right reference price.", minimum=0),
)  # fmt: skip

CORPORATE_ACTIONS = _raw(
    "corporate_actions", "Dividend, bonus or rights event, amounts per share.", ("symbol", "ex_date"),
    SYMBOL,
    day("ex_date", "Ex-right date (除权除息日)."),
    number("cash_cny", "Pre-tax cash dividend, CNY per share.", minimum=0),
    number("bonus_ratio", "Bonus and capitalisation shares per share held (送转).", minimum=0),
    number("rights_ratio", "Rights shares per share held (配股).", minimum=0),
    number("rights_price_cny", "Rights subscription price, CNY.", nullable=True, minimum=0),
    text("plan", "The plan as worded by the vendor.", nullable=True),
)  # fmt: skip

VALUATIONS = _raw(
    "valuations", "Valuation multiples of one stock and session; negative = loss, null = not published.",
    ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("pe_ttm", "Price / earnings, trailing twelve months.", nullable=True),
    number("pb", "Price / book, most recent quarter.", nullable=True),
    number("ps_ttm", "Price / sales, trailing twelve months.", nullable=True),
    number("pcf_ttm", "Price / net cash flow, trailing twelve months.", nullable=True),
    number("market_cap_cny", "Total market value, CNY.", nullable=True, minimum=0),
)  # fmt: skip

ANNOUNCEMENTS = _raw(
    "announcements", "One filing of one company.", ("announcement_id", "symbol"),
    text("announcement_id", "Vendor's stable id of the filing."),
    SYMBOL,
    text("name", "Company short name as printed in the filing list."),
    text("title", "Title, markup stripped, otherwise verbatim (untrusted text)."),
    text("category", "Vendor's category codes or names, comma separated.", nullable=True),
    text("url", "Address of the document.", nullable=True),
    flag("is_date_only", "True if only the date is known: no order within the day."),
)  # fmt: skip

FILING_TEXTS = _raw(
    "filing_texts", "One sentence with figures of one filing, or one row saying it is unreadable.",
    ("announcement_id", "sentence_no"),
    text("announcement_id", "The filing."),
    SYMBOL,
    whole("sentence_no", "Running number; 0 on the status row of an unreadable document.", minimum=0),
    whole("page", "Page of the sentence, from 1.", nullable=True, minimum=1),
    text("readability", "Whether text could be read.",
         values=("readable", "scanned", "broken", "encrypted", "too_large")),
    text("sentence", "The sentence (untrusted text).", nullable=True),
)  # fmt: skip

EARNINGS_FORECASTS = _raw(
    "earnings_forecasts", "One forecast line of one company (业绩预告); revisions are further notices.",
    ("symbol", "report_period", "metric", "notice_date"),
    SYMBOL, REPORT_PERIOD, NOTICE_DATE,
    text("metric", "Forecast quantity as worded, e.g. 归属于上市公司股东的净利润."),
    text("forecast_type", "预增 预减 扭亏 首亏 续盈 续亏 略增 略减 不确定.", nullable=True),
    number("value_low_cny", "Lower bound or point value, CNY.", nullable=True),
    number("value_high_cny", "Upper bound, CNY.", nullable=True),
    number("change_low_pct", "Lower bound of year-on-year change, percent.", nullable=True),
    number("change_high_pct", "Upper bound of year-on-year change, percent.", nullable=True),
    number("prior_value_cny", "Same period of the year before, CNY.", nullable=True),
    text("summary", "Wording of the forecast (untrusted text).", nullable=True),
    text("reason", "Stated reason (untrusted text).", nullable=True),
)  # fmt: skip

FINANCIAL_INDICATORS = _raw(
    "financial_indicators", "Main indicators of one report, cumulative from the start of the year.",
    ("symbol", "report_period"),
    SYMBOL, REPORT_PERIOD, NOTICE_DATE,
    number("revenue_cny", "Operating revenue, CNY, cumulative.", nullable=True),
    number("revenue_yoy_pct", "Revenue, year on year, percent.", nullable=True),
    number("net_profit_cny", "Net profit attributable to the parent, CNY, cumulative.", nullable=True),
    number("net_profit_yoy_pct", "Net profit, year on year, percent.", nullable=True),
    number("deducted_net_profit_cny", "Net profit after non-recurring items (扣非), CNY.", nullable=True),
    number("eps_cny", "Basic earnings per share, CNY.", nullable=True),
    number("bvps_cny", "Book value per share, CNY.", nullable=True),
    number("roe_pct", "Weighted return on equity, percent, cumulative.", nullable=True),
    number("gross_margin_pct", "Gross margin, percent.", nullable=True),
    number("net_margin_pct", "Net margin, percent.", nullable=True),
    number("debt_ratio_pct", "Liabilities / assets, percent.", nullable=True),
    number("operating_cash_flow_cny", "Net operating cash flow, CNY, cumulative.", nullable=True),
)  # fmt: skip

NEWS = _raw(
    "news", "One news item found for one company; it may concern others.", ("news_id", "symbol"),
    text("news_id", "Stable id: the item's address."),
    SYMBOL,
    text("title", "Headline, markup stripped, otherwise verbatim (untrusted text)."),
    text("content", "Excerpt (untrusted text).", nullable=True),
    text("media", "Publisher.", nullable=True),
    text("url", "Address.", nullable=True),
)  # fmt: skip

RESEARCH_REPORTS = _raw(
    "research_reports", "One sell-side report.", ("report_id", "symbol"),
    text("report_id", "Vendor's id of the report."),
    SYMBOL,
    day("report_date", "Date of the report."),
    text("title", "Title (untrusted text)."),
    text("organisation", "Publishing broker.", nullable=True),
    text("rating", "Rating as worded by the broker: data, never our advice.", nullable=True),
    text("abstract", "Abstract (untrusted text).", nullable=True),
    whole("forecast_year", "First forecast year, reconstructed from the report date.", nullable=True),
    number("eps_year_0_cny", "Forecast EPS of forecast_year, CNY.", nullable=True),
    number("eps_year_1_cny", "Forecast EPS of the year after, CNY.", nullable=True),
    text("url", "Address.", nullable=True),
)  # fmt: skip

PLEDGES = _raw(
    "pledges", "Pledged shares of one company on one weekly date.", ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("pledge_ratio_pct", "Pledged share of total capital, percent.", minimum=0, maximum=100),
    number("pledged_shares", "Pledged shares.", nullable=True, minimum=0),
    whole("pledge_count", "Number of pledges.", nullable=True, minimum=0),
)  # fmt: skip

HOLDER_TRADES = _raw(
    "holder_trades", "One increase or reduction by one holder.",
    ("symbol", "holder", "direction", "end_date", "notice_date"),
    SYMBOL,
    text("holder", "Name of the holder."),
    text("direction", "Increase or reduction.", values=("增持", "减持")),
    number("changed_shares", "Shares changed, positive.", minimum=0),
    number("changed_pct", "Percent of total capital, positive.", nullable=True, minimum=0, maximum=100),
    number("holding_after_pct", "Holding afterwards, percent of total capital.", nullable=True, minimum=0,
           maximum=100),
    day("start_date", "First day of the change.", nullable=True),
    day("end_date", "Last day of the change.", nullable=True),
    NOTICE_DATE,
)  # fmt: skip

UNLOCKS = _raw(
    "unlocks", "Restricted shares that become tradable (解禁).", ("symbol", "unlock_date", "share_type"),
    SYMBOL,
    day("unlock_date", "Date on which they become tradable."),
    text("share_type", "Kind of restricted share."),
    number("unlocked_shares", "Shares.", minimum=0),
    number("unlocked_pct", "Percent of total capital.", nullable=True, minimum=0, maximum=100),
)  # fmt: skip

TOP_LIST = _raw(
    "top_list", "One 龙虎榜 row; one per reason, a three-day row is a three-day sum.",
    ("symbol", "trade_date", "reason"),
    SYMBOL, TRADE_DATE,
    text("reason", "Reason of listing, verbatim."),
    whole("window_sessions", "Sessions the amounts cover: 1 or 3.", minimum=1),
    number("net_buy_cny", "Net buying of the listed seats, CNY.", nullable=True),
    number("buy_cny", "Buying of the listed seats, CNY.", nullable=True, minimum=0),
    number("sell_cny", "Selling of the listed seats, CNY.", nullable=True, minimum=0),
    number("change_pct", "Price change of the day, percent.", nullable=True),
)  # fmt: skip

MARGINS = _raw(
    "margins", "Margin trading of one stock and session (融资融券), published next morning.",
    ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("margin_balance_cny", "Financing balance (融资余额), CNY.", nullable=True, minimum=0),
    number("margin_buy_cny", "Financing purchases of the day, CNY.", nullable=True, minimum=0),
    number("short_volume_shares", "Securities lending balance (融券余量), shares.", nullable=True, minimum=0),
)  # fmt: skip

FUND_FLOWS = _raw(
    "fund_flows", "Net flow by order size, vendor's own estimate.", ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("main_net_cny", "Net flow of large and super-large orders (主力净流入), CNY."),
    number("main_net_pct", "The same, percent of turnover.", nullable=True),
)  # fmt: skip

ATTENTION = _raw(
    "attention", "Retail attention of one stock and day.", ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    whole("popularity_rank", "Rank on the popularity list, 1 = most watched.", minimum=1),
    whole("rank_change", "Places gained since the day before.", nullable=True),
)  # fmt: skip

SUSPENSIONS = _raw(
    "suspensions", "One trading halt.", ("symbol", "start_date"),
    SYMBOL,
    day("start_date", "First suspended session."),
    day("end_date", "Last suspended session; null while it lasts.", nullable=True),
    text("reason", "Reason, verbatim.", nullable=True),
)  # fmt: skip

MACRO = _raw(
    "macro", "One value of one macro indicator.", ("indicator", "period"),
    text("indicator", "PMI, CPI, LPR1Y, LPR5Y …"),
    day("period", "Last day of the month the value is of."),
    number("value", "Value in the unit given."),
    text("unit", "pct or index.", values=("pct", "index")),
)  # fmt: skip

PEERS = _raw(
    "peers", "One company of the same industry, for comparison.", ("symbol", "peer_symbol"),
    SYMBOL,
    text("peer_symbol", "Canonical symbol of the other company."),
    text("peer_name", "Its short name."),
    text("industry", "The common industry."),
    TRADE_DATE,
    number("pe_ttm", "Its PE TTM on trade_date.", nullable=True),
    number("pb", "Its PB on trade_date.", nullable=True),
)  # fmt: skip

FETCHES = Table(
    "raw.fetches", "Every envelope of every run.", ("batch_id", "kind", "symbol", "vendor", "fetched_at"),
    (
        text("batch_id", "Run."),
        text("kind", "Kind asked for."),
        text("symbol", "Symbol; null for market-wide kinds.", nullable=True),
        text("vendor", "Vendor asked."),
        text("source", "Vendor and function."),
        text("status", "Envelope status."),
        day("query_date", "Requested date."),
        day("actual_trade_date", "Date of the data.", nullable=True),
        text("date_status", "Envelope date status."),
        flag("retryable", "Whether asking again may help."),
        whole("attempts", "Attempts made."),
        whole("rows", "Rows delivered."),
        text("message", "What to know or do."),
        moment("fetched_at", "When the answer came."),
    ),
)  # fmt: skip

RAW_TABLES: dict[str, Table] = {
    table.name.removeprefix("raw."): table
    for table in (
        INSTRUMENTS, TRADE_DATES, DAILY_BARS, ADJUST_FACTORS, CORPORATE_ACTIONS, VALUATIONS, ANNOUNCEMENTS,
        FILING_TEXTS, EARNINGS_FORECASTS, FINANCIAL_INDICATORS, NEWS, RESEARCH_REPORTS, PLEDGES, HOLDER_TRADES,
        UNLOCKS, TOP_LIST, MARGINS, FUND_FLOWS, ATTENTION, SUSPENSIONS, MACRO, PEERS,
    )
}  # fmt: skip


@dataclass(frozen=True)
class KindRule:
    """When a kind is published, how far back it is read, and whether a run may go on without it.

    Attributes:
        ready: Publication time on the row's date, Asia/Shanghai; None if rows carry their own time.
        ready_next_session: True if published on the morning of the next session.
        is_weekly: True if there is one date a week: its last session.
        look_back_days: Default look-back in calendar days.
        is_core: A failed core kind raises; a failed optional kind is a sentinel in the pack.
        date_column: The column that dates a row; None if the kind has no date.
    """

    ready: time | None
    look_back_days: int
    is_core: bool = False
    ready_next_session: bool = False
    date_column: str | None = "trade_date"
    is_weekly: bool = False


_TEN_YEARS = 3_660

KIND_RULES: dict[str, KindRule] = {
    "instruments": KindRule(None, _TEN_YEARS, is_core=True, date_column=None),
    "trade_dates": KindRule(None, _TEN_YEARS, is_core=True),
    "daily_bars": KindRule(time(17, 30), _TEN_YEARS, is_core=True),
    "adjust_factors": KindRule(time(18, 0), _TEN_YEARS * 4, is_core=True, date_column=None),
    "corporate_actions": KindRule(time(18, 0), _TEN_YEARS, date_column=None),
    "valuations": KindRule(time(17, 30), _TEN_YEARS, is_core=True),
    "announcements": KindRule(None, 365, is_core=True, date_column=None),
    "filing_texts": KindRule(None, 90, date_column=None),
    "earnings_forecasts": KindRule(None, 365, date_column=None),
    "financial_indicators": KindRule(None, 1_100, date_column=None),
    "news": KindRule(None, 7, is_core=True, date_column=None),
    "research_reports": KindRule(None, 365, date_column=None),
    "pledges": KindRule(time(18, 0), 90, is_weekly=True),
    "holder_trades": KindRule(None, 180, date_column=None),
    "unlocks": KindRule(time(0, 0), 365, date_column=None),
    "top_list": KindRule(time(20, 0), 180),
    "margins": KindRule(time(9, 0), 60, ready_next_session=True),
    "fund_flows": KindRule(time(17, 0), 60),
    "attention": KindRule(time(18, 0), 30),
    "suspensions": KindRule(time(9, 0), 365, date_column=None),
    "macro": KindRule(None, 400, date_column=None),
    "peers": KindRule(time(18, 0), 7),
}
