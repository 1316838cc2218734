"""Ask one vendor one question and always come back with an :class:`Envelope`.

Order of one attempt: breaker → throttle (before every request on the wire) → client library under the
deadline → its failure classified → the vendor's columns normalised (``shapes``) → envelope. Only outages are
asked again within the run, with backoff and jitter; a broken or refused answer goes to the next vendor.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

import polars as pl
import tenacity

from flows.contracts.envelope import DateStatus, Envelope, Request, Status
from flows.errors import DataRejected
from flows.market.sessions import Calendar, in_force
from flows.sources.faults import SourceFault, broken, no_data, not_supported
from flows.sources.http import Exchange, Recording, recorded
from flows.sources.limits import Breaker
from flows.sources.readiness import as_known, dated, gap_until, is_too_late, pending_until

_LOG = logging.getLogger(__name__)
#: What normalising raises for values of a kind that no check foresaw.
_SLIPS = (pl.exceptions.PolarsError, TypeError, ValueError, LookupError, ArithmeticError)
Fetcher = Callable[[Request], Envelope]
Shape = Callable[[pl.DataFrame, Request], pl.DataFrame]


class Gate(Protocol):
    """What counts and limits calls (``limits.Throttle``)."""

    def acquire(self, patience_s: float) -> None:
        """Count one call, waiting up to *patience_s* seconds, or raise a fault."""


@dataclass(frozen=True)
class Policy:
    """How patient one call is: *deadline_s* per attempt, *attempts*, first and longest pause in between."""

    deadline_s: float = 60.0
    attempts: int = 4
    pause_s: float = 1.0
    longest_pause_s: float = 20.0


@dataclass(frozen=True)
class Question:
    """What to do for one request.

    Attributes:
        source: Function asked, for the envelope, e.g. ``stock_zh_a_hist``.
        work: Calls the client library and returns its answers in the vendor's own columns; may raise faults.
        shape: Normalises one answer to the kind's contract; raises DataRejected.
        join: Puts the normalised answers together.
        covered: Last session the vendor's answer reaches, read off its own columns (sparse kinds only).
        said: What a reader should know of rows that were left out; empty if none were.
        narrow: Query parameters to set on the wire.
        inspect: Looks at each raw answer before the client library does.
        max_exchanges: Page bound.
        is_of_now: True if the answer is undated and always of the moment it is given.
    """

    source: str
    work: Callable[[], Sequence[pl.DataFrame]]
    shape: Shape
    join: Callable[[list[pl.DataFrame]], pl.DataFrame] = pl.concat
    covered: Callable[[Sequence[pl.DataFrame]], date | None] = lambda parts: None
    said: Callable[[Sequence[pl.DataFrame], Request], str] = lambda parts, request: ""
    narrow: Mapping[str, str] = field(default_factory=dict)
    inspect: Callable[[Exchange], None] = lambda exchange: None
    max_exchanges: int = 80
    is_of_now: bool = False


@dataclass(frozen=True)
class Asker:
    """One vendor as this run asks it.

    Attributes:
        vendor: Name in the chains, e.g. ``eastmoney``.
        calendar: Exchange calendar of the run.
        clock: Wall clock for ``fetched_at`` only (which version is newer), never for visibility.
        gate: Throttle and daily cap.
        policy: Patience.
        shares_one_line: True if all kinds go through one connection, so that one breaker guards them all.
        sleep: How pausing is done.
    """

    vendor: str
    calendar: Calendar
    clock: Callable[[], datetime]
    gate: Gate
    policy: Policy = Policy()
    shares_one_line: bool = False
    sleep: Callable[[float], None] = time.sleep
    breakers: dict[str, Breaker] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def ask(self, request: Request, question: Question) -> Envelope:
        """The vendor's answer to *request*; never raises for what a vendor can do wrong."""
        attempts = 0
        breaker = self._breaker(question.source)

        def attempt() -> _Answer:
            nonlocal attempts
            attempts += 1
            return self._once(request, question, breaker)

        try:
            answer = self._retrying()(attempt)
        except SourceFault as fault:
            waiting = pending_until(request, self.calendar) if fault.is_no_data else None
            return self.refusal(request, question.source, _not_ready(waiting) if waiting else fault, attempts)
        return self._answer(request, question.source, answer, attempts)

    def refusal(self, request: Request, source: str, fault: SourceFault, attempts: int = 0) -> Envelope:
        """An envelope without data."""
        return Envelope(
            kind=request.kind,
            symbol=request.symbol,
            status=fault.status,
            vendor=self.vendor,
            source=f"{self.vendor}:{source}",
            query_date=request.end,
            fetched_at=self.clock(),
            date_status=DateStatus.UNKNOWN,
            attempts=attempts,
            message=fault.reason,
        )

    def _breaker(self, source: str) -> Breaker:
        with self._lock:
            return self.breakers.setdefault(self.vendor if self.shares_one_line else source, Breaker())

    def _retrying(self) -> tenacity.Retrying:
        backoff = tenacity.wait_exponential_jitter(
            multiplier=self.policy.pause_s, max=self.policy.longest_pause_s, jitter=self.policy.pause_s
        )
        return tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, SourceFault) and error.again),
            stop=tenacity.stop_after_attempt(self.policy.attempts),
            wait=lambda state: _asked_wait(state) or backoff(state),
            sleep=self.sleep,
            reraise=True,
        )

    def _once(self, request: Request, question: Question, breaker: Breaker) -> _Answer:
        breaker.check(self.vendor)
        recording = Recording(
            self.policy.deadline_s,
            question.max_exchanges,
            before=lambda: self.gate.acquire(self.policy.deadline_s),
            inspect=question.inspect,
            narrow=question.narrow,
        )
        try:
            with recorded(recording):
                parts = question.work()
            if question.is_of_now and is_too_late(recording.exchanges, request, self.calendar):
                raise not_supported("该数据只有当前值，没有历史值，不能用于过去的日期")
            with in_force(self.calendar):
                frame = _normalised(question, parts, request)
        except SourceFault as fault:
            _report(breaker, fault)
            raise
        except DataRejected as error:
            raise broken(str(error)) from error
        breaker.succeeded()
        return _Answer(frame, question.covered(parts), question.said(parts, request))

    def _answer(self, request: Request, source: str, answer: _Answer, attempts: int) -> Envelope:
        frame = as_known(answer.frame, request)
        gap = gap_until(request, self.calendar) if request.kind == "adjust_factors" else None
        if gap or frame.is_empty():
            waiting = gap or pending_until(request, self.calendar)
            fault = _not_ready(waiting) if waiting else no_data("数据源在所问区间内没有记录")
            return self.refusal(request, source, fault, attempts)
        actual, status = dated(frame, request, self.calendar, answer.covered)
        return Envelope(
            kind=request.kind,
            symbol=request.symbol,
            status=Status.OK,
            vendor=self.vendor,
            source=f"{self.vendor}:{source}",
            query_date=request.end,
            fetched_at=self.clock(),
            actual_trade_date=actual,
            date_status=status,
            attempts=attempts,
            message=answer.said,
            data=frame,
        )


@dataclass(frozen=True)
class _Answer:
    """A normalised answer: rows, last session it reaches (sparse kinds), what to know of rows left out."""

    frame: pl.DataFrame
    covered: date | None
    said: str


def _normalised(question: Question, parts: Sequence[pl.DataFrame], request: Request) -> pl.DataFrame:
    try:
        return question.join([question.shape(part, request) for part in parts])
    except _SLIPS as error:
        _LOG.warning("%s: unexpected shape", question.source, exc_info=error)
        raise broken(f"回答的列或类型与约定不符（{type(error).__name__}），上游可能改版") from error


def _asked_wait(state: tenacity.RetryCallState) -> float | None:
    error = state.outcome.exception() if state.outcome else None
    return error.retry_after_s if isinstance(error, SourceFault) else None


def _report(breaker: Breaker, fault: SourceFault) -> None:
    if fault.status is Status.PERMISSION_DENIED:
        breaker.bar()
    elif fault.is_outage:
        breaker.failed()
    else:
        breaker.succeeded()


def _not_ready(moment: datetime) -> SourceFault:
    return SourceFault(Status.NOT_READY, f"尚未到公布时间（{moment:%Y-%m-%d %H:%M}），届时再取")
