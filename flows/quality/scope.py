"""The run's own view of the warehouse: what the checks' queries read, as temporary tables of one connection.

``checked_<table>`` holds the rows of the watched symbols (of a mart only up to the run's session: a mart may reach
further), ``watched_symbols``, ``exchange_sessions``, ``calendar_range``, ``gate_run``, ``limit_rules``,
``listing_rules`` and ``plain_names`` what the run knows, and ``sql/quality/scope/*.sql`` what several checks share.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime

import polars as pl

from flows.contracts.table import Table
from flows.errors import DataRejected
from flows.market.calendar import Calendar
from flows.market.limits import limit_rules_frame, listing_rules_frame
from flows.market.symbols import normalise_name, parse_symbol
from flows.quality.checks import MARTS, SQL, checked_tables, described, is_core, short_name
from flows.quality.vendor_adjusted import FAULTS_SCHEMA, VendorAdjusted, vendor_faults
from flows.warehouse.database import Connection

#: Shared steps in the order they build on each other; a view costs nothing until a check reads it.
_SHARED = (("bar_steps", "table"), ("bar_limits", "table"), ("percentile_cells", "view"), ("share_counts", "view"))
_FRAMES = (
    "watched_symbols", "exchange_sessions", "calendar_range", "gate_run", "limit_rules", "listing_rules", "plain_names",
    "vendor_faults",
)  # fmt: skip
_INCOMING = "gate_frame"


@dataclass(frozen=True)
class GateRun:
    """What one run of the gate is about.

    Attributes:
        symbols: Watched symbols, canonical.
        session: The session whose data is expected.
        checked_at: The run's clock, aware.
        vendor_adjusted: Vendors' own adjusted closes to be reproduced, where any were fetched.
    """

    batch_id: str
    symbols: tuple[str, ...]
    session: date
    checked_at: datetime
    calendar: Calendar
    vendor_adjusted: tuple[VendorAdjusted, ...] = ()


@contextmanager
def scope(con: Connection, run: GateRun) -> Iterator[None]:
    """Temporary tables of *run* on *con*; everything is dropped afterwards.

    An optional table whose columns drifted from its contract is taken as empty; its suite reports the drift.

    Raises:
        DataRejected: A table is missing, or a core table drifted: what cannot be checked is not published.
    """
    drifted = _drifted_tables(con)
    try:
        for name, frame in _frames(con, run).items():
            _create(con, name, frame)
        for table in checked_tables():
            _copy(con, table, run, is_usable=table.name not in drifted)
        _create(con, "vendor_faults", _vendor_faults(con, run))
        create_shared(con)
        yield
    finally:
        _drop_all(con)


def was_asked(con: Connection, table: Table) -> bool:
    """Whether *table* has rows for this run or its kind was ever asked of a vendor."""
    kind = short_name(table)
    [(answer,)] = con.execute(
        f"select exists (select 1 from checked_{kind}) or exists (select 1 from raw.fetches where kind = '{kind}')"
    ).fetchall()
    return bool(answer)


def create_shared(con: Connection) -> None:
    """What several checks build on, from the ``checked_`` tables as they are now."""
    for name, form in _SHARED:
        query = (SQL / "scope" / f"{name}.sql").read_text(encoding="utf-8")
        con.execute(f"create or replace temp {form} {name} as {query}")


def _drifted_tables(con: Connection) -> set[str]:
    columns: dict[str, set[str]] = defaultdict(set)
    for name, column in con.execute(
        "select schema_name || '.' || table_name, column_name || ' ' || data_type from duckdb_columns()"
    ).fetchall():
        columns[name].add(column)
    missing = [table.name for table in checked_tables() if table.name not in columns]
    if missing:
        raise DataRejected(
            f"数据库里缺少这些表，无法检验，也就不能发布：{'、'.join(missing)}；请先重建（zhengming review）"
        )
    drifted = {t: lost for t in checked_tables() if (lost := described(t) - columns[t.name])}
    broken = [f"{table.name}（{'、'.join(sorted(lost))}）" for table, lost in drifted.items() if is_core(table)]
    if broken:
        raise DataRejected(f"这些表的列与约定不符，不能发布：{'；'.join(broken)}；请用 --data 指向新目录重新取数")
    return {table.name for table in drifted}


def _drop_all(con: Connection) -> None:
    for name, form in reversed(_SHARED):
        con.execute(f"drop {form} if exists temp.{name}")
    for name in (*(f"checked_{short_name(table)}" for table in checked_tables()), *_FRAMES):
        con.execute(f"drop table if exists temp.{name}")


def _frames(con: Connection, run: GateRun) -> dict[str, pl.DataFrame]:
    sessions = run.calendar.sessions(run.calendar.first, run.calendar.last)
    return {
        "watched_symbols": pl.DataFrame(
            {"symbol": run.symbols, "board": [parse_symbol(symbol).board for symbol in run.symbols]},
            schema={"symbol": pl.String, "board": pl.String},
        ),
        "exchange_sessions": pl.DataFrame({"trade_date": sessions})
        .with_row_index("session_no", 1)
        .cast({"session_no": pl.Int64}),
        "calendar_range": pl.DataFrame({"first": [run.calendar.first], "last": [run.calendar.last]}),
        "gate_run": pl.DataFrame({"session": [run.session], "previous_session": [run.calendar.previous(run.session)]}),
        "limit_rules": limit_rules_frame(),
        "listing_rules": listing_rules_frame(),
        "plain_names": _plain_names(con),
    }


def _vendor_faults(con: Connection, run: GateRun) -> pl.DataFrame:
    if not run.vendor_adjusted:
        return pl.DataFrame(schema=FAULTS_SCHEMA)
    bars, factors, actions = (
        con.sql(f"select * from checked_{kind}").pl() for kind in ("daily_bars", "adjust_factors", "corporate_actions")
    )
    found = pl.concat([vendor_faults(series, bars, factors, actions) for series in run.vendor_adjusted])
    return found.filter(pl.col("symbol").is_in(run.symbols))


def _plain_names(con: Connection) -> pl.DataFrame:
    """Every company name written anywhere with its plain form (no marks, width or spaces)."""
    written = con.execute("select name from raw.instruments union select name from raw.announcements").fetchall()
    names: Sequence[str] = [row[0] for row in written if row[0] is not None]
    plain = [normalise_name(name) for name in names]
    return pl.DataFrame({"written": names, "plain": plain}, schema={"written": pl.String, "plain": pl.String})


def _create(con: Connection, name: str, frame: pl.DataFrame) -> None:
    con.register(_INCOMING, frame)
    try:
        con.execute(f"create or replace temp table {name} as select * from {_INCOMING}")
    finally:
        con.unregister(_INCOMING)


def _copy(con: Connection, table: Table, run: GateRun, *, is_usable: bool) -> None:
    """The symbols are written out: a literal list reaches the views' blocks, a join would read the whole market."""
    name = f"checked_{short_name(table)}"
    con.execute(f"create or replace temp table {name} ({', '.join(sorted(described(table), key=len))})")
    if not is_usable:
        return
    columns = {column.name for column in table.columns}
    listed = ", ".join(f"'{parse_symbol(symbol).canonical}'" for symbol in run.symbols)
    conditions = [f"symbol in ({listed})"] if "symbol" in columns else []
    if table in MARTS:
        conditions.append(f"trade_date <= date '{run.session}'")
    where = f" where {' and '.join(conditions)}" if conditions else ""
    con.execute(f"insert into {name} by name select {', '.join(columns)} from {table.name}{where}")
