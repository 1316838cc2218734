"""Two witnesses for every ex-date, and what is wrong with a vendor's adjusted series (faults P5, P6).

The factor used is the exchange's; the event list and the vendors' series are witnesses. Where they
disagree the disagreement has a name, so that a reader of the gate sees which of them to doubt.
"""

from __future__ import annotations

import polars as pl

#: Half a tick: a reference price is rounded, so steps of one event differ by this much of the price.
_HALF_TICK_CNY = 0.005


def compared_steps(by_actions: pl.DataFrame, by_closes: pl.DataFrame, bars: pl.DataFrame) -> pl.DataFrame:
    """Each ex-date known to either side, its step by each, and how they stand to each other.

    Args:
        by_actions: Factors of ``factors_from_actions``.
        by_closes: Factors of ``factors_from_previous_closes``.
        bars: ``symbol, trade_date, close_cny``, for the price a rounding is measured against.

    Returns:
        ``symbol, ex_date, step_by_actions, step_by_closes, relation``; relation is ``agree`` (within the
        rounding of the reference price), ``no_price_effect`` (in the list, but the exchange adjusted
        nothing: a gift of the share reform, or an error of the list), ``no_event`` (the exchange
        adjusted, the list does not know why) or ``differs``.
    """
    closes = bars.select("symbol", "trade_date", "close_cny").sort("trade_date")
    both = _steps(by_actions, "step_by_actions").join(
        _steps(by_closes, "step_by_closes"), on=["symbol", "ex_date"], how="full", coalesce=True
    )
    priced = both.sort("ex_date").join_asof(
        closes, left_on="ex_date", right_on="trade_date", by="symbol", check_sortedness=False
    )
    difference = (pl.col("step_by_actions") / pl.col("step_by_closes") - 1).abs()
    tolerance = _HALF_TICK_CNY * (1 + pl.col("step_by_closes")) / pl.col("close_cny")
    relation = (
        pl.when(pl.col("step_by_closes").is_null()).then(pl.lit("no_price_effect"))
        .when(pl.col("step_by_actions").is_null()).then(pl.lit("no_event"))
        .when(difference <= tolerance).then(pl.lit("agree"))
        .otherwise(pl.lit("differs"))
    )  # fmt: skip
    return priced.select("symbol", "ex_date", "step_by_actions", "step_by_closes", relation.alias("relation")).sort(
        "symbol", "ex_date"
    )


def vendor_series_faults(adjusted: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """Rows on which a vendor's return-preserving series cannot be what it says it is.

    Args:
        adjusted: The vendor's ``symbol, trade_date, close_cny``, any anchor.
        own: Our series, the columns of ``marts.adjusted_bars``.

    Returns:
        ``symbol, trade_date, close_cny, fault``: ``not_positive``; ``unadjusted`` (it moves as the raw
        price across an ex-date); ``return_differs`` (a session's return is off by more than rounding to
        a cent explains). A series by the additive method fails here by construction: do not ask for it.
    """
    joined = adjusted.select("symbol", "trade_date", "close_cny").join(
        own.select("symbol", "trade_date", "raw_close_cny", pl.col("close_cny").alias("own_cny")),
        on=["symbol", "trade_date"],
    ).sort("symbol", "trade_date")  # fmt: skip
    vendor, ours, raw = (_growth(name) for name in ("close_cny", "own_cny", "raw_close_cny"))
    before = pl.col("close_cny").shift(1).over("symbol")
    tolerance = _HALF_TICK_CNY * (1 + ours) / before + 1e-6
    is_off = (vendor - ours).abs() > tolerance
    is_raw = (vendor - raw).abs() <= tolerance
    fault = (
        pl.when(pl.col("close_cny") <= 0).then(pl.lit("not_positive"))
        .when(is_off & is_raw).then(pl.lit("unadjusted"))
        .when(is_off).then(pl.lit("return_differs"))
    )  # fmt: skip
    return joined.with_columns(fault.alias("fault")).drop_nulls("fault").select(
        "symbol", "trade_date", "close_cny", "fault"
    )  # fmt: skip


def _growth(name: str) -> pl.Expr:
    return pl.col(name) / pl.col(name).shift(1).over("symbol")


def _steps(factors: pl.DataFrame, name: str) -> pl.DataFrame:
    before = pl.col("backward_factor").shift(1, fill_value=1.0).over("symbol")
    return factors.sort("symbol", "ex_date").select(
        "symbol", "ex_date", (pl.col("backward_factor") / before).alias(name)
    )
