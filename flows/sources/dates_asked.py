"""Which dates a window asks for where an upstream is asked date by date."""

from __future__ import annotations

from datetime import date, timedelta

from flows.contracts.envelope import Request
from flows.errors import CalendarUnknown
from flows.market.sessions import Calendar
from flows.sources.faults import invalid

#: A forecast of a quarter appears from the quarter itself to four months after it (the annual report's limit).
_LATEST_FORECAST = timedelta(days=130)
_EARLIEST_FORECAST = timedelta(days=92)


def last_sessions_of_weeks(calendar: Calendar, request: Request) -> list[date]:
    """Last sessions of the weeks in the window and up to the run's clock, ascending: when pledges are counted."""
    try:
        days = calendar.sessions(request.start, min(request.end, request.now.date()))
        following = [*days[1:], calendar.following(days[-1])] if days else []
    except CalendarUnknown as error:
        raise invalid(str(error)) from error
    return [day for day, after in zip(days, following, strict=True) if _week(day) != _week(after)]


def quarter_ends(request: Request) -> list[date]:
    """Quarter ends whose forecasts may have been published in the window."""
    first, last = request.start - _LATEST_FORECAST, request.end + _EARLIEST_FORECAST
    ends = [
        date(year, month, day)
        for year in range(first.year, last.year + 1)
        for month, day in ((3, 31), (6, 30), (9, 30), (12, 31))
    ]
    return [day for day in ends if first <= day <= last]


def _week(day: date) -> tuple[int, int]:
    return day.isocalendar()[:2]
