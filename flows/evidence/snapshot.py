"""Verified snapshot (PRODUCT M11): the only source of exact market numbers in a debate.

Everything is cut to as-of again here, whatever the caller's connection has cut already. Recent closes
stand on the basis of the last valid bar, the same basis as the price facts of that session.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import cast

from pydantic import BaseModel, ConfigDict

from flows.contracts.marts import MULTIPLES, PRICE_FACTS, WINDOW_YEARS
from flows.errors import NoData
from flows.evidence.reading import Connection, Row, end_of, published, select

RECENT_CLOSES = 20

_PRICE_FIELDS = tuple(name for name in PRICE_FACTS.schema if name not in {"symbol", "trade_date"})


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Bar(_Frozen):
    """Last valid bar, CNY per share, unadjusted level of its own session; volume in shares."""

    open_cny: float
    high_cny: float
    low_cny: float
    close_cny: float
    volume_shares: float
    amount_cny: float | None


class Close(_Frozen):
    """One close, forward-adjusted to the snapshot's last valid bar, CNY per share."""

    trade_date: date
    close_cny: float


class Percentile(_Frozen):
    """Trailing percentile of one window; None where fewer than 60 % of the sessions are valid."""

    years: int
    pct: float | None
    observations: int


class Multiple(_Frozen):
    """One valuation multiple of *trade_date*, its status (ok, loss, missing, short_window), its percentiles."""

    name: str
    trade_date: date
    value: float | None
    status: str
    percentiles: tuple[Percentile, ...]


class Snapshot(_Frozen):
    """Exact market numbers of one stock as of a date.

    Attributes:
        trade_date: Session of the last valid (traded) bar on or before as_of.
        price_facts: Columns of ``marts.price_facts`` of that session; None where not defined.
        multiples: PE, PB and PS (TTM) with percentiles, of the latest row on or before as_of.
        recent_closes: Oldest first, at most 20.
    """

    symbol: str
    as_of: date
    trade_date: date
    published_at: datetime
    bar: Bar
    price_facts: dict[str, float | None]
    multiples: tuple[Multiple, ...]
    recent_closes: tuple[Close, ...]


def read_snapshot(con: Connection, symbol: str, as_of: date, cutoff: datetime | None = None) -> Snapshot:
    """The snapshot of *symbol* as of *as_of*: deterministic, nothing published later.

    *cutoff* narrows further to what was public at that moment (default: the end of *as_of*).
    Raises NoData if no valid bar was public then.
    """
    limit = end_of(as_of) if cutoff is None else min(cutoff, end_of(as_of))
    bars = _bars(con, symbol, as_of, limit)
    if not bars:
        raise NoData(f"{symbol} 在 {as_of} 及以前没有任何有效日线，无法生成行情快照；请先取数（zhengming review）。")
    last = bars[0]
    return Snapshot(
        symbol=symbol,
        as_of=as_of,
        trade_date=last["trade_date"],
        published_at=published("daily_bars", last["trade_date"]),
        bar=_unadjusted(last),
        price_facts=_price_facts(con, symbol, last["trade_date"]),
        multiples=_multiples(con, symbol, as_of, limit),
        recent_closes=_closes(bars),
    )


def _bars(con: Connection, symbol: str, as_of: date, limit: datetime) -> list[Row]:
    """Latest traded bars, newest first; a suspended day's flat bar is none."""
    rows = select(
        con,
        "select * from marts.adjusted_bars_asof($as_of) where symbol = $symbol "
        f"and volume_shares > 0 order by trade_date desc limit {RECENT_CLOSES + 1}",
        {"symbol": symbol, "as_of": as_of},
    )
    return [row for row in rows if published("daily_bars", row["trade_date"]) <= limit][:RECENT_CLOSES]


def _unadjusted(row: Row) -> Bar:
    scale = row["raw_close_cny"] / row["close_cny"]
    levels = {name: _cents(row[name] * scale) for name in ("open_cny", "high_cny", "low_cny")}
    return Bar(
        **levels,
        close_cny=row["raw_close_cny"],
        volume_shares=row["volume_shares"],
        amount_cny=row["amount_cny"],
    )


def _cents(price: float) -> float:
    """Undo the floating error of factor and inverse factor: exchange prices have two decimals."""
    return round(price, 2) if abs(price - round(price, 2)) < 1e-6 * max(price, 1.0) else price


def _closes(bars: list[Row]) -> tuple[Close, ...]:
    anchor = bars[0]["forward_factor"]
    return tuple(
        Close(trade_date=row["trade_date"], close_cny=row["raw_close_cny"] * row["forward_factor"] / anchor)
        for row in reversed(bars)
    )


def _price_facts(con: Connection, symbol: str, trade_date: date) -> dict[str, float | None]:
    rows = select(
        con,
        "select * from marts.price_facts where symbol = $symbol and trade_date = $day",
        {"symbol": symbol, "day": trade_date},
    )
    if not rows:
        return {}
    return {name: _number(rows[0][name]) for name in _PRICE_FIELDS}


def _multiples(con: Connection, symbol: str, as_of: date, limit: datetime) -> tuple[Multiple, ...]:
    rows = select(
        con,
        "select * from marts.valuation_percentiles where symbol = $symbol and trade_date <= $as_of "
        "order by trade_date desc limit 5",
        {"symbol": symbol, "as_of": as_of},
    )
    row = next((row for row in rows if published("valuations", row["trade_date"]) <= limit), None)
    return () if row is None else tuple(_multiple(row, name) for name in MULTIPLES)


def _multiple(row: Row, name: str) -> Multiple:
    windows = tuple(
        Percentile(
            years=years,
            pct=_number(row[f"{name}_pct_{years}y"]),
            observations=row[f"{name}_obs_{years}y"],
        )
        for years in WINDOW_YEARS
    )
    return Multiple(
        name=name,
        trade_date=row["trade_date"],
        value=_number(row[name]),
        status=row[f"{name}_status"],
        percentiles=windows,
    )


def _number(value: object) -> float | None:
    return None if value is None else float(cast(float, value))
