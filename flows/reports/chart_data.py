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
    """Percentile of a valuation multiple on one session; None where there is none (loss, short window)."""

    trade_date: date
    percentile: float | None


@dataclass(frozen=True)
class ChartData:
    """Series of one stock up to the report's session, oldest first."""

    bars: tuple[Bar, ...] = ()
    ex_dates: tuple[Mark, ...] = ()
    filings: tuple[Mark, ...] = ()
    percentiles: tuple[PercentilePoint, ...] = ()
    percentile_of: str = "市盈率(TTM)近3年"
    daily_returns_pct: tuple[float, ...] = ()


_BARS = """
select trade_date, open_cny, high_cny, low_cny, close_cny
from marts.adjusted_bars_asof($as_of) where symbol = $symbol and volume_shares > 0
order by trade_date desc limit $sessions
"""
_PERCENTILES = """
select trade_date, {multiple}_pct_{years}y from marts.valuation_percentiles
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


#: Shown in this order of preference: a loss-maker has no PE percentile, but its book value has one.
_MULTIPLES = (("pe_ttm", "市盈率(TTM)"), ("pb", "市净率"))


def _percentile_series(con: _Connection, keys: dict[str, Any]) -> tuple[str, tuple[PercentilePoint, ...]]:
    for multiple, name in _MULTIPLES:
        for years in (3, 1):
            rows = con.execute(_PERCENTILES.format(multiple=multiple, years=years), keys).fetchall()
            if any(percentile is not None for _, percentile in rows):
                return f"{name}近{years}年", tuple(PercentilePoint(*row) for row in rows)
    return ChartData.percentile_of, ()


def read_chart_data(con: _Connection, symbol: str, as_of: date, sessions: int = 250) -> ChartData:
    """Read the last *sessions* candles of *symbol* up to *as_of* and what belongs under them.

    The connection's ``cutoff`` already hides what was published later.
    """
    rows = con.execute(_BARS, {"symbol": symbol, "as_of": as_of, "sessions": sessions}).fetchall()
    bars = tuple(Bar(*row) for row in reversed(rows))
    if not bars:
        return ChartData()
    keys = {"symbol": symbol, "start": bars[0].trade_date, "as_of": as_of}
    percentile_of, percentiles = _percentile_series(con, keys)
    closes = [bar.close_cny for bar in bars[-61:]]
    returns = tuple(100 * (new / old - 1) for old, new in pairwise(closes))
    return ChartData(
        bars,
        tuple(Mark(day, "除权除息") for (day,) in con.execute(_EX_DATES, keys).fetchall()),
        tuple(Mark(day, titles) for day, titles in con.execute(_FILINGS, keys).fetchall()),
        percentiles,
        percentile_of,
        returns,
    )
