"""Dated price limits of the mainland boards (PRODUCT Q, faults P11 and P12).

A limit is a *price*: previous exchange close × (1 ± percent), rounded half up to the tick, so 1.05 may close at
1.16 (+10.48 %). The rules are data (:data:`LIMIT_RULES`), read by the functions here and, as a frame, by SQL.
Sources: trading rules of the Shanghai, Shenzhen and Beijing exchanges with the dates in PRODUCT Q.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

import polars as pl

TICK_CNY = Decimal("0.01")
#: First session of a listing from 2014 until the free five sessions: +44 % and −36 % of the issue price.
FIRST_DAY_PCT = 44.0
FIRST_DAY_DOWN_PCT = 36.0
_NO_LISTING = 10_000


@dataclass(frozen=True)
class LimitRule:
    """The ordinary daily limit of one board and treatment from *since* on; None where there is none."""

    board: str
    is_st: bool
    since: date
    pct: float | None


LIMIT_RULES: tuple[LimitRule, ...] = (
    LimitRule("main", False, date(1990, 12, 19), None),
    LimitRule("main", False, date(1996, 12, 16), 10.0),
    LimitRule("main", True, date(1990, 12, 19), None),
    LimitRule("main", True, date(1996, 12, 16), 10.0),
    LimitRule("main", True, date(1998, 4, 22), 5.0),
    LimitRule("main", True, date(2026, 7, 6), 10.0),
    LimitRule("chinext", False, date(2009, 10, 30), 10.0),
    LimitRule("chinext", False, date(2020, 8, 24), 20.0),
    LimitRule("chinext", True, date(2009, 10, 30), 10.0),
    LimitRule("chinext", True, date(2020, 8, 24), 20.0),
    LimitRule("star", False, date(2019, 7, 22), 20.0),
    LimitRule("star", True, date(2019, 7, 22), 20.0),
    LimitRule("bse", False, date(2020, 7, 27), 30.0),
    LimitRule("bse", True, date(2020, 7, 27), 30.0),
)


@dataclass(frozen=True)
class ListingRule:
    """What holds for stocks of *board* listed from *since* on.

    Attributes:
        free_sessions: Sessions without any limit, counted from the listing.
        first_day_pct: Limit of the first session where it has its own.
    """

    board: str
    since: date
    free_sessions: int
    first_day_pct: float | None = None


LISTING_RULES: tuple[ListingRule, ...] = (
    ListingRule("main", date(1990, 12, 19), 1),
    ListingRule("main", date(2014, 1, 1), 0, FIRST_DAY_PCT),
    ListingRule("main", date(2023, 4, 10), 5),
    ListingRule("chinext", date(2009, 10, 30), 1),
    ListingRule("chinext", date(2014, 1, 1), 0, FIRST_DAY_PCT),
    ListingRule("chinext", date(2020, 8, 24), 5),
    ListingRule("star", date(2019, 7, 22), 5),
    ListingRule("bse", date(2020, 7, 27), 1),
)


def limit_pct(
    board: str,
    trade_date: date,
    *,
    is_st: bool = False,
    sessions_since_listing: int | None = None,
    listed_date: date | None = None,
    is_lifted: bool = False,
) -> float | None:
    """The price limit in force, percent of the previous close; None where no limit applies.

    44.0 stands for the old first-day rule (+44 %, −36 % of the issue price).

    Args:
        board: ``main``, ``star``, ``chinext`` or ``bse``.
        trade_date: The session.
        is_st: Whether the stock was ST or *ST on that session.
        sessions_since_listing: 1 on the first session; None if unknown, then taken as an ordinary session.
        listed_date: First session; decides which listing rule holds. Unknown: *trade_date* decides, so the
            few stocks listed just before a rule changed get its freedom.
        is_lifted: First session of a relisting or of the delisting period; an ordinary resumption is neither.

    Raises:
        ValueError: *board* is unknown.
    """
    ordinary = _ordinary_pct(board, trade_date, is_st=is_st)
    if is_lifted:
        return None
    return _listing_pct(board, listed_date or trade_date, sessions_since_listing or _NO_LISTING, ordinary)


def _ordinary_pct(board: str, trade_date: date, *, is_st: bool) -> float | None:
    rules = [rule for rule in LIMIT_RULES if rule.board == board and rule.is_st == is_st]
    if not rules:
        raise ValueError(f"unknown board {board!r}")
    dated = [rule for rule in rules if rule.since <= trade_date]
    return dated[-1].pct if dated else None


def _listing_pct(board: str, listed: date, session_no: int, ordinary: float | None) -> float | None:
    rules = [rule for rule in LISTING_RULES if rule.board == board and rule.since <= listed]
    if not rules:
        return ordinary
    if session_no <= rules[-1].free_sessions:
        return None
    return rules[-1].first_day_pct or ordinary if session_no == 1 else ordinary


def limit_prices(previous_close: float, pct: float, *, tick: Decimal = TICK_CNY) -> tuple[float, float]:
    """Lower and upper limit price, CNY, each at least one tick away from *previous_close*.

    Exact decimal arithmetic on the price as quoted; rounding is half up to *tick*. The lower price is never
    under one tick.

    Raises:
        ValueError: *previous_close* is not positive.
    """
    base = Decimal(str(previous_close))
    if not base > 0:
        raise ValueError(f"previous close {previous_close} is not a price")
    down = FIRST_DAY_DOWN_PCT if pct == FIRST_DAY_PCT else pct
    upper = max(_round(base * (100 + Decimal(str(pct))) / 100, tick), base + tick)
    lower = max(min(_round(base * (100 - Decimal(str(down))) / 100, tick), base - tick), tick)
    return float(lower), float(upper)


def is_within_limit(close: float, previous_close: float, pct: float | None) -> bool:
    """Whether *close* is a price the exchange would have accepted; always true without a limit."""
    if pct is None:
        return True
    lower, upper = limit_prices(previous_close, pct)
    return lower <= round(close, 4) <= upper


def limit_rules_frame() -> pl.DataFrame:
    """:data:`LIMIT_RULES` for SQL: board, is_st, since, until (exclusive), pct; a null pct is no limit."""
    return _dated(LIMIT_RULES, {"pct": pl.Float64}, ["board", "is_st"])


def listing_rules_frame() -> pl.DataFrame:
    """:data:`LISTING_RULES` for SQL: board, since, until (exclusive), free_sessions, first_day_pct."""
    return _dated(LISTING_RULES, {"first_day_pct": pl.Float64}, ["board"])


def _dated(
    rules: Sequence[LimitRule | ListingRule], types: dict[str, type[pl.Float64]], keys: list[str]
) -> pl.DataFrame:
    frame = pl.DataFrame([asdict(rule) for rule in rules], schema_overrides=types)
    until = pl.col("since").shift(-1).over(keys).fill_null(date(9999, 12, 31))
    return frame.with_columns(until=until)


def _round(value: Decimal, tick: Decimal) -> Decimal:
    return (value / tick).quantize(Decimal(1), ROUND_HALF_UP) * tick
