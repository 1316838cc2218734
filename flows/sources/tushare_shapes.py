"""Tushare's columns → raw contracts: lots → shares, 千元 and 万元 → CNY, ``YYYYMMDD`` → dates."""

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


def daily_bars(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Unadjusted bars; suspended days have no row."""
    where = "tushare.daily"
    names = ("open", "high", "low", "close", "pre_close", "vol", "amount")
    rows = take(frame, where, ("ts_code", "trade_date", *names), ("change", "pct_chg"))
    rows = _dated(rows, where, request, *names).select(
        pl.lit(wanted(request)).alias("symbol"),
        "trade_date",
        *(pl.col(name).alias(f"{name}_cny") for name in names[:4]),
        pl.col("pre_close").alias("previous_close_cny"),
        pl.col("vol").alias("volume_shares"),
        (pl.col("amount") * _THOUSAND).alias("amount_cny"),
        (pl.col("vol") > 0).alias("is_trading"),
    )
    bars.check_prices(rows, where)
    rows = bars.volume_in_shares(rows, where, vendor_unit=100)
    return finish(stamp(rows, "daily_bars"), "daily_bars", request, "trade_date")


def adjust_factors(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Ex-dates from the daily cumulative factor: the days on which it changes, relative to the first day."""
    where = "tushare.adj_factor"
    rows = take(frame, where, ("ts_code", "trade_date", "adj_factor"))
    rows = _dated(rows, where, request, "adj_factor").sort("trade_date")
    check(rows, where, pl.col("adj_factor") > 0, "复权因子不是正数", ("trade_date", "adj_factor"))
    relative = pl.col("adj_factor") / pl.col("adj_factor").first()
    rows = rows.with_columns(relative.alias("backward_factor")).filter(pl.col("adj_factor").diff() != 0)
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"), pl.col("trade_date").alias("ex_date"), "backward_factor"
    )
    return finish(stamp(rows, "adjust_factors", "ex_date"), "adjust_factors", request, "ex_date")


def valuations(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Multiples and market value; a loss is not told from a gap here, both are null."""
    where = "tushare.daily_basic"
    names = ("pe_ttm", "pb", "ps_ttm", "total_mv")
    rows = take(frame, where, ("ts_code", "trade_date", *names), is_open=True)
    rows = _dated(rows, where, request, *names).select(
        pl.lit(wanted(request)).alias("symbol"),
        "trade_date",
        *names[:3],
        (pl.col("total_mv") * _TEN_THOUSAND).alias("market_cap_cny"),
    )
    return finish(stamp(rows, "valuations"), "valuations", request, "trade_date")


def margins(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Margin balance, purchases and lending volume."""
    where = "tushare.margin_detail"
    names = ("rzye", "rzmre", "rqyl")
    rows = take(frame, where, ("ts_code", "trade_date", *names), is_open=True)
    rows = _dated(rows, where, request, *names)
    check(rows, where, pl.min_horizontal(names) >= 0, "融资融券数值为负", ("trade_date", *names))
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        "trade_date",
        pl.col("rzye").alias("margin_balance_cny"),
        pl.col("rzmre").alias("margin_buy_cny"),
        pl.col("rqyl").alias("short_volume_shares"),
    )
    return finish(stamp(rows, "margins"), "margins", request, "trade_date")


def trade_dates(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Calendar days with their session flag."""
    where = "tushare.trade_cal"
    rows = days(take(frame, where, ("cal_date", "is_open"), is_open=True), where, "cal_date")
    rows = numbers(rows, where, "is_open")
    require_values(rows, where, "cal_date", "is_open")
    check(rows, where, pl.col("is_open").is_in([0.0, 1.0]), "是否交易日不是 0/1", ("cal_date", "is_open"))
    rows = unique_rows(rows, where, ["cal_date"]).select(
        pl.col("cal_date").alias("trade_date"), (pl.col("is_open") == 1).alias("is_session")
    )
    return finish(calendar_stamp(rows), "trade_dates", request, "trade_date")


def instruments(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Listed companies with their industry; the ST flag stays null as today's name proves nothing about the past."""
    where = "tushare.stock_basic"
    rows = take(frame, where, ("ts_code", "name", "industry", "list_date", "delist_date"), is_open=True)
    if request.symbol is not None:
        only_entity(rows, where, "ts_code", request.symbol)
    rows = days(rows.filter(board("ts_code").is_not_null()), where, "list_date", "delist_date")
    require_values(rows, where, "name", "list_date")
    rows = unique_rows(rows, where, ["ts_code"]).select(
        pl.col("ts_code").alias("symbol"),
        pl.col("name").map_elements(display_name, return_dtype=pl.String).alias("name"),
        board("ts_code").alias("board"),
        "industry",
        pl.col("list_date").alias("listed_date"),
        pl.col("delist_date").alias("delisted_date"),
        midnight("list_date").alias("published_at"),
    )
    return finish(rows, "instruments", request)


def earnings_forecasts(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Net profit forecasts as ranges; 万元 → CNY."""
    where = "tushare.forecast"
    amounts = ("net_profit_min", "net_profit_max", "last_parent_net")
    changes = ("p_change_min", "p_change_max")
    words = ("type", "summary", "change_reason")
    rows = take(frame, where, ("ts_code", "ann_date", "end_date", *amounts, *changes, *words), is_open=True)
    only_entity(rows, where, "ts_code", wanted(request))
    rows = numbers(days(rows, where, "ann_date", "end_date"), where, *amounts, *changes)
    require_values(rows, where, "ann_date", "end_date")
    order = pl.col("net_profit_min") <= pl.col("net_profit_max")
    check(rows, where, order, "预告下限高于上限", ("ann_date", *amounts[:2]))
    rows = unique_rows(rows, where, ["end_date", "ann_date"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("end_date").alias("report_period"),
        pl.col("ann_date").alias("notice_date"),
        pl.lit("归属于上市公司股东的净利润").alias("metric"),
        pl.col("type").alias("forecast_type"),
        (pl.col("net_profit_min") * _TEN_THOUSAND).alias("value_low_cny"),
        (pl.col("net_profit_max") * _TEN_THOUSAND).alias("value_high_cny"),
        pl.col("p_change_min").alias("change_low_pct"),
        pl.col("p_change_max").alias("change_high_pct"),
        (pl.col("last_parent_net") * _TEN_THOUSAND).alias("prior_value_cny"),
        "summary",
        pl.col("change_reason").alias("reason"),
        midnight("ann_date").alias("published_at"),
    )
    return finish(rows, "earnings_forecasts", request, "published_at")


def _dated(rows: pl.DataFrame, where: str, request: Request, *names: str) -> pl.DataFrame:
    only_entity(rows, where, "ts_code", wanted(request))
    rows = numbers(days(rows, where, "trade_date"), where, *names)
    require_values(rows, where, "trade_date")
    return unique_rows(rows, where, ["trade_date"])
