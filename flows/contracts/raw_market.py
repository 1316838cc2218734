"""Raw tables of what the market did: identity, calendar, prices, multiples, trading, peers and the economy."""

from __future__ import annotations

from flows.contracts.columns import SYMBOL, TRADE_DATE, raw_table
from flows.contracts.table import day, flag, number, text, whole

BOARDS = ("main", "star", "chinext", "bse")

INSTRUMENTS = raw_table(
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

TRADE_DATES = raw_table(
    "trade_dates", "One calendar day of the exchange.", ("trade_date",),
    TRADE_DATE,
    flag("is_session", "Whether the exchange is open."),
)  # fmt: skip

DAILY_BARS = raw_table(
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

ADJUST_FACTORS = raw_table(
    "adjust_factors", "Cumulative backward factor from an ex-date on; 1 before the first event.",
    ("symbol", "ex_date"),
    SYMBOL,
    day("ex_date", "Ex-right date (除权除息日)."),
    number("backward_factor", "Cumulative product of previous close / ex-right reference price.", minimum=0),
)  # fmt: skip

CORPORATE_ACTIONS = raw_table(
    "corporate_actions", "Dividend, bonus or rights event, amounts per share.", ("symbol", "ex_date"),
    SYMBOL,
    day("ex_date", "Ex-right date (除权除息日)."),
    number("cash_cny", "Pre-tax cash dividend, CNY per share.", minimum=0),
    number("bonus_ratio", "Bonus and capitalisation shares per share held (送转).", minimum=0),
    number("rights_ratio", "Rights shares per share held (配股).", minimum=0),
    number("rights_price_cny", "Rights subscription price, CNY.", nullable=True, minimum=0),
    text("plan", "The plan as worded by the vendor.", nullable=True),
)  # fmt: skip

VALUATIONS = raw_table(
    "valuations", "Valuation multiples of one stock and session; negative = loss, null = not published.",
    ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("pe_ttm", "Price / earnings, trailing twelve months.", nullable=True),
    number("pb", "Price / book, most recent quarter.", nullable=True),
    number("ps_ttm", "Price / sales, trailing twelve months.", nullable=True),
    number("pcf_ttm", "Price / net cash flow, trailing twelve months.", nullable=True),
    number("market_cap_cny", "Total market value, CNY.", nullable=True, minimum=0),
)  # fmt: skip

TOP_LIST = raw_table(
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

MARGINS = raw_table(
    "margins", "Margin trading of one stock and session (融资融券), published next morning.",
    ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("margin_balance_cny", "Financing balance (融资余额), CNY.", nullable=True, minimum=0),
    number("margin_buy_cny", "Financing purchases of the day, CNY.", nullable=True, minimum=0),
    number("short_volume_shares", "Securities lending balance (融券余量), shares.", nullable=True, minimum=0),
)  # fmt: skip

FUND_FLOWS = raw_table(
    "fund_flows", "Net flow by order size, vendor's own estimate.", ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    number("main_net_cny", "Net flow of large and super-large orders (主力净流入), CNY."),
    number("main_net_pct", "The same, percent of turnover.", nullable=True),
)  # fmt: skip

ATTENTION = raw_table(
    "attention", "Retail attention of one stock and day.", ("symbol", "trade_date"),
    SYMBOL, TRADE_DATE,
    whole("popularity_rank", "Rank on the popularity list, 1 = most watched.", minimum=1),
    whole("rank_change", "Places gained since the day before.", nullable=True),
)  # fmt: skip

SUSPENSIONS = raw_table(
    "suspensions", "One trading halt.", ("symbol", "start_date"),
    SYMBOL,
    day("start_date", "First suspended session."),
    day("end_date", "Last suspended session; null while it lasts.", nullable=True),
    text("reason", "Reason, verbatim.", nullable=True),
)  # fmt: skip

MACRO = raw_table(
    "macro", "One value of one macro indicator.", ("indicator", "period"),
    text("indicator", "PMI, CPI, LPR1Y, LPR5Y …"),
    day("period", "Last day of the month the value is of."),
    number("value", "Value in the unit given."),
    text("unit", "pct or index.", values=("pct", "index")),
)  # fmt: skip

PEERS = raw_table(
    "peers", "One company of the same industry, for comparison.", ("symbol", "peer_symbol"),
    SYMBOL,
    text("peer_symbol", "Canonical symbol of the other company."),
    text("peer_name", "Its short name."),
    text("industry", "The common industry."),
    TRADE_DATE,
    number("pe_ttm", "Its PE TTM on trade_date.", nullable=True),
    number("pb", "Its PB on trade_date.", nullable=True),
)  # fmt: skip
