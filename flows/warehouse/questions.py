"""Read-only questions: the named ones of ``sql/questions`` and the user's own single select (PRODUCT S5).

Parameters are bound, never formatted into the text. A user's query must parse as exactly one select, runs on
a read-only connection, may reach no file, no network and no setting, and is stopped after a while: a reader
keeps every writer waiting.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import duckdb

from flows.errors import UsageError
from flows.warehouse.database import open_reader
from flows.warehouse.models import SQL_ROOT, single_select

_TITLE = re.compile(r"^-- Title: (.+)$", re.MULTILINE)
_PARAMETER = re.compile(r"^-- Parameter: (\w+) (\w+) = (\S+) (.+)$", re.MULTILINE)

#: Rows of the user's own select that are shown; a reader of more wants an aggregate.
MOST_ROWS = 10_000
_MEMORY = "2GB"

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
        near = get_close_matches(name, known, n=1)
        meant = f"是否指 {near[0]}？" if near else ""
        raise UsageError(f"没有叫 {name} 的问题。{meant}现成的有：{'、'.join(known)}。")
    question = known[name]
    if unknown := sorted(given.keys() - {p.name for p in question.parameters}):
        names = "、".join(p.name for p in question.parameters) or "（无）"
        raise UsageError(f"问题 {name} 没有参数 {'、'.join(unknown)}。它的参数：{names}。")
    values = {p.name: given.get(p.name, p.default) for p in question.parameters}
    with open_reader(database) as con:
        bound = {p.name: _cast(con, p, values[p.name]) for p in question.parameters}
        return _answer(con, question.query, bound)


def run_sql(database: Path, query: str, limit_s: float = 30.0) -> Answer:
    """Answer the user's own select with at most ``MOST_ROWS`` + 1 rows: one too many says that there are more.

    UsageError if it is anything else, fails, takes longer than *limit_s* or more memory than ``_MEMORY``.
    """
    _require_one_select(query)
    with open_reader(database) as con:
        con.execute(f"set memory_limit = '{_MEMORY}'")
        con.execute("set enable_external_access = false")
        con.execute("set lock_configuration = true")
        with _stopped_after(con, limit_s):
            return _answer(con, query, {}, MOST_ROWS + 1)


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
        try:
            single_select(parser, query)
        except ValueError as error:
            raise UsageError(f"只接受一条只读的 SELECT 查询（{error}）。写入、附加数据库、改设置一律不接受。") from None


@contextmanager
def _stopped_after(con: duckdb.DuckDBPyConnection, limit_s: float) -> Iterator[None]:
    timer = threading.Timer(limit_s, con.interrupt)
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise UsageError(f"查询超过 {limit_s:.0f} 秒，已停止；请缩小范围（加 where）或先聚合。") from None
    finally:
        timer.cancel()


def _answer(con: duckdb.DuckDBPyConnection, query: str, bound: Mapping[str, Any], most: int | None = None) -> Answer:
    try:
        cursor = con.execute(query, dict(bound)) if bound else con.execute(query)
        headers: Sequence[tuple[Any, ...]] = cursor.description or []
        return [column[0] for column in headers], cursor.fetchall() if most is None else cursor.fetchmany(most)
    except duckdb.InterruptException:
        raise
    except duckdb.OutOfMemoryException:
        raise UsageError(f"查询需要的内存超过 {_MEMORY}，已停止；请缩小范围（加 where）或先聚合。") from None
    except duckdb.PermissionException as error:
        raise UsageError(f"查询只能读本数据库的表，不能读写文件、目录、网络或别的数据库：{error}") from error
    except duckdb.Error as error:
        if "read-only" in str(error):
            raise UsageError(f"查询是只读的，不能写入：{error}") from error
        raise UsageError(f"查询失败：{error}") from error
