"""Checks that follow from a contract: written once there, generated here, never typed into a file."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from flows.contracts.columns import FETCHED_AT, PUBLISHED_AT
from flows.contracts.table import Column, Table
from flows.quality.checks import Blocks, Check, between, described, is_core, short_name

#: Tables of which every watched stock must have a row: without one, every other check would pass in silence.
NEEDED_PER_SYMBOL = frozenset(
    {"instruments", "daily_bars", "valuations", "adjusted_bars", "valuation_percentiles", "price_facts"}
)


def derived_checks(table: Table) -> tuple[Check, ...]:
    """The checks *table*'s contract implies, cheapest first."""
    return tuple(_checks(table))


def _checks(table: Table) -> Iterator[Check]:
    yield _columns_and_types(table)
    yield _no_rows(table)
    yield _rows(table, "nulls", _null_conditions(table), "不许为空的值为空")
    yield _rows(table, "out_of_bounds", _bound_conditions(table), "数值超出约定范围或不是有限数")
    yield _rows(table, "not_allowed", _value_conditions(table), "取值不在约定的集合内")
    yield _duplicates(table)
    names = {column.name for column in table.columns}
    if {PUBLISHED_AT.name, FETCHED_AT.name} <= names:
        yield _rows(
            table, "published_after_fetch", {"published_at": _LATE}, "发布时间晚于取数时间（盘中数据或错标时间）"
        )
        yield _rows(table, "published_after_cutoff", {"published_at": _FUTURE}, "发布时间晚于本次运行的数据截止时间")
    if "trade_date" in names and short_name(table) != "trade_dates":
        yield _off_session(table)
        yield _ahead(table)


_LATE = "published_at > fetched_at"
_FUTURE = "published_at > getvariable('cutoff')::timestamptz"


def _columns_and_types(table: Table) -> Check:
    wanted = ", ".join(f"('{described_column}')" for described_column in sorted(described(table)))
    query = f"""
        select '*' as subject, wanted.described as "column", '应有列 ' || wanted.described as note
        from (values {wanted}) as wanted (described)
        anti join duckdb_columns() as found
            on found.schema_name || '.' || found.table_name = '{table.name}'
            and found.column_name || ' ' || found.data_type = wanted.described
    """
    blocks = Blocks.RUN if is_core(table) else Blocks.KIND
    return _check("columns_and_types", query, blocks, "列或类型与约定不符", is_run_level=True)


def _no_rows(table: Table) -> Check:
    kind = short_name(table)
    if kind in NEEDED_PER_SYMBOL:
        query = f"""
            select symbol as subject, '一行也没有' as note from watched_symbols
            anti join checked_{kind} as found on watched_symbols.symbol = found.symbol
        """
        return _check("no_rows", query, Blocks.SYMBOL, "没有数据")
    query = f"""
        select '*' as subject, '没有一行，也没有一次应答说明本来就没有' as note
        where not exists (select 1 from checked_{kind}) and exists (
            select 1 from raw.fetches where kind = '{kind}'
        ) and not exists (
            select 1 from raw.fetches where kind = '{kind}' and status <> 'OK'
        )
    """
    return _check("no_rows", query, Blocks.KIND, "没有数据", is_run_level=True)


def _rows(table: Table, measure: str, conditions: dict[str, str], zh: str) -> Check:
    """Rows on which any condition (column → SQL) holds, with the columns concerned."""
    broken = ", ".join(f"case when {condition} then '{name}' end" for name, condition in conditions.items())
    where = " or ".join(f"coalesce({condition}, false)" for condition in conditions.values()) or "false"
    query = f"""
        select {_subject(table)} as subject, {_key(table)},
            array_to_string(list_filter([{broken or "null"}], lambda name: name is not null), '、') as columns,
            {_key_text(table)} || ' 列 ' || columns as note
        from checked_{short_name(table)} where {where}
    """
    return _check(measure, query, _row_blocks(table), zh, is_run_level=not _has_symbol(table))


def _duplicates(table: Table) -> Check:
    keys = ", ".join(dict.fromkeys([*(["symbol"] if _has_symbol(table) else []), *table.grain]))
    query = f"""
        select {_subject(table)} as subject, {_key(table)}, count(*) as copies,
            {_key_text(table)} || ' 有 ' || count(*) || ' 行' as note
        from checked_{short_name(table)} group by {keys} having count(*) > 1
    """
    return _check("duplicates", query, _row_blocks(table), "同一主键有多行", is_run_level=not _has_symbol(table))


def _off_session(table: Table) -> Check:
    query = f"""
        select {_subject(table)} as subject, {_key(table)}, {_key_text(table)} || ' 不是交易日' as note
        from checked_{short_name(table)} as dated cross join calendar_range
        anti join exchange_sessions as sessions on dated.trade_date = sessions.trade_date
        where dated.trade_date between calendar_range.first and calendar_range.last
    """
    return _check("off_session", query, _row_blocks(table), "日期不是交易日", is_run_level=not _has_symbol(table))


def _ahead(table: Table) -> Check:
    query = f"""
        select {_subject(table)} as subject, {_key(table)}, {_key_text(table)} || ' 在本次交易日之后' as note
        from checked_{short_name(table)} cross join gate_run where trade_date > gate_run.session
    """
    return _check("ahead_of_session", query, _row_blocks(table), "数据日期在未来", is_run_level=not _has_symbol(table))


def _check(measure: str, query: str, blocks: Blocks, zh: str, *, is_run_level: bool = False) -> Check:
    return Check(measure, query, between(measure, 0, 0), blocks, zh, is_run_level)


def _row_blocks(table: Table) -> Blocks:
    return Blocks.SYMBOL if is_core(table) and _has_symbol(table) else Blocks.KIND


def _has_symbol(table: Table) -> bool:
    return any(column.name == "symbol" for column in table.columns)


def _subject(table: Table) -> str:
    return "symbol" if _has_symbol(table) else "'*'"


def _key(table: Table) -> str:
    return ", ".join(table.grain)


def _key_text(table: Table) -> str:
    names = [name for name in table.grain if name != "symbol"] or ["symbol"]
    return "concat_ws(' ', " + ", ".join(names) + ")"


def _null_conditions(table: Table) -> dict[str, str]:
    return {c.name: f"{c.name} is null" for c in table.columns if not c.nullable}


def _value_conditions(table: Table) -> dict[str, str]:
    quoted = {c.name: ", ".join(f"'{value}'" for value in c.values) for c in table.columns if c.values}
    return {name: f"{name} not in ({values})" for name, values in quoted.items()}


def _bound_conditions(table: Table) -> dict[str, str]:
    conditions = {column.name: _outside(column) for column in table.columns}
    return {name: " or ".join(parts) for name, parts in conditions.items() if parts}


def _outside(column: Column) -> list[str]:
    parts = [f"not isfinite({column.name})"] if isinstance(column.dtype, pl.Float64) else []
    parts += [] if column.minimum is None else [f"{column.name} < {column.minimum}"]
    parts += [] if column.maximum is None else [f"{column.name} > {column.maximum}"]
    return parts
