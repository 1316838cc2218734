"""How a section's own date stands to the pack's (PRODUCT M3 alignment, D1, D4)."""

from __future__ import annotations

from datetime import date

from flows.errors import CalendarUnknown
from flows.evidence.reading import Connection, Scope, end_of, select
from flows.market.sessions import Calendar, date_status, due_session, load_calendar


def read_calendar(con: Connection) -> Calendar:
    """The exchange calendar, continued by the stored days that lie beyond its known end."""
    known = load_calendar()
    rows = select(
        con,
        "select trade_date, is_session from staging.trade_dates where trade_date > $known",
        {"known": known.last},
    )
    return load_calendar({row["trade_date"]: row["is_session"] for row in rows}) if rows else known


def expected_session(kind: str, scope: Scope) -> date | None:
    """The latest session up to as-of whose rows of *kind* should be public at the cutoff; None if unknown."""
    try:
        return due_session(kind, min(scope.cutoff, end_of(scope.as_of)), scope.calendar)
    except CalendarUnknown:
        return None


def freshness_of(kind: str, day: date, scope: Scope) -> str:
    """Date status of a row of *kind* dated *day*, as in the envelope."""
    return date_status(kind, scope.as_of, day, scope.cutoff, scope.calendar).value
