"""``snapshot`` and ``pack`` of an earlier evening never hold a value published after it (PRODUCT M7, M11).

The history is the sample's, every kind of it, with corrections of random rows published later. What is read back
must equal what a database gives that never saw anything published after the evening.
"""

from __future__ import annotations

import random
import shutil
from datetime import date, datetime, time, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import Request
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.desk.reading import pack_of, snapshot_of
from flows.market.sessions import SHANGHAI, load_calendar
from flows.settings import Settings
from flows.sources.sample import FETCHERS, sample_now
from flows.warehouse.build import build
from flows.warehouse.database import append, open_writer

SYMBOL = "605901.SH"
CALENDAR = load_calendar()
SESSIONS = CALENDAR.sessions(CALENDAR.first, CALENDAR.last)
NOW = sample_now()
FIRST = date(2023, 11, 27)
_SYSTEM = {column.name for column in SYSTEM}


def history() -> dict[str, pl.DataFrame]:
    """Every kind the sample has of the stock, under its contract."""
    found = {}
    for kind in RAW_TABLES:
        is_of_all = "symbol" not in RAW_TABLES[kind].schema or kind == "instruments"
        request = Request(kind, None if is_of_all else SYMBOL, FIRST, NOW.date(), NOW)
        frame = FETCHERS[kind](request).data
        if frame is not None:
            found[kind] = frame
    return found


def corrections(kind: str, frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Later versions of a few rows: numbers a third higher, texts marked, published some days after."""
    chance = random.Random(f"{kind}{seed}")
    grain, dates = RAW_TABLES[kind].grain, timedelta(days=chance.randint(1, 60), hours=chance.randint(0, 12))
    places = chance.sample(range(frame.height), min(frame.height, 6))
    rows = frame[places].with_columns(pl.col("published_at") + dates)
    changed = [c for c in rows.columns if c not in {*grain, *_SYSTEM} and not c.endswith(("date", "ratio", "_id"))]
    floats = [c for c in changed if rows.schema[c] == pl.Float64]
    texts = [c for c in changed if c in {"title", "plan", "reason", "content"}]
    return rows.with_columns(
        *((pl.col(c) * 1.3).round(2) for c in floats), *(pl.col(c) + "（更正）" for c in texts)
    ).filter(pl.col("published_at") <= NOW)


def store(path: Path, frames: list[tuple[str, pl.DataFrame]], cutoff: datetime) -> None:
    with open_writer(path, cutoff=cutoff) as con:
        for hour, (kind, frame) in enumerate(frames):
            at = NOW + timedelta(hours=hour)
            append(con, kind, frame, vendor="sample", fetched_at=at, batch_id="b")
        build(con, SESSIONS)


@pytest.fixture(scope="module")
def whole() -> list[tuple[str, pl.DataFrame]]:
    kinds = history()
    assert set(kinds) >= {"daily_bars", "valuations", "adjust_factors", "announcements", "news", "margins", "pledges"}
    return [*kinds.items(), *((kind, corrections(kind, frame, 7)) for kind, frame in kinds.items())]


@pytest.fixture(scope="module")
def stored(whole, tmp_path_factory) -> Settings:
    folder = tmp_path_factory.mktemp("evening")
    store(folder / "zhengming.duckdb", whole, NOW)
    return Settings(data_dir=folder)


@settings(max_examples=8, deadline=None)
@given(back=st.integers(0, 400))
def test_an_earlier_evening_is_read_as_it_was(whole, stored, tmp_path_factory, back: int):
    as_of = CALENDAR.latest_on_or_before(NOW.date() - timedelta(days=back))
    evening = datetime.combine(as_of, time(23, 59, 59), SHANGHAI)
    folder = tmp_path_factory.mktemp("then")
    then = [(kind, frame.filter(pl.col("published_at") <= evening)) for kind, frame in whole]
    store(folder / "zhengming.duckdb", then, min(evening, NOW))
    ours, theirs = stored, Settings(data_dir=folder)
    assert snapshot_of(ours, SYMBOL, as_of) == snapshot_of(theirs, SYMBOL, as_of)
    pack = pack_of(ours, SYMBOL, as_of)
    assert pack == pack_of(theirs, SYMBOL, as_of)
    assert max(fact.published_at for fact in (*pack.facts, *pack.appendix)) <= evening
    shutil.rmtree(folder)


def test_the_corrections_do_change_what_a_later_reader_sees(whole, stored, tmp_path):
    """Else the property above would hold for nothing."""
    plain = [(kind, frame) for kind, frame in whole[: len(whole) // 2]]
    store(tmp_path / "zhengming.duckdb", plain, NOW)
    assert pack_of(stored, SYMBOL, NOW.date()) != pack_of(Settings(data_dir=tmp_path), SYMBOL, NOW.date())
    assert {kind for kind, frame in whole[len(whole) // 2 :] if not frame.is_empty()} >= {"daily_bars", "valuations"}
    assert KIND_RULES.keys() == RAW_TABLES.keys()
