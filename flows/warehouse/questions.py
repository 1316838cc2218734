"""Read-only questions: the named ones of ``sql/questions`` and the user's own single select (PRODUCT S5).

Parameters are bound, never formatted into the text. A user's query must parse as exactly one select, runs on
a read-only connection, and may reach no file, no network and no setting.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from flows.errors import UsageError
from flows.warehouse.database import open_reader
from flows.warehouse.models import SQL_ROOT

_TITLE = re.compile(r"^-- Title: (.+)$", re.MULTILINE)
_PARAMETER = re.compile(r"^-- Parameter: (\w+) (\w+) = (\S+) (.+)$", re.MULTILINE)

Answer = tuple[list[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a named question: SQL type, default (None = all) and what it means."""

    name: str
    sql_type: str
    default: str | None
    meaning: str

    def __str__(self) -> str:
        """As the catalogue shows it."""
        return f"{self.name}={self.default or '全部'}（{self.meaning}）"


@dataclass(frozen=True)
class Question:
    """One named question."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    query: str


def catalogue(root: Path = SQL_ROOT) -> list[Question]:
    """Every named question, by name."""
    return [_read(path) for path in sorted((root / "questions").glob("*.sql"))]


def run(database: Path, name: str, given: Mapping[str, str]) -> Answer:
    """Answer a named question: column names and rows; UsageError for an unknown name or parameter."""
    known = {question.name: question for question in catalogue()}
    if name not in known:
        raise UsageError(f"没有叫 {name} 的问题。现成的有：{'、'.join(known)}。")
    question = known[name]
    if unknown := sorted(given.keys() - {p.name for p in question.parameters}):
        names = "、".join(p.name for p in question.parameters) or "（无）"
        raise UsageError(f"问题 {name} 没有参数 {'、'.join(unknown)}。它的参数：{names}。")
    values = {p.name: given.get(p.name, p.default) for p in question.parameters}
    with open_reader(database) as con:
        bound = {p.name: _cast(con, p, values[p.name]) for p in question.parameters}
        return _answer(con, question.query, bound)


def run_sql(database: Path, query: str) -> Answer:
    """Answer the user's own select; UsageError if it is anything else or fails."""
    _require_one_select(query)
    with open_reader(database) as con:
        con.execute("set enable_external_access = false")
        con.execute("set lock_configuration = true")
        return _answer(con, query, {})


def _read(path: Path) -> Question:
    text = path.read_text(encoding="utf-8")
    title = _TITLE.search(text)
    if title is None:
        raise ValueError(f"{path.name} has no '-- Title:' line")
    parameters = tuple(
        Parameter(name, kind, None if default == "null" else default, meaning)
        for name, kind, default, meaning in _PARAMETER.findall(text)
    )
    return Question(path.stem, title[1], parameters, text)


def _cast(con: duckdb.DuckDBPyConnection, parameter: Parameter, value: str | None) -> Any:
    try:
        [(cast,)] = con.execute(f"select cast(? as {parameter.sql_type})", [value]).fetchall()
    except duckdb.ConversionException:
        raise UsageError(f"参数 {parameter.name} 要求类型 {parameter.sql_type}，读不懂 {value!r}。") from None
    return cast


def _require_one_select(query: str) -> None:
    with duckdb.connect() as parser:
        [(tree,)] = parser.execute("select json_serialize_sql(?::varchar)", [query]).fetchall()
    parsed = json.loads(tree)
    if parsed["error"]:
        reason = parsed.get("error_message", "")
        raise UsageError(f"只接受一条只读的 SELECT 查询：{reason}")
    if len(parsed["statements"]) != 1:
        raise UsageError("只接受一条 SELECT，不能用分号连写多条。")


def _answer(con: duckdb.DuckDBPyConnection, query: str, bound: Mapping[str, Any]) -> Answer:
    try:
        cursor = con.execute(query, dict(bound)) if bound else con.execute(query)
        headers: Sequence[tuple[Any, ...]] = cursor.description or []
        return [column[0] for column in headers], cursor.fetchall()
    except duckdb.Error as error:
        raise UsageError(f"查询失败：{error}") from error
