"""The December problem: next year's calendar comes from the vendors once it is public, and is then used everywhere."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from flows.contracts.envelope import Request
from flows.desk.calendar import stored_calendar
from flows.desk.plan import session_of
from flows.desk.sourcing import calendar_reaching, open_sources
from flows.errors import CalendarUnknown
from flows.market.sessions import SHANGHAI, due_session, load_calendar
from flows.settings import Settings
from flows.warehouse.database import open_reader
from tests.upstream import baostock_server
from tests.upstream.world import BANK

KNOWN = load_calendar()
NEW_YEAR = date(2027, 1, 4)
EVENING = datetime(2027, 1, 4, 21, 0, tzinfo=SHANGHAI)


@pytest.fixture
def settings(tmp_path):
    return Settings(sources="live", data_dir=tmp_path, fetch_attempts=1)


def publish_2027(world) -> None:
    """Every weekday of 2027 but New Year's."""
    days = [date(2027, 1, 2) + timedelta(days=i) for i in range(363)]
    world.baostock.sessions |= {day for day in days if day.isoweekday() < 6}


def test_a_run_in_the_new_year_learns_it_from_the_vendors_and_stores_it(world, settings):
    publish_2027(world)
    calendar = calendar_reaching(settings, NEW_YEAR, EVENING, "b1")
    assert calendar.last == date(2027, 12, 30)
    assert session_of(NEW_YEAR, EVENING, calendar) == NEW_YEAR
    assert calendar.previous(NEW_YEAR) == date(2026, 12, 31)
    assert stored_calendar(settings).days == calendar.days
    with open_reader(settings.database) as con:
        fetched = con.execute("select kind, vendor, status from raw.fetches").fetchall()
    assert fetched == [("trade_dates", "baostock", "OK")]


def test_while_nobody_knows_it_the_run_stops_with_advice(world, settings):
    calendar = calendar_reaching(settings, NEW_YEAR, EVENING, "b1")
    assert calendar.last == KNOWN.last
    with pytest.raises(CalendarUnknown, match="--sources live"):
        session_of(NEW_YEAR, EVENING, calendar)


def test_a_vendor_that_is_down_leaves_the_next_one_to_answer(world, settings):
    world.server.fault["login"] = baostock_server.closing
    world.sina.sessions = [*KNOWN.sessions(date(2026, 12, 1), KNOWN.last), NEW_YEAR, date(2027, 1, 5)]
    assert calendar_reaching(settings, NEW_YEAR, EVENING, "b1").is_session(NEW_YEAR)


def test_nobody_is_asked_while_the_calendar_reaches(world, settings):
    calendar_reaching(settings, date(2026, 12, 30), EVENING, "b1")
    assert world.server.log == []
    assert not settings.database.exists()


def test_sources_and_their_shapes_go_by_the_refreshed_calendar(world, settings):
    publish_2027(world)
    calendar_reaching(settings, NEW_YEAR, EVENING, "b1")
    desk = open_sources(settings, EVENING, lambda: EVENING)
    assert due_session("daily_bars", EVENING, desk.calendar) == NEW_YEAR
    row = {**world.baostock.k_lines["sz.000001"][-1], "date": "2027-01-04"}
    world.baostock.k_lines["sz.000001"].append(row)
    world.east_money.ranks["SZ000001"] = [{"day": "2027-01-04", "rank": 7}]
    bars = desk.ask(Request("daily_bars", BANK, date(2026, 12, 28), NEW_YEAR, EVENING)).envelope
    ranks = desk.ask(Request("attention", BANK, date(2026, 12, 28), NEW_YEAR, EVENING)).envelope
    assert (bars.status, bars.actual_trade_date, bars.date_status) == ("OK", NEW_YEAR, "CURRENT")
    assert (ranks.status, ranks.actual_trade_date) == ("OK", NEW_YEAR)
