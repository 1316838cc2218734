"""Sina through akshare 1.19.5: calendar, unadjusted bars, cumulative factors.

Contracts: ``tool_trade_date_hist_sina``, ``stock_zh_a_daily(adjust='')``, ``stock_zh_a_daily(adjust='hfq-factor')``.
None of the answers names the stock.
"""

from __future__ import annotations

from datetime import date

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes import bars
from flows.sources.shapes.baostock import calendar_stamp
from flows.sources.shapes.common import check, days, finish, numbers, require_values, stamp, take, unique_rows, wanted

DAILY = "akshare.stock_zh_a_daily"
CALENDAR = "akshare.tool_trade_date_hist_sina"
#: Date under which the vendor states the factor before the first event.
_BASE_DAY = date(1900, 1, 1)


def trade_dates(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Every calendar day between the list's first and last session; what is not listed is closed."""
    rows = days(take(frame, CALENDAR, ("trade_date",)), CALENDAR, "trade_date")
    require_values(rows, CALENDAR, "trade_date")
    if rows.is_empty():
        raise DataRejected(f"{CALENDAR}:交易日历为空")
    listed = rows.select(pl.col("trade_date").unique().sort())
    span = pl.date_range(pl.col("trade_date").first(), pl.col("trade_date").last(), "1d")
    every = listed.select(span.alias("trade_date"))
    every = every.with_columns(pl.col("trade_date").is_in(listed["trade_date"].to_list()).alias("is_session"))
    return finish(calendar_stamp(every), "trade_dates", request, "trade_date")


def daily_bars(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Unadjusted bars; volume in shares, turnover a fraction → percent, no previous close."""
    required = ("date", "open", "high", "low", "close", "volume", "amount", "turnover")
    rows = take(frame, DAILY, required, ("outstanding_share",))
    rows = numbers(days(rows, DAILY, "date"), DAILY, *required[1:])
    require_values(rows, DAILY, *required[:6])
    check(rows, DAILY, pl.col("turnover").is_between(0, 1), "换手率不是 0–1 的小数(列可能错位)", ("date", "turnover"))
    rows = unique_rows(rows, DAILY, ["date"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("date").alias("trade_date"),
        *(pl.col(name).alias(f"{name}_cny") for name in ("open", "high", "low", "close")),
        pl.col("volume").alias("volume_shares"),
        pl.col("amount").alias("amount_cny"),
        (pl.col("turnover") * 100).alias("turnover_pct"),
        (pl.col("volume") > 0).alias("is_trading"),
    )
    bars.check_prices(rows, DAILY)
    rows = bars.volume_in_shares(rows, DAILY, vendor_unit=1)
    return finish(stamp(rows, "daily_bars"), "daily_bars", request, "trade_date")


def adjust_factors(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Cumulative backward factors, rebased to 1 before the first event."""
    where = f"{DAILY}(hfq-factor)"
    rows = numbers(days(take(frame, where, ("date", "hfq_factor")), where, "date"), where, "hfq_factor")
    require_values(rows, where, "date", "hfq_factor")
    rows = unique_rows(rows, where, ["date"]).sort("date")
    check(rows, where, pl.col("hfq_factor") > 0, "复权因子不是正数", ("date", "hfq_factor"))
    if rows.is_empty() or rows["date"][0] != _BASE_DAY:
        raise DataRejected(f"{where}:缺少 {_BASE_DAY} 的基准行,无法确定首次除权前的因子")
    rising = pl.col("hfq_factor").diff() >= -1e-9
    check(rows, where, rising, "后复权因子随时间下降(可能误用了前复权因子)", ("date", "hfq_factor"))
    rows = rows.with_columns(pl.col("hfq_factor") / rows["hfq_factor"][0]).slice(1)
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("date").alias("ex_date"),
        pl.col("hfq_factor").alias("backward_factor"),
    )
    return finish(stamp(rows, "adjust_factors", "ex_date"), "adjust_factors", request, "ex_date")
