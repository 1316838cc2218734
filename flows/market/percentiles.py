"""Where a stock's valuation multiples stand among their own past (PRODUCT M9).

Percentile = 100 × (less + 0.5 × equal) / n over the valid observations in (t - N calendar years, t],
``equal`` counting today's own (mid-rank). An observation is a positive multiple the vendor published for
a session, a suspended one included; null, zero and negative are none, and nothing is filled here. With n
under 60 % of the exchange's sessions in the window, listed or not, the percentile is null and n is shown.
``sql/marts/valuation_percentiles.sql`` says the same in SQL and is the oracle of the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import pairwise

import numpy as np
import polars as pl

from flows.contracts.marts import MULTIPLES, VALUATION_PERCENTILES, WINDOW_YEARS
from flows.market.by_stock import (
    Array,
    Windows,
    by_stock_and_date,
    calendar_windows,
    in_parts,
    opening_days,
    stock_offsets,
    wanted_offsets,
)

_STATUSES = pl.Series(["missing", "loss", "short_window", "ok"])


def valuation_percentiles(
    valuations: pl.DataFrame, sessions: Sequence[date], since: date | None = None, threads: int = 1
) -> pl.DataFrame:
    """Percentiles of every stock and session, or of the sessions from *since* on.

    Args:
        valuations: ``symbol, trade_date, pe_ttm, pb, ps_ttm``, one row per stock and session, reaching
            ten years back from *since*. Rows that fall on no session are ignored.
        sessions: Every session of the exchange from ten years before the first row on.
        since: First session wanted.
        threads: Threads to share the stocks among; the result does not depend on it.

    Returns:
        A frame in the schema of ``marts.valuation_percentiles``, by symbol and trade date.
    """
    opening = opening_days(sessions)
    rows = by_stock_and_date(
        valuations.select("symbol", "trade_date", pl.col(MULTIPLES).cast(pl.Float64).fill_nan(None)).filter(
            pl.col("trade_date").is_in(opening.implode())
        )
    )
    return in_parts(rows, partial(_ranked, opening=opening, since=since), threads)


def _ranked(rows: pl.DataFrame, opening: pl.Series, since: date | None) -> pl.DataFrame:
    wanted = rows if since is None else rows.filter(pl.col("trade_date") >= since)
    windows = calendar_windows(opening, wanted["trade_date"], [f"-{years}y" for years in WINDOW_YEARS])
    columns = [
        column
        for multiple in MULTIPLES
        for column in _multiple_columns(wanted[multiple], _counts(rows, multiple, windows, since), windows)
    ]
    filled = wanted.select("symbol", "trade_date").hstack(columns)
    return VALUATION_PERCENTILES.conform(filled.select(VALUATION_PERCENTILES.schema.names()))


def _multiple_columns(published: pl.Series, counts: Array, windows: Windows) -> list[pl.Series]:
    multiple, levels = published.name, published.fill_null(np.nan).to_numpy()
    observations, twice_ranks = counts
    is_long = 5 * observations >= 3 * windows.session_counts
    codes = np.where(np.isnan(levels), 0, np.where(~(levels > 0), 1, np.where(is_long[-1], 3, 2)))
    columns = [published, _STATUSES.gather(codes).alias(f"{multiple}_status")]
    for window, years in enumerate(WINDOW_YEARS):
        has_percentile = is_long[window] & (levels > 0)
        percentiles = np.full(len(levels), np.nan)
        np.divide(50.0 * twice_ranks[window], observations[window], out=percentiles, where=has_percentile)
        columns.append(pl.Series(f"{multiple}_pct_{years}y", percentiles).fill_nan(None))
        columns.append(pl.Series(f"{multiple}_obs_{years}y", observations[window]).cast(pl.Int64))
    return columns


def _counts(rows: pl.DataFrame, multiple: str, windows: Windows, since: date | None) -> Array:
    """Observations, and twice the mid-rank, by window and wanted row."""
    from flows.market.percentile_kernel import count_stocks  # noqa: PLC0415 - Numba is slow to import

    levels, days = rows[multiple].fill_null(np.nan).to_numpy(), rows["trade_date"].to_physical().to_numpy()
    offsets = stock_offsets(rows["symbol"])
    ranks = levels if since else np.zeros(len(levels), np.int16)
    for first, last in pairwise(offsets) if since is None else ():
        ranks[first:last] = dense_ranks(levels[first:last])
    counts = np.zeros((2, *windows.starts.shape), np.int32)
    count_stocks(offsets, wanted_offsets(rows, offsets, since), ranks, days, windows.starts, counts)
    return counts


def dense_ranks(levels: Array) -> Array:
    """Ranks from 1 of the positive *levels*, equal levels sharing one; 0 for the others and NaN."""
    ranks = np.zeros(len(levels), np.int16)
    positive = np.flatnonzero(levels > 0)
    order = positive[np.argsort(levels[positive])]
    ascending = levels[order]
    ranks[order[:1]] = 1
    ranks[order[1:]] = 1 + np.cumsum(ascending[1:] != ascending[:-1])
    return ranks
