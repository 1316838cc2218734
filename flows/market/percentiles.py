"""Where a stock's valuation multiples stand among their own past (PRODUCT M9).

Percentile = 100 × (less + 0.5 × equal) / n over the valid observations in (t - N calendar years, t],
``equal`` counting today's own (mid-rank). An observation is a positive multiple the vendor published for
a session, a suspended one included; null, zero and negative are none, and nothing is filled here. With n
under 60 % of the exchange's sessions in the window, listed or not, the percentile is null and n is shown.
``sql/marts/valuation_percentiles.sql`` says the same in SQL and is the oracle of the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from flows.contracts.marts import MULTIPLES, VALUATION_PERCENTILES, WINDOW_YEARS

_STATUSES = pl.Series(["missing", "loss", "short_window", "ok"])
_ALWAYS = date(1970, 1, 1)

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Windows:
    """Day before each window and the exchange's sessions in it, by window (shortest first) and row."""

    starts: Array
    session_counts: Array


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
    rows = (
        valuations.select("symbol", "trade_date", pl.col(MULTIPLES).cast(pl.Float64).fill_nan(None))
        .filter(pl.col("trade_date").is_in(_opening(sessions).implode()))
        .sort("symbol", "trade_date")
    )
    windows = calendar_windows(sessions, rows["trade_date"], [f"-{years}y" for years in WINDOW_YEARS])
    columns = [c for multiple in MULTIPLES for c in _multiple_columns(rows, multiple, windows, since, threads)]
    filled = rows.select("symbol", "trade_date").hstack(columns)
    wanted = filled if since is None else filled.filter(pl.col("trade_date") >= since)
    return VALUATION_PERCENTILES.conform(wanted.select(VALUATION_PERCENTILES.schema.names()))


def calendar_windows(sessions: Sequence[date], trade_dates: pl.Series, lengths: Sequence[str]) -> Windows:
    """Windows (t - length, t] of each trade date; *lengths* in Polars' words, shortest first, e.g. ``-1y``.

    Looked up per session, not per row: a leap day reaches back to the twenty-eighth.
    """
    days = pl.concat([pl.Series("day", list(sessions), dtype=pl.Date), trade_dates.unique()]).unique().sort()
    numbers, opening = (series.to_physical().to_numpy() for series in (days, _opening(sessions)))
    befores = [days.dt.offset_by(length).to_physical().to_numpy() for length in lengths]
    last = np.searchsorted(opening, numbers, "right")
    counts = [last - np.searchsorted(opening, before, "right") for before in befores]
    at = np.searchsorted(numbers, trade_dates.to_physical().to_numpy())
    return Windows(np.array(befores, np.int32)[:, at], np.array(counts, np.int32)[:, at])


def _opening(sessions: Sequence[date]) -> pl.Series:
    return pl.Series("session", sorted(set(sessions)), dtype=pl.Date)


def _multiple_columns(
    rows: pl.DataFrame, multiple: str, windows: Windows, since: date | None, threads: int
) -> list[pl.Series]:
    levels = rows[multiple].fill_null(np.nan).to_numpy()
    observations, twice_ranks = _counts(rows, levels, windows, since, threads)
    is_long = 5 * observations >= 3 * windows.session_counts
    codes = np.where(np.isnan(levels), 0, np.where(~(levels > 0), 1, np.where(is_long[-1], 3, 2)))
    columns = [rows[multiple], _STATUSES.gather(codes).alias(f"{multiple}_status")]
    for window, years in enumerate(WINDOW_YEARS):
        has_percentile = is_long[window] & (levels > 0)
        percentiles = np.full(len(levels), np.nan)
        np.divide(50.0 * twice_ranks[window], observations[window], out=percentiles, where=has_percentile)
        columns.append(pl.Series(f"{multiple}_pct_{years}y", percentiles).fill_nan(None))
        columns.append(pl.Series(f"{multiple}_obs_{years}y", observations[window]).cast(pl.Int64))
    return columns


def _counts(rows: pl.DataFrame, levels: Array, windows: Windows, since: date | None, threads: int) -> Array:
    from flows.market.percentile_kernel import count_stocks  # noqa: PLC0415 - Numba is slow to import

    days = rows["trade_date"].to_physical().to_numpy()
    first_day = (since - _ALWAYS).days if since else int(days.min(initial=0))
    ranks = levels if since else np.zeros(len(levels), np.int16)
    counts = np.zeros((2, len(WINDOW_YEARS), len(levels)), np.int32)

    def run(offsets: Array) -> None:
        for first, last in pairwise(offsets) if since is None else ():
            ranks[first:last] = dense_ranks(levels[first:last])
        count_stocks(offsets, ranks, days, windows.starts, first_day, counts)

    share(run, stock_offsets(rows["symbol"]), threads)
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


def stock_offsets(symbols: pl.Series) -> Array:
    """First row of each stock in sorted *symbols*, then the number of rows."""
    lengths = symbols.rle().struct.field("len").to_numpy()
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def share(run: Callable[[Array], None], offsets: Array, threads: int) -> None:
    """Call *run* on parts of *offsets* that overlap in one row number, so that each covers its own stocks."""
    stocks = len(offsets) - 1
    if threads <= 1 or stocks <= 1:
        run(offsets)
        return
    bounds = np.linspace(0, stocks, min(4 * threads, stocks) + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, [offsets[first : last + 1] for first, last in pairwise(bounds)]))
