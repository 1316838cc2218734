"""What ``doctor`` says of the calendar as the year ends (the December problem, PRODUCT M2)."""

from datetime import datetime, time, timedelta

import pytest

from flows.desk.checkup import checkup
from flows.market.sessions import SHANGHAI, load_calendar
from flows.settings import Settings

KNOWN = load_calendar()


@pytest.mark.parametrize(("days_left", "is_said"), [(100, False), (44, True), (1, True)])
def test_the_end_of_the_known_calendar_is_announced_six_weeks_ahead(tmp_path, days_left, is_said):
    now = datetime.combine(KNOWN.last - timedelta(days=days_left), time(21), SHANGHAI)
    calendar = checkup(Settings(data_dir=tmp_path), None, now)[0]
    assert calendar.is_fine
    assert (f"只剩 {days_left} 天" in calendar.message) is is_said


def test_a_day_after_the_known_calendar_is_a_finding_with_advice(tmp_path):
    now = datetime.combine(KNOWN.last, time(21), SHANGHAI)
    calendar = checkup(Settings(data_dir=tmp_path), KNOWN.last + timedelta(days=4), now)[0]
    assert not calendar.is_fine
    assert "--sources live" in calendar.message
