"""Whether an empty or short answer means "nothing happened" or "not published yet" (PRODUCT M3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

import polars as pl

from flows.contracts.envelope import DateStatus, Request
from flows.contracts.raw import KIND_RULES
from flows.errors import CalendarUnknown
from flows.market.sessions import SHANGHAI, Calendar, date_status, published_at
from flows.sources.http import Exchange

#: Kinds whose rows are events of single sessions: an old last row is no stale answer.
SPARSE = frozenset({"top_list"})
#: Call auction: from then on a quote is of the new session.
_OPENING = time(9, 15)


def pending_until(request: Request, calendar: Calendar) -> datetime | None:
    """When the first session asked for becomes public, if nothing of the window is public at the run's clock.

    Where part of the window is public, an empty answer is "no record": that a stock is on no list today does not
    become true or false by waiting for tomorrow's list.
    """
    try:
        first = calendar.offset(request.start, 0)
        first = first if first == request.start else calendar.following(request.start)
        moment = _public_from(request.kind, first, calendar)
    except CalendarUnknown:
        return None
    return moment if moment is not None and first <= request.end and moment > request.now else None


def gap_until(request: Request, calendar: Calendar) -> datetime | None:
    """When factors of the latest session become public, while its bars already are (P4)."""
    try:
        session = calendar.latest_on_or_before(request.end)
        bars = _public_from("daily_bars", session, calendar)
        factors = _public_from("adjust_factors", session, calendar)
    except CalendarUnknown:
        return None
    return factors if bars and factors and bars <= request.now < factors else None


def _public_from(kind: str, session: date, calendar: Calendar) -> datetime | None:
    return published_at(kind, session, calendar) if KIND_RULES[kind].ready is not None else None


def as_known(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """*frame* without what was public only after the run's clock: later rows, and a delisting still to come."""
    frame = frame.filter(pl.col("published_at") <= request.now)
    if "delisted_date" not in frame.columns:
        return frame
    is_past = pl.col("delisted_date") <= request.now.date()
    return frame.with_columns(pl.when(is_past).then("delisted_date").alias("delisted_date"))


def is_too_late(exchanges: Sequence[Exchange], request: Request, calendar: Calendar) -> bool:
    """Whether the vendor answered at or after the opening of the session that follows the run's clock.

    The vendor's own ``Date`` header tells when "now" was; a run about a past day must not take it for that day's.
    """
    sent = max((e.sent_at for e in exchanges if e.sent_at is not None), default=None)
    if sent is None:
        return False
    local = request.now.astimezone(SHANGHAI)
    try:
        is_open_day = calendar.is_session(local.date()) and local.time() < _OPENING
        following = local.date() if is_open_day else calendar.following(local.date())
    except CalendarUnknown:
        return True
    return sent >= datetime.combine(following, _OPENING, SHANGHAI)


def dated(
    frame: pl.DataFrame, request: Request, calendar: Calendar, covered: date | None
) -> tuple[date | None, DateStatus]:
    """The data's own date and how it stands to the requested day.

    *covered* is the last session the vendor's answer reaches, where rows alone cannot tell (sparse kinds).
    """
    column = KIND_RULES[request.kind].date_column
    if column is None or column not in frame.columns:
        return None, DateStatus.NOT_APPLICABLE
    dates = frame[column].filter(frame[column] <= request.end)
    actual = covered if request.kind in SPARSE else dates.max()
    if not isinstance(actual, date):
        return None, DateStatus.NOT_APPLICABLE if request.kind in SPARSE else DateStatus.UNKNOWN
    return actual, date_status(request.kind, request.end, actual, request.now, calendar)
