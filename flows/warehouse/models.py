"""Read the SQL models and build them in dependency order.

A model is one ``select`` in ``sql/<schema>/<table>.sql``: the folder is the schema, the file is the
table. It names every real table and macro with its schema, so what it reads stands in its parse tree,
and no order is written down anywhere. Header comments before the query may say how it is built:

``-- Parameters: as_of``
    A table macro with these parameters.
``-- Built as: view`` or ``-- Built as: table``
    The other than the schema's default, which is a view in ``staging`` and a table in ``marts``.
``-- Built as: compiled``
    A table filled by a compiled pass (``flows.warehouse.compiled``); the query is its readable
    definition and the oracle of its tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Literal

import duckdb

from flows.contracts.debates import DEBATE_TABLES
from flows.contracts.raw import FETCHES, RAW_TABLES
from flows.errors import ConfigurationError

SQL_ROOT = Path(__file__).resolve().parents[2] / "sql"
SCHEMAS = ("staging", "marts")

#: Reference tables that the build writes before any model.
SUCCESSIONS = "staging.known_successions"
SESSIONS = "marts.sessions"

_GIVEN = {table.name for table in (*RAW_TABLES.values(), FETCHES, *DEBATE_TABLES)} | {SUCCESSIONS, SESSIONS}
_HEADER = re.compile(r"^-- (Parameters|Built as): (.+)$", re.MULTILINE)

BuiltAs = Literal["table", "view", "macro", "compiled"]


@dataclass(frozen=True)
class Model:
    """One table, view or macro: the query that defines it and the names that query reads."""

    name: str
    query: str
    built_as: BuiltAs
    parameters: tuple[str, ...]
    reads: frozenset[str]

    @property
    def schema(self) -> str:
        """The schema it is created in."""
        return self.name.partition(".")[0]

    @property
    def statement(self) -> str:
        """The statement that creates it; a compiled table is created elsewhere."""
        if self.built_as == "macro":
            return f"create or replace macro {self.name}({', '.join(self.parameters)}) as table {self.query}"
        return f"create or replace {self.built_as} {self.name} as {self.query}"


def load_models(root: Path = SQL_ROOT) -> dict[str, Model]:
    """Every model below *root* by name; ConfigurationError names a file that cannot be one."""
    models = {}
    with duckdb.connect() as parser:
        for schema in SCHEMAS:
            for path in sorted((root / schema).glob("*.sql")):
                model = _read(parser, schema, path)
                models[model.name] = model
    for model in models.values():
        if unknown := sorted(model.reads - models.keys() - _GIVEN):
            raise ConfigurationError(f"SQL 模型 {model.name} 读取了不存在的表：{'、'.join(unknown)}")
    return models


def run_order(models: Mapping[str, Model]) -> list[Model]:
    """Upstream first; ConfigurationError names the members of a cycle."""
    graph = {name: sorted(model.reads & models.keys()) for name, model in models.items()}
    try:
        return [models[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise ConfigurationError(f"SQL 模型互相依赖，排不出次序：{' → '.join(error.args[1])}") from error


def upstream(models: Mapping[str, Model], name: str) -> dict[str, Model]:
    """*name* and every model it reads, directly or not."""
    needed, waiting = {}, [name]
    while waiting:
        model = models[waiting.pop()]
        if model.name not in needed:
            needed[model.name] = model
            waiting.extend(model.reads & models.keys())
    return needed


def single_select(parser: duckdb.DuckDBPyConnection, query: str) -> dict[str, Any]:
    """The parse tree of *query*; ValueError with the parser's words if it is not exactly one ``select``."""
    [(tree,)] = parser.execute("select json_serialize_sql(?::varchar)", [query]).fetchall()
    parsed: dict[str, Any] = json.loads(tree)
    if parsed["error"]:
        raise ValueError(parsed["error_message"])
    if len(parsed["statements"]) != 1:
        raise ValueError(f"expected exactly one select, found {len(parsed['statements'])}")
    return parsed


def names_read(tree: Any) -> Iterator[str]:
    """The schema-qualified tables and table macros of a parse tree."""
    nodes: list[Any] = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes.extend(node)
        elif isinstance(node, dict):
            if node.get("type") == "BASE_TABLE" and node["schema_name"]:
                yield f"{node['schema_name']}.{node['table_name']}"
            if node.get("type") == "TABLE_FUNCTION" and node["function"]["schema"]:
                yield f"{node['function']['schema']}.{node['function']['function_name']}"
            nodes.extend(node.values())


def _read(parser: duckdb.DuckDBPyConnection, schema: str, path: Path) -> Model:
    query = path.read_text(encoding="utf-8")
    headers = {key: value.strip() for key, value in _HEADER.findall(query)}
    parameters = tuple(name.strip() for name in headers.get("Parameters", "").split(",") if name.strip())
    try:
        tree = single_select(parser, query)
        built_as = _built_as(schema, headers, parameters)
    except ValueError as error:
        raise ConfigurationError(f"SQL 模型 {schema}/{path.name} 不是一条可用的 select：{error}") from error
    return Model(f"{schema}.{path.stem}", query, built_as, parameters, frozenset(names_read(tree)))


def _built_as(schema: str, headers: Mapping[str, str], parameters: tuple[str, ...]) -> BuiltAs:
    if parameters:
        return "macro"
    match headers.get("Built as"):
        case None:
            return "view" if schema == "staging" else "table"
        case "view":
            return "view"
        case "table":
            return "table"
        case "compiled":
            return "compiled"
        case other:
            raise ValueError(f"unknown header 'Built as: {other}'")
