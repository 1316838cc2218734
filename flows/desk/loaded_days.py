"""Which sessions of a backfill are only half there: refused by the gate, named here with the stocks that lack.

Expected on a session are the stocks already listed, not yet delisted and not under a recorded halt; a bar of a
suspended stock counts as one. Of a stock whose identity is unknown nothing is expected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from flows.market.sessions import Calendar
from flows.warehouse.database import Connection

#: Under this share of the expected stocks a session counts as half-loaded (PRODUCT Q).
FLOOR = 0.8
_Span = tuple[date | None, date | None]


@dataclass(frozen=True)
class HalfLoaded:
    """One session on which far too few stocks have a bar."""

    session: date
    present: int
    expected: int
    absent: tuple[str, ...]


def half_loaded_days(
    con: Connection, symbols: Sequence[str], start: date, end: date, calendar: Calendar
) -> list[HalfLoaded]:
    """The half-loaded sessions from *start* to *end*, ascending, judged over *symbols* (present codes)."""
    present = _present(con, symbols, start, end)
    lives = {symbol: (listed, delisted) for symbol, listed, delisted in _rows(con, _LIVES, symbols)}
    halts = _spans(_rows(con, _HALTS, symbols))
    found = []
    for session in calendar.sessions(start, end):
        expected = [
            symbol
            for symbol, life in lives.items()
            if _covers(life, session) and not any(_covers(halt, session) for halt in halts.get(symbol, ()))
        ]
        absent = tuple(symbol for symbol in expected if symbol not in present.get(session, frozenset()))
        if expected and len(expected) - len(absent) < FLOOR * len(expected):
            found.append(HalfLoaded(session, len(expected) - len(absent), len(expected), absent))
    return found


_LIVES = "select symbol, listed_date, delisted_date from staging.instruments where list_contains($symbols, symbol)"
_HALTS = "select symbol, start_date, end_date from staging.suspensions where list_contains($symbols, symbol)"


def _rows(con: Connection, sql: str, symbols: Sequence[str]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = con.execute(sql, {"symbols": list(symbols)}).fetchall()
    return rows


def _present(con: Connection, symbols: Sequence[str], start: date, end: date) -> Mapping[date, frozenset[str]]:
    rows = con.execute(
        "select trade_date, list(symbol) from staging.daily_bars "
        "where list_contains($symbols, symbol) and trade_date between $start and $end group by trade_date",
        {"symbols": list(symbols), "start": start, "end": end},
    ).fetchall()
    return {day: frozenset(named) for day, named in rows}


def _spans(rows: Sequence[tuple[Any, ...]]) -> dict[str, list[_Span]]:
    spans: dict[str, list[_Span]] = {}
    for symbol, start, end in rows:
        spans.setdefault(symbol, []).append((start, end))
    return spans


def _covers(span: _Span, day: date) -> bool:
    start, end = span
    return (start is None or start <= day) and (end is None or day <= end)
