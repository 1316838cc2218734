"""The user's own DuckDB file, opened read-only for one select at a time (PRODUCT M4, vendor ``sql``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb
import polars as pl

from flows.errors import ConfigurationError, DataRejected
from flows.warehouse.database import open_reader

_PARAMETER = re.compile(r"\$([a-z_]+)")


def own_tables(path: Path) -> Callable[[str, Mapping[str, object]], pl.DataFrame]:
    """``(select, parameters) -> frame`` on the file at *path*; parameters the select does not name are left out.

    Raises:
        ConfigurationError: There is no such file, at once; it is no DuckDB database, when asked.
        StoreBusy: Somebody is writing to it, when asked.
        DataRejected: The select fails, when asked.
    """
    if not path.is_file():
        raise ConfigurationError(f"user_sql_database 指向的文件 {path} 不存在：改正路径，或从 chains 中去掉 sql。")

    def run(select: str, parameters: Mapping[str, object]) -> pl.DataFrame:
        named = set(_PARAMETER.findall(select))
        given = {name: value for name, value in parameters.items() if name in named}
        with open_reader(path) as con:
            try:
                frame: pl.DataFrame = con.sql(select, params=given).pl()
            except duckdb.Error as error:
                raise DataRejected(f"自有数据表的查询失败：{error}") from error
        return frame

    return run
