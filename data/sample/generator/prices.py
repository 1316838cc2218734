"""Daily bars that respect limits, ex-dates and suspensions, steered towards a multiple.

Written apart from ``flows.market`` on purpose: the sample is an independent witness of its arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from .companies import FIRST, LAST, Action, Company
from .reports import Quarter, latest, shares_on, trailing

_PULL = 0.05


@dataclass(frozen=True)
class Bar:
    """One session; prices in CNY, volume in shares, multiples null where a report is missing."""

    day: date
    open: float
    high: float
    low: float
    close: float
    previous: float
    volume: int
    amount: float
    turn: float | None
    trading: bool
    is_st: bool
    pe: float
    pb: float
    ps: float
    pcf: float
    cap: float


def cents(value: float) -> int:
    """Price in whole cents, half up."""
    return int(Decimal(str(round(value, 6))).scaleb(2).quantize(Decimal(1), ROUND_HALF_UP))


def reference(close: float, action: Action) -> float:
    """Exchange's ex-right reference price, rounded to a cent."""
    raw = (close - action.cash + action.rights * action.rights_price) / (1 + action.bonus + action.rights)
    return cents(raw) / 100


def limits(company: Company, day: date, previous: float, nth: int) -> tuple[int, int] | None:
    """(down, up) limit prices in cents, None while a new listing is free of limits."""
    if nth < (1 if company.board == "bse" else 5) and company.listed >= date(2023, 4, 10):
        return None
    pct = {"main": 10, "star": 20, "chinext": 20, "bse": 30}[company.board]
    if company.board == "main" and _is_st(company, day) and day < date(2026, 7, 6):
        pct = 5
    base = cents(previous)
    return (base * (100 - pct) + 50) // 100, (base * (100 + pct) + 50) // 100


def bars(company: Company, reports: list[Quarter], sessions: list[date], market: dict[date, float]) -> list[Bar]:
    """Every session of the company from the later of its listing and the start."""
    rng = np.random.default_rng([20261127, int(company.code), 2])
    days = [d for d in sessions if max(FIRST, company.listed) <= d <= min(LAST, company.last_bar)]
    close = company.issue_price or _target(company, reports, days[0], days) / shares_on(company, days[0])
    close, rows = cents(close) / 100, []
    actions = {a.ex_date: a for a in company.actions}
    for nth, day in enumerate(days):
        previous = reference(close, actions[day]) if day in actions else close
        if any(start <= day <= end for start, end, _ in company.halts):
            rows.append(_bar(company, reports, day, (previous,) * 4, previous, 0, 0.0))
            continue
        aim = _target(company, reports, day, days) / shares_on(company, day)
        drift = _PULL * math.log(aim / previous) + company.beta * market[day] + company.sigma * rng.normal()
        prices = _prices(company, day, previous, drift, limits(company, day, previous, nth), rng)
        volume, amount = _volume(company, day, prices, previous, rng)
        rows.append(_bar(company, reports, day, prices, previous, volume, amount))
        close = prices[3]
    return rows


def _target(company: Company, reports: list[Quarter], day: date, days: list[date]) -> float:
    points = {date.fromisoformat(k): v for k, v in company.path.items()}
    knots = sorted(points)
    wanted = float(np.interp(day.toordinal(), [k.toordinal() for k in knots], [points[k] for k in knots]))
    if company.multiple == "pb":
        return wanted * latest(reports, day).equity
    flow = trailing(reports, "profit" if company.multiple == "pe" else "revenue", day)
    return wanted * flow


def _prices(company, day, previous, drift, limit, rng) -> tuple[float, float, float, float]:
    shock = company.shocks.get(day.isoformat())
    low, high = limit or (1, 10**9)
    if shock == "up":
        close = high
    elif shock == "down":
        close = low
    else:
        close = cents(previous * (1 + shock / 100 if shock is not None else math.exp(drift)))
    close = min(max(close, low), high)
    if shock in ("up", "down") and rng.random() < 0.4:
        return (close / 100,) * 4
    gap = 0.35 * math.log(close / cents(previous)) + 0.25 * company.sigma * rng.normal()
    first = min(max(cents(previous * math.exp(gap)), low), high)
    top = max(first, close) * math.exp(abs(rng.normal(0, 0.45 * company.sigma)))
    bottom = min(first, close) * math.exp(-abs(rng.normal(0, 0.45 * company.sigma)))
    top, bottom = min(max(int(top), first, close), high), max(min(math.ceil(bottom), first, close), low, 1)
    return first / 100, top / 100, bottom / 100, close / 100


def _volume(company, day, prices, previous, rng) -> tuple[int, float]:
    move = abs(math.log(prices[3] / previous))
    rate = company.turnover * math.exp(rng.normal(0, 0.28)) * (1 + 14 * move)
    shares = int(shares_on(company, day) * company.floating * min(rate, 0.6) / 100) * 100
    first, high, low, close = prices
    mean = (first + high + low + 2 * close) / 5
    return shares, round(shares * min(max(mean, low), high), 2)


def _is_st(company: Company, day: date) -> bool:
    return company.st_from is not None and day >= company.st_from


def _bar(company, reports, day, prices, previous, volume, amount) -> Bar:
    shares = shares_on(company, day)
    cap = prices[3] * shares
    floating = shares * company.floating
    return Bar(
        day, *prices, previous, volume, amount, 100 * volume / floating if volume else None, volume > 0,
        _is_st(company, day), cap / trailing(reports, "profit", day), cap / latest(reports, day).equity,
        cap / trailing(reports, "revenue", day), cap / trailing(reports, "net_cash", day), cap,
    )  # fmt: skip


def factors(rows: list[Bar], company: Company) -> list[tuple[date, float]]:
    """(ex-date, cumulative backward factor) from the exchange's previous closes, as the vendor states them."""
    table, factor, last = [], 1.0, None
    ex_dates = {a.ex_date for a in company.actions}
    for row in rows:
        if last is not None and row.day in ex_dates:
            factor *= last / row.previous
            table.append((row.day, factor))
        last = row.close
    return table


def market_returns(sessions: list[date]) -> dict[date, float]:
    """One market return per session, shared by all companies."""
    rng = np.random.default_rng([20261127, 1])
    return {day: float(rng.normal(0.0001, 0.0085)) for day in sessions}
