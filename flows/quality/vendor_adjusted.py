"""A vendor's own adjusted closes, reproduced by the vendor's own method (PRODUCT M8 and Q, fault P5).

Two methods live side by side: multiplicative (baostock, Sina, tushare) and additive (East Money, Tencent, TDX); a
series is held against ours of the same method and anchor, never against the other. What differs is rejected by row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

import polars as pl

from flows.market.adjustment import additively_adjusted, forward_adjusted

Method = Literal["multiplicative", "additive"]

#: Vendors print cents, and some a factor rounded to four digits: two cents on a price of 100.
_ABSOLUTE_CNY = 0.0055
_RELATIVE = 2e-4
#: Additive series are rounded to the cent at each event.
_ADDITIVE_CNY = 0.0105

FAULTS_SCHEMA = pl.Schema(
    {
        "symbol": pl.String(), "trade_date": pl.Date(), "vendor": pl.String(), "fault": pl.String(),
        "close_cny": pl.Float64(), "expected_cny": pl.Float64(),
    }
)  # fmt: skip


@dataclass(frozen=True)
class VendorAdjusted:
    """A vendor's forward-adjusted closes.

    Attributes:
        method: The method the vendor documents.
        anchor: The day in whose terms the series is, usually the day it was fetched.
        closes: ``symbol``, ``trade_date``, ``close_cny``.
    """

    vendor: str
    method: Method
    anchor: date
    closes: pl.DataFrame = field(repr=False, compare=False)


def vendor_faults(
    series: VendorAdjusted, bars: pl.DataFrame, factors: pl.DataFrame, actions: pl.DataFrame
) -> pl.DataFrame:
    """Rows of *series* that our own adjustment by the same method does not give (:data:`FAULTS_SCHEMA`).

    ``fault`` is ``not_positive`` (no price, whatever the method), ``unadjusted`` (the raw close though something was
    adjusted after it) or ``differs``.

    Args:
        series: The vendor's closes.
        bars: Rows of ``daily_bars``, unadjusted.
        factors: ``symbol, ex_date, backward_factor``; used for the multiplicative method.
        actions: Rows of ``corporate_actions``; used for the additive method.
    """
    ours = _ours(series, bars, factors, actions)
    compared = series.closes.join(ours, on=["symbol", "trade_date"], how="inner")
    off = (pl.col("close_cny") - pl.col("expected_cny")).abs() > _tolerance(series.method)
    is_raw = (pl.col("close_cny") - pl.col("raw_close_cny")).abs() < 1e-9
    fault = (
        pl.when(pl.col("close_cny") <= 0).then(pl.lit("not_positive"))
        .when(off & is_raw).then(pl.lit("unadjusted"))
        .when(off).then(pl.lit("differs"))
    )  # fmt: skip
    found = compared.with_columns(fault.alias("fault"), pl.lit(series.vendor).alias("vendor"))
    return found.drop_nulls("fault").select(FAULTS_SCHEMA.names()).sort("symbol", "trade_date")


def _ours(series: VendorAdjusted, bars: pl.DataFrame, factors: pl.DataFrame, actions: pl.DataFrame) -> pl.DataFrame:
    if series.method == "multiplicative":
        own = forward_adjusted(bars, factors, series.anchor)
    else:
        own = additively_adjusted(bars, actions, series.anchor)
    return own.select("symbol", "trade_date", "raw_close_cny", pl.col("close_cny").alias("expected_cny"))


def _tolerance(method: Method) -> pl.Expr:
    if method == "additive":
        return pl.lit(_ADDITIVE_CNY)
    return _ABSOLUTE_CNY + _RELATIVE * pl.col("expected_cny")
