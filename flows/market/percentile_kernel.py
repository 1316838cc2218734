"""The compiled pass behind ``flows.market.percentiles``: every window of one multiple in one walk per stock.

Nothing is sorted per window. A window's rank is a count over the stock's dense ranks, 16 bits each, which
the compiler turns into vector compares: some 2,400 observations in under 0.1 µs. Windows end on the same
day, so each longer one only counts what lies before the shorter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flows.market.compiled import compiled


@compiled
def twice_rank_from_below(ranks: Any, own: Any) -> Any:
    """2 × less + equal. Every step is cast: one 64-bit number in between would undo the vector compares."""
    total = np.int16(0)
    for position in range(len(ranks)):
        below = np.int16(1 if ranks[position] < own else 0)
        total = np.int16(total + below + np.int16(1 if ranks[position] <= own else 0))
    return total


@compiled
def count_stock(ranks: Any, days: Any, window_starts: Any, counts: Any) -> None:
    """Fill *counts* of the last rows of one stock, rows ascending by day; see ``count_stocks``."""
    unwanted = len(ranks) - counts.shape[2]
    observed = np.empty(len(ranks), ranks.dtype)
    observed_days = np.empty(len(ranks), np.int32)
    firsts = np.zeros(window_starts.shape[0], np.int64)
    last = 0
    for row in range(len(ranks)):
        if ranks[row] > 0:
            observed[last] = ranks[row]
            observed_days[last] = days[row]
            last += 1
        wanted = row - unwanted
        if wanted < 0:
            continue
        total, end = np.int64(0), last
        for window in range(len(firsts)):
            first = firsts[window]
            while first < last and observed_days[first] <= window_starts[window, wanted]:
                first += 1
            firsts[window] = first
            total += twice_rank_from_below(observed[first:end], ranks[row])
            end = first
            counts[0, window, wanted] = last - first
            counts[1, window, wanted] = total


@compiled
def count_stocks(offsets: Any, wanted: Any, ranks: Any, days: Any, window_starts: Any, counts: Any) -> None:
    """Observations of each window and twice the row's mid-rank among them.

    Args:
        offsets: Stock *i* has the rows from ``offsets[i]`` to ``offsets[i + 1]``, ascending by day.
        wanted: The same for the rows to fill, the last of each stock; the others are only observed.
        ranks: Dense ranks within the stock from 1, int16, or the levels themselves, which take three
            times as long to count but nothing to prepare; not above 0 where there is no observation,
            and then the second count means nothing.
        days: Day number of each row.
        window_starts: Day before each window, by window (shortest first) and wanted row.
        counts: Output by [observations, twice the mid-rank], window and wanted row.
    """
    for stock in range(len(offsets) - 1):
        a, b = offsets[stock], offsets[stock + 1]
        c, d = wanted[stock], wanted[stock + 1]
        count_stock(ranks[a:b], days[a:b], window_starts[:, c:d], counts[:, :, c:d])
