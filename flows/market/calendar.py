"""The exchange calendar: which days are sessions, and nothing beyond what is known (PRODUCT M2).

Decision: two independent files must agree (``exchange_calendars`` XSHG and the one akshare ships) and vendors
may extend the range day by day without a gap. A weekday is never assumed to be a session: outside the known
range the answer is an error that says how to learn more.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from zoneinfo import ZoneInfo

from flows.errors import CalendarUnknown, ConfigurationError, DataRejected

SHANGHAI = ZoneInfo("Asia/Shanghai")
#: First session of the Shanghai exchange.
FIRST_SESSION = date(1990, 12, 19)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Calendar:
    """Sessions of the mainland exchanges in a closed range of calendar days.

    Every method raises :class:`CalendarUnknown` where its answer would need a day outside ``first``–``last``.

    Attributes:
        first: First day known.
        last: Last day known.
        days: Every session in between, ascending.
    """

    first: date
    last: date
    days: tuple[date, ...] = field(repr=False)

    def is_session(self, day: date) -> bool:
        """Whether the exchange is open on *day*."""
        self._require(day)
        index = bisect_left(self.days, day)
        return index < len(self.days) and self.days[index] == day

    def sessions(self, start: date, end: date) -> list[date]:
        """Sessions from *start* to *end*, both inclusive; empty if *start* is after *end*."""
        self._require(start)
        self._require(end)
        return list(self.days[bisect_left(self.days, start) : bisect_right(self.days, end)])

    def count(self, start: date, end: date) -> int:
        """Number of sessions from *start* to *end*, both inclusive."""
        return len(self.sessions(start, end))

    def latest_on_or_before(self, day: date) -> date:
        """The session on *day*, else the last one before it."""
        self._require(day)
        return self._at(bisect_right(self.days, day) - 1, day)

    def previous(self, day: date) -> date:
        """The last session before *day*."""
        return self.offset(day, -1)

    def following(self, day: date) -> date:
        """The first session after *day*."""
        return self.offset(day, 1)

    def offset(self, day: date, n: int) -> date:
        """The *n*-th session after *day* (before it if negative); 0 is the latest on or before it."""
        if n == 0:
            return self.latest_on_or_before(day)
        self._require(day)
        start = bisect_right(self.days, day) - 1 if n > 0 else bisect_left(self.days, day)
        return self._at(start + n, day)

    def extended(self, observed: Mapping[date, bool]) -> Calendar:
        """This calendar with a vendor's days (day → is session) appended as far as they follow without a gap.

        Raises:
            DataRejected: The vendor contradicts a known day.
        """
        wrong = sorted(d for d, is_open in observed.items() if self._knows(d) and self.is_session(d) != is_open)
        if wrong:
            raise DataRejected(f"数据源的交易日历与已知日历矛盾：{_listed(wrong)}；请换用其他数据源核对，勿继续")
        last, more = self.last, []
        while (is_open := observed.get(last + _DAY)) is not None:
            last += _DAY
            more += [last] if is_open else []
        return Calendar(self.first, last, (*self.days, *more))

    def _knows(self, day: date) -> bool:
        return self.first <= day <= self.last

    def _require(self, day: date) -> None:
        if not self._knows(day):
            raise CalendarUnknown(self._advice(day, is_early=day < self.first))

    def _at(self, index: int, day: date) -> date:
        if not 0 <= index < len(self.days):
            raise CalendarUnknown(self._advice(day, is_early=index < 0))
        return self.days[index]

    def _advice(self, day: date, *, is_early: bool) -> str:
        if is_early:
            return f"{day} 的判断早于交易日历的第一天 {self.first}（上交所开市），那时没有行情：请给更晚的日期。"
        return (
            f"{day} 的判断超出已知交易日历（{self.first} 至 {self.last}），不能按工作日猜测。"
            "上交所一般在 12 月下旬公布下一年的休市安排；公布后请联网运行（--sources live）以从数据源刷新日历，"
            "或升级 exchange_calendars 与 akshare；可用 zhengming doctor 查看日历范围"
        )


_in_force: ContextVar[Calendar | None] = ContextVar("calendar_in_force", default=None)


def load_calendar(observed: Mapping[date, bool] | None = None) -> Calendar:
    """The calendar of two agreeing files, extended by *observed* vendor days (``raw.trade_dates``).

    Inside :func:`in_force` it is the calendar given there.

    Raises:
        DataRejected: The two files disagree, or *observed* contradicts them.
        ConfigurationError: The witness file is missing.
    """
    calendar = _in_force.get() or _base()
    return calendar.extended(observed) if observed else calendar


@contextmanager
def in_force(calendar: Calendar) -> Iterator[None]:
    """Let :func:`load_calendar` answer *calendar* in this thread: a run's refreshed one, deep inside a shape."""
    token = _in_force.set(calendar)
    try:
        yield
    finally:
        _in_force.reset(token)


@cache
def _base() -> Calendar:
    from exchange_calendars.exchange_calendar_xshg import XSHGExchangeCalendar  # noqa: PLC0415  slow import

    known = XSHGExchangeCalendar(start=FIRST_SESSION.isoformat(), end=XSHGExchangeCalendar.bound_max())
    days = tuple(stamp.date() for stamp in known.sessions)
    calendar = Calendar(FIRST_SESSION, days[-1], days)
    check_witness(calendar, _witness_days())
    return calendar


def check_witness(calendar: Calendar, witness: Iterable[date]) -> None:
    """Compare *calendar* with a second list of sessions where their ranges overlap; DataRejected on a difference."""
    seen = set(witness)
    start, end = max(calendar.first, min(seen)), min(calendar.last, max(seen))
    wrong = sorted(set(calendar.sessions(start, end)) ^ {day for day in seen if start <= day <= end})
    if wrong:
        raise DataRejected(
            f"两份交易日历不一致：{_listed(wrong)}；请升级 exchange_calendars 与 akshare 后重试，勿在此状态下继续"
        )


def _witness_days() -> list[date]:
    """Sessions of the file inside the installed akshare, read without importing it."""
    spec = find_spec("akshare")
    path = Path(spec.origin).parent / "file_fold" / "calendar.json" if spec and spec.origin else None
    if path is None or not path.is_file():
        raise ConfigurationError("找不到 akshare 自带的交易日历 calendar.json，无法核对日历：请重新安装 akshare")
    return [date.fromisoformat(text) for text in json.loads(path.read_text(encoding="utf-8"))]


def _listed(days: list[date]) -> str:
    shown = "、".join(day.isoformat() for day in days[:5])
    return shown if len(days) <= 5 else f"{shown} 等 {len(days)} 天"
