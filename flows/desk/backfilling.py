"""Load the history of many stocks: resumable at every symbol and kind, and honest about half-loaded days.

Each symbol and kind is stored together with its line in ``ops.backfills``, so a killed run loses at most the
answer it was waiting for and asks nobody twice. The vendors' own throttle keeps the pace polite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from flows.contracts.debates import BACKFILLS
from flows.contracts.envelope import Envelope, Request, Status
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.errors import DataRejected, UsageError
from flows.market.sessions import Calendar
from flows.settings import Settings
from flows.sources.registry import MARKET_KINDS, Desk, open_desk
from flows.warehouse.database import Connection, append, open_reader, open_writer, record_fetches, transaction
from flows.warehouse.rows import insert_rows

#: Under this share of the session before, a day counts as half-loaded (PRODUCT Q).
_FLOOR = 0.8


class Backfill(BaseModel):
    """One backfill; JSON-able and free of secrets."""

    model_config = ConfigDict(frozen=True)

    batch_id: str
    symbols: tuple[str, ...]
    start: date
    end: date
    now: datetime
    options: dict[str, object]

    def settings(self) -> Settings:
        """The settings of this run."""
        return Settings(**self.options)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Loaded:
    """What came of one symbol."""

    symbol: str
    rows: int
    skipped: int
    failures: tuple[str, ...]


def plan_units(backfill: Backfill, calendar: Calendar) -> dict[str, tuple[str, ...]]:
    """Symbol → kinds still to load; UsageError for an empty or unknown range."""
    if backfill.start > backfill.end:
        raise UsageError(f"起止日期颠倒：{backfill.start} 在 {backfill.end} 之后。")
    if not calendar.sessions(backfill.start, backfill.end):
        raise UsageError(f"{backfill.start} 至 {backfill.end} 之间没有交易日。")
    done = _loaded(backfill)
    kinds = [kind for kind in KIND_RULES if kind not in MARKET_KINDS and "symbol" in RAW_TABLES[kind].schema]
    return {s: tuple(k for k in kinds if (s, k) not in done) for s in backfill.symbols}


def load(backfill: Backfill, units: dict[str, tuple[str, ...]], report: Callable[[str], None]) -> list[Loaded]:
    """Load every open unit; a failed kind is named and left open for the next run."""
    desk = open_desk(backfill.settings(), backfill.now)
    total = len(next(iter(units.values()), ()))
    _store_market(backfill, desk)
    loaded = []
    for symbol, kinds in units.items():
        results = [_load_unit(backfill, desk, symbol, kind) for kind in kinds]
        failures = tuple(failure for _, failure in results if failure)
        loaded.append(Loaded(symbol, sum(rows for rows, _ in results), total - len(kinds), failures))
        report(symbol)
    return loaded


def half_loaded_days(backfill: Backfill, calendar: Calendar) -> list[tuple[date, int, int]]:
    """(session, stocks with a bar, stocks expected) for each session on which far too few stocks have one.

    Expected are the backfill's stocks already listed and not yet delisted on that session; a bar of a
    suspended stock counts, a missing one of a stock with a recorded suspension is not expected.
    """
    with open_reader(backfill.settings().database) as con:
        present = _present(con, backfill)
        lives = _lives(con, backfill.symbols)
        halts = _halts(con, backfill.symbols)
    found = []
    for session in calendar.sessions(backfill.start, backfill.end):
        expected = [s for s, life in lives.items() if _covers(life, session) and not _any(halts.get(s, ()), session)]
        if expected and present.get(session, 0) < _FLOOR * len(expected):
            found.append((session, present.get(session, 0), len(expected)))
    return found


def _load_unit(backfill: Backfill, desk: Desk, symbol: str, kind: str) -> tuple[int, str | None]:
    request = Request(kind, symbol, backfill.start, backfill.end, backfill.now)
    result = desk.ask(request)
    envelope = result.envelope
    try:
        with open_writer(backfill.settings().database) as con, transaction(con):
            record_fetches(con, backfill.batch_id, result.tried)
            rows = _append(con, envelope, backfill.batch_id)
            if envelope.status in {Status.OK, Status.NO_DATA, Status.NOT_SUPPORTED}:
                insert_rows(con, BACKFILLS, [_line(backfill, envelope, symbol)])
    except DataRejected as error:
        return 0, f"{kind}：{error}"
    is_open = envelope.status not in {Status.OK, Status.NO_DATA, Status.NOT_SUPPORTED}
    return rows, f"{kind}：{envelope.message}" if is_open else None


def _store_market(backfill: Backfill, desk: Desk) -> None:
    results = desk.market(backfill.end)
    with open_writer(backfill.settings().database) as con, transaction(con):
        record_fetches(con, backfill.batch_id, desk.tried())
        for result in results:
            _append(con, result.envelope, backfill.batch_id)


def _append(con: Connection, envelope: Envelope, batch_id: str) -> int:
    if envelope.data is None:
        return 0
    return append(
        con, envelope.kind, envelope.data, vendor=envelope.vendor, fetched_at=envelope.fetched_at, batch_id=batch_id
    )


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
        rows = con.execute(
            "select symbol, kind from ops.backfills where start_date <= $start and end_date >= $end",
            {"start": backfill.start, "end": backfill.end},
        ).fetchall()
    return set(rows)


def _present(con: Connection, backfill: Backfill) -> dict[date, int]:
    rows = con.execute(
        "select trade_date, count(distinct symbol) from staging.daily_bars "
        "where list_contains($symbols, symbol) and trade_date between $start and $end group by trade_date",
        {"symbols": list(backfill.symbols), "start": backfill.start, "end": backfill.end},
    ).fetchall()
    return dict(rows)


def _lives(con: Connection, symbols: Sequence[str]) -> dict[str, tuple[date | None, date | None]]:
    rows = con.execute(
        "select symbol, listed_date, delisted_date from staging.instruments where list_contains($symbols, symbol)",
        {"symbols": list(symbols)},
    ).fetchall()
    return {symbol: (listed, delisted) for symbol, listed, delisted in rows}


def _halts(con: Connection, symbols: Sequence[str]) -> dict[str, list[tuple[date | None, date | None]]]:
    rows = con.execute(
        "select symbol, start_date, end_date from staging.suspensions where list_contains($symbols, symbol)",
        {"symbols": list(symbols)},
    ).fetchall()
    halts: dict[str, list[tuple[date | None, date | None]]] = {}
    for symbol, start, end in rows:
        halts.setdefault(symbol, []).append((start, end))
    return halts


def _covers(span: tuple[date | None, date | None], day: date) -> bool:
    start, end = span
    return (start is None or start <= day) and (end is None or day <= end)


def _any(spans: Sequence[tuple[date | None, date | None]], day: date) -> bool:
    return any(_covers(span, day) for span in spans)
