"""The sources of one run: its calendar, its wall clock and the user's own tables wired to the vendors."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from flows.contracts.envelope import Request
from flows.desk.calendar import stored_calendar
from flows.market.sessions import Calendar
from flows.settings import Settings
from flows.sources.registry import Desk, open_desk
from flows.warehouse.database import append, open_writer, record_fetches, transaction
from flows.warehouse.user_database import own_tables


def open_sources(settings: Settings, now: datetime, clock: Callable[[], datetime]) -> Desk:
    """The desk of a run frozen at *now*; *clock* is the wall clock, which only orders versions of a row."""
    database = settings.user_sql_database
    return open_desk(
        settings, now, clock=clock, calendar=stored_calendar(settings),
        run_query=own_tables(database) if database else None,
    )  # fmt: skip


def calendar_reaching(settings: Settings, day: date, now: datetime, batch_id: str) -> Calendar:
    """The stored calendar; with live sources the vendors are asked first if it does not reach *day*.

    What came is stored with its envelopes. A calendar that still does not reach *day* is returned as it is: whoever
    asks it about *day* is told what to do.
    """
    calendar = stored_calendar(settings)
    if settings.sources != "live" or day <= calendar.last:
        return calendar
    desk = open_sources(settings, now, lambda: now)
    answer = desk.ask(Request("trade_dates", None, calendar.last, date(day.year, 12, 31), now)).envelope
    with open_writer(settings.database) as con, transaction(con):
        record_fetches(con, batch_id, desk.tried())
        if answer.data is not None:
            append(con, answer.kind, answer.data, vendor=answer.vendor, fetched_at=answer.fetched_at, batch_id=batch_id)
    return stored_calendar(settings)
