"""Reading the warehouse for evidence: one scope per pack, every row cut a second time.

Chosen deliberately: the connection is a structural type, so this room never imports the database
client, and every query repeats the cut by publication time although ``staging`` has made it already.
``fetched_at`` is never read: evidence must not depend on when something was fetched.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, Protocol

from flows.contracts.packs import Identity
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.market.sessions import SHANGHAI, Calendar

Row = dict[str, Any]


class Cursor(Protocol):
    """What a query leaves behind."""

    @property
    def description(self) -> Any:
        """Column descriptions, name first."""

    def fetchall(self) -> list[Any]:
        """All rows as tuples."""


class Connection(Protocol):
    """The part of a DuckDB connection that evidence uses."""

    def execute(self, query: str, parameters: object = ...) -> Any:
        """Run *query*; the result has ``description`` and ``fetchall``."""


def select(con: Connection, sql: str, parameters: dict[str, object]) -> list[Row]:
    """Rows of *sql* as dictionaries, in the order of the query."""
    result: Cursor = con.execute(sql, parameters)
    names = [column[0] for column in result.description]
    return [dict(zip(names, values, strict=True)) for values in result.fetchall()]


def end_of(day: date) -> datetime:
    """Last microsecond of the exchange date *day*, Asia/Shanghai."""
    return datetime.combine(day, time.max, SHANGHAI)


@dataclass(frozen=True)
class Scope:
    """What one pack is allowed to see.

    Attributes:
        as_of: Exchange date the pack is of; dated rows after it are cut.
        cutoff: Rows published after it are cut; aware.
        calendar: Sessions of the exchange.
        names: Bare names of the company, former ones included; empty if unknown.
        others: Bare names of all other companies.
        focus: Announcement the debate is about, if it was started by one.
        excluded: Kind → ids (first grain column) of rows the gate quarantined.
    """

    con: Connection
    symbol: str
    as_of: date
    cutoff: datetime
    trade_date: date
    identity: Identity
    calendar: Calendar
    names: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    focus: str | None = None
    excluded: Mapping[str, Collection[str]] = field(default_factory=dict)

    def visible(self, kind: str, *, days: int | None = None, symbol: str | None = None) -> list[Row]:
        """Rows of ``staging.<kind>`` visible in this scope, ordered by publication and grain.

        *days* limits to rows published in the last so many calendar days before ``as_of``.
        """
        sql, parameters = self._query(kind, symbol or self.symbol)
        if days is not None:
            sql += " and published_at >= $since"
            parameters["since"] = datetime.combine(self.as_of - timedelta(days=days), time(), SHANGHAI)
        order = ", ".join(("published_at", *RAW_TABLES[kind].grain))
        rows = select(self.con, f"{sql} order by {order}", parameters)
        refused, row_id = self.excluded.get(kind, ()), RAW_TABLES[kind].grain[0]
        return [row for row in rows if str(row[row_id]) not in refused] if refused else rows

    def _query(self, kind: str, symbol: str) -> tuple[str, dict[str, object]]:
        sql = f"select * from staging.{kind} where published_at <= $cutoff"
        parameters: dict[str, object] = {"cutoff": self.cutoff}
        if "symbol" in RAW_TABLES[kind].schema:
            sql += " and symbol = $symbol"
            parameters["symbol"] = symbol
        dated = KIND_RULES[kind].date_column
        if dated is not None:
            sql += f" and {dated} <= $as_of"
            parameters["as_of"] = self.as_of
        return sql, parameters


def published(kind: str, day: date) -> datetime:
    """When a row of *kind* dated *day* becomes public on that day by rule (``KIND_RULES``), Asia/Shanghai."""
    return datetime.combine(day, KIND_RULES[kind].ready or time.max, SHANGHAI)
