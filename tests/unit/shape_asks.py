"""Requests the shape tests share."""

from datetime import date, datetime

from flows.contracts.envelope import Request
from flows.market.sessions import SHANGHAI

NOW = datetime(2024, 9, 30, 20, 30, tzinfo=SHANGHAI)


def ask(kind, symbol="000001.SZ", start=date(2023, 1, 1), end=date(2024, 9, 30), now=NOW):
    return Request(kind, symbol, start, end, now)
