"""Which vendors exist, wired to the settings of one run; everything a run asks goes through :class:`Desk`.

``open_desk(settings, now)`` is the entrance. ``Desk.market(day)`` asks the kinds that concern everybody, once;
``Desk.symbol(symbol, day, since)`` everything about one stock; ``Desk.tried()`` is every envelope so far.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import chain as flatten

from flows.contracts.envelope import Envelope, Request, Status
from flows.contracts.raw import KIND_RULES
from flows.errors import ConfigurationError
from flows.market.sessions import Calendar, load_calendar
from flows.settings import DEFAULT_CHAINS, Settings
from flows.sources.alignment import align, without_late_factor
from flows.sources.asking import Fetcher
from flows.sources.chain import ChainResult, raise_failure, walk
from flows.sources.user_sql import RunQuery
from flows.sources.vendors import live_vendors, sample_vendors

#: Kinds that are asked once for everybody.
MARKET_KINDS = ("trade_dates", "instruments", "macro")
_PROBE_DAYS = 14
_PROBES = {
    "baostock": ("trade_dates", None), "eastmoney": ("daily_bars", "600000.SH"), "sina": ("daily_bars", "600000.SH"),
    "tencent": ("daily_bars", "600000.SH"), "cninfo": ("announcements", "600000.SH"),
    "exchanges": ("instruments", "600000.SH"), "tushare": ("trade_dates", None), "sample": ("trade_dates", None),
}  # fmt: skip


def plan(kinds: Sequence[str] = tuple(DEFAULT_CHAINS)) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """*kinds* divided into those asked once per run and those asked per stock, in order."""
    return (
        tuple(kind for kind in kinds if kind in MARKET_KINDS),
        tuple(kind for kind in kinds if kind not in MARKET_KINDS),
    )


@dataclass
class Desk:
    """The sources as one run sees them; safe to use from several threads.

    Attributes:
        chains: Kind → vendors in order; only these are asked.
        vendors: Vendor → kind → fetcher.
        now: The run's frozen clock.
        forget: Drops what was remembered within the run, before late answers are asked again.
    """

    chains: Mapping[str, Sequence[str]]
    vendors: Mapping[str, Mapping[str, Fetcher]]
    now: datetime
    calendar: Calendar
    forget: Callable[[], None] = lambda: None
    _tried: list[Envelope] = field(default_factory=list, repr=False)
    _known: set[str] = field(default_factory=set, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def market(self, day: date) -> list[ChainResult]:
        """The kinds that concern everybody, as of *day*; failures are returned, not raised.

        A run can do without: the calendar is known from files, an unknown identity is said (PRODUCT M2, E11).
        """
        kinds, _ = plan(tuple(self.chains))
        results = [self.ask(self._request(kind, None, day, {})) for kind in kinds]
        for result in results:
            if result.envelope.kind == "instruments" and result.envelope.data is not None:
                self._known.update(result.envelope.data["symbol"])
        return results

    def symbol(self, symbol: str, day: date, since: Mapping[str, date] | None = None) -> list[ChainResult]:
        """Everything about one stock as of *day*, aligned; from ``since[kind]`` on where given.

        Raises:
            ChainFailed: A core kind failed; the other kinds are then not asked any more.
        """
        _, kinds = plan(tuple(self.chains))
        if symbol not in self._known and "instruments" in self.chains:
            kinds = ("instruments", *kinds)
        results = []
        for kind in kinds:
            result = self.ask(self._request(kind, symbol, day, since or {}))
            if kind != "instruments":
                raise_failure(result)
            results.append(result)
        return self._settled(results, day, since or {})

    def ask(self, request: Request) -> ChainResult:
        """One question along its chain; never raises for what a vendor can do wrong."""
        result = walk(request, self.chains[request.kind], self.vendors)
        with self._lock:
            self._tried.extend(result.tried)
        return result

    def tried(self) -> tuple[Envelope, ...]:
        """Every vendor's answer of this run, in order."""
        with self._lock:
            return tuple(self._tried)

    def _settled(self, results: Sequence[ChainResult], day: date, since: Mapping[str, date]) -> list[ChainResult]:
        def ask_again(late: Envelope) -> ChainResult:
            self.forget()
            return self.ask(self._request(late.kind, late.symbol, day, since))

        settled = without_late_factor(align(results, ask_again))
        for before, after in zip(results, settled, strict=True):
            if after.envelope.status is Status.NOT_READY and before.envelope.status is not Status.NOT_READY:
                with self._lock:
                    self._tried.append(after.envelope)
                raise_failure(after)
        return settled

    def _request(self, kind: str, symbol: str | None, day: date, since: Mapping[str, date]) -> Request:
        start = day - timedelta(days=KIND_RULES[kind].look_back_days)
        end = date(day.year + 1, 12, 31) if kind == "trade_dates" else day
        asked_from = since.get(kind)
        if asked_from is not None and start < asked_from < day:
            start = asked_from
        return Request(kind=kind, symbol=symbol, start=start, end=end, now=self.now)


def open_desk(
    settings: Settings,
    now: datetime,
    *,
    clock: Callable[[], datetime] | None = None,
    run_query: RunQuery | None = None,
    calendar: Calendar | None = None,
) -> Desk:
    """The desk of one run.

    Args:
        settings: Chains, limits, tokens.
        now: Frozen clock of the run; nothing published later is returned.
        clock: Wall clock for ``fetched_at``; without one, *now* plus the time that has passed since.
        run_query: Reads the user's own DuckDB file (vendor ``sql``): ``(select, parameters) -> frame``.
        calendar: The exchange calendar of the run; the known one if not given.

    Raises:
        ConfigurationError: A chain is empty or names an unknown vendor or kind.
    """
    calendar = calendar or load_calendar()
    ticking = clock or _stopwatch(now)
    if settings.sources == "sample":
        vendors, forget = sample_vendors(calendar), lambda: None
        chains: Mapping[str, Sequence[str]] = dict.fromkeys(DEFAULT_CHAINS, ("sample",))
    else:
        vendors, forget = live_vendors(settings, calendar, ticking, run_query)
        chains = {**DEFAULT_CHAINS, **settings.chains}
    _check(chains, vendors)
    return Desk(chains, vendors, now, calendar, forget)


def probe(settings: Settings, now: datetime) -> Iterator[tuple[str, str, bool]]:
    """Ask each configured vendor one small question: (vendor, what to know, whether it answered)."""
    desk = open_desk(settings, now)
    day = desk.calendar.latest_on_or_before(now.date())
    for vendor in dict.fromkeys(flatten.from_iterable(desk.chains.values())):
        if vendor not in _PROBES:
            yield vendor, "自有数据表：不探测", True
            continue
        kind, symbol = _PROBES[vendor]
        request = Request(kind, symbol, day - timedelta(days=_PROBE_DAYS), day, now)
        envelope = desk.vendors[vendor][kind](request)
        is_fine = envelope.status in {Status.OK, Status.NO_DATA, Status.NOT_READY}
        yield vendor, f"{envelope.status} {envelope.message or f'{envelope.rows} 行'}".strip(), is_fine


def _stopwatch(now: datetime) -> Callable[[], datetime]:
    started = time.monotonic()
    return lambda: now + timedelta(seconds=time.monotonic() - started)


def _check(chains: Mapping[str, Sequence[str]], vendors: Mapping[str, Mapping[str, Fetcher]]) -> None:
    for kind, chain in chains.items():
        if kind not in KIND_RULES:
            raise ConfigurationError(f"chains 中的 {kind} 不是已知的数据种类；可用：{sorted(KIND_RULES)}")
        unknown = [vendor for vendor in chain if vendor not in vendors]
        if unknown or not chain:
            raise ConfigurationError(
                f"chains 中 {kind} 的数据源 {list(chain)} 有误；请从 {sorted(vendors)} 中选择至少一个"
            )
