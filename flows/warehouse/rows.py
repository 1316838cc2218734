"""Getting rows into tables: append-only for raw, replace-by-key for what a run writes.

Frames go in as a whole; row-by-row inserts are slower by three orders of magnitude.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import duckdb
import polars as pl

from flows.contracts.columns import BATCH_ID, FETCHED_AT, PUBLISHED_AT, SYSTEM, VENDOR
from flows.contracts.raw import RAW_TABLES
from flows.contracts.table import Column, Table
from flows.errors import DataRejected

_INCOMING = "incoming_rows"
_SYSTEM_NAMES = tuple(column.name for column in SYSTEM)
#: Tables whose values mean something among one vendor's rows only: each vendor counts factors from a base of its own.
_OF_ONE_VENDOR = frozenset({RAW_TABLES["adjust_factors"].name})


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """All statements inside, or none of them."""
    con.begin()
    try:
        yield
    except BaseException:
        con.rollback()
        raise
    con.commit()


def append(
    con: duckdb.DuckDBPyConnection,
    kind: str,
    frame: pl.DataFrame,
    *,
    vendor: str,
    fetched_at: datetime,
    batch_id: str,
) -> int:
    """Append the rows of *frame* that say something new; returns how many (PRODUCT M7).

    *frame* has the schema of the kind's contract without its system columns. A row says nothing new
    if the stored version that a reader sees at the row's own ``published_at`` has the same content,
    whoever delivered it (factors: as that vendor delivered it); so a re-run adds nothing, a correction
    is a new row, and a restatement published later never hides behind, nor overwrites, what was known
    before. NaN becomes null.

    Raises DataRejected, before the database is touched, if the frame breaks the contract (columns, types,
    nulls) or contradicts itself; so one refused frame does not spoil a transaction of many.
    """
    table = RAW_TABLES[kind]
    incoming = _conformed(table, frame)
    if incoming.is_empty():
        return 0
    stamped = incoming.with_columns(
        pl.lit(vendor).alias(VENDOR.name),
        pl.lit(fetched_at).cast(FETCHED_AT.dtype).alias(FETCHED_AT.name),
        pl.lit(batch_id).alias(BATCH_ID.name),
    )
    bounds, limits = _bounds(table, incoming)
    return _insert(con, table, stamped, _new_rows_query(table, bounds), limits)


def insert_rows(con: duckdb.DuckDBPyConnection, table: Table, rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert *rows* (column → value) as they are; returns how many."""
    if not rows:
        return 0
    frame = pl.DataFrame(list(rows), schema=table.schema, orient="row")
    return _insert(con, table, frame, f"select * from {_INCOMING}")


def replace_rows(
    con: duckdb.DuckDBPyConnection, table: Table, key: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> int:
    """Delete the rows matching *key*, insert *rows*; the caller holds the transaction."""
    condition = " and ".join(f"{name} = ?" for name in key)
    con.execute(f"delete from {table.name} where {condition}", list(key.values()))
    return insert_rows(con, table, rows)


def _conformed(table: Table, frame: pl.DataFrame) -> pl.DataFrame:
    try:
        conformed = table.without(_SYSTEM_NAMES).conform(frame)
    except pl.exceptions.PolarsError as error:
        raise DataRejected(f"{table.name}：取到的数据与约定不符（{error}），未入库。") from error
    distinct = conformed.with_columns(pl.selectors.float().fill_nan(None)).unique(maintain_order=True)
    if empty := [column.name for column in table.columns if _has_forbidden_null(column, distinct)]:
        raise DataRejected(f"{table.name}：不许为空的列有空值，未入库：{'、'.join(empty)}")
    version = [*table.grain, PUBLISHED_AT.name]
    contradictory = distinct.filter(pl.struct(version).is_duplicated()).select(version)
    if not contradictory.is_empty():
        raise DataRejected(f"{table.name}：同一批里有互相矛盾的行，未入库：{contradictory.rows()[:3]}")
    return distinct


def _has_forbidden_null(column: Column, frame: pl.DataFrame) -> bool:
    return not column.nullable and column.name in frame.columns and frame[column.name].has_nulls()


def _insert(
    con: duckdb.DuckDBPyConnection, table: Table, frame: pl.DataFrame, query: str, parameters: Sequence[Any] = ()
) -> int:
    con.register(_INCOMING, frame)
    try:
        [(count,)] = con.execute(f"insert into {table.name} by name {query}", list(parameters)).fetchall()
    except duckdb.ConstraintException as error:
        raise DataRejected(f"{table.name}：有不许为空的值为空（{error}），未入库。") from error
    finally:
        con.unregister(_INCOMING)
    return int(count)


def _bounds(table: Table, incoming: pl.DataFrame) -> tuple[str, list[Any]]:
    """A range on the grain, so that DuckDB skips the blocks a small append cannot touch."""
    names = [name for name in table.grain if not table.column(name).nullable]
    condition = " and ".join(f"versions.{name} between ? and ?" for name in names)
    return condition, [end for name in names for end in (incoming[name].min(), incoming[name].max())]


def _key(table: Table, name: str, source: str) -> str:
    """A grain column as something ``=`` can compare: null is a value like any other there."""
    column = f"{source}.{name}"
    return f"coalesce(cast({column} as varchar), '')" if table.column(name).nullable else column


def _new_rows_query(table: Table, bounds: str) -> str:
    """Incoming rows without those equal to the version visible at their own publication.

    ``asof join`` takes, per grain, the newest publication not after the row's; of several fetches
    of one publication the last counts.
    """
    grain = (*table.grain, VENDOR.name) if table.name in _OF_ONE_VENDOR else table.grain

    def keys(left: str, right: str) -> str:
        return " and ".join(f"{_key(table, name, left)} = {_key(table, name, right)}" for name in grain)

    ignored = {*_SYSTEM_NAMES, PUBLISHED_AT.name, *table.grain}
    content = [column.name for column in table.columns if column.name not in ignored]
    same = " and ".join(f"incoming.{name} is not distinct from stored.{name}" for name in content)
    return f"""
        with stored as (
            select versions.* from {table.name} as versions
            semi join {_INCOMING} as incoming on {keys("incoming", "versions")}
            where {bounds}
            qualify row_number() over (
                partition by {", ".join((*grain, PUBLISHED_AT.name))} order by fetched_at desc
            ) = 1
        )
        select incoming.* from {_INCOMING} as incoming
        asof left join stored on {keys("incoming", "stored")} and incoming.published_at >= stored.published_at
        where stored.published_at is null or not ({same})
    """
