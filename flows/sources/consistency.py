"""Figures of one East Money answer that must agree with each other; a unit or column slip breaks the agreement.

The bounds are wide on purpose: they let every accounting peculiarity pass and stop factors of a hundred or more.
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes import eastmoney as shapes

#: A forecast value against prior value and change: both are means of the same range, so they agree but for rounding.
_FORECAST_FACTOR = 3.0
#: Parent's profit over revenue against the printed net margin: minorities make a difference, no factor of fifty.
_MARGIN_FACTOR = 50.0
_SMALL_SHARE = 0.2


def consistent_forecasts(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Forecasts whose value, change and prior value tell the same story (loss-making prior years say nothing)."""
    rows = shapes.earnings_forecasts(frame, request)
    prior, value = pl.col("prior_value_cny"), pl.col("value_low_cny")
    implied = prior * (1 + pl.col("change_low_pct") / 100)
    says_something = (prior > 0) & (implied.abs() >= _SMALL_SHARE * prior)
    agrees = (value / implied).is_between(1 / _FORECAST_FACTOR, _FORECAST_FACTOR)
    _reject(
        rows, says_something & ~agrees, "业绩预告的数值与同期值、变动幅度互相矛盾（单位或列可能有变）", "report_period"
    )
    return rows


def consistent_indicators(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Indicators whose revenue and profit give about the printed net margin."""
    rows = shapes.financial_indicators(frame, request)
    implied = pl.col("net_profit_cny") / pl.col("revenue_cny") * 100
    printed = pl.col("net_margin_pct")
    is_far = (implied.abs() > _MARGIN_FACTOR * pl.max_horizontal(printed.abs(), pl.lit(1.0))) | (
        (printed.abs() > 1) & (implied.abs() * _MARGIN_FACTOR * 20 < printed.abs())
    )
    _reject(
        rows,
        (pl.col("revenue_cny") > 0) & is_far,
        "营业收入、净利润与净利率互相矛盾（单位或列可能有变）",
        "report_period",
    )
    return rows


def _reject(rows: pl.DataFrame, wrong: pl.Expr, says: str, show: str) -> None:
    found = rows.filter(wrong.fill_null(value=False))
    if not found.is_empty():
        raise DataRejected(f"{says}：{found.height} 行，例如 {found[show].head(3).to_list()}")
