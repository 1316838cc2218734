"""Table contracts: a column is declared once, with unit and meaning; everything else is derived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

_DDL = {
    pl.String: "varchar",
    pl.Float64: "double",
    pl.Int64: "bigint",
    pl.Boolean: "boolean",
    pl.Date: "date",
    pl.Datetime: "timestamptz",
    pl.List: "varchar[]",
}


@dataclass(frozen=True)
class Column:
    """One column: what it means, in which unit, and what it may hold."""

    name: str
    dtype: pl.DataType
    meaning: str
    nullable: bool = False
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] = ()

    @property
    def ddl(self) -> str:
        """DuckDB column definition."""
        return f'"{self.name}" {_DDL[type(self.dtype)]}' + ("" if self.nullable else " not null")


@dataclass(frozen=True)
class Table:
    """One table and its grain (the columns that identify a row)."""

    name: str
    meaning: str
    grain: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pl.Schema:
        """Polars schema in column order."""
        return pl.Schema({column.name: column.dtype for column in self.columns})

    @property
    def ddl(self) -> str:
        """``create table if not exists`` statement; grain is checked by the gate, not by a key."""
        body = ", ".join(column.ddl for column in self.columns)
        return f"create table if not exists {self.name} ({body})"

    def column(self, name: str) -> Column:
        """The column called *name*; KeyError if there is none."""
        return next((c for c in self.columns if c.name == name), None) or _missing(self, name)

    def without(self, names: Sequence[str]) -> Table:
        """The same table without the columns *names*."""
        return Table(self.name, self.meaning, self.grain, tuple(c for c in self.columns if c.name not in names))

    def conform(self, frame: pl.DataFrame) -> pl.DataFrame:
        """*frame* in this table's column order and types; wrong types or extra columns raise."""
        return frame.match_to_schema(self.schema)


def _missing(table: Table, name: str) -> Column:
    raise KeyError(f"{table.name} has no column {name}")


def text(name: str, meaning: str, *, nullable: bool = False, values: Sequence[str] = ()) -> Column:
    """A text column."""
    return Column(name, pl.String(), meaning, nullable, values=tuple(values))


def number(
    name: str,
    meaning: str,
    *,
    nullable: bool = False,
    minimum: float | None = None,
    maximum: float | None = None,
) -> Column:
    """A Float64 column; the unit stands in the name's suffix and in *meaning*."""
    return Column(name, pl.Float64(), meaning, nullable, minimum, maximum)


def whole(name: str, meaning: str, *, nullable: bool = False, minimum: float | None = None) -> Column:
    """An Int64 column."""
    return Column(name, pl.Int64(), meaning, nullable, minimum)


def flag(name: str, meaning: str, *, nullable: bool = False) -> Column:
    """A Boolean column, named ``is_…`` or ``has_…``."""
    return Column(name, pl.Boolean(), meaning, nullable)


def day(name: str, meaning: str, *, nullable: bool = False) -> Column:
    """A Date column (exchange date)."""
    return Column(name, pl.Date(), meaning, nullable)


def moment(name: str, meaning: str, *, nullable: bool = False) -> Column:
    """A timestamp column, time zone Asia/Shanghai, microseconds."""
    return Column(name, pl.Datetime("us", "Asia/Shanghai"), meaning, nullable)


def texts(name: str, meaning: str, *, nullable: bool = False) -> Column:
    """A list-of-text column."""
    return Column(name, pl.List(pl.String()), meaning, nullable)
