"""Brings a file up to the contracts: what is missing is created, rows of older versions are rewritten.

A history has one vocabulary: whoever asks it in SQL need not know which version stored which row. Each
upgrade names the rows it still has to do and finds none the second time, so no book is kept of what was done,
and a file copied, restored or written by two versions in turn comes out the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from flows.contracts.table import Table
from flows.contracts.transcripts import FOLLOWING, UNDECIDED
from flows.errors import ConfigurationError
from flows.warehouse.rows import transaction


@dataclass(frozen=True)
class Upgrade:
    """One rewriting of stored rows: the condition that holds for those still to do, and what does it."""

    table: str
    old: str
    statement: str


def _verdicts(table: str) -> Upgrade:
    """Verdicts were once stored as the word a reader sees."""
    old = "verdict = '未决'"
    return Upgrade(table, old, f"update {table} set verdict = '{UNDECIDED}' where {old}")


_FOLLOWING = ", ".join(f"'{protocol}'" for protocol in FOLLOWING)
#: What a debate was about once stood in its transcript only.
_ABOUT = f"""
update debates.runs set
    topic = told.topic,
    proposition = told.proposition,
    is_standing = protocol not in ({_FOLLOWING}) and told.topic is null
from (
    select
        runs.debate_id,
        json_extract_string(transcripts.body, '$.record.topic') as topic,
        json_extract_string(transcripts.body, '$.proposition.text') as proposition
    from debates.runs
    left join debates.transcripts on runs.debate_id = transcripts.debate_id
    where runs.is_standing is null
) as told
where runs.debate_id = told.debate_id
"""
#: The verdict once stood in the transcript only.
_UNTOLD = (
    "verdict is null and conclusion is not null "
    "and debate_id in (select transcripts.debate_id from debates.transcripts)"
)
_VERDICT = """
update debates.runs set verdict = json_extract_string(transcripts.body, '$.conclusion.verdict')
from debates.transcripts
where runs.debate_id = transcripts.debate_id and runs.verdict is null and runs.conclusion is not null
"""
UPGRADES = (
    Upgrade("debates.runs", _UNTOLD, _VERDICT),
    _verdicts("debates.runs"),
    _verdicts("debates.judgements"),
    Upgrade("debates.runs", "is_standing is null", _ABOUT),
)


def is_outdated(con: duckdb.DuckDBPyConnection, tables: Iterable[Table]) -> bool:
    """Whether :func:`bring_up_to_date` would change anything."""
    found = _columns(con)
    if any({column.name for column in table.columns} - found[table.name] for table in tables):
        return True
    return any(con.execute(_rows_to_do(upgrade)).fetchall() for upgrade in UPGRADES)


def bring_up_to_date(con: duckdb.DuckDBPyConnection, tables: Iterable[Table], path: Path) -> None:
    """Create missing tables and columns, all or none, then rewrite old rows.

    Raises ConfigurationError, naming *path*, for a missing column that may not be empty.
    """
    found = _columns(con)
    with transaction(con):
        for table in tables:
            if table.name not in found:
                con.execute(f"create schema if not exists {table.name.partition('.')[0]}")
                con.execute(table.ddl)
            else:
                _add_columns(con, table, found[table.name], path)
    # DuckDB does not update a table in the transaction that altered it.
    with transaction(con):
        for upgrade in UPGRADES:
            if con.execute(_rows_to_do(upgrade)).fetchall():
                con.execute(upgrade.statement)


def _rows_to_do(upgrade: Upgrade) -> str:
    return f"select 1 from {upgrade.table} where {upgrade.old} limit 1"


def _columns(con: duckdb.DuckDBPyConnection) -> defaultdict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for table, column in con.execute(
        "select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal"
    ).fetchall():
        found[table].add(column)
    return found


def _add_columns(con: duckdb.DuckDBPyConnection, table: Table, found: set[str], path: Path) -> None:
    for column in table.columns:
        if column.name in found:
            continue
        if not column.nullable:
            raise ConfigurationError(
                f"数据库 {path} 的表 {table.name} 由旧版本建立，缺少列 {column.name}。"
                "请用 --data 指向新目录重新取数，旧文件保持不动。"
            )
        con.execute(f"alter table {table.name} add column {column.ddl}")
