"""Load the history of many stocks: resumable at every symbol and kind, and honest about half-loaded days.

Each symbol and kind is stored together with its line in ``ops.backfills``, so a killed run loses at most the
answers of the last two seconds. The vendors' own throttle keeps the pace polite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict

from flows.contracts.debates import BACKFILLS
from flows.contracts.envelope import Envelope, Request, Status
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.desk.loaded_days import HalfLoaded
from flows.desk.sourcing import open_sources
from flows.errors import DataRejected, UsageError
from flows.market.sessions import Calendar, due_session
from flows.settings import Settings
from flows.sources.chain import ChainResult
from flows.sources.registry import MARKET_KINDS, Desk
from flows.warehouse.database import Connection, append, open_reader, open_writer, record_fetches, transaction
from flows.warehouse.rows import insert_rows, replace_rows

#: Kind → vendors that answer it for now only: from them, a history of it cannot be had afterwards.
_OF_NOW = {"peers": frozenset({"eastmoney"})}
#: Answers after which asking the same again would bring the same.
_SETTLED = frozenset({Status.OK, Status.NO_DATA, Status.NOT_SUPPORTED})
#: How long an answer may wait to be stored.
_LONGEST_KEPT = timedelta(seconds=2)


class Backfill(BaseModel):
    """One backfill; JSON-able and free of secrets."""

    model_config = ConfigDict(frozen=True)

    batch_id: str
    symbols: tuple[str, ...]
    start: date
    end: date
    now: datetime
    options: dict[str, Any]

    def settings(self) -> Settings:
        """The settings of this run."""
        return Settings(**self.options)


@dataclass(frozen=True)
class Loaded:
    """What came of one symbol.

    Attributes:
        asked: Kinds asked in this run.
        skipped: Kinds loaded by an earlier one.
        failures: Kinds left open, each with its reason.
        refused: Kinds that no configured vendor has a history of, each with its reason.
    """

    symbol: str
    rows: int
    asked: int
    skipped: int
    failures: tuple[str, ...]
    refused: tuple[str, ...]


def kinds_of_history() -> tuple[str, ...]:
    """Kinds of single stocks that a backfill loads or openly refuses, in the order they are asked."""
    return tuple(kind for kind in KIND_RULES if kind not in MARKET_KINDS and "symbol" in RAW_TABLES[kind].schema)


def plan_units(backfill: Backfill, calendar: Calendar) -> dict[str, tuple[str, ...]]:
    """Symbol → kinds still to load; UsageError for a range that is empty, in the future, or unknown."""
    if backfill.start > backfill.end:
        raise UsageError(f"起止日期颠倒：{backfill.start} 在 {backfill.end} 之后。")
    due = due_session("daily_bars", backfill.now, calendar)
    if backfill.end > due:
        raise UsageError(f"{backfill.end} 的收盘数据还没有公布：最近可用的是 {due}，用 --to {due}。")
    if not calendar.sessions(backfill.start, backfill.end):
        raise UsageError(f"{backfill.start} 至 {backfill.end} 之间没有交易日。")
    done = _loaded(backfill)
    return {s: tuple(k for k in kinds_of_history() if (s, k) not in done) for s in backfill.symbols}


def load(
    backfill: Backfill,
    units: dict[str, tuple[str, ...]],
    report: Callable[[str], None],
    clock: Callable[[], datetime],
) -> list[Loaded]:
    """Load every open unit; a failed kind is named and left open for the next run.

    *clock* is the wall clock; what is visible is decided by ``Backfill.now``.
    """
    desk = open_sources(backfill.settings(), backfill.now, clock)
    books = _Books(backfill, clock)
    if any(units.values()):
        books.keep_identities(desk)
    loaded = []
    for symbol, kinds in units.items():
        for kind in kinds:
            request = Request(kind, symbol, backfill.start, backfill.end, backfill.now)
            books.keep(_refusal(request, desk.chains[kind], clock()) or desk.ask(request), symbol)
        rows, failures, refused = books.close(symbol)
        loaded.append(Loaded(symbol, rows, len(kinds), len(kinds_of_history()) - len(kinds), failures, refused))
        report(symbol)
    return loaded


def reopen(backfill: Backfill, days: Sequence[HalfLoaded]) -> None:
    """Let the next run ask again for the bars of the stocks that lack on half-loaded *days*."""
    symbols = sorted({symbol for day in days for symbol in day.absent})
    if not symbols:
        return
    with open_writer(backfill.settings().database) as con, transaction(con):
        for symbol in symbols:
            replace_rows(con, BACKFILLS, {"symbol": symbol, "kind": "daily_bars"}, [])


class _Books:
    """Answers on their way into the database, which nothing holds while a vendor is asked.

    Opening the file costs as much as storing many answers, so quick ones are stored together: what a kill can
    lose is the answers of ``_LONGEST_KEPT``.
    """

    def __init__(self, backfill: Backfill, clock: Callable[[], datetime]) -> None:
        self._backfill = backfill
        self._database = backfill.settings().database
        self._clock = clock
        self._stored_at = clock()
        self._kept: list[tuple[ChainResult, str | None]] = []
        self._rows = 0
        self._failures: list[str] = []
        self._refused: list[str] = []

    def keep_identities(self, desk: Desk) -> None:
        """Calendar, companies and macro once; companies the list does not hold (Beijing) one by one."""
        backfill = self._backfill
        results = desk.market(backfill.end)
        listed = {s for r in results if r.envelope.kind == "instruments" for s in _symbols(r.envelope)}
        results += [
            desk.ask(Request("instruments", symbol, backfill.start, backfill.end, backfill.now))
            for symbol in backfill.symbols
            if symbol not in listed
        ]
        self._kept += [(result, None) for result in results]
        self._store()

    def keep(self, result: ChainResult, symbol: str) -> None:
        """One answer about *symbol*."""
        self._kept.append((result, symbol))
        if self._clock() - self._stored_at >= _LONGEST_KEPT:
            self._store()

    def close(self, symbol: str) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
        """Store what is left of *symbol*; rows added, failures and refusals since the last close."""
        if self._kept:
            self._store()
        closed = self._rows, tuple(self._failures), tuple(self._refused)
        self._rows, self._failures, self._refused = 0, [], []
        return closed

    def _store(self) -> None:
        with open_writer(self._database) as con, transaction(con):
            for result, symbol in self._kept:
                record_fetches(con, self._backfill.batch_id, result.tried)
                rows, failure = self._append(con, result.envelope)
                if symbol is not None and failure is None:
                    insert_rows(con, BACKFILLS, [_line(self._backfill, result.envelope, symbol)])
                if symbol is not None:
                    self._rows += rows
                    self._failures += [failure] if failure else []
                    if result.envelope.status is Status.NOT_SUPPORTED:
                        self._refused.append(f"{result.envelope.kind}：{result.envelope.message}")
        self._kept, self._stored_at = [], self._clock()

    def _append(self, con: Connection, envelope: Envelope) -> tuple[int, str | None]:
        if envelope.status not in _SETTLED:
            return 0, f"{envelope.kind}：{envelope.message}"
        if envelope.data is None:
            return 0, None
        try:
            rows = append(
                con, envelope.kind, envelope.data, vendor=envelope.vendor, fetched_at=envelope.fetched_at,
                batch_id=self._backfill.batch_id,
            )  # fmt: skip
        except DataRejected as error:
            return 0, f"{envelope.kind}：{error}"
        return rows, None


def _refusal(request: Request, chain: Sequence[str], at: datetime) -> ChainResult | None:
    """The answer nobody need be asked for: every vendor of *chain* has the kind of now only."""
    of_now = _OF_NOW.get(request.kind)
    if of_now is None or not of_now.issuperset(chain):
        return None
    vendor = chain[0]
    envelope = Envelope(
        kind=request.kind, symbol=request.symbol, status=Status.NOT_SUPPORTED, vendor=vendor, source=vendor,
        query_date=request.end, fetched_at=at, attempts=0, message=f"{vendor} 只有当前值，没有历史，补不了",
    )  # fmt: skip
    return ChainResult(envelope, (envelope,))


def _symbols(envelope: Envelope) -> list[str]:
    return [] if envelope.data is None else envelope.data["symbol"].to_list()


def _line(backfill: Backfill, envelope: Envelope, symbol: str) -> dict[str, object]:
    return {
        "symbol": symbol, "kind": envelope.kind, "start_date": backfill.start, "end_date": backfill.end,
        "status": str(envelope.status), "rows": envelope.rows, "batch_id": backfill.batch_id,
        "loaded_at": envelope.fetched_at,
    }  # fmt: skip


def _loaded(backfill: Backfill) -> set[tuple[str, str]]:
    if not backfill.settings().database.exists():
        return set()
    with open_reader(backfill.settings().database) as con:
        [(is_there,)] = con.execute(
            "select count(*) from duckdb_tables() where schema_name || '.' || table_name = $name",
            {"name": BACKFILLS.name},
        ).fetchall()
        if not is_there:
            return set()
        rows = con.execute(
            f"select symbol, kind from {BACKFILLS.name} where start_date <= $start and end_date >= $end",
            {"start": backfill.start, "end": backfill.end},
        ).fetchall()
    return set(rows)
