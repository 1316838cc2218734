"""Prices across ex-dates (PRODUCT M8): factors, forward adjustment for any day, old levels re-expressed.

Two methods live side by side and never agree. The canonical one is return-preserving: raw × backward
factor ÷ factor in force at as-of. The vendors' other one (East Money, Tencent, TDX) takes money off:
over each later event p = (p - cash + rights × price) / (1 + bonus + rights); it is here so that a number
on a user's screen can be reproduced. Neither looks ahead: an ex-date after as-of changes nothing.

A factor follows the exchange's previous close, not the list of events: a gift of the share reform stands
in event lists and adjusted no price. ``sql/marts/*_asof.sql`` say the same in SQL; tests hold them equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

import polars as pl

from flows.contracts.marts import ADJUSTED_BARS

Rounding = Literal["once", "each_event"]

PRICES = ("open_cny", "high_cny", "low_cny", "close_cny")
FACTOR_COLUMNS = ("symbol", "ex_date", "backward_factor")

#: Keeps a price that is a tie in decimals (10.475) a tie in binary; far below any price step.
_TIE = 1e-9


def factors_from_previous_closes(bars: pl.DataFrame) -> pl.DataFrame:
    """Backward factors from the exchange's own reference prices.

    A step is the last close before a session ÷ the exchange's previous close on it, wherever the two
    differ. A suspended row is not traded: what it hands on is its previous close, so that neither a
    flat price nor a vendor's slip on such a day becomes a step.

    Args:
        bars: ``symbol, trade_date, close_cny, previous_close_cny, is_trading``, unadjusted.

    Returns:
        ``symbol, ex_date, backward_factor``, one row per step.

    Raises:
        ValueError: A previous close after the first bar is unknown; then the factor is, too.
    """
    ordered = bars.sort("symbol", "trade_date").with_columns(_handed_on().shift(1).over("symbol").alias("last"))
    unknown = ordered.filter(pl.col("last").is_not_null() & pl.col("previous_close_cny").is_null())
    if not unknown.is_empty():
        raise ValueError(f"previous close unknown: {unknown.select('symbol', 'trade_date').rows()[:3]}")
    steps = ordered.filter((pl.col("last") - pl.col("previous_close_cny")).abs() > _TIE).select(
        "symbol", pl.col("trade_date").alias("ex_date"), (pl.col("last") / pl.col("previous_close_cny")).alias("step")
    )
    return _cumulative(steps)


def factors_from_actions(actions: pl.DataFrame, bars: pl.DataFrame, tick: float = 0.01) -> pl.DataFrame:
    """Backward factors from corporate actions, for comparison and where no exchange close is known.

    Step = last close before the ex-date ÷ ((close - cash + rights × price) / (1 + bonus + rights)), the
    reference price rounded half up to *tick* as the exchange does. An event before the first bar, or a
    rights issue without a price, has no known step and is left out.

    Args:
        actions: Rows of ``corporate_actions``.
        bars: ``symbol, trade_date, close_cny``, unadjusted.
        tick: Price step of the exchange, CNY.
    """
    closes = bars.select("symbol", "trade_date", "close_cny").sort("trade_date")
    eves = actions.sort("ex_date").join_asof(
        closes, left_on="ex_date", right_on="trade_date", by="symbol",
        allow_exact_matches=False, check_sortedness=False,
    )  # fmt: skip
    reference = ((pl.col("close_cny") * pl.col("slope") + pl.col("shift")) / tick + _TIE + 0.5).floor() * tick
    steps = (
        eves.with_columns(*_slope_and_shift())
        .select("symbol", "ex_date", (pl.col("close_cny") / reference.round(10)).alias("step"))
        .drop_nulls()
    )
    return _cumulative(steps.sort("symbol", "ex_date"))


def forward_adjusted(bars: pl.DataFrame, factors: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """Bars up to *as_of* in *as_of*'s terms, return-preserving; the schema of ``marts.adjusted_bars``.

    Args:
        bars: Rows of ``daily_bars``; days without trading are left out.
        factors: ``symbol, ex_date, backward_factor``; the anchor comes from here, not from the bars.
        as_of: Exchange date.
    """
    known = factors.filter(pl.col("ex_date") <= as_of).select(FACTOR_COLUMNS)
    anchors = known.sort("ex_date").group_by("symbol").agg(pl.col("backward_factor").last().alias("anchor"))
    factor = pl.col("backward_factor").fill_null(1.0) / pl.col("anchor").fill_null(1.0)
    joined = (
        _traded(bars, as_of)
        .join_asof(
            known.sort("symbol", "ex_date"),
            left_on="trade_date",
            right_on="ex_date",
            by="symbol",
            check_sortedness=False,
        )
        .join(anchors, on="symbol", how="left", maintain_order="left")
        .with_columns(factor.alias("forward_factor"), pl.col("close_cny").alias("raw_close_cny"))
        .with_columns(pl.col(PRICES) * pl.col("forward_factor"))
    )
    return ADJUSTED_BARS.conform(joined.select(ADJUSTED_BARS.schema.names()))


def additively_adjusted(
    bars: pl.DataFrame, actions: pl.DataFrame, as_of: date, rounding: Rounding = "once"
) -> pl.DataFrame:
    """Bars up to *as_of* by the vendors' additive method, in cents rounded half up.

    Args:
        bars: Rows of ``daily_bars``; days without trading are left out.
        actions: Rows of ``corporate_actions``.
        as_of: Exchange date.
        rounding: East Money rounds ``once``, at the end; TDX also to four decimals after ``each_event``.

    Returns:
        ``symbol, trade_date``, the four prices, ``raw_close_cny, volume_shares, amount_cny`` and
        ``is_positive``: false where the method took a price to zero or below (such prices are no prices).
        Prices are null where a rights price is unknown.
    """
    events = actions.filter(pl.col("ex_date") <= as_of).with_columns(*_slope_and_shift()).sort("symbol", "ex_date")
    traded = _traded(bars, as_of).with_columns(pl.col("close_cny").alias("raw_close_cny"))
    moved = _moved_at_once(traded, events) if rounding == "once" else _moved_event_by_event(traded, events)
    cents = [(pl.col(name) * 100 + 100 * _TIE + 0.5).floor().truediv(100).round(2).alias(name) for name in PRICES]
    return (
        moved.with_columns(*cents)
        .with_columns((pl.col("low_cny") > 0).alias("is_positive"))
        .select("symbol", "trade_date", *PRICES, "raw_close_cny", "volume_shares", "amount_cny", "is_positive")
    )


def _moved_at_once(bars: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    """The events after a bar composed to one slope and one shift."""
    later = pl.col("slope").cum_prod(reverse=True).over("symbol")
    composed = events.select(
        "symbol",
        "ex_date",
        later.alias("slope"),
        (pl.col("shift") * (later / pl.col("slope"))).alias("shift"),
    ).with_columns(_sum_from_here("shift").alias("shift"))
    joined = bars.join_asof(
        composed.sort("symbol", "ex_date"), left_on="trade_date", right_on="ex_date", by="symbol",
        strategy="forward", allow_exact_matches=False, check_sortedness=False,
    )  # fmt: skip
    has_event = pl.col("slope").is_not_null()
    return joined.with_columns(
        pl.when(has_event).then(pl.col(name) * pl.col("slope") + pl.col("shift")).otherwise(name).alias(name)
        for name in PRICES
    )


def _moved_event_by_event(bars: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    numbered = events.with_columns(pl.int_range(pl.len()).over("symbol").alias("event_no"))
    for number in numbered["event_no"].unique().sort():
        event = numbered.filter(pl.col("event_no") == number).select("symbol", "ex_date", "slope", "shift")
        joined = bars.join(event, on="symbol", how="left", maintain_order="left")
        is_before = (pl.col("trade_date") < pl.col("ex_date")).fill_null(False)
        bars = joined.with_columns(
            pl.when(is_before)
            .then((pl.col(name) * pl.col("slope") + pl.col("shift")).round(4))
            .otherwise(name)
            .alias(name)
            for name in PRICES
        ).drop("ex_date", "slope", "shift")
    return bars


@dataclass(frozen=True)
class Reexpressed:
    """A level quoted in an earlier day's terms, and what it is in a later day's."""

    old_cny: float
    new_cny: float
    factor: float
    ex_dates: tuple[date, ...]


def reexpressed(level_cny: float, factors: pl.DataFrame, quoted_as_of: date, as_of: date) -> Reexpressed:
    """*level_cny*, forward-adjusted as of *quoted_as_of*, in the terms of *as_of* (one stock's *factors*).

    A report of last month speaks of prices before an ex-date; the same level is new = old × factor. With
    no ex-date in between the factor is exactly 1.
    """
    if as_of < quoted_as_of:
        raise ValueError(f"as_of {as_of} lies before the day the level was quoted, {quoted_as_of}")
    between = factors.filter((pl.col("ex_date") > quoted_as_of) & (pl.col("ex_date") <= as_of)).sort("ex_date")
    if between.is_empty():
        return Reexpressed(level_cny, level_cny, 1.0, ())
    before = factors.filter(pl.col("ex_date") <= quoted_as_of).sort("ex_date")["backward_factor"]
    factor = (before[-1] if len(before) else 1.0) / between["backward_factor"][-1]
    return Reexpressed(level_cny, level_cny * factor, factor, tuple(between["ex_date"]))


def _traded(bars: pl.DataFrame, as_of: date) -> pl.DataFrame:
    return bars.filter(pl.col("is_trading") & (pl.col("trade_date") <= as_of)).sort("symbol", "trade_date")


def _handed_on() -> pl.Expr:
    return pl.when("is_trading").then("close_cny").otherwise(pl.coalesce("previous_close_cny", "close_cny"))


def _slope_and_shift() -> tuple[pl.Expr, pl.Expr]:
    """Each event as price × slope + shift; the shift is null where a rights price is unknown."""
    shares = 1 + pl.col("bonus_ratio") + pl.col("rights_ratio")
    rights = (
        pl.when(pl.col("rights_ratio") == 0).then(0.0).otherwise(pl.col("rights_ratio") * pl.col("rights_price_cny"))
    )
    return (1 / shares).alias("slope"), ((rights - pl.col("cash_cny")) / shares).alias("shift")


def _sum_from_here(name: str) -> pl.Expr:
    """Sum over this and later events of the stock; null from the first unknown one back."""
    total = pl.col(name).cum_sum(reverse=True).over("symbol")
    unknown = pl.col(name).is_null().cum_sum(reverse=True).over("symbol")
    return pl.when(unknown == 0).then(total)


def _cumulative(steps: pl.DataFrame) -> pl.DataFrame:
    return steps.select("symbol", "ex_date", pl.col("step").cum_prod().over("symbol").alias("backward_factor"))
