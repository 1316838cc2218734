"""Tencent through akshare 1.19.5: ``stock_zh_a_hist_tx(adjust='')``.

akshare multiplies lots to shares for most codes but forgets those that start with sz000, so the unit is read
off each answer: amount / volume must lie between the day's low and high.
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.sources.shapes import bars
from flows.sources.shapes.common import days, finish, numbers, require_values, stamp, take, unique_rows, wanted

DAILY = "akshare.stock_zh_a_hist_tx"
_COLUMNS = ("date", "open", "close", "high", "low", "volume", "turnover", "amount")


def daily_bars(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Unadjusted bars; the answer names no stock and has no previous close."""
    rows = numbers(days(take(frame, DAILY, _COLUMNS), DAILY, "date"), DAILY, *_COLUMNS[1:])
    require_values(rows, DAILY, "date", "open", "close", "high", "low", "volume")
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
    rows = bars.volume_in_shares(rows, DAILY)
    return finish(stamp(rows, "daily_bars"), "daily_bars", request, "trade_date")
