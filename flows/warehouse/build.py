"""Build ``staging`` and ``marts``: all of it, or none.

Views and macros are replaced, tables rebuilt. A compiled mart is filled only where something changed
since the build before: rows appended since, rows whose visibility the new cutoff changes (either way, so
a backfill of an earlier evening is right, too); all of it when companies were renumbered or past sessions
changed. What a build saw is kept in ``marts.builds``; raw tables only grow, so a row count is a mark.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import duckdb
import polars as pl

from flows.market.successions import successions
from flows.warehouse.compiled import COMPILED, CompiledMart, Part, fill
from flows.warehouse.models import SESSIONS, SUCCESSIONS, Model, load_models, run_order
from flows.warehouse.rows import transaction

_BUILDS = "marts.builds"
_BUILD_COLUMNS = "table_name varchar, row_count bigint, cutoff timestamptz, sessions_until date, basis varchar"
#: Fingerprint of what every filled row depends on besides its own raw rows.
_BASIS = f"""(
    md5(
        (select coalesce(list((former_symbol, symbol) order by former_symbol), [])::varchar from staging.renumberings)
        || (
            select coalesce(list(trade_date order by trade_date), [])::varchar from {SESSIONS}
            where trade_date <= sessions_until
        )
    )
)"""
_CUTOFF = "coalesce(getvariable('cutoff'), 'infinity'::timestamptz)"
#: Symbols changed only this recently are filled together.
_RECENT = timedelta(days=45)


def build(
    con: duckdb.DuckDBPyConnection, sessions: Sequence[date], models: Mapping[str, Model] | None = None
) -> dict[str, int]:
    """Bring ``staging`` and ``marts`` up to the connection's cutoff.

    Args:
        con: A writing connection of ``open_writer``.
        sessions: Every session of the exchange from 1990-12-19 to the end of the known calendar.
        models: The SQL models; those of ``sql/`` by default.

    Returns:
        Symbols filled, by compiled mart.
    """
    models = load_models() if models is None else models
    with transaction(con):
        con.execute("create schema if not exists staging; create schema if not exists marts")
        _write_references(con, sessions)
        for model in run_order(models):
            if model.built_as != "compiled":
                _make_room(con, model)
                con.execute(model.statement)
        is_whole = not _stands(con)
        filled = {name: _fill_changed(con, mart, sessions, is_whole=is_whole) for name, mart in COMPILED.items()}
        _record(con)
    return filled


def _make_room(con: duckdb.DuckDBPyConnection, model: Model) -> None:
    """Drop what an older version of this program built under the name as the other kind of relation."""
    other = {"table": "view", "view": "table"}.get(model.built_as)
    schema, name = model.name.split(".")
    found = f"select 1 from duckdb_{other}s() where schema_name = ? and {other}_name = ?"
    if other and con.execute(found, [schema, name]).fetchall():
        con.execute(f"drop {other} {model.name}")


def _stands(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether the rows of the last build stand: same columns, same renumberings, same sessions so far."""
    found = con.execute(
        "select schema_name || '.' || table_name, list(column_name order by column_index) from duckdb_columns() "
        "where schema_name = 'marts' group by all"
    ).fetchall()
    layout = {name: names for name, names in found if name in COMPILED}
    has_layout = layout == {name: mart.table.schema.names() for name, mart in COMPILED.items()}
    built = f"select count(*) > 0 and bool_and(basis = {_BASIS}) from {_BUILDS}"
    return has_layout and con.execute(built).fetchall() == [(True,)]


def _write_references(con: duckdb.DuckDBPyConnection, sessions: Sequence[date]) -> None:
    known = pl.DataFrame(
        [(row.former, row.current, row.since) for row in successions()],
        schema={"former_symbol": pl.String, "symbol": pl.String, "symbol_since": pl.Date},
        orient="row",
    )
    _replace(con, SUCCESSIONS, known)
    _replace(con, SESSIONS, pl.DataFrame({"trade_date": pl.Series(sorted(set(sessions)), dtype=pl.Date)}))
    con.execute(f"create table if not exists {_BUILDS} ({_BUILD_COLUMNS})")


def _replace(con: duckdb.DuckDBPyConnection, name: str, frame: pl.DataFrame) -> None:
    con.register("reference_rows", frame)
    con.execute(f"create or replace table {name} as select * from reference_rows")
    con.unregister("reference_rows")


def _fill_changed(
    con: duckdb.DuckDBPyConnection, mart: CompiledMart, sessions: Sequence[date], *, is_whole: bool
) -> int:
    if is_whole:
        con.execute(f"drop table if exists {mart.table.name}")
        con.execute(mart.table.ddl)
    changed = _changed(con, mart, is_whole=is_whole)
    for part in _parts(changed):
        fill(con, mart, sessions, part)
    return len(changed)


def _changed(con: duckdb.DuckDBPyConnection, mart: CompiledMart, *, is_whole: bool) -> dict[str, date | None]:
    """Present symbol → first date to fill; None where the whole history is."""
    first: defaultdict[str, list[date | None]] = defaultdict(list)
    for table, column in mart.changes.items():
        rows = con.execute(
            f"""
            select coalesce(renumberings.symbol, changes.symbol), min(changes.changed_from)
            from ({_changes(con, table, column or "null::date", is_whole=is_whole)}) as changes
            left join staging.renumberings on changes.symbol = renumberings.former_symbol
            group by all
            """
        ).fetchall()
        for symbol, since in rows:
            first[symbol].append(since)
    return {symbol: None if is_whole else _earliest(dates) for symbol, dates in first.items()}


def _earliest(dates: Sequence[date | None]) -> date | None:
    known = [day for day in dates if day is not None]
    return min(known) if len(known) == len(dates) else None


def _changes(con: duckdb.DuckDBPyConnection, table: str, changed_from: str, *, is_whole: bool) -> str:
    """Select symbol and date of what was appended since the last build, or is visible at only one of the cutoffs.

    Two plain ranges, against a literal and a variable, so that DuckDB skips the blocks outside them.
    """
    select = f"select symbol, {changed_from} as changed_from from {table}"
    if is_whole:
        return select
    con.execute(f"set variable built_cutoff = (select cutoff from {_BUILDS} where table_name = '{table}')")
    [(seen,)] = con.execute(f"select row_count from {_BUILDS} where table_name = ?", [table]).fetchall()
    built = "getvariable('built_cutoff')"
    return f"""
        {select} where rowid >= {int(seen)}
        union all
        {select} where published_at > least({built}, {_CUTOFF}) and published_at <= greatest({built}, {_CUTOFF})
    """


def _parts(changed: Mapping[str, date | None]) -> list[Part]:
    """Symbols that changed lately in one part, from the earliest of their dates; the others whole."""
    dated = {symbol: since for symbol, since in changed.items() if since is not None}
    newest = max(dated.values(), default=None)
    recent = {symbol: since for symbol, since in dated.items() if newest and since >= newest - _RECENT}
    whole = sorted(changed.keys() - recent.keys())
    parts = [Part(whole, None)] if whole else []
    return [*parts, Part(sorted(recent), min(recent.values()))] if recent else parts


def _record(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(f"delete from {_BUILDS}")
    for table in sorted({table for mart in COMPILED.values() for table in mart.changes}):
        con.execute(
            f"""
            insert into {_BUILDS}
            select $table, (select count(*) from {table}), {_CUTOFF}, sessions_until, {_BASIS}
            from (select max(trade_date) as sessions_until from raw.daily_bars)
            """,
            {"table": table},
        )
