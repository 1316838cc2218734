"""One stock as a reader of an earlier evening had it, whatever has been built since (PRODUCT M7, M11).

Views read the connection's cutoff, but the filled marts are of the last build: a correction published after the
evening may stand in them. Where one could, the stock's rows are taken into memory and built there at the evening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path

import duckdb

from flows.contracts.raw import FETCHES, RAW_TABLES
from flows.contracts.table import Table
from flows.warehouse.build import build
from flows.warehouse.database import SESSION_TIME_ZONE, Connection, open_reader

#: Raw tables the filled marts depend on, with the column that dates a row; None: every version counts.
_BEHIND_MARTS = {
    "daily_bars": "trade_date",
    "valuations": "trade_date",
    "adjust_factors": "ex_date",
    "instruments": None,
}
#: Tables that are about everybody: other companies' names and the calendar are needed, too.
_OF_ALL = frozenset({"instruments"})


@contextmanager
def open_evening(
    path: Path, symbol: str, as_of: date, cutoff: datetime, sessions: Sequence[date]
) -> Iterator[Connection]:
    """A connection at *cutoff* on which everything about *symbol* up to *as_of* is as it was then.

    It may be an in-memory copy that holds no other stock. Raises as ``open_reader`` does.
    """
    with open_reader(path, cutoff=cutoff) as con:
        if _stands(con, symbol, as_of, cutoff):
            yield con
            return
        copy = _copied(con, symbol, cutoff)
    try:
        build(copy, sessions)
        yield copy
    finally:
        copy.close()


def _stands(con: Connection, symbol: str, as_of: date, cutoff: datetime) -> bool:
    """Whether no version of a row up to *as_of* became public between the evening and the last build's cutoff."""
    built = "(select min(cutoff) from marts.builds)"
    between = f"published_at > least({built}, $cutoff) and published_at <= greatest({built}, $cutoff)"
    others = " union all ".join(
        f"select 1 from raw.{kind} where list_contains($symbols, symbol) and {between}"
        + (f" and {column} <= $as_of" if column else "")
        for kind, column in _BEHIND_MARTS.items()
    )
    parameters = {"symbols": _codes(con, symbol), "cutoff": cutoff, "as_of": as_of}
    return not con.execute(f"select 1 from ({others}) limit 1", parameters).fetchall()


def _codes(con: Connection, symbol: str) -> list[str]:
    """*symbol* and the codes the company traded under before."""
    former = con.execute(
        "select former_symbol from staging.renumberings where symbol = $symbol", {"symbol": symbol}
    ).fetchall()
    return [symbol, *(code for (code,) in former)]


def _copied(con: Connection, symbol: str, cutoff: datetime) -> Connection:
    copy = duckdb.connect()
    copy.execute(f"set timezone = '{SESSION_TIME_ZONE}'")
    copy.execute("set variable cutoff = cast(? as timestamptz)", [cutoff])
    copy.execute("create schema raw")
    symbols = _codes(con, symbol)
    for kind, table in {**RAW_TABLES, "fetches": FETCHES}.items():
        _copy(con, copy, table, None if kind in _OF_ALL or "symbol" not in table.schema else symbols)
    return copy


def _copy(con: Connection, copy: Connection, table: Table, symbols: list[str] | None) -> None:
    wanted = "" if symbols is None else " where symbol is null or list_contains($symbols, symbol)"
    rows = con.sql(f"select * from {table.name}{wanted}", params={"symbols": symbols} if symbols else {}).pl()
    copy.execute(table.ddl)
    copy.register("copied_rows", rows)
    copy.execute(f"insert into {table.name} by name select * from copied_rows")
    copy.unregister("copied_rows")
