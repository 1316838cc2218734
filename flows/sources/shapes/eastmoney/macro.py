"""Macro indicators: PMI, CPI and LPR, one akshare function each, told apart by their columns.

None of the functions prints a release date. A value counts as public only when it surely was: PMI from the
2nd, CPI from the 17th of the following month, LPR from the morning of its own date.
"""

from __future__ import annotations

from datetime import date

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes.common import ZONE, check, days, finish, numbers, require_values, take

_PMI = {"制造业-指数": ("PMI", "index"), "非制造业-指数": ("PMI_NON_MANUFACTURING", "index")}
_CPI = {"全国-同比增长": ("CPI", "pct")}
_LPR = {"LPR1Y": ("LPR1Y", "pct"), "LPR5Y": ("LPR5Y", "pct")}
#: First fixing under the present rules: monthly, on the 20th.
_LPR_SINCE = date(2019, 8, 20)


def macro(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Values of one answer in long form."""
    if "制造业-指数" in frame.columns:
        return _monthly(frame, request, "akshare.macro_china_pmi", _PMI, "2d")
    if "全国-同比增长" in frame.columns:
        return _monthly(frame, request, "akshare.macro_china_cpi", _CPI, "17d")
    if "LPR1Y" in frame.columns:
        return _lpr(frame, request)
    raise DataRejected(f"宏观数据:字段与约定不符,认不出是哪一项,现有 {frame.columns}")


def _monthly(
    frame: pl.DataFrame, request: Request, where: str, names: dict[str, tuple[str, str]], delay: str
) -> pl.DataFrame:
    rows = numbers(take(frame, where, ("月份", *names), is_open=True), where, *names)
    text = (
        pl.col("月份").str.extract(r"^(\d{4})年(\d{1,2})月", 1) + "-" + pl.col("月份").str.extract(r"年(\d{1,2})月", 1)
    )
    rows = rows.with_columns((text + "-1").str.to_date("%Y-%m-%d", strict=False).dt.month_end().alias("period"))
    require_values(rows, where, "period")
    at = pl.col("period").cast(pl.Datetime("us")).dt.offset_by(delay).dt.replace_time_zone(ZONE)
    return _long(rows.with_columns(at.alias("published_at")), request, where, names)


def _lpr(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    where = "akshare.macro_china_lpr"
    rows = take(frame, where, ("TRADE_DATE", *_LPR), ("RATE_1", "RATE_2"))
    rows = numbers(days(rows, where, "TRADE_DATE"), where, *_LPR)
    require_values(rows, where, "TRADE_DATE")
    at = pl.col("TRADE_DATE").cast(pl.Datetime("us")).dt.offset_by("9h30m").dt.replace_time_zone(ZONE)
    rows = rows.filter(pl.col("TRADE_DATE") >= _LPR_SINCE).with_columns(
        pl.col("TRADE_DATE").dt.month_end().alias("period"), at.alias("published_at")
    )
    return _long(rows, request, where, _LPR)


def _long(rows: pl.DataFrame, request: Request, where: str, names: dict[str, tuple[str, str]]) -> pl.DataFrame:
    parts = [
        rows.filter(pl.col(theirs).is_not_null()).select(
            pl.lit(name).alias("indicator"),
            "period",
            pl.col(theirs).alias("value"),
            pl.lit(unit).alias("unit"),
            "published_at",
        )
        for theirs, (name, unit) in names.items()
    ]
    values = pl.concat(parts)
    low, high = (20.0, 80.0) if "PMI" in values["indicator"].to_list() else (-20.0, 40.0)
    check(
        values,
        where,
        pl.col("value").is_between(low, high),
        "数值超出合理范围(列可能错位)",
        ("indicator", "period", "value"),
    )
    return finish(values, "macro", request, "published_at")
