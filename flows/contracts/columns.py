"""Columns that several tables share; declared once so that one name has one meaning."""

from __future__ import annotations

from flows.contracts.table import Column, Table, day, moment, text

SYMBOL = text("symbol", "Canonical symbol with exchange suffix, e.g. 600000.SH.")
TRADE_DATE = day("trade_date", "Exchange session, Asia/Shanghai.")
REPORT_PERIOD = day("report_period", "Last day of the reporting period, e.g. 2025-09-30 = 2025Q3.")
NOTICE_DATE = day("notice_date", "Date of the public notice.")
PUBLISHED_AT = moment("published_at", "When a reader could first see the row; decides as-of visibility.")
VENDOR = text("vendor", "Vendor that delivered the row, e.g. baostock.")
FETCHED_AT = moment("fetched_at", "When we fetched it; orders versions, never decides visibility.")
BATCH_ID = text("batch_id", "Run that appended the row.")
DEBATE_ID = text("debate_id", "One debate of one symbol and protocol on one pack.")
CLAIM_ID = text("claim_id", "One argument inside a debate, e.g. r1-bull-2.")

#: Added by the warehouse when a frame is appended; a source never sets them.
SYSTEM = (VENDOR, FETCHED_AT, BATCH_ID)


def raw_table(kind: str, meaning: str, grain: tuple[str, ...], *columns: Column) -> Table:
    """The raw table of *kind*: its own columns, when a row was published, and where it came from."""
    return Table(f"raw.{kind}", meaning, grain, (*columns, PUBLISHED_AT, *SYSTEM))
