"""Which session a run is about, and whether the data of a kind is of it (PRODUCT M2, M3).

Each kind becomes public at its own hour of its date (``contracts.raw.KIND_RULES``); what a reader could see at a
moment follows from that hour, never from when it was fetched. Moments are aware; they are read in Shanghai time.
The calendar itself lives in :mod:`flows.market.calendar` and is re-exported here.
"""

from __future__ import annotations

from datetime import date, datetime, time

from flows.contracts.envelope import DateStatus
from flows.contracts.raw import KIND_RULES
from flows.errors import CalendarUnknown, UsageError
from flows.market.calendar import SHANGHAI, Calendar, in_force, load_calendar

__all__ = [
    "SHANGHAI", "Calendar", "date_status", "due_session", "in_force", "load_calendar", "published_at",
    "target_session",
]  # fmt: skip

_MIDNIGHT = time(0, 0)


def published_at(kind: str, day: date, calendar: Calendar) -> datetime:
    """When a reader could first see the rows of *kind* dated *day*, Asia/Shanghai.

    A kind whose rows carry their own publication time counts as public from midnight of the day.
    """
    rule = KIND_RULES[kind]
    shown_on = calendar.following(day) if rule.ready_next_session else day
    return datetime.combine(shown_on, rule.ready or _MIDNIGHT, SHANGHAI)


def due_session(kind: str, moment: datetime, calendar: Calendar) -> date:
    """The latest session whose rows of *kind* should be public at *moment* (the last of a week if weekly)."""
    local = moment.astimezone(SHANGHAI)
    rule = KIND_RULES[kind]
    session = calendar.latest_on_or_before(local.date())
    is_shown_today = session == local.date()
    if rule.ready_next_session:
        session = calendar.previous(session)
    if is_shown_today and local.timetz().replace(tzinfo=None) < (rule.ready or _MIDNIGHT):
        session = calendar.previous(session)
    return _last_of_week(session, calendar) if rule.is_weekly else session


def date_status(kind: str, query_date: date, actual: date | None, now: datetime, calendar: Calendar) -> DateStatus:
    """How data of *actual* stands to the requested day, at the run's clock *now* (PRODUCT M3).

    Expected is the latest session on or before *query_date* that is public at *now*. Data ahead of it (of a day
    not asked for, or not yet due, e.g. an intraday bar) has no place and is UNKNOWN.
    """
    rule = KIND_RULES[kind]
    if rule.date_column is None or rule.ready is None:
        return DateStatus.NOT_APPLICABLE
    if actual is None:
        return DateStatus.UNKNOWN
    try:
        expected = _expected(kind, query_date, now, calendar)
    except CalendarUnknown:
        return DateStatus.UNKNOWN
    if actual < expected:
        return DateStatus.STALE
    if actual > expected:
        return DateStatus.UNKNOWN
    return DateStatus.CURRENT if actual == query_date else DateStatus.LATEST_TRADING_DAY


def target_session(as_of: date | None, now: datetime, calendar: Calendar) -> date:
    """The one session a whole run is about: *as_of*, else the latest whose daily bars are public at *now*.

    An explicit *as_of* of today is taken before its bars are out: the sources then answer NOT_READY.

    Raises:
        UsageError: *as_of* lies in the future or is no session; the message names the session to use.
        CalendarUnknown: *as_of* or *now* lies outside the known calendar.
    """
    if as_of is None:
        return due_session("daily_bars", now, calendar)
    if calendar.is_session(as_of) and as_of <= now.astimezone(SHANGHAI).date():
        return as_of
    latest = due_session("daily_bars", now, calendar)
    if as_of > now.astimezone(SHANGHAI).date():
        raise UsageError(f"{as_of} 在未来；最近一个已有行情的交易日是 {latest}，请写 --as-of {latest}")
    before = calendar.latest_on_or_before(as_of)
    raise UsageError(f"{as_of} 交易所休市，不是交易日；此前最近的交易日是 {before}，请写 --as-of {before}")


def _expected(kind: str, query_date: date, now: datetime, calendar: Calendar) -> date:
    asked = calendar.latest_on_or_before(query_date)
    if KIND_RULES[kind].is_weekly:
        asked = _last_of_week(asked, calendar)
    return min(asked, due_session(kind, now, calendar))


def _last_of_week(session: date, calendar: Calendar) -> date:
    """*session* if no later session follows in its week, else the last session of the week before."""
    while calendar.following(session).isocalendar()[:2] == session.isocalendar()[:2]:
        session = calendar.previous(session)
    return session
