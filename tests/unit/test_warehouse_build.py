"""Building: all or nothing, right at any cutoff, and the same whether all at once or day by day."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from flows.contracts.columns import SYSTEM
from flows.contracts.raw import RAW_TABLES
from flows.market.calendar import load_calendar
from flows.warehouse.build import build
from flows.warehouse.compiled import COMPILED, rows_as_of
from flows.warehouse.database import append, open_reader, open_writer
from flows.warehouse.models import Model

CN = ZoneInfo("Asia/Shanghai")
CALENDAR = load_calendar()
SESSIONS = CALENDAR.days
DAYS = CALENDAR.sessions(date(2023, 1, 3), date(2024, 9, 30))
SYMBOLS = ("600000.SH", "000001.SZ", "300114.SZ")
EX_DATE = DAYS[200]


def evening(day: date, hour: int = 17, minute: int = 30) -> datetime:
    return datetime.combine(day, time(hour, minute), CN)


def schema(kind: str) -> pl.Schema:
    return RAW_TABLES[kind].without([column.name for column in SYSTEM]).schema


def frame(kind: str, rows: list[dict[str, object]]) -> pl.DataFrame:
    empty: dict[str, object] = dict.fromkeys(schema(kind))
    return pl.DataFrame([empty | row for row in rows], schema=schema(kind))


def market(symbol: str, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    random = np.random.default_rng(seed)
    closes = np.round(10 * np.exp(np.cumsum(random.normal(0, 0.02, len(DAYS)))), 2)
    closes[200:] = np.round(closes[200:] / 2, 2)
    bars, values = [], []
    for row, day in enumerate(DAYS):
        close = float(closes[row])
        common = {"symbol": symbol, "trade_date": day, "published_at": evening(day)}
        values.append(common | {"pe_ttm": float(np.round(random.normal(10, 5), 4)), "pb": float(close / 7)})
        bars.append(common | {
            "open_cny": close, "high_cny": round(close * 1.01, 2), "low_cny": round(close * 0.99, 2),
            "close_cny": close, "volume_shares": float(random.integers(1, 10**6)),
            "is_trading": bool(random.random() > 0.02), "is_st": False,
        })  # fmt: skip
    return frame("daily_bars", bars), frame("valuations", values)


BARS, VALUES = (pl.concat(frames) for frames in zip(*(market(s, n) for n, s in enumerate(SYMBOLS)), strict=True))
FACTORS = frame(
    "adjust_factors",
    [
        {"symbol": s, "ex_date": EX_DATE, "backward_factor": 2.0, "published_at": evening(EX_DATE, 18, 0)}
        for s in SYMBOLS
    ],
)
COMPANIES = frame(
    "instruments",
    [
        {"symbol": s, "name": s, "board": "main", "listed_date": DAYS[0], "published_at": evening(DAYS[0])}
        for s in SYMBOLS
    ],
)
KINDS = {"daily_bars": BARS, "valuations": VALUES, "adjust_factors": FACTORS, "instruments": COMPANIES}


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_writer(tmp_path / "x.duckdb") as connection:
        yield connection


def load(con: duckdb.DuckDBPyConnection, **frames: pl.DataFrame) -> None:
    for kind, rows in frames.items():
        append(con, kind, rows, vendor="baostock", fetched_at=evening(date(2026, 1, 1)), batch_id="b")


def until(day: date) -> dict[str, pl.DataFrame]:
    return {kind: rows.filter(pl.col("published_at") <= evening(day, 20, 0)) for kind, rows in KINDS.items()}


def marts(con: duckdb.DuckDBPyConnection) -> dict[str, pl.DataFrame]:
    return {name: con.sql(f"select * from {name} order by symbol, trade_date").pl() for name in COMPILED}


def assert_same(actual: dict[str, pl.DataFrame], expected: dict[str, pl.DataFrame]) -> None:
    for name, rows in expected.items():
        assert rows.height > 0
        assert_frame_equal(actual[name], rows, rel_tol=1e-12, abs_tol=0)


def set_cutoff(con: duckdb.DuckDBPyConnection, moment: datetime) -> None:
    con.execute("set variable cutoff = cast(? as timestamptz)", [moment])


def whole(tmp_path: Path, frames: dict[str, pl.DataFrame], cutoff: datetime | None = None) -> dict[str, pl.DataFrame]:
    with open_writer(tmp_path / "whole.duckdb", cutoff) as con:
        load(con, **frames)
        build(con, SESSIONS)
        return marts(con)


def test_day_by_day_is_the_same_as_all_at_once(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    load(con, **until(DAYS[-5]))
    build(con, SESSIONS)
    for day in DAYS[-4:]:
        load(con, **until(day))
        assert build(con, SESSIONS) == {"marts.valuation_percentiles": 3, "marts.price_facts": 3}
    assert_same(marts(con), whole(tmp_path, KINDS))


def test_new_session_leaves_older_rows_untouched(con: duckdb.DuckDBPyConnection) -> None:
    load(con, **until(DAYS[-2]))
    build(con, SESSIONS)
    con.execute("update marts.price_facts set ma_5_cny = -1; update marts.valuation_percentiles set pb = -1")
    load(con, **until(DAYS[-1]))
    build(con, SESSIONS)
    for name, column in (("price_facts", "ma_5_cny"), ("valuation_percentiles", "pb")):
        filled = con.execute(f"select distinct trade_date from marts.{name} where {column} > 0").fetchall()
        assert filled == [(DAYS[-1],)]


def test_past_session_that_was_none_fills_everything(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    load(con, **KINDS)
    build(con, SESSIONS)
    fewer = [day for day in SESSIONS if day != DAYS[100]]
    assert build(con, fewer)["marts.valuation_percentiles"] == 3
    found = con.execute("select count(*) from marts.valuation_percentiles where trade_date = ?", [DAYS[100]])
    assert found.fetchall() == [(0,)]


def test_nothing_new_fills_nothing(con: duckdb.DuckDBPyConnection) -> None:
    load(con, **KINDS)
    build(con, SESSIONS)
    before = marts(con)
    assert build(con, SESSIONS) == {"marts.valuation_percentiles": 0, "marts.price_facts": 0}
    assert_same(marts(con), before)


def test_new_company_is_filled_whole_and_leaves_the_others(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    first = {kind: rows.filter(pl.col("symbol") == SYMBOLS[0]) for kind, rows in KINDS.items()}
    load(con, **first)
    build(con, SESSIONS)
    load(con, **KINDS)
    assert build(con, SESSIONS)["marts.price_facts"] == 2
    assert_same(marts(con), whole(tmp_path, KINDS))


def test_late_factor_corrects_every_session_since_its_ex_date(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    load(con, **{**KINDS, "adjust_factors": FACTORS.head(0)})
    build(con, SESSIONS)
    load(con, adjust_factors=FACTORS)
    build(con, SESSIONS)
    assert_same(marts(con), whole(tmp_path, KINDS))


def test_corrected_bar_of_last_year_is_seen_by_every_window_over_it(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    load(con, **KINDS)
    build(con, SESSIONS)
    wrong = (pl.col("symbol") == SYMBOLS[1]) & (pl.col("trade_date") == DAYS[50])
    corrected = BARS.filter(wrong).with_columns(high_cny=pl.lit(99.0), is_trading=True)
    append(con, "daily_bars", corrected, vendor="v", fetched_at=evening(date(2026, 1, 2)), batch_id="c")
    assert build(con, SESSIONS) == {"marts.valuation_percentiles": 0, "marts.price_facts": 1}
    expected = {**KINDS, "daily_bars": pl.concat([BARS.filter(~wrong), corrected])}
    assert_same(marts(con), whole(tmp_path, expected))


@pytest.mark.parametrize("order", [(300, 420, 300), (420, 250, 350)])
def test_any_order_of_cutoffs_shows_each_evening_as_it_was(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, order: tuple[int, ...]
) -> None:
    load(con, **KINDS)
    for at in order:
        set_cutoff(con, evening(DAYS[at], 20, 0))
        build(con, SESSIONS)
    assert_same(marts(con), whole(tmp_path, until(DAYS[order[-1]])))


def test_restatement_published_later_stays_unseen_before(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    late = VALUES.filter(pl.col("trade_date") == DAYS[300]).with_columns(
        pe_ttm=pl.lit(1.0), published_at=pl.lit(evening(DAYS[350])).cast(VALUES.schema["published_at"])
    )
    load(con, **KINDS)
    load(con, valuations=late)
    set_cutoff(con, evening(DAYS[340], 20, 0))
    build(con, SESSIONS)
    assert_same(marts(con), whole(tmp_path, until(DAYS[340])))
    set_cutoff(con, evening(DAYS[360], 20, 0))
    build(con, SESSIONS)
    seen = con.execute("select distinct pe_ttm from marts.valuation_percentiles where trade_date = ?", [DAYS[300]])
    assert seen.fetchall() == [(1.0,)]


def test_renumbered_company_moves_with_its_history(con: duckdb.DuckDBPyConnection) -> None:
    load(con, **KINDS)
    build(con, SESSIONS)
    symbols = {row[0] for row in con.execute("select distinct symbol from marts.price_facts").fetchall()}
    assert symbols == {"600000.SH", "000001.SZ", "302132.SZ"}
    renamed = frame("instruments", [{
        "symbol": "001872.SZ", "name": "招商港口", "board": "main", "former_symbol": "000001.SZ",
        "symbol_since": DAYS[100], "published_at": evening(DAYS[100]),
    }])  # fmt: skip
    load(con, instruments=renamed)
    build(con, SESSIONS)
    symbols = {row[0] for row in con.execute("select distinct symbol from marts.price_facts").fetchall()}
    assert symbols == {"600000.SH", "001872.SZ", "302132.SZ"}


def test_failing_model_leaves_everything_as_it_was(con: duckdb.DuckDBPyConnection) -> None:
    load(con, **until(DAYS[300]))
    build(con, SESSIONS)
    before = marts(con)
    load(con, **KINDS)
    broken = Model("marts.z", "select no_such_column from raw.news", "table", (), frozenset({"raw.news"}))
    with pytest.raises(duckdb.BinderException):
        build(con, SESSIONS, {"marts.z": broken})
    assert_same(marts(con), before)


def test_relation_that_used_to_be_a_view_or_a_table_is_replaced(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("create schema staging; create view staging.renumberings as select 1 as x")
    con.execute("create table staging.news as select 1 as x")
    build(con, SESSIONS)
    assert con.execute("select count(*) from staging.renumberings").fetchall()[0][0] > 0
    assert con.execute("select count(*) from staging.news").fetchall() == [(0,)]


def test_empty_database_builds_to_empty_marts(con: duckdb.DuckDBPyConnection) -> None:
    assert build(con, SESSIONS) == {"marts.valuation_percentiles": 0, "marts.price_facts": 0}
    assert con.execute("select count(*) from marts.adjusted_bars").fetchall() == [(0,)]


def test_reader_sees_views_at_its_own_cutoff(tmp_path: Path) -> None:
    path = tmp_path / "y.duckdb"
    with open_writer(path) as con:
        load(con, **KINDS)
        build(con, SESSIONS)
    newest = "select max(trade_date) from marts.adjusted_bars"
    with open_reader(path, evening(DAYS[250], 20, 0)) as con:
        assert con.execute(newest).fetchall()[0][0] <= DAYS[250]
    with open_reader(path) as con:
        assert con.execute(newest).fetchall()[0][0] > DAYS[250] + timedelta(days=30)


def test_one_stock_can_be_read_at_any_cutoff_whatever_the_tables_were_built_for(tmp_path: Path) -> None:
    path = tmp_path / "z.duckdb"
    late = VALUES.filter(pl.col("trade_date") == DAYS[300]).with_columns(
        pe_ttm=pl.lit(1.0), published_at=pl.lit(evening(DAYS[350])).cast(VALUES.schema["published_at"])
    )
    with open_writer(path) as con:
        load(con, **KINDS)
        load(con, valuations=late)
        build(con, SESSIONS)
    moment = evening(DAYS[340], 20, 0)
    expected = whole(tmp_path, until(DAYS[340]))
    with open_reader(path, moment) as con:
        told = {name: rows_as_of(con, name, [SYMBOLS[0]], SESSIONS) for name in COMPILED}
    assert_same(told, {name: rows.filter(pl.col("symbol") == SYMBOLS[0]) for name, rows in expected.items()})
