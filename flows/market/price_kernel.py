"""The compiled pass behind ``flows.market.price_facts``: one walk over each stock's traded bars.

Every number but Wilder's two depends on nothing outside its own window, so a session computed alone
equals the same session of a full build. Levels are a bar's own price × (its factor ÷ the session's
factor): without an ex-date in between that is the price itself, to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flows.market.compiled import compiled, compiled_freely

#: Rows of the output.
(
    HIGH_52W, LOW_52W, PEAK_52W, HIGH_3Y, LOW_3Y, RETURN_5, RETURN_20, RETURN_60, Q05, Q50, Q95, UP_DAYS,
    VOLATILITY, ATR, MA_5, MA_20, MA_60, MA_250, RSI, VOLUME_RATIO, LIMIT_UPS, LIMIT_DOWNS, BARS_52W, BARS_3Y,
) = range(24)  # fmt: skip
OUTPUTS = 24

#: Rows of the input.
HIGH, LOW, CLOSE, FACTOR, VOLUME, LIMIT = range(6)

#: Output and sessions of each return and each mean; output, price, window and sign of each extreme. Loops over
#: tables, not lists of calls: every call site is compiled anew, and compiling is most of a first run.
RETURNS = ((RETURN_5, 5), (RETURN_20, 20), (RETURN_60, 60))
MEANS = ((MA_5, 5), (MA_20, 20), (MA_60, 60), (MA_250, 250))
EXTREMES = (
    (HIGH_52W, HIGH, 0, 1), (LOW_52W, LOW, 0, -1), (PEAK_52W, CLOSE, 0, 1), (HIGH_3Y, HIGH, 1, 1), (LOW_3Y, LOW, 1, -1),
)  # fmt: skip

WILDER = 14
DISTRIBUTION = 60
VOLUME_SESSIONS = 5
SESSIONS_PER_YEAR = 242


@compiled
def extreme(prices: Any, factors: Any, days: Any, starts: Any, sign: int, out: Any) -> None:
    """Highest (sign 1) or lowest (sign -1) price after ``starts[wanted]``, in the wanted row's own terms."""
    rows = len(prices)
    queue = np.empty(rows, np.int64)
    levels = np.empty(rows, np.float64)
    head, tail = 0, 0
    for row in range(rows):
        level = sign * prices[row] * factors[row]
        while tail > head and levels[tail - 1] <= level:
            tail -= 1
        queue[tail] = row
        levels[tail] = level
        tail += 1
        wanted = row - rows + len(out)
        if wanted >= 0:
            while days[queue[head]] <= starts[wanted]:
                head += 1
            best = queue[head]
            out[wanted] = prices[best] * (factors[best] / factors[row])


@compiled
def bars_inside(days: Any, starts: Any, out: Any) -> None:
    """Traded bars after ``starts[wanted]`` up to each wanted row."""
    first = 0
    for row in range(len(days) - len(out), len(days)):
        wanted = row - len(days) + len(out)
        while days[first] <= starts[wanted]:
            first += 1
        out[wanted] = row + 1 - first


@compiled_freely
def total(values: Any) -> Any:
    """Sum in an order of the compiler's choice, the same for every window of one length."""
    result = 0.0
    for position in range(len(values)):
        result += values[position]
    return result


@compiled_freely
def squared_deviations(values: Any, mean: float) -> Any:
    """Sum of the squared deviations from *mean*, in an order of the compiler's choice."""
    result = 0.0
    for position in range(len(values)):
        result += (values[position] - mean) * (values[position] - mean)
    return result


@compiled
def session_return(close: Any, factors: Any, row: int, back: int) -> Any:
    """Return over *back* traded sessions up to *row*, percent; NaN if there are not as many."""
    if row < back:
        return np.nan
    before = row - back
    return 100.0 * (close[row] / close[before] * (factors[row] / factors[before]) - 1.0)


@compiled
def mean_close(levels: Any, factors: Any, row: int, length: int) -> Any:
    """Mean of *length* closes × factor in the row's own terms; NaN if there are not as many."""
    if row + 1 < length:
        return np.nan
    return total(levels[row + 1 - length : row + 1]) / length / factors[row]


@compiled
def quantile(ascending: Any, share: float) -> Any:
    """Linear interpolation between order statistics, position share × (n - 1)."""
    position = share * (len(ascending) - 1)
    below = int(position)
    above = min(below + 1, len(ascending) - 1)
    return ascending[below] + (ascending[above] - ascending[below]) * (position - below)


@compiled
def sink(ascending: Any, at: int, value: float) -> None:
    """Put *value* in the free place *at* of *ascending* and move it to where it belongs."""
    while at + 1 < len(ascending) and ascending[at + 1] < value:
        ascending[at] = ascending[at + 1]
        at += 1
    while at > 0 and ascending[at - 1] > value:
        ascending[at] = ascending[at - 1]
        at -= 1
    ascending[at] = value


@compiled
def slide(ascending: Any, old: float, new: float) -> None:
    """Replace *old* by *new* in *ascending*, keeping its order."""
    at = 0
    while ascending[at] < old:
        at += 1
    sink(ascending, at, new)


@compiled
def distribution(returns: Any, ascending: Any, wanted: int, out: Any) -> None:
    """Quantiles, up days and volatility of *returns*, the last sixty; *ascending* are the same, sorted."""
    out[Q05, wanted] = quantile(ascending, 0.05)
    out[Q50, wanted] = quantile(ascending, 0.50)
    out[Q95, wanted] = quantile(ascending, 0.95)
    variance = squared_deviations(returns, total(returns) / len(returns)) / (len(returns) - 1)
    out[VOLATILITY, wanted] = np.sqrt(variance * SESSIONS_PER_YEAR)
    ups = len(ascending)
    while ups > 0 and ascending[len(ascending) - ups] <= 0:
        ups -= 1
    out[UP_DAYS, wanted] = ups


@compiled
def distributions(bars: Any, out: Any) -> None:
    """``distribution`` of every wanted row that has sixty returns."""
    close, factors = bars[CLOSE], bars[FACTOR]
    unwanted = len(close) - out.shape[1]
    first = max(unwanted, DISTRIBUTION)
    start = first - DISTRIBUTION + 1
    returns = np.empty(max(len(close) - start, 0), np.float64)
    for row in range(start, len(close)):
        returns[row - start] = session_return(close, factors, row, 1)
    ascending = returns[:DISTRIBUTION].copy()
    for at in range(1, len(ascending)):
        sink(ascending[: at + 1], at, ascending[at])
    for row in range(first, len(close)):
        end = row + 1 - start
        if row > first:
            slide(ascending, returns[end - DISTRIBUTION - 1], returns[end - 1])
        distribution(returns[end - DISTRIBUTION : end], ascending, row - unwanted, out)


@compiled
def volume_ratio(volume: Any, row: int) -> Any:
    """Volume ÷ mean volume of the five traded sessions before; NaN if there are not as many."""
    if row < VOLUME_SESSIONS:
        return np.nan
    before = 0.0
    for position in range(row - VOLUME_SESSIONS, row):
        before += volume[position]
    return VOLUME_SESSIONS * volume[row] / before if before > 0 else np.nan


@compiled
def limit_days(limit: Any, out: Any) -> None:
    """Closes at either limit among the last sixty of each wanted row; NaN if one is unknown or missing."""
    ups, downs, unknown = 0, 0, 0
    unwanted = len(limit) - out.shape[1]
    start = max(unwanted + 1 - DISTRIBUTION, 0)
    for row in range(start, len(limit)):
        ups += limit[row] > 0
        downs += limit[row] < 0
        unknown += np.isnan(limit[row])
        gone = row - DISTRIBUTION
        if gone >= start:
            ups -= limit[gone] > 0
            downs -= limit[gone] < 0
            unknown -= np.isnan(limit[gone])
        if row >= unwanted and row + 1 >= DISTRIBUTION and unknown == 0:
            out[LIMIT_UPS, row - unwanted] = ups
            out[LIMIT_DOWNS, row - unwanted] = downs


@compiled
def wilder(bars: Any, out: Any) -> None:
    """ATR(14) and RSI(14): seeded with the plain mean of the first fourteen, then (13 × last + new) / 14.

    The first bar has neither a true range nor a change, so both start on the fifteenth. An RSI of a
    stock that has not moved at all is unknown.
    """
    true_range, gain, loss = 0.0, 0.0, 0.0
    unwanted = bars.shape[1] - out.shape[1]
    for row in range(1, bars.shape[1]):
        scale = bars[FACTOR, row]
        before = bars[CLOSE, row - 1] * bars[FACTOR, row - 1]
        change = bars[CLOSE, row] * scale - before
        spread = max(bars[HIGH, row] * scale, before) - min(bars[LOW, row] * scale, before)
        if row <= WILDER:
            true_range += spread / WILDER
            gain += max(change, 0.0) / WILDER
            loss += max(-change, 0.0) / WILDER
        else:
            true_range += (spread - true_range) / WILDER
            gain += (max(change, 0.0) - gain) / WILDER
            loss += (max(-change, 0.0) - loss) / WILDER
        if row >= max(WILDER, unwanted):
            out[ATR, row - unwanted] = true_range / scale
            if gain + loss > 0:
                out[RSI, row - unwanted] = 100.0 * gain / (gain + loss)


@compiled
def windows_of(bars: Any, out: Any) -> None:
    """Everything that looks back a few traded sessions, of every wanted row."""
    close, factors = bars[CLOSE], bars[FACTOR]
    levels = np.empty(len(close), np.float64)
    for row in range(len(close)):
        levels[row] = close[row] * factors[row]
    for wanted in range(out.shape[1]):
        row = len(close) - out.shape[1] + wanted
        for number in range(len(RETURNS)):
            out[RETURNS[number][0], wanted] = session_return(close, factors, row, RETURNS[number][1])
        for number in range(len(MEANS)):
            out[MEANS[number][0], wanted] = mean_close(levels, factors, row, MEANS[number][1])
        out[VOLUME_RATIO, wanted] = volume_ratio(bars[VOLUME], row)


@compiled
def fill_stocks(offsets: Any, wanted: Any, bars: Any, days: Any, window_starts: Any, out: Any) -> None:
    """Fill the output (``OUTPUTS`` × wanted rows, NaN where unknown) for each stock.

    Args:
        offsets: Stock *i* has the rows from ``offsets[i]`` to ``offsets[i + 1]``, ascending by day.
        wanted: The same for the rows to fill, the last of each stock; the others are only looked back on.
        bars: Inputs by row of the list above; LIMIT is 1 at the upper limit, -1 at the lower, NaN unknown.
        days: Day number of each row.
        window_starts: Day before the 52-week and the three-year window of each wanted row.
        out: The output.
    """
    for stock in range(len(offsets) - 1):
        a, b = offsets[stock], offsets[stock + 1]
        c, d = wanted[stock], wanted[stock + 1]
        own, filled = bars[:, a:b], out[:, c:d]
        for number in range(len(EXTREMES)):
            output, price, window, sign = EXTREMES[number]
            extreme(own[price], own[FACTOR], days[a:b], window_starts[window, c:d], sign, filled[output])
        for window in range(2):
            bars_inside(days[a:b], window_starts[window, c:d], filled[BARS_52W + window])
        wilder(own, filled)
        windows_of(own, filled)
        distributions(own, filled)
        limit_days(own[LIMIT], filled)
