"""Sessions and readiness: closed days, the edge of the known calendar, and what is due when (PRODUCT M2, M3)."""

import csv
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.contracts.envelope import DateStatus
from flows.contracts.raw import KIND_RULES
from flows.errors import CalendarUnknown, DataRejected, UsageError
from flows.market.calendar import check_witness
from flows.market.sessions import (
    SHANGHAI,
    Calendar,
    date_status,
    due_session,
    load_calendar,
    published_at,
    target_session,
)
from tests.real_data import REAL, needs_real

CALENDAR = load_calendar()
FRIDAY, MONDAY = date(2026, 11, 27), date(2026, 11, 30)
DAYS = st.dates(CALENDAR.first, CALENDAR.last)


def at(day: date, clock: str) -> datetime:
    return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    "day",
    [
        date(2025, 1, 28), date(2024, 2, 9), date(2005, 2, 7), date(2006, 1, 26), date(2023, 10, 6),
        date(2026, 1, 4), date(2026, 2, 14), date(2026, 2, 28), date(2026, 10, 10), date(2025, 9, 28),
    ],
)  # fmt: skip
def test_holidays_working_days_off_and_make_up_weekends_are_closed(day):
    assert not CALENDAR.is_session(day)


def test_sessions_per_year_equal_the_exchange_s_count():
    counted = [CALENDAR.count(date(year, 1, 1), date(year, 12, 31)) for year in range(2019, 2027)]
    assert counted == [244, 243, 243, 242, 242, 242, 243, 242]


def test_next_year_is_unknown_and_the_message_says_what_to_do():
    with pytest.raises(CalendarUnknown, match="2027-01-04") as caught:
        CALENDAR.is_session(date(2027, 1, 4))
    for advice in ("2026-12-31", "12 月下旬", "--sources live", "doctor"):
        assert advice in str(caught.value)


def test_before_the_exchanges_opened_the_advice_is_a_later_day():
    with pytest.raises(CalendarUnknown, match=r"1990-12-19.*请给更晚的日期") as caught:
        CALENDAR.is_session(date(1985, 1, 4))
    assert "休市安排" not in str(caught.value)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: CALENDAR.following(date(2026, 12, 31)),
        lambda: CALENDAR.offset(date(2026, 12, 30), 2),
        lambda: CALENDAR.previous(CALENDAR.first),
        lambda: CALENDAR.sessions(date(2026, 12, 1), date(2027, 1, 1)),
        lambda: CALENDAR.count(date(1990, 1, 1), date(1991, 1, 1)),
        lambda: CALENDAR.latest_on_or_before(date(1990, 12, 18)),
        lambda: published_at("margins", date(2026, 12, 31), CALENDAR),
    ],
)
def test_nothing_is_answered_outside_the_known_range(ask):
    with pytest.raises(CalendarUnknown):
        ask()


def test_stepping_from_a_weekend_lands_on_its_neighbours():
    saturday = date(2026, 11, 28)
    assert CALENDAR.latest_on_or_before(saturday) == CALENDAR.previous(saturday) == FRIDAY
    assert CALENDAR.following(saturday) == CALENDAR.offset(saturday, 1) == MONDAY
    assert CALENDAR.offset(saturday, -2) == date(2026, 11, 26)
    assert CALENDAR.offset(saturday, 0) == FRIDAY


def test_range_is_inclusive_and_empty_when_reversed():
    assert CALENDAR.sessions(FRIDAY, MONDAY) == [FRIDAY, MONDAY]
    assert CALENDAR.sessions(MONDAY, FRIDAY) == []


@given(day=DAYS, n=st.integers(-300, 300))
def test_offset_counts_sessions(day, n):
    try:
        there = CALENDAR.offset(day, n)
    except CalendarUnknown:
        return
    assert CALENDAR.is_session(there)
    start = CALENDAR.latest_on_or_before(day)
    if n > 0:
        assert CALENDAR.count(start, there) == n + 1
    elif n < 0:
        assert CALENDAR.count(there, day - timedelta(days=1)) == -n


def test_vendor_days_extend_the_range_only_without_a_gap():
    known = Calendar(date(2026, 1, 1), date(2026, 1, 5), (date(2026, 1, 5),))
    observed = {date(2026, 1, 6): True, date(2026, 1, 7): False, date(2026, 1, 9): True}
    longer = known.extended(observed)
    assert (longer.last, longer.days) == (date(2026, 1, 7), (date(2026, 1, 5), date(2026, 1, 6)))
    with pytest.raises(CalendarUnknown):
        longer.is_session(date(2026, 1, 9))


def test_vendor_days_that_agree_change_nothing_and_a_contradiction_is_rejected():
    assert load_calendar({MONDAY: True, date(2026, 11, 29): False}) == CALENDAR
    with pytest.raises(DataRejected, match="2026-11-29"):
        load_calendar({MONDAY: True, date(2026, 11, 29): True})


def test_next_year_becomes_known_once_a_vendor_publishes_it():
    observed = {date(2027, 1, 1) + timedelta(days=n): n >= 3 for n in range(5)}
    calendar = load_calendar(observed)
    assert calendar.last == date(2027, 1, 5)
    assert calendar.following(date(2026, 12, 31)) == date(2027, 1, 4)


def test_witness_that_differs_inside_the_common_range_is_rejected():
    with pytest.raises(DataRejected, match="2026-11-30"):
        check_witness(CALENDAR, [d for d in CALENDAR.days if d != MONDAY])
    with pytest.raises(DataRejected, match="2026-11-29"):
        check_witness(CALENDAR, [*CALENDAR.days, date(2026, 11, 29)])


def test_witness_with_a_shorter_range_is_compared_where_both_know():
    check_witness(CALENDAR, CALENDAR.days[:-10])


@pytest.mark.real
@needs_real
def test_sessions_equal_the_stored_real_calendar():
    with (REAL / "calendar/exchange_calendars_XSHG.csv").open() as lines:
        real = [date.fromisoformat(row["date"]) for row in csv.DictReader(lines)]
    assert CALENDAR.sessions(CALENDAR.first, CALENDAR.last) == real


@pytest.mark.real
@needs_real
def test_working_days_on_which_the_exchange_was_closed_are_closed():
    with (REAL / "calendar/workday_but_exchange_closed.csv").open() as lines:
        closed = [date.fromisoformat(row["date"]) for row in csv.DictReader(lines)]
    assert closed
    assert not any(CALENDAR.is_session(day) for day in closed)


def test_bars_are_public_at_17_30_and_margins_the_next_session_s_morning():
    assert published_at("daily_bars", FRIDAY, CALENDAR) == at(FRIDAY, "17:30")
    assert published_at("margins", FRIDAY, CALENDAR) == at(MONDAY, "09:00")
    assert published_at("news", FRIDAY, CALENDAR) == at(FRIDAY, "00:00")


@pytest.mark.parametrize(
    ("kind", "moment", "expected"),
    [
        ("daily_bars", at(MONDAY, "17:29"), FRIDAY),
        ("daily_bars", at(MONDAY, "17:30"), MONDAY),
        ("daily_bars", at(date(2026, 11, 29), "10:00"), FRIDAY),
        ("adjust_factors", at(MONDAY, "17:45"), FRIDAY),
        ("margins", at(MONDAY, "08:59"), date(2026, 11, 26)),
        ("margins", at(MONDAY, "09:00"), FRIDAY),
        ("margins", at(date(2026, 11, 29), "23:00"), date(2026, 11, 26)),
        ("margins", at(date(2026, 12, 31), "23:00"), date(2026, 12, 30)),
        ("pledges", at(MONDAY, "20:00"), FRIDAY),
        ("pledges", at(date(2026, 11, 26), "20:00"), date(2026, 11, 20)),
    ],
)
def test_due_session_follows_each_kind_s_hour(kind, moment, expected):
    assert due_session(kind, moment, CALENDAR) == expected


@given(
    kind=st.sampled_from(sorted(k for k, rule in KIND_RULES.items() if rule.ready and not rule.is_weekly)),
    day=st.dates(date(2015, 1, 1), date(2026, 12, 20)),
    minute=st.integers(0, 1439),
)
def test_due_session_is_the_last_one_published_by_then(kind, day, minute):
    moment = at(day, "00:00") + timedelta(minutes=minute)
    due = due_session(kind, moment, CALENDAR)
    assert published_at(kind, due, CALENDAR) <= moment
    assert published_at(kind, CALENDAR.following(due), CALENDAR) > moment


def test_moments_of_other_time_zones_are_read_in_shanghai():
    from datetime import UTC

    assert due_session("daily_bars", datetime(2026, 11, 30, 9, 30, tzinfo=UTC), CALENDAR) == MONDAY


EVENING = at(MONDAY, "20:00")


@pytest.mark.parametrize(
    ("kind", "query", "actual", "now", "expected"),
    [
        ("daily_bars", MONDAY, MONDAY, EVENING, DateStatus.CURRENT),
        ("daily_bars", date(2026, 11, 28), FRIDAY, EVENING, DateStatus.LATEST_TRADING_DAY),
        ("daily_bars", MONDAY, FRIDAY, at(MONDAY, "15:40"), DateStatus.LATEST_TRADING_DAY),
        ("daily_bars", MONDAY, FRIDAY, EVENING, DateStatus.STALE),
        ("daily_bars", MONDAY, date(2025, 11, 28), EVENING, DateStatus.STALE),
        ("daily_bars", date(2026, 11, 28), date(2026, 11, 26), EVENING, DateStatus.STALE),
        ("daily_bars", MONDAY, MONDAY, at(MONDAY, "14:10"), DateStatus.UNKNOWN),
        ("daily_bars", FRIDAY, MONDAY, EVENING, DateStatus.UNKNOWN),
        ("daily_bars", MONDAY, None, EVENING, DateStatus.UNKNOWN),
        ("daily_bars", date(2027, 1, 4), date(2026, 12, 31), EVENING, DateStatus.UNKNOWN),
        ("daily_bars", date(2025, 3, 31), date(2025, 3, 31), EVENING, DateStatus.CURRENT),
        ("margins", MONDAY, FRIDAY, EVENING, DateStatus.LATEST_TRADING_DAY),
        ("margins", MONDAY, date(2026, 11, 26), EVENING, DateStatus.STALE),
        ("pledges", date(2026, 11, 26), date(2026, 11, 20), at(date(2026, 11, 26), "20:00"),
         DateStatus.LATEST_TRADING_DAY),
        ("pledges", FRIDAY, date(2026, 11, 20), EVENING, DateStatus.STALE),
        ("announcements", MONDAY, FRIDAY, EVENING, DateStatus.NOT_APPLICABLE),
        ("instruments", MONDAY, None, EVENING, DateStatus.NOT_APPLICABLE),
    ],
)  # fmt: skip
def test_date_status_of_data_against_the_requested_day(kind, query, actual, now, expected):
    assert date_status(kind, query, actual, now, CALENDAR) is expected


def test_run_without_a_date_takes_the_last_published_session():
    assert target_session(None, at(MONDAY, "14:58"), CALENDAR) == FRIDAY
    assert target_session(None, at(MONDAY, "17:30"), CALENDAR) == MONDAY


def test_run_with_a_session_takes_it_even_before_its_bars_are_out():
    assert target_session(MONDAY, at(MONDAY, "15:40"), CALENDAR) == MONDAY
    assert target_session(date(2025, 3, 31), EVENING, CALENDAR) == date(2025, 3, 31)


@pytest.mark.parametrize(("day", "use"), [(date(2025, 1, 28), "2025-01-27"), (date(2024, 2, 9), "2024-02-08")])
def test_run_on_a_closed_day_is_refused_and_the_session_before_named(day, use):
    with pytest.raises(UsageError, match=f"--as-of {use}"):
        target_session(day, EVENING, CALENDAR)


def test_run_on_a_future_day_is_refused_and_the_last_session_named():
    with pytest.raises(UsageError, match=r"未来.*--as-of 2026-11-30"):
        target_session(date(2026, 12, 1), EVENING, CALENDAR)


def test_run_beyond_the_calendar_stops_with_advice():
    with pytest.raises(CalendarUnknown, match="doctor"):
        target_session(date(2027, 1, 4), at(date(2027, 1, 4), "20:00"), CALENDAR)


def test_importing_sessions_loads_neither_pandas_nor_akshare():
    import subprocess
    import sys

    slow = "{'pandas', 'akshare', 'exchange_calendars'}"
    code = f"import sys, flows.market.sessions; print(sorted({slow} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
