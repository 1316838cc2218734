"""Raw tables are append-only: what counts as new, and what is refused (PRODUCT M7)."""

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.contracts.columns import SYSTEM
from flows.contracts.raw import RAW_TABLES
from flows.errors import DataRejected
from flows.warehouse.database import append, open_writer, transaction

CN = ZoneInfo("Asia/Shanghai")
EVENING = datetime(2025, 3, 31, 18, tzinfo=CN)
SCHEMA = RAW_TABLES["instruments"].without([c.name for c in SYSTEM]).schema


@pytest.fixture
def con(tmp_path: Path):
    with open_writer(tmp_path / "x.duckdb") as connection:
        yield connection


def company(name: str, published_at: datetime, **changes: object) -> dict[str, object]:
    row = {
        "symbol": "600000.SH", "name": name, "board": "main", "industry": "银行", "listed_date": date(1999, 11, 10),
        "delisted_date": None, "is_st": False, "former_symbol": None, "symbol_since": None,
        "published_at": published_at,
    }  # fmt: skip
    return row | changes


def store(
    con: duckdb.DuckDBPyConnection, *rows: dict[str, object], fetched_at: datetime = EVENING, batch: str = "b1"
) -> int:
    frame = pl.DataFrame(list(rows), schema=SCHEMA, orient="row")
    return append(con, "instruments", frame, vendor="baostock", fetched_at=fetched_at, batch_id=batch)


def count(con: duckdb.DuckDBPyConnection) -> int:
    [(rows,)] = con.execute("select count(*) from raw.instruments").fetchall()
    return int(rows)


def test_first_append_stores_every_row_with_its_origin(con: duckdb.DuckDBPyConnection) -> None:
    assert store(con, company("浦发银行", EVENING)) == 1
    stored = con.execute("select vendor, fetched_at, batch_id from raw.instruments").fetchall()
    assert stored == [("baostock", EVENING, "b1")]


def test_rerun_adds_nothing(con: duckdb.DuckDBPyConnection) -> None:
    store(con, company("浦发银行", EVENING))
    assert store(con, company("浦发银行", EVENING), fetched_at=EVENING + timedelta(days=1), batch="b2") == 0


def test_same_content_known_earlier_adds_nothing_when_seen_again_later(con: duckdb.DuckDBPyConnection) -> None:
    store(con, company("浦发银行", EVENING))
    assert store(con, company("浦发银行", EVENING + timedelta(days=30))) == 0


def test_correction_is_a_new_row_and_the_old_one_stays(con: duckdb.DuckDBPyConnection) -> None:
    store(con, company("浦发银行", EVENING))
    assert store(con, company("浦发", EVENING), fetched_at=EVENING + timedelta(hours=1)) == 1
    assert count(con) == 2
    assert store(con, company("浦发", EVENING), fetched_at=EVENING + timedelta(hours=2)) == 0


def test_value_that_returns_to_an_older_one_is_new(con: duckdb.DuckDBPyConnection) -> None:
    for day, name in enumerate(["浦发", "ST浦发", "浦发"]):
        moment = EVENING + timedelta(days=day)
        assert store(con, company(name, moment), fetched_at=moment) == 1


def test_backfilled_older_state_is_new_although_the_newest_is_equal(con: duckdb.DuckDBPyConnection) -> None:
    store(con, company("浦发", EVENING))
    assert store(con, company("浦发", EVENING - timedelta(days=400)), fetched_at=EVENING + timedelta(days=1)) == 1


def test_null_and_value_differ_but_null_equals_null(con: duckdb.DuckDBPyConnection) -> None:
    store(con, company("浦发", EVENING, industry=None))
    assert store(con, company("浦发", EVENING, industry=None)) == 0
    assert store(con, company("浦发", EVENING), fetched_at=EVENING + timedelta(hours=1)) == 1


def test_versions_in_one_frame_are_all_kept_and_repeats_are_not(con: duckdb.DuckDBPyConnection) -> None:
    rows = [company(name, EVENING + timedelta(days=i)) for i, name in enumerate(["甲", "乙", "丙"])]
    assert store(con, *rows, rows[0]) == 3


def test_contradictory_rows_are_refused_whole(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(DataRejected, match=r"互相矛盾.*600000\.SH"):
        store(con, company("甲", EVENING), company("乙", EVENING))
    assert count(con) == 0


def test_refused_frame_does_not_spoil_the_transaction_it_was_part_of(con: duckdb.DuckDBPyConnection) -> None:
    with transaction(con):
        store(con, company("甲", EVENING))
        for wrong in ([company("乙", EVENING, board=None)], [company("丙", EVENING), company("丁", EVENING)]):
            with pytest.raises(DataRejected):
                store(con, *wrong)
        store(con, company("乙", EVENING, symbol="000001.SZ"))
    assert count(con) == 2


def test_null_where_the_contract_forbids_it_is_refused_whole(con: duckdb.DuckDBPyConnection) -> None:
    other = company("乙", EVENING, symbol="000001.SZ", board=None)
    with pytest.raises(DataRejected, match=r"不许为空.*board"):
        store(con, company("甲", EVENING), other)
    assert count(con) == 0


@pytest.mark.parametrize("change", [{"extra": pl.lit(1)}, {"listed_date": pl.lit("1999-11-10")}])
def test_schema_drift_is_refused(con: duckdb.DuckDBPyConnection, change: dict[str, pl.Expr]) -> None:
    frame = pl.DataFrame([company("甲", EVENING)], schema=SCHEMA, orient="row").with_columns(**change)
    with pytest.raises(DataRejected, match="约定不符"):
        append(con, "instruments", frame, vendor="v", fetched_at=EVENING, batch_id="b")


def test_nan_is_stored_as_null(con: duckdb.DuckDBPyConnection) -> None:
    schema = RAW_TABLES["valuations"].without([c.name for c in SYSTEM]).schema
    row = {
        "symbol": "600000.SH",
        "trade_date": date(2025, 3, 31),
        "pe_ttm": float("nan"),
        "pb": 0.5,
        "published_at": EVENING,
    }
    frame = pl.DataFrame([row | dict.fromkeys(["ps_ttm", "pcf_ttm", "market_cap_cny"])], schema=schema)
    for expected in (1, 0):
        assert append(con, "valuations", frame, vendor="v", fetched_at=EVENING, batch_id="b") == expected
    assert con.execute("select pe_ttm, pb from raw.valuations").fetchall() == [(None, 0.5)]


@pytest.mark.parametrize("end_date", [None, date(2025, 3, 20)])
def test_null_in_the_grain_is_a_value(con: duckdb.DuckDBPyConnection, end_date: date | None) -> None:
    schema = RAW_TABLES["holder_trades"].without([c.name for c in SYSTEM]).schema
    row = {
        "symbol": "600000.SH", "holder": "甲", "direction": "减持", "changed_shares": 100.0, "end_date": end_date,
        "notice_date": date(2025, 3, 31), "published_at": EVENING,
    }  # fmt: skip
    for shares, expected in [(100.0, 1), (100.0, 0), (200.0, 1)]:
        rows = [dict.fromkeys(schema) | row | {"changed_shares": shares}]
        frame = pl.DataFrame(rows, schema=schema)
        moment = EVENING + timedelta(seconds=shares)
        assert append(con, "holder_trades", frame, vendor="v", fetched_at=moment, batch_id="b") == expected


def test_every_kind_accepts_an_empty_frame(con: duckdb.DuckDBPyConnection) -> None:
    for kind, table in RAW_TABLES.items():
        empty = pl.DataFrame(schema=table.without([c.name for c in SYSTEM]).schema)
        assert append(con, kind, empty, vendor="v", fetched_at=EVENING, batch_id="b") == 0


VERSION = st.tuples(st.integers(0, 5), st.sampled_from(["甲", "乙"]))


@settings(max_examples=40, deadline=None)
@given(st.lists(VERSION, max_size=12))
def test_stored_history_always_tells_the_newest_fetch(versions: list[tuple[int, str]]) -> None:
    """In any order of fetches: as of each publication the name last fetched for it is seen, and none repeats."""
    truth: dict[int, str] = {}
    with duckdb.connect() as con:
        con.execute("set timezone = 'Asia/Shanghai'; create schema raw")
        con.execute(RAW_TABLES["instruments"].ddl)
        for number, (day, name) in enumerate(versions):
            visible = truth.get(max((d for d in truth if d <= day), default=-1))
            added = store(
                con, company(name, EVENING + timedelta(days=day)), fetched_at=EVENING + timedelta(hours=number)
            )
            assert added == (0 if visible == name else 1)
            if added:
                truth[day] = name
        for day, name in truth.items():
            found = con.execute(
                "select name from raw.instruments where published_at <= ? order by published_at desc, fetched_at desc",
                [EVENING + timedelta(days=day)],
            ).fetchall()
            assert found[0] == (name,)
