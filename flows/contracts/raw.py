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

from flows.contracts.raw_disclosures import (
    ANNOUNCEMENTS,
    EARNINGS_FORECASTS,
    FILING_CLASSES,
    FILING_TEXTS,
    FINANCIAL_INDICATORS,
    HOLDER_TRADES,
    NEWS,
    PLEDGES,
    RESEARCH_REPORTS,
    UNLOCKS,
)
from flows.contracts.raw_market import (
    ADJUST_FACTORS,
    ATTENTION,
    CORPORATE_ACTIONS,
    DAILY_BARS,
    FUND_FLOWS,
    INSTRUMENTS,
    MACRO,
    MARGINS,
    PEERS,
    SUSPENSIONS,
    TOP_LIST,
    TRADE_DATES,
    VALUATIONS,
)
from flows.contracts.table import Table, day, flag, moment, text, whole

__all__ = ["FETCHES", "FILING_CLASSES", "KIND_RULES", "RAW_TABLES", "KindRule"]

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
