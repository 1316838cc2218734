"""baostock 0.9.4: all values are strings, '' is null, one login may answer another's question.

Contracts: ``query_history_k_data_plus`` (bars and multiples, ``adjustflag='3'``), ``query_adjust_factor``,
``query_trade_dates``, ``query_stock_basic`` optionally joined with ``query_stock_industry``,
``query_forecast_report``.
"""

from __future__ import annotations

import unicodedata

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes import bars
from flows.sources.shapes.common import (
    ZONE,
    check,
    days,
    finish,
    midnight,
    numbers,
    only_entity,
    require_values,
    stamp,
    take,
    unique_rows,
    wanted,
)

K_LINE = "baostock.query_history_k_data_plus"
BAR_FIELDS = (
    "date", "code", "open", "high", "low", "close", "preclose", "volume", "amount", "adjustflag", "turn",
    "tradestatus", "isST",
)  # fmt: skip
MULTIPLE_FIELDS = ("date", "code", "peTTM", "pbMRQ", "psTTM", "pcfNcfTTM")
#: Everything a K-line query may carry; one answer can feed both kinds.
K_LINE_FIELDS = (*BAR_FIELDS, "pctChg", *MULTIPLE_FIELDS[2:])
_FACTOR_TOLERANCE = 3e-6
_BOARD_PREFIXES = (("star", ("688", "689")), ("chinext", ("300", "301", "302")), ("main", ("60", "00")))


def vendor_code(request: Request) -> str:
    """The requested symbol as baostock writes it, e.g. ``sh.600000``."""
    symbol = wanted(request)
    return f"{symbol[-2:].lower()}.{symbol[:6]}"


def daily_bars(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Unadjusted bars in CNY and shares; a suspended day is kept flat with volume 0."""
    rows = _k_line(frame, request, BAR_FIELDS)
    check(rows, K_LINE, pl.col("adjustflag") == "3", "不是不复权数据(adjustflag 应为 3)", ("date", "adjustflag"))
    check(rows, K_LINE, pl.col("tradestatus").is_in(["0", "1"]), "交易状态不是 0/1", ("date", "tradestatus"))
    rows = numbers(rows, K_LINE, "open", "high", "low", "close", "preclose", "volume", "amount", "turn")
    is_trading = pl.col("tradestatus") == "1"
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("date").alias("trade_date"),
        pl.col("open").alias("open_cny"),
        pl.col("high").alias("high_cny"),
        pl.col("low").alias("low_cny"),
        pl.col("close").alias("close_cny"),
        pl.col("preclose").alias("previous_close_cny"),
        pl.when(is_trading).then("volume").otherwise(pl.col("volume").fill_null(0.0)).alias("volume_shares"),
        pl.when(is_trading).then("amount").otherwise(pl.col("amount").fill_null(0.0)).alias("amount_cny"),
        pl.col("turn").alias("turnover_pct"),
        is_trading.alias("is_trading"),
        (pl.col("isST") == "1").alias("is_st"),
    )
    require_values(rows, K_LINE, "open_cny", "high_cny", "low_cny", "close_cny", "volume_shares", "is_trading")
    bars.check_prices(rows, K_LINE)
    halted = pl.col("is_trading") | (pl.col("volume_shares") == 0)
    check(rows, K_LINE, halted, "停牌日却有成交量", ("trade_date", "volume_shares"))
    rows = bars.volume_in_shares(rows, K_LINE, vendor_unit=1)
    return finish(stamp(rows, "daily_bars"), "daily_bars", request, "trade_date")


def valuations(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Multiples as published: negative stays negative (loss), '' stays null (missing)."""
    rows = _k_line(frame, request, MULTIPLE_FIELDS)
    rows = numbers(rows, K_LINE, "peTTM", "pbMRQ", "psTTM", "pcfNcfTTM")
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("date").alias("trade_date"),
        pl.col("peTTM").alias("pe_ttm"),
        pl.col("pbMRQ").alias("pb"),
        pl.col("psTTM").alias("ps_ttm"),
        pl.col("pcfNcfTTM").alias("pcf_ttm"),
    )
    return finish(stamp(rows, "valuations"), "valuations", request, "trade_date")


def _k_line(frame: pl.DataFrame, request: Request, fields: tuple[str, ...]) -> pl.DataFrame:
    rows = take(frame, K_LINE, fields, K_LINE_FIELDS)
    only_entity(rows, K_LINE, "code", vendor_code(request))
    rows = days(rows, K_LINE, "date")
    require_values(rows, K_LINE, "date")
    return unique_rows(rows, K_LINE, ["date"])


def adjust_factors(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Cumulative backward factors; fore and back factors must tell the same story.

    ``fore = back / latest back`` changes after every event, so only the backward factor is kept; the
    quotient back / fore being one constant over the answer proves that no column was swapped.
    """
    where = "baostock.query_adjust_factor"
    fields = ("code", "dividOperateDate", "foreAdjustFactor", "backAdjustFactor", "adjustFactor")
    rows = take(frame, where, fields)
    only_entity(rows, where, "code", vendor_code(request))
    rows = numbers(days(rows, where, "dividOperateDate"), where, *fields[2:])
    require_values(rows, where, *fields[1:])
    rows = unique_rows(rows, where, ["dividOperateDate"])
    fore, back = pl.col("foreAdjustFactor"), pl.col("backAdjustFactor")
    check(rows, where, (fore > 0) & (back > 0), "复权因子不是正数", fields)
    check(rows, where, fore <= back * (1 + _FACTOR_TOLERANCE), "前复权因子大于后复权因子(列可能错位)", fields)
    check(
        rows, where, (back - pl.col("adjustFactor")).abs() <= _FACTOR_TOLERANCE * back, "两列后复权因子不一致", fields
    )
    latest = back.sort_by("dividOperateDate").last() / fore.sort_by("dividOperateDate").last()
    constant = (back - fore * latest).abs() <= _FACTOR_TOLERANCE * back + latest * 1e-6
    check(rows, where, constant, "前后复权因子之比不是常数(列可能错位)", fields)
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("dividOperateDate").alias("ex_date"),
        back.alias("backward_factor"),
    )
    return finish(stamp(rows, "adjust_factors", "ex_date"), "adjust_factors", request, "ex_date")


def trade_dates(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Every calendar day with its session flag.

    A year's holidays are announced in the last week of the year before; a row counts as public from
    25 December of that year.
    """
    where = "baostock.query_trade_dates"
    rows = take(frame, where, ("calendar_date", "is_trading_day"))
    rows = days(rows, where, "calendar_date")
    require_values(rows, where, "calendar_date", "is_trading_day")
    check(rows, where, pl.col("is_trading_day").is_in(["0", "1"]), "是否交易日不是 0/1", tuple(rows.columns))
    rows = unique_rows(rows, where, ["calendar_date"]).select(
        pl.col("calendar_date").alias("trade_date"), (pl.col("is_trading_day") == "1").alias("is_session")
    )
    return finish(calendar_stamp(rows), "trade_dates", request, "trade_date")


def calendar_stamp(rows: pl.DataFrame) -> pl.DataFrame:
    """Trade dates with the day on which their year's calendar was public."""
    notice = pl.datetime(pl.col("trade_date").dt.year() - 1, 12, 25, time_unit="us", time_zone=ZONE)
    weekday = (~pl.col("is_session")) | (pl.col("trade_date").dt.weekday() <= 5)
    check(rows, "交易日历", weekday, "周末被标为交易日", ("trade_date",))
    return rows.with_columns(notice.alias("published_at"))


def instruments(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Listed A shares; the ST flag stays null because today's name proves nothing about the past.

    The name is the one at query time (baostock keeps no history of names); a company is visible from
    its first listed day. Dated ST flags come with the daily bars.
    """
    where = "baostock.query_stock_basic"
    fields = ("code", "code_name", "ipoDate", "outDate", "type", "status")
    rows = take(frame, where, fields, ("industry", "industryClassification", "updateDate"))
    rows = rows.filter((pl.col("type") == "1") & board("code", 3).is_not_null())
    if request.symbol is not None:
        only_entity(rows, where, "code", vendor_code(request))
    rows = days(rows, where, "ipoDate", "outDate")
    require_values(rows, where, "code", "code_name", "ipoDate")
    rows = unique_rows(rows, where, ["code"])
    industry = pl.col("industry") if "industry" in rows.columns else pl.lit(None, dtype=pl.String)
    rows = rows.select(
        (pl.col("code").str.slice(3) + "." + pl.col("code").str.head(2).str.to_uppercase()).alias("symbol"),
        pl.col("code_name").map_elements(display_name, return_dtype=pl.String).alias("name"),
        board("code", 3).alias("board"),
        industry.str.replace(r"^[A-Z]\d{2}", "").alias("industry"),
        pl.col("ipoDate").alias("listed_date"),
        pl.col("outDate").alias("delisted_date"),
        midnight("ipoDate").alias("published_at"),
    )
    return finish(rows, "instruments", request)


def board(column: str, offset: int = 0) -> pl.Expr:
    """Board of the six-digit code in *column* from *offset* on; null if it is no A share."""
    code = pl.col(column).str.slice(offset, 6)
    found = pl.lit(None, dtype=pl.String)
    for name, prefixes in _BOARD_PREFIXES:
        starts = pl.any_horizontal(*(code.str.starts_with(prefix) for prefix in prefixes))
        found = pl.when(starts).then(pl.lit(name)).otherwise(found)
    return pl.when(code.str.starts_with("920")).then(pl.lit("bse")).otherwise(found)


def display_name(name: str) -> str:
    """A short name as displayed: full-width Latin narrowed, inner spaces dropped."""
    cleaned = "".join(unicodedata.normalize("NFKC", name).split())
    if not cleaned:
        raise DataRejected(f"证券简称为空:{name!r}")
    return cleaned


def earnings_forecasts(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Forecast ranges of the change in net profit, percent; the vendor gives no amounts."""
    where = "baostock.query_forecast_report"
    prefix = "profitForcast"
    day, period, kind, text = (f"{prefix}{part}" for part in ("ExpPubDate", "ExpStatDate", "Type", "Abstract"))
    high, low = f"{prefix}ChgPctUp", f"{prefix}ChgPctDwn"
    rows = take(frame, where, ("code", day, period, kind, text, high, low))
    only_entity(rows, where, "code", vendor_code(request))
    rows = numbers(days(rows, where, day, period), where, high, low)
    require_values(rows, where, day, period)
    check(rows, where, pl.col(low) <= pl.col(high), "业绩预告下限大于上限(列可能错位)", (day, period, low, high))
    rows = unique_rows(rows, where, [day, period]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col(period).alias("report_period"),
        pl.col(day).alias("notice_date"),
        pl.lit("归属于上市公司股东的净利润").alias("metric"),
        pl.col(kind).alias("forecast_type"),
        pl.col(low).alias("change_low_pct"),
        pl.col(high).alias("change_high_pct"),
        pl.col(text).alias("summary"),
        midnight(day).alias("published_at"),
    )
    return finish(rows, "earnings_forecasts", request, "published_at")
