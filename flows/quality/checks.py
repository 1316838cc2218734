"""What the gate asks of each table: expectations derived from its contract, and business ones from JSON.

Decision: every check is a query that returns offending rows (``subject`` plus what names them, or a ``value``);
Great Expectations then judges one small frame per table, a row per subject and a column per check, so a suite
file is a plain list of bounds on named measures. Columns, types, nulls, grain, bounds, allowed values and
publication order follow from the contract at run time and never stand in a file.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import polars as pl

from flows.contracts.columns import BATCH_ID
from flows.contracts.marts import ADJUSTED_BARS, PRICE_FACTS, VALUATION_PERCENTILES
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.contracts.table import Table
from flows.errors import ConfigurationError

_ROOT = Path(__file__).resolve().parents[2]
SQL = _ROOT / "sql" / "quality"
EXPECTATIONS = _ROOT / "expectations"

RUN_SUBJECT = "*"
_DUCKDB_TYPES = {
    pl.String: "VARCHAR",
    pl.Float64: "DOUBLE",
    pl.Int64: "BIGINT",
    pl.Boolean: "BOOLEAN",
    pl.Date: "DATE",
    pl.Datetime: "TIMESTAMP WITH TIME ZONE",
    pl.List: "VARCHAR[]",
}
MARTS = (ADJUSTED_BARS, VALUATION_PERCENTILES, PRICE_FACTS)


class Blocks(StrEnum):
    """What a failed check blocks."""

    RUN = "run"
    KIND = "kind"
    SYMBOL = "symbol"
    ROWS = "rows"
    NOTHING = "nothing"


@dataclass(frozen=True, eq=False)
class Check:
    """One expectation of one table.

    Attributes:
        measure: Name of the column in the judged frame, and of the check.
        query: Offending rows: ``subject``, optional ``note`` (Chinese, names the row), further columns; with a
            column ``value`` it is one row per subject and the value is judged instead of the count.
        expectation: The Great Expectations configuration, ``{"type", "kwargs"}``.
        blocks: What a failure blocks.
        zh: What is wrong, for people.
        is_run_level: Judged once (subject ``*``), not per symbol.
    """

    measure: str
    query: str
    expectation: dict[str, Any]
    blocks: Blocks
    zh: str
    is_run_level: bool = False


@dataclass(frozen=True, eq=False)
class Suite:
    """All checks of one table; named like the table."""

    table: Table
    derived: tuple[Check, ...]
    business: tuple[Check, ...]

    @property
    def checks(self) -> tuple[Check, ...]:
        """All of them, the contract's first."""
        return (*self.derived, *self.business)

    @property
    def name(self) -> str:
        """``staging.daily_bars``."""
        return self.table.name

    @property
    def kind(self) -> str:
        """``daily_bars``."""
        return short_name(self.table)


def checked_tables() -> tuple[Table, ...]:
    """Every table that has a suite: the staging view of each raw kind, and the marts."""
    return (*(staging_of(kind) for kind in RAW_TABLES), *MARTS)


def staging_of(kind: str) -> Table:
    """The staging view of *kind*: the columns of its raw contract but the batch, which is no business of readers."""
    raw = RAW_TABLES[kind].without([BATCH_ID.name])
    return Table(f"staging.{kind}", raw.meaning, raw.grain, raw.columns)


def short_name(table: Table) -> str:
    """The table's name without its schema."""
    return table.name.partition(".")[2]


def described(table: Table) -> set[str]:
    """The table's columns as ``name TYPE`` in DuckDB's own words."""
    return {f"{column.name} {_DUCKDB_TYPES[type(column.dtype)]}" for column in table.columns}


def is_core(table: Table) -> bool:
    """Whether nothing may be said about a stock whose rows of *table* are broken."""
    rule = KIND_RULES.get(short_name(table))
    return rule is None or rule.is_core


def between(measure: str, minimum: int | None, maximum: int | None) -> dict[str, Any]:
    """The expectation that *measure* lies in a closed range."""
    kwargs = {"column": measure, "min_value": minimum, "max_value": maximum}
    return {"type": "expect_column_values_to_be_between", "kwargs": kwargs}


def business_checks(table: Table) -> tuple[Check, ...]:
    """The checks of ``expectations/<schema>.<table>.json`` with their queries; none if there is no file.

    Raises:
        ConfigurationError: A file names a check without a query, or is malformed.
    """
    path = EXPECTATIONS / f"{table.name}.json"
    if not path.is_file():
        return ()
    try:
        return tuple(_business_check(table, entry) for entry in json.loads(path.read_text(encoding="utf-8")))
    except (KeyError, ValueError, FileNotFoundError) as error:
        raise ConfigurationError(f"期望文件 {path.name} 无法使用：{error!r}") from error


def _business_check(table: Table, entry: dict[str, Any]) -> Check:
    measure, meta = entry["kwargs"]["column"], entry["meta"]
    query = (SQL / short_name(table) / f"{measure}.sql").read_text(encoding="utf-8")
    expectation = {"type": entry["type"], "kwargs": entry["kwargs"]}
    return Check(measure, query, expectation, Blocks(meta["blocks"]), meta["zh"], meta.get("level") == "run")
