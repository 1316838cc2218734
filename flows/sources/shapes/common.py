"""The checks every shape shares: schema, numbers, dates, entity, range, publication time, window.

Decision: a vendor's answer is accepted whole or rejected with the offending column or rows named.
Nothing is repaired by guessing; the only repairs are of form (white space, thousands separators,
documented placeholders for "no value").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import date, datetime

import polars as pl

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import Request
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.errors import DataRejected
from flows.market.sessions import SHANGHAI, load_calendar, published_at

ZONE = SHANGHAI.key
#: Column that a transport adds where an answer does not carry the date or period it was asked for.
ASKED = "查询日期"
_NULLS = ("", "-", "--", "nan", "NaN", "NaT", "None", "null")
_SAMPLE_ROWS = 3


def take(
    frame: pl.DataFrame,
    where: str,
    required: Sequence[str],
    optional: Sequence[str] = (),
    *,
    is_open: bool = False,
) -> pl.DataFrame:
    """*frame* with vendor placeholders as null, after its column names were checked.

    Missing columns are rejected; so are unknown ones unless *is_open* (vendors' wide raw records).
    """
    missing = [c for c in required if c not in frame.columns]
    extra = [] if is_open else [c for c in frame.columns if c not in {*required, *optional}]
    if missing or extra:
        raise DataRejected(f"{where}:字段与约定不符,缺少 {missing},多出 {extra};上游可能改版,请核对后再用")
    wanted = [c for c in frame.columns if c in {*required, *optional}]
    return frame.select(_blank_to_null(frame.schema[c], c) for c in wanted)


def _blank_to_null(dtype: pl.DataType, name: str) -> pl.Expr:
    column = pl.col(name)
    if dtype == pl.String:
        stripped = column.str.strip_chars()
        return pl.when(stripped.is_in(_NULLS)).then(None).otherwise(stripped).alias(name)
    if dtype.is_float():
        return column.fill_nan(None)
    return column


def numbers(frame: pl.DataFrame, where: str, *names: str) -> pl.DataFrame:
    """*frame* with *names* as Float64; text that is no number is rejected, never nulled."""
    for name in names:
        frame = _cast(frame, where, name, _as_number(frame.schema[name], name), "数字")
    return frame


def _as_number(dtype: pl.DataType, name: str) -> pl.Expr:
    if dtype == pl.String:
        return pl.col(name).str.replace_all(",", "", literal=True).cast(pl.Float64, strict=False).fill_nan(None)
    return pl.col(name).cast(pl.Float64, strict=False).fill_nan(None)


def days(frame: pl.DataFrame, where: str, *names: str) -> pl.DataFrame:
    """*frame* with *names* as Date, read from dates, timestamps, ``YYYY-MM-DD…`` or ``YYYYMMDD``."""
    for name in names:
        frame = _cast(frame, where, name, _as_day(frame.schema[name], name), "日期")
    return frame


def _as_day(dtype: pl.DataType, name: str) -> pl.Expr:
    if dtype in (pl.Date, pl.Null) or isinstance(dtype, pl.Datetime):
        return pl.col(name).cast(pl.Date)
    text = pl.col(name).cast(pl.String)
    dashed = text.str.head(10).str.to_date("%Y-%m-%d", strict=False)
    compact = pl.when(text.str.contains(r"^\d{8}(\.0)?$")).then(text.str.head(8)).str.to_date("%Y%m%d", strict=False)
    return pl.coalesce(dashed, compact)


def _cast(frame: pl.DataFrame, where: str, name: str, expression: pl.Expr, what: str) -> pl.DataFrame:
    cast = frame.select(expression.alias(name)).to_series()
    broken = frame[name].is_not_null() & cast.is_null()
    if frame.schema[name].is_float():
        broken = broken & frame[name].is_not_nan()
    if broken.any():
        sample = frame[name].filter(broken).head(_SAMPLE_ROWS).to_list()
        raise DataRejected(f"{where}:字段「{name}」有 {broken.sum()} 行不是{what},例如 {sample}")
    return frame.with_columns(cast)


def check(frame: pl.DataFrame, where: str, holds: pl.Expr, says: str, show: Sequence[str]) -> None:
    """Reject the answer if *holds* is false on any row (null passes), naming some of the rows."""
    wrong = frame.filter(~holds.fill_null(value=True))
    if not wrong.is_empty():
        rows = wrong.select(list(show)).head(_SAMPLE_ROWS).rows()
        raise DataRejected(f"{where}:{says},共 {wrong.height} 行,例如 {rows}")


def require_values(frame: pl.DataFrame, where: str, *names: str) -> None:
    """Reject the answer if any of *names* is empty on any row."""
    for name in names:
        empty = frame[name].null_count()
        if empty:
            raise DataRejected(f"{where}:字段「{name}」有 {empty} 行为空")


def picked(frame: pl.DataFrame, column: str, request: Request) -> pl.DataFrame:
    """The requested company's rows of a whole-market answer, with ``symbol``; empty if it has none."""
    rows = frame.filter(pl.col(column).cast(pl.String).str.zfill(6) == bare(request))
    return rows.with_columns(pl.lit(wanted(request)).alias("symbol"))


def bare(request: Request) -> str:
    """The six digits of the requested symbol."""
    return wanted(request)[:6]


def wanted(request: Request) -> str:
    """The requested symbol; a kind that is asked per stock cannot do without."""
    if request.symbol is None:
        raise DataRejected(f"{request.kind}:该类数据须指明股票代码")
    return request.symbol


def only_entity(frame: pl.DataFrame, where: str, column: str, expected: str) -> None:
    """Reject an answer that holds rows of anybody but *expected*."""
    codes = frame[column].cast(pl.String).unique()
    others = sorted(str(code) for code in codes if code != expected)
    if others:
        raise DataRejected(f"{where}:请求 {expected},返回中混入 {others[:_SAMPLE_ROWS]},整批不采用")


def unique_rows(frame: pl.DataFrame, where: str, keys: Sequence[str]) -> pl.DataFrame:
    """*frame* without exact repeats; two different rows of one key are rejected."""
    rows = frame.unique(maintain_order=True)
    doubled = rows.filter(pl.struct(keys).is_duplicated())
    if not doubled.is_empty():
        sample = doubled.select(keys).head(_SAMPLE_ROWS).rows()
        raise DataRejected(f"{where}:同一主键出现互相矛盾的多行,例如 {sample}")
    return rows


def sessions_only(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Rows dated on exchange sessions; vendors that fill weekends repeat the last value there."""
    return frame.filter(pl.col(column).is_in(list(load_calendar().days)))


def unmarked(name: str) -> pl.Expr:
    """Text without the search engine's own highlight tags; any other markup is part of the text."""
    return pl.col(name).str.replace_all(r"</?em>", "").str.replace_all("\u3000", " ", literal=True).str.strip_chars()


def midnight(name: str) -> pl.Expr:
    """Start of the day *name*, Asia/Shanghai: a date-only publication is visible from then (D7)."""
    return pl.col(name).cast(pl.Datetime("us")).dt.replace_time_zone(ZONE)


def local_moment(name: str) -> pl.Expr:
    """``YYYY-MM-DD[ HH:MM[:SS]]`` text of Beijing wall time as an aware timestamp; null if unreadable."""
    text = pl.col(name).str.replace_all("/", "-", literal=True)
    forms = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d")
    parsed = pl.coalesce(*(text.str.to_datetime(form, time_unit="us", strict=False, exact=True) for form in forms))
    return parsed.dt.replace_time_zone(ZONE)


def stamp(frame: pl.DataFrame, kind: str, column: str = "trade_date") -> pl.DataFrame:
    """*frame* with ``published_at``: the kind's publication time on the date in *column*."""
    rule = KIND_RULES[kind]
    if rule.ready is not None and not rule.ready_next_session:
        at = pl.col(column).dt.combine(rule.ready).dt.replace_time_zone(ZONE)
        return frame.with_columns(at.alias("published_at"))
    calendar = load_calendar()
    times = {day: published_at(kind, day, calendar) for day in frame[column].unique().to_list()}
    table = pl.DataFrame(
        {column: list(times), "published_at": list(times.values())},
        schema={column: pl.Date(), "published_at": pl.Datetime("us", ZONE)},
    )
    return frame.join(table, on=column, how="left", maintain_order="left")


def stamp_at(frame: pl.DataFrame, expression: pl.Expr) -> pl.DataFrame:
    """*frame* with ``published_at`` from *expression*."""
    return frame.with_columns(expression.alias("published_at"))


def finish(frame: pl.DataFrame, kind: str, request: Request, window: str | None = None) -> pl.DataFrame:
    """The contract's columns and types, cut to the request's window and clock, in grain order.

    *window* is the date column that ``request.start..end`` applies to; None leaves the window open.
    """
    table = RAW_TABLES[kind].without([c.name for c in SYSTEM])
    frame = frame.with_columns(
        pl.lit(None, dtype=c.dtype).alias(c.name) for c in table.columns if c.name not in frame.columns and c.nullable
    )
    frame = table.conform(frame.select([c.name for c in table.columns]))
    require_values(frame, kind, *(c.name for c in table.columns if not c.nullable))
    frame = frame.filter(pl.col("published_at") <= request.now.astimezone(SHANGHAI))
    if window is not None:
        day = pl.col(window).dt.date() if window == "published_at" else pl.col(window)
        frame = frame.filter(day.is_between(request.start, request.end))
    return frame.sort([c for c in table.grain if c in frame.columns])


def plain(text: str) -> str:
    """A company short name as compared: NFKC, no spaces, no ST or ex-date prefix."""
    name = "".join(unicodedata.normalize("NFKC", text).split())
    for prefix in ("*ST", "ST", "XD", "XR", "DR", "N", "C"):
        if name.startswith(prefix) and len(name) > len(prefix) + 1 and not name[len(prefix)].isascii():
            return name[len(prefix) :]
    return name


def quarter_end(text: str) -> date:
    """Last day of the quarter a report date lies in; rejects anything else."""
    day = datetime.strptime(text, "%Y%m%d").date() if len(text) == 8 else date.fromisoformat(text[:10])  # noqa: DTZ007
    if (day.month, day.day) not in {(3, 31), (6, 30), (9, 30), (12, 31)}:
        raise DataRejected(f"报告期 {text} 不是季度末")
    return day
