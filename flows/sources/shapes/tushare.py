"""tushare's HTTP API: ``daily``, ``adj_factor``, ``daily_basic``, ``trade_cal``, ``stock_basic``, ``forecast``.

Units on the wire: volume in lots, amount in thousand CNY, market value and forecasts in ten thousand CNY, shares in ten
thousand.
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.sources.shapes import bars
from flows.sources.shapes.baostock import board, calendar_stamp, display_name
from flows.sources.shapes.common import (
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

_THOUSAND, _TEN_THOUSAND = 1_000, 10_000
_DAILY = ("ts_code", "trade_date", "open", "high", "low", "close", "pre_close", "vol", "amount")


def daily_bars(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Unadjusted bars with the exchange's previous close; suspended days have no row."""
    where = "tushare.daily"
    rows = _own(take(frame, where, _DAILY, ("change", "pct_chg")), where, request, "trade_date")
    rows = numbers(rows, where, *_DAILY[2:])
    require_values(rows, where, *_DAILY[1:])
    rows = unique_rows(rows, where, ["trade_date"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        "trade_date",
        *(pl.col(name).alias(f"{name}_cny") for name in ("open", "high", "low", "close")),
        pl.col("pre_close").alias("previous_close_cny"),
        pl.col("vol").alias("volume_shares"),
        (pl.col("amount") * _THOUSAND).alias("amount_cny"),
        (pl.col("vol") > 0).alias("is_trading"),
    )
    bars.check_prices(rows, where)
    rows = bars.volume_in_shares(rows, where, vendor_unit=100)
    return finish(stamp(rows, "daily_bars"), "daily_bars", request, "trade_date")


def adjust_factors(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Days on which the daily factor changes; the first day of the answer is the base."""
    where = "tushare.adj_factor"
    rows = _own(take(frame, where, ("ts_code", "trade_date", "adj_factor")), where, request, "trade_date")
    rows = unique_rows(numbers(rows, where, "adj_factor"), where, ["trade_date"]).sort("trade_date")
    require_values(rows, where, "trade_date", "adj_factor")
    check(rows, where, pl.col("adj_factor") > 0, "复权因子不是正数", ("trade_date", "adj_factor"))
    rows = rows.filter(pl.col("adj_factor").diff().abs() > 1e-9).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("trade_date").alias("ex_date"),
        pl.col("adj_factor").alias("backward_factor"),
    )
    return finish(stamp(rows, "adjust_factors", "ex_date"), "adjust_factors", request, "ex_date")


def valuations(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Multiples; the vendor leaves pe_ttm empty for losses, so null here means loss or missing."""
    where = "tushare.daily_basic"
    names = ("close", "pe_ttm", "pb", "ps_ttm", "total_share", "total_mv")
    rows = _own(take(frame, where, ("ts_code", "trade_date", *names), is_open=True), where, request, "trade_date")
    rows = unique_rows(numbers(rows, where, *names), where, ["trade_date"])
    ratio = pl.col("total_mv") / (pl.col("close") * pl.col("total_share"))
    check(rows, where, ratio.is_between(0.98, 1.02), "总市值不等于收盘价×总股本(单位可能变了)", ("trade_date", *names))
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        "trade_date",
        "pe_ttm",
        "pb",
        "ps_ttm",
        (pl.col("total_mv") * _TEN_THOUSAND).alias("market_cap_cny"),
    )
    return finish(stamp(rows, "valuations"), "valuations", request, "trade_date")


def trade_dates(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Every calendar day with its session flag."""
    where = "tushare.trade_cal"
    rows = days(take(frame, where, ("exchange", "cal_date", "is_open"), ("pretrade_date",)), where, "cal_date")
    check(rows, where, pl.col("exchange") == "SSE", "不是所问交易所的日历", ("exchange", "cal_date"))
    rows = numbers(rows, where, "is_open")
    require_values(rows, where, "cal_date", "is_open")
    check(rows, where, pl.col("is_open").is_in([0.0, 1.0]), "是否交易日不是 0/1", ("cal_date", "is_open"))
    rows = unique_rows(rows.select("cal_date", "is_open"), where, ["cal_date"]).select(
        pl.col("cal_date").alias("trade_date"), (pl.col("is_open") == 1).alias("is_session")
    )
    return finish(calendar_stamp(rows), "trade_dates", request, "trade_date")


def instruments(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Listed A shares under their names at query time."""
    where = "tushare.stock_basic"
    rows = take(frame, where, ("ts_code", "name", "industry", "list_date"), ("delist_date",), is_open=True)
    if "delist_date" not in rows.columns:
        rows = rows.with_columns(pl.lit(None, dtype=pl.Date).alias("delist_date"))
    rows = days(rows, where, "list_date", "delist_date").filter(board("ts_code").is_not_null())
    require_values(rows, where, "ts_code", "name", "list_date")
    if request.symbol is not None:
        rows = rows.filter(pl.col("ts_code") == request.symbol)
    rows = unique_rows(rows, where, ["ts_code"]).select(
        pl.col("ts_code").alias("symbol"),
        pl.col("name").map_elements(display_name, return_dtype=pl.String),
        board("ts_code").alias("board"),
        "industry",
        pl.col("list_date").alias("listed_date"),
        pl.col("delist_date").alias("delisted_date"),
        midnight("list_date").alias("published_at"),
    )
    return finish(rows, "instruments", request)


def earnings_forecasts(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Forecast ranges of net profit, ten thousand CNY → CNY."""
    where = "tushare.forecast"
    amounts = ("p_change_min", "p_change_max", "net_profit_min", "net_profit_max", "last_parent_net")
    required = ("ts_code", "ann_date", "end_date", "type", *amounts, "summary", "change_reason")
    rows = _own(take(frame, where, required, ("first_ann_date",)), where, request, "ann_date", "end_date")
    rows = numbers(rows, where, *amounts)
    require_values(rows, where, "ann_date", "end_date")
    low, high = pl.col("net_profit_min"), pl.col("net_profit_max")
    check(rows, where, low <= high, "业绩预告下限大于上限(列可能错位)", ("ann_date", "end_date", *amounts[2:4]))
    rows = unique_rows(rows, where, ["end_date", "ann_date"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("end_date").alias("report_period"),
        pl.col("ann_date").alias("notice_date"),
        pl.lit("归属于上市公司股东的净利润").alias("metric"),
        pl.col("type").alias("forecast_type"),
        (low * _TEN_THOUSAND).alias("value_low_cny"),
        (high * _TEN_THOUSAND).alias("value_high_cny"),
        pl.col("p_change_min").alias("change_low_pct"),
        pl.col("p_change_max").alias("change_high_pct"),
        (pl.col("last_parent_net") * _TEN_THOUSAND).alias("prior_value_cny"),
        "summary",
        pl.col("change_reason").alias("reason"),
        midnight("ann_date").alias("published_at"),
    )
    return finish(rows, "earnings_forecasts", request, "published_at")


def _own(frame: pl.DataFrame, where: str, request: Request, *dates: str) -> pl.DataFrame:
    only_entity(frame, where, "ts_code", wanted(request))
    return days(frame, where, *dates)
