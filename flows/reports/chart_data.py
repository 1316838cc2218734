"""What the pictures of one report are drawn from, read once and frozen with the report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Protocol


class _Connection(Protocol):
    def execute(self, query: str, parameters: object = ...) -> Any: ...


@dataclass(frozen=True)
class Bar:
    """One forward-adjusted candle, CNY per share."""

    trade_date: date
    open_cny: float
    high_cny: float
    low_cny: float
    close_cny: float


@dataclass(frozen=True)
class Mark:
    """Something that happened on a date: an ex-date or a filing."""

    on: date
    label: str


@dataclass(frozen=True)
class PercentilePoint:
    """PE (TTM) and its percentile of one session; None where there is none (loss, short window)."""

    trade_date: date
    pe_ttm: float | None
    percentile: float | None


@dataclass(frozen=True)
class ChartData:
    """Series of one stock up to the report's session, oldest first."""

    bars: tuple[Bar, ...] = ()
    ex_dates: tuple[Mark, ...] = ()
    filings: tuple[Mark, ...] = ()
    percentiles: tuple[PercentilePoint, ...] = ()
    percentile_years: int = 3
    daily_returns_pct: tuple[float, ...] = ()


_BARS = """
select trade_date, open_cny, high_cny, low_cny, close_cny
from marts.adjusted_bars_asof($as_of) where symbol = $symbol and volume_shares > 0
order by trade_date desc limit $sessions
"""
_PERCENTILES = """
select trade_date, pe_ttm, pe_ttm_pct_{years}y from marts.valuation_percentiles
where symbol = $symbol and trade_date between $start and $as_of order by trade_date
"""
_EX_DATES = """
select ex_date from staging.adjust_factors
where symbol = $symbol and ex_date between $start and $as_of order by ex_date
"""
_FILINGS = """
select cast(published_at as date) as on_date, string_agg(title, '；' order by announcement_id) as titles
from staging.announcements where symbol = $symbol and cast(published_at as date) between $start and $as_of
group by on_date order by on_date
"""


def _percentile_series(con: _Connection, keys: dict[str, Any]) -> tuple[int, tuple[PercentilePoint, ...]]:
    for years in (3, 1):
        rows = con.execute(_PERCENTILES.format(years=years), keys).fetchall()
        if any(row[2] is not None for row in rows):
            return years, tuple(PercentilePoint(*row) for row in rows)
    return 3, ()


def read_chart_data(con: _Connection, symbol: str, as_of: date, sessions: int = 250) -> ChartData:
    """Read the last *sessions* candles of *symbol* up to *as_of* and what belongs under them.

    The connection's ``cutoff`` already hides what was published later.
    """
    rows = con.execute(_BARS, {"symbol": symbol, "as_of": as_of, "sessions": sessions}).fetchall()
    bars = tuple(Bar(*row) for row in reversed(rows))
    if not bars:
        return ChartData()
    keys = {"symbol": symbol, "start": bars[0].trade_date, "as_of": as_of}
    years, percentiles = _percentile_series(con, keys)
    closes = [bar.close_cny for bar in bars[-61:]]
    returns = tuple(100 * (new / old - 1) for old, new in pairwise(closes))
    return ChartData(
        bars,
        tuple(Mark(day, "除权除息") for (day,) in con.execute(_EX_DATES, keys).fetchall()),
        tuple(Mark(day, titles) for day, titles in con.execute(_FILINGS, keys).fetchall()),
        percentiles,
        years,
        returns,
    )
