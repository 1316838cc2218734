"""A data folder with built, empty marts and one stored debate of the fictional company, for tests of the desk."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.desk import packing
from flows.desk.debating import Brief
from flows.desk.plan import Review
from flows.desk.reviewing import Order
from flows.market.sessions import load_calendar
from flows.reports.checked import with_report_checks
from flows.warehouse import store
from flows.warehouse.database import open_reader, open_writer
from tests.unit.debate_fakes import NOW, standard
from tests.unit.debate_packs import DAY, SYMBOL, pack

LATER = NOW + timedelta(hours=1)


@cache
def _built() -> Path:
    """One database with every table, view and macro and no row."""
    path = Path(mkdtemp()) / "zhengming.duckdb"
    packing.rebuild(path, load_calendar(), NOW)
    return path


def room(folder: Path) -> Path:
    """*folder* as a data folder with an empty, built database."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(_built(), folder / "zhengming.duckdb")
    return folder


def review(data: Path, *symbols: str, **changes: Any) -> Review:
    """A review of the fictional company's day."""
    made = Review(
        batch_id="b1", flow="post_close", symbols=symbols or (SYMBOL,), as_of=DAY, trade_date=DAY, now=NOW,
        protocols=("bull_bear",), options={"data_dir": str(data), "sources": "sample", "model": "offline"},
    )  # fmt: skip
    return made.model_copy(update=changes)


def pack_of(symbol: str) -> Pack:
    """The fictional company's pack under another code."""
    whole = pack()
    return whole.model_copy(
        update={"symbol": symbol, "identity": whole.identity.model_copy(update={"symbol": symbol})}
    )  # fmt: skip


def transcript_of(symbol: str, **changes: Any) -> Transcript:
    """A finished debate of *symbol*, checked like every report."""
    spoken = standard()[0].model_copy(update={"symbol": symbol, "debate_id": f"d-{symbol}", **changes})
    return with_report_checks(spoken, pack_of(symbol))


def order_of(symbol: str) -> Order:
    """The order :func:`transcript_of` answers."""
    return Order(Brief(debate_id=f"d-{symbol}", protocol="bull_bear", run_id="b1"), pack_of(symbol))


def stored(data: Path, *debates: tuple[Transcript, Pack]) -> Path:
    """*data* with these debates in its tables."""
    with open_writer(data / "zhengming.duckdb") as con:
        for transcript, facts in debates:
            store.save_transcript(con, "b0", transcript, facts)
    return data


def rows(data: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query answers."""
    with open_reader(data / "zhengming.duckdb") as con:
        return con.execute(query).fetchall()


def ticking() -> datetime:
    """A wall clock that stands still."""
    return LATER
