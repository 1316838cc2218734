"""Each ``tests/sql/<schema>.<table>.yaml`` holds named cases for one model: given these rows, expect those.

Rows name only the columns that matter; the rest is null, or a neutral value where null is not allowed.
A case may set ``cutoff`` (the connection's point in time) and, for a macro, ``call`` (its arguments).
What a model reads is built by its own models up to the tables that are given. A compiled mart is run both
ways: as SQL says it, where it has a query, and as the compiled pass fills it.
"""

from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import polars as pl
import pytest
import yaml
from polars.testing import assert_frame_equal

from flows.contracts.raw import RAW_TABLES
from flows.contracts.table import Column, Table, day, text
from flows.warehouse.compiled import COMPILED, Part, fill
from flows.warehouse.models import SESSIONS, SUCCESSIONS, load_models, run_order, upstream

CN = ZoneInfo("Asia/Shanghai")
LONG_AGO = datetime(1990, 1, 1, tzinfo=CN)
NEUTRAL = {
    pl.String: "",
    pl.Float64: 0.0,
    pl.Int64: 0,
    pl.Boolean: True,
    pl.Date: date(1990, 1, 1),
    pl.Datetime: LONG_AGO,
}

SESSION_TABLE = Table(SESSIONS, "", ("trade_date",), (day("trade_date", ""),))
SUCCESSION_TABLE = Table(
    SUCCESSIONS, "", ("former_symbol",), (text("former_symbol", ""), text("symbol", ""), day("symbol_since", ""))
)
GIVEN = {
    **{table.name: table for table in (*RAW_TABLES.values(), SESSION_TABLE, SUCCESSION_TABLE)},
    **{f"staging.{kind}": table.without(["batch_id"]) for kind, table in RAW_TABLES.items()},
}

MODELS = load_models()
FILES = sorted(Path(__file__).parent.glob("*.yaml"))
CASES = [
    pytest.param(path.stem, case, id=f"{path.stem}-{name}")
    for path in FILES
    for name, case in yaml.safe_load(path.read_text("utf-8")).items()
]


def filled(column: Column, row: dict[str, Any]) -> Any:
    if column.name in row:
        return row[column.name]
    return None if column.nullable else NEUTRAL[type(column.dtype)]


def create_given(con: duckdb.DuckDBPyConnection, given: dict[str, list[dict[str, Any]]]) -> None:
    for schema in ("raw", "staging", "marts"):
        con.execute(f"create schema {schema}")
    for name in {*GIVEN} if not given else {*given, *(n for n in GIVEN if not n.startswith("staging.")), SUCCESSIONS}:
        table = GIVEN[name]
        rows = given.get(name, [])
        assert {key for row in rows for key in row} <= set(table.schema.names()), f"unknown column in {name}"
        frame = pl.DataFrame([{c.name: filled(c, row) for c in table.columns} for row in rows], schema=table.schema)
        con.register("given_rows", frame)
        con.execute(f"create table {name} as select * from given_rows")
        con.unregister("given_rows")


def build_upstream(con: duckdb.DuckDBPyConnection, names: list[str], given: set[str]) -> None:
    available = {name: model for name, model in MODELS.items() if name not in given}
    needed = {n: m for name in names if name in available for n, m in upstream(available, name).items()}
    for model in run_order(needed):
        if model.built_as != "compiled":
            con.execute(model.statement)


def queries(name: str, case: dict[str, Any], con: duckdb.DuckDBPyConnection) -> list[str]:
    if name in COMPILED:
        mart = COMPILED[name]
        con.execute(mart.table.ddl)
        sessions = [row[0] for row in con.execute(f"select trade_date from {SESSIONS}").fetchall()]
        symbols = {row["symbol"] for rows in case["given"].values() for row in rows if "symbol" in row}
        fill(con, mart, sessions, Part(sorted(symbols), None))
        return [f"select * from {name}", *([MODELS[name].query] if name in MODELS else [])]
    return [f"select * from {name}({case['call']})" if MODELS[name].built_as == "macro" else f"select * from {name}"]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_model(name: str, case: dict[str, Any]) -> None:
    with duckdb.connect() as con:
        con.execute("set timezone = 'Asia/Shanghai'")
        if "cutoff" in case:
            con.execute("set variable cutoff = ?::timestamptz", [case["cutoff"]])
        create_given(con, case["given"])
        build_upstream(con, [name, *(COMPILED[name].reads if name in COMPILED else [])], set(case["given"]))
        for query in queries(name, case, con):
            actual = con.sql(query).pl()
            columns = list(case["expect"][0]) if case["expect"] else []
            expected = pl.DataFrame(case["expect"], schema_overrides={c: actual.schema[c] for c in columns})
            assert actual.height == expected.height, actual
            if columns:
                assert_frame_equal(
                    actual.select(columns), expected, check_row_order=False, rel_tol=1e-12, abs_tol=1e-12
                )


def test_every_model_has_a_case() -> None:
    assert {path.stem for path in FILES} == {*MODELS, *COMPILED}


@pytest.mark.parametrize("kind", RAW_TABLES)
def test_every_kind_has_a_staging_view_of_its_contract(kind: str) -> None:
    with duckdb.connect() as con:
        create_given(con, {"raw.macro": []})
        build_upstream(con, [f"staging.{kind}"], set())
        described = [row[0] for row in con.execute(f"describe staging.{kind}").fetchall()]
    assert described == [c.name for c in RAW_TABLES[kind].columns if c.name != "batch_id"]


@pytest.mark.parametrize("mart", ["adjusted_bars", "valuation_percentiles"])
def test_mart_has_the_columns_of_its_contract(mart: str) -> None:
    from flows.contracts import marts

    contract = getattr(marts, mart.upper())
    with duckdb.connect() as con:
        create_given(con, {"raw.macro": []})
        build_upstream(con, [f"marts.{mart}"], set())
        described = con.sql(f"describe {MODELS[f'marts.{mart}'].query}").pl()["column_name"].to_list()
    assert described == contract.schema.names()
