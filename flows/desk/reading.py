"""Reading back what a run stored: snapshots, packs, reports, names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.desk.calendar import stored_calendar
from flows.errors import UsageError
from flows.evidence.packs import build_pack
from flows.evidence.snapshot import Snapshot, read_snapshot
from flows.market.sessions import SHANGHAI
from flows.settings import Settings
from flows.warehouse import store
from flows.warehouse.database import Connection, is_built, open_reader
from flows.warehouse.evening import open_evening


@dataclass(frozen=True)
class StoredDebate:
    """One debate with the pack it was held on."""

    transcript: Transcript
    pack: Pack


def stored_names(settings: Settings) -> Mapping[str, str]:
    """Name → symbol of every stored instrument; empty before the first build."""
    if not settings.database.exists():
        return {}
    with open_reader(settings.database) as con:
        return dict(con.execute("select name, symbol from staging.instruments").fetchall()) if is_built(con) else {}


def snapshot_of(settings: Settings, symbol: str, as_of: date | None) -> Snapshot:
    """The verified snapshot (PRODUCT M11) of a stored stock, as it was on the evening of *as_of*."""
    with _evening(settings, symbol, as_of) as (con, day, cutoff):
        return read_snapshot(con, symbol, day, cutoff)


def pack_of(settings: Settings, symbol: str, as_of: date | None) -> Pack:
    """The pack (PRODUCT E2) of a stored stock as a reader of that evening would have it."""
    with _evening(settings, symbol, as_of) as (con, day, cutoff):
        return build_pack(
            con, symbol, day, cutoff, unavailable=(), threshold=settings.completeness_threshold,
            is_sample=settings.sources == "sample",
        )  # fmt: skip


def stored_debate(settings: Settings, debate_id: str) -> StoredDebate:
    """A stored debate; UsageError says how to find one."""
    with open_reader(settings.database) as con:
        transcript = store.load_transcript(con, debate_id)
        return StoredDebate(transcript, store.load_pack(con, transcript.pack_version, transcript.symbol))


@contextmanager
def _evening(settings: Settings, symbol: str, as_of: date | None) -> Iterator[tuple[Connection, date, datetime]]:
    with open_reader(settings.database) as con:
        first, latest = _kept(con, symbol)
    day = as_of or latest
    if day < first:
        raise UsageError(f"库里 {symbol} 的行情始于 {first}，{day} 那天没有：--as-of 请给 {first} 或以后的日期。")
    calendar = stored_calendar(settings)
    cutoff = datetime.combine(day, time(23, 59, 59), SHANGHAI)
    sessions = calendar.sessions(calendar.first, calendar.last)
    with open_evening(settings.database, symbol, day, cutoff, sessions) as con:
        yield con, day, cutoff


def _kept(con: Connection, symbol: str) -> tuple[date, date]:
    """First and last session of which the database has a bar of *symbol*; UsageError if it has none."""
    sql = "select min(trade_date), max(trade_date) from staging.daily_bars where symbol = $symbol"
    [(first, latest)] = con.execute(sql, {"symbol": symbol}).fetchall() if is_built(con) else [(None, None)]
    if first is None or latest is None:
        raise UsageError(f"库里没有 {symbol} 的行情：先运行 zhengming review --symbols {symbol}。")
    return first, latest
