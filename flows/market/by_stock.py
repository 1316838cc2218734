"""What the whole-market passes share: stocks as row ranges, calendar windows, and work in parts.

A part is what fits in the processor's cache: some sixty stocks of twenty years, or many more of which only
the latest years are read. Parts run side by side; the kernels and Polars both leave the interpreter lock, so
threads are enough.
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

Array = np.ndarray[Any, Any]

_ROWS_PER_PART = 300_000


@dataclass(frozen=True)
class Windows:
    """Day before each window and the exchange's sessions in it, by window and row."""

    starts: Array
    session_counts: Array


def calendar_windows(opening: pl.Series, trade_dates: pl.Series, lengths: Sequence[str]) -> Windows:
    """Windows (t - length, t] of each trade date; *lengths* in Polars' words, e.g. ``-1y``.

    *opening* is of ``opening_days``. Looked up per session, not per row: a leap day reaches back to the
    twenty-eighth.
    """
    days = pl.concat([opening, trade_dates.unique()]).unique().sort()
    numbers, open_numbers = (series.to_physical().to_numpy() for series in (days, opening))
    befores = [days.dt.offset_by(length).to_physical().to_numpy() for length in lengths]
    last = np.searchsorted(open_numbers, numbers, "right")
    counts = [last - np.searchsorted(open_numbers, before, "right") for before in befores]
    at = np.searchsorted(numbers, trade_dates.to_physical().to_numpy())
    return Windows(np.array(befores, np.int32)[:, at], np.array(counts, np.int32)[:, at])


def opening_days(sessions: Sequence[date]) -> pl.Series:
    """*sessions* as an ascending series of distinct dates."""
    return pl.Series("session", sorted(set(sessions)), dtype=pl.Date)


def by_stock_and_date(rows: pl.DataFrame) -> pl.DataFrame:
    """*rows* by symbol and trade date. They come in long sorted runs, of which only a stable sort takes advantage."""
    return rows.sort("symbol", "trade_date", maintain_order=True)


def stock_offsets(symbols: pl.Series) -> Array:
    """First row of each stock in sorted *symbols*, then the number of rows."""
    lengths = symbols.rle().struct.field("len").to_numpy()
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def wanted_offsets(rows: pl.DataFrame, offsets: Array, since: date | None) -> Array:
    """Like *offsets*, counting only the rows from *since* on, which are the last of each stock."""
    if since is None or len(offsets) < 2:
        return offsets
    is_wanted = (rows["trade_date"] >= since).to_numpy()
    counts = np.add.reduceat(is_wanted, offsets[:-1], dtype=np.int64)
    return np.concatenate([[0], np.cumsum(counts)])


def in_parts(rows: pl.DataFrame, job: Callable[[pl.DataFrame], pl.DataFrame], threads: int) -> pl.DataFrame:
    """*job* of every part of *rows* (sorted by symbol), put together in the same order."""
    offsets = stock_offsets(rows["symbol"])
    at_least = np.arange(0, rows.height, _ROWS_PER_PART)
    bounds = np.unique([*offsets[np.searchsorted(offsets, at_least)], rows.height])
    parts = [rows[int(start) : int(end)] for start, end in pairwise(bounds)]
    if len(parts) <= 1:
        return job(rows)
    if threads <= 1:
        return pl.concat(map(job, parts))
    with ThreadPoolExecutor(threads) as pool:
        return pl.concat(pool.map(job, parts))
