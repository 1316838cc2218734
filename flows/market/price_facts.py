"""Price facts of every stock and traded session (PRODUCT M10), levels in that session's own terms.

Windows of 5 to 250 count the sessions on which the stock traded: a suspended day gives no row, no return,
and none after it but the return across it. The 52-week (364 days) and three-year windows are calendar
windows (t - length, t]; with bars on fewer than 60 % of the exchange's sessions in them the range is
null, as for valuation percentiles. Formulas that have more than one reading:

* return over N: close ÷ adjusted close N traded sessions before - 1; quantiles interpolate linearly;
  volatility is the sample deviation of 60 returns × √242; up days are returns above zero;
* change: against the exchange's previous close, or where the vendor gives none, against the last
  close re-expressed by the factor; drawdown: against the highest *close*;
* ATR and RSI: Wilder, *New Concepts in Technical Trading Systems* (1978), seeded with the mean of the
  first fourteen true ranges or changes, so the first value stands on the fifteenth bar;
* volume ratio: volume ÷ mean volume of the five traded sessions before, shares as traded.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from flows.contracts.marts import PRICE_FACTS
from flows.market.by_stock import (
    Windows,
    by_stock_and_date,
    calendar_windows,
    in_parts,
    opening_days,
    stock_offsets,
    wanted_offsets,
)
from flows.market.price_limits import with_limits

_WEEKS_52 = "-52w"
_YEARS_3 = "-3y"


def price_facts(
    bars: pl.DataFrame,
    factors: pl.DataFrame,
    instruments: pl.DataFrame,
    sessions: Sequence[date],
    since: date | None = None,
    threads: int = 1,
) -> pl.DataFrame:
    """Price facts of every traded session, or of those from *since* on.

    Args:
        bars: Rows of ``daily_bars``; three years and 250 sessions before *since* are looked back on,
            and Wilder's averages forget what lies before.
        factors: ``symbol, ex_date, backward_factor``.
        instruments: ``symbol, board, listed_date``, one row per symbol.
        sessions: Every session of the exchange from three years before the first row on.
        since: First session wanted.
        threads: Threads to share the stocks among; the result does not depend on it.

    Returns:
        A frame in the schema of ``marts.price_facts``, by symbol and trade date.
    """
    rows = by_stock_and_date(bars.filter(pl.col("is_trading")))
    opening = opening_days(sessions)
    job = partial(_facts, factors=factors, instruments=instruments, opening=opening, since=since)
    return in_parts(rows, job, threads)


def _facts(
    bars: pl.DataFrame,
    factors: pl.DataFrame,
    instruments: pl.DataFrame,
    opening: pl.Series,
    since: date | None,
) -> pl.DataFrame:
    rows = with_limits(_priced(bars, factors, instruments))
    wanted = rows if since is None else rows.filter(pl.col("trade_date") >= since)
    windows = calendar_windows(opening, wanted["trade_date"], (_WEEKS_52, _YEARS_3))
    facts = wanted.select(
        "symbol", "trade_date", "close_cny", "limit_pct",
        (100 * (pl.col("close_cny") / pl.col("reference_cny") - 1)).alias("change_pct"),
    ).hstack(_filled(rows, windows, since))  # fmt: skip
    facts = facts.with_columns(*_known_ranges(windows)).with_columns(*_positions())
    return PRICE_FACTS.conform(facts.select(PRICE_FACTS.schema.names()))


def _priced(bars: pl.DataFrame, factors: pl.DataFrame, instruments: pl.DataFrame) -> pl.DataFrame:
    """Traded bars by symbol and date, with factor, board, listing and the reference price of the session."""
    known = factors.select("symbol", "ex_date", "backward_factor").sort("symbol", "ex_date")
    last = pl.col("close_cny").shift(1).over("symbol")
    last_factor = pl.col("factor").shift(1).over("symbol")
    derived = ((last * last_factor / pl.col("factor")) * 100 + 1e-7).round() / 100
    return (
        bars.join_asof(known, left_on="trade_date", right_on="ex_date", by="symbol", check_sortedness=False)
        .with_columns(pl.col("backward_factor").fill_null(1.0).alias("factor"))
        .join(instruments.select("symbol", "board", "listed_date"), on="symbol", how="left", maintain_order="left")
        .with_columns(pl.coalesce("previous_close_cny", derived).alias("reference_cny"))
    )


def _filled(rows: pl.DataFrame, windows: Windows, since: date | None) -> list[pl.Series]:
    from flows.market import price_kernel as kernel  # noqa: PLC0415 - Numba is slow to import

    columns = ("high_cny", "low_cny", "close_cny", "factor", "volume_shares", "limit_side")
    inputs = np.array([rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in columns])
    days, offsets = rows["trade_date"].to_physical().to_numpy(), stock_offsets(rows["symbol"])
    out = np.full((kernel.OUTPUTS, windows.starts.shape[1]), np.nan)
    kernel.fill_stocks(offsets, wanted_offsets(rows, offsets, since), inputs, days, windows.starts, out)
    return [pl.Series(name, out[row]).fill_nan(None).cast(dtype) for name, row, dtype in _outputs(kernel)]


def _outputs(kernel: Any) -> list[tuple[str, int, pl.DataType]]:
    names = {
        "high_52w_cny": kernel.HIGH_52W, "low_52w_cny": kernel.LOW_52W, "peak_52w_cny": kernel.PEAK_52W,
        "high_3y_cny": kernel.HIGH_3Y, "low_3y_cny": kernel.LOW_3Y,
        "return_5d_pct": kernel.RETURN_5, "return_20d_pct": kernel.RETURN_20, "return_60d_pct": kernel.RETURN_60,
        "daily_return_q05_60d_pct": kernel.Q05, "daily_return_q50_60d_pct": kernel.Q50,
        "daily_return_q95_60d_pct": kernel.Q95, "up_days_60d": kernel.UP_DAYS,
        "volatility_60d_pct": kernel.VOLATILITY, "atr_14_cny": kernel.ATR, "ma_5_cny": kernel.MA_5,
        "ma_20_cny": kernel.MA_20, "ma_60_cny": kernel.MA_60, "ma_250_cny": kernel.MA_250, "rsi_14": kernel.RSI,
        "volume_ratio_5d": kernel.VOLUME_RATIO, "limit_up_days_60d": kernel.LIMIT_UPS,
        "limit_down_days_60d": kernel.LIMIT_DOWNS, "bars_52w": kernel.BARS_52W, "bars_3y": kernel.BARS_3Y,
    }  # fmt: skip
    whole = {"up_days_60d", "limit_up_days_60d", "limit_down_days_60d", "bars_52w", "bars_3y"}
    return [(name, row, pl.Int64() if name in whole else pl.Float64()) for name, row in names.items()]


def _known_ranges(windows: Windows) -> list[pl.Expr]:
    """Null the ranges of windows in which the stock traded on under 60 % of the exchange's sessions."""
    ranges = (
        ("bars_52w", ("high_52w_cny", "low_52w_cny", "peak_52w_cny")),
        ("bars_3y", ("high_3y_cny", "low_3y_cny")),
    )
    return [
        pl.when(5 * pl.col(bars) >= 3 * pl.lit(pl.Series(windows.session_counts[row]))).then(pl.col(name)).alias(name)
        for row, (bars, names) in enumerate(ranges)
        for name in names
    ]


def _positions() -> list[pl.Expr]:
    def position(high: str, low: str) -> pl.Expr:
        spread = pl.col(high) - pl.col(low)
        return pl.when(spread > 0).then(100 * (pl.col("close_cny") - pl.col(low)) / spread)

    return [
        position("high_52w_cny", "low_52w_cny").alias("position_52w_pct"),
        position("high_3y_cny", "low_3y_cny").alias("position_3y_pct"),
        (100 * (pl.col("close_cny") / pl.col("peak_52w_cny") - 1)).alias("drawdown_52w_pct"),
    ]
