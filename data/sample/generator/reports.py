"""Quarterly reports of a company: flows per quarter, cumulative figures, publication days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from .companies import Company

ENDS = ((3, 31), (6, 30), (9, 30), (12, 31))
#: First quarter kept inside; the first one written is a year later so that every change can be stated.
FIRST_YEAR = 2021
#: (earliest, latest) publication day by quarter; the annual report falls into the next year.
WINDOWS = (((4, 18), (4, 29)), ((8, 14), (8, 29)), ((10, 20), (10, 30)), ((3, 22), (4, 17)))


@dataclass(frozen=True)
class Quarter:
    """One report: single-quarter flows and balance figures, CNY."""

    period: date
    notice: date
    revenue: float
    profit: float
    deducted: float
    operating_cash: float
    net_cash: float
    equity: float
    shares: float
    gross: float
    debt: float


def quarters(company: Company, rng: np.random.Generator) -> list[Quarter]:
    """All reports from 2021Q1 to 2026Q3, oldest first."""
    rows: list[Quarter] = []
    base: dict[int, float] = {}
    equity = company.equity
    for year in range(FIRST_YEAR, 2027):
        for index in range(4 if year < 2026 else 3):
            revenue = _revenue(company, year, index, base, rng)
            base[index] = revenue
            profit = revenue * _margin(company, year, index) / 100 * (1 + rng.normal(0, 0.012))
            period = date(year, *ENDS[index])
            equity += profit - _paid(company, rows[-1].period if rows else date(year - 1, 12, 31), period)
            operating = profit_base(profit, revenue) * company.cash_ratio.get(year, company.cash_ratio[2022])
            rows.append(Quarter(
                period, _notice(year, index, rng), _round(revenue), _round(profit),
                _round(profit - abs(profit) * rng.uniform(0.03, 0.11)), _round(operating * (1 + rng.normal(0, 0.05))),
                _round(revenue * rng.normal(0.015, 0.03)), _round(equity), shares_on(company, period),
                round(company.gross.get(year, company.gross[2022]) + rng.normal(0, 0.25), 4),
                round(company.debt.get(year, company.debt[2022]) + rng.normal(0, 0.2), 4),
            ))  # fmt: skip
    return rows


def profit_base(profit: float, revenue: float) -> float:
    """What the cash ratio is applied to: the profit, or a slice of revenue where there is a loss."""
    return profit if profit > 0 else -abs(profit) * 0.6 + 0.01 * revenue


def shares_on(company: Company, day: date) -> float:
    """Total shares on *day*, after every bonus and rights issue up to it."""
    shares = company.shares
    for action in company.actions:
        if action.ex_date <= day:
            shares *= 1 + action.bonus + action.rights
    return round(shares)


def _paid(company: Company, after: date, until: date) -> float:
    total = 0.0
    for action in company.actions:
        if after < action.ex_date <= until:
            before = shares_on(company, action.ex_date - timedelta(days=1))
            total += before * (action.cash - action.rights * action.rights_price)
    return total


def _revenue(company: Company, year: int, index: int, base: dict[int, float], rng: np.random.Generator) -> float:
    if year == FIRST_YEAR:
        return company.revenue * company.season[index] * 4 * (1 + rng.normal(0, 0.01))
    growth = company.growth_2026[index] if year == 2026 else company.growth[year] + rng.normal(0, 1.2)
    return base[index] * (1 + growth / 100)


def _margin(company: Company, year: int, index: int) -> float:
    return company.margin_2026[index] if year == 2026 else company.margin.get(year, company.margin[2022])


def _notice(year: int, index: int, rng: np.random.Generator) -> date:
    (m1, d1), (m2, d2) = WINDOWS[index]
    year += index == 3
    first, last = date(year, m1, d1), date(year, m2, d2)
    return first + timedelta(days=int(rng.integers(0, (last - first).days + 1)))


def _round(value: float) -> float:
    return round(float(value), 2)


def cumulative(rows: list[Quarter], name: str, index: int) -> float:
    """Cumulative flow *name* from the start of the year to report *index*."""
    year = rows[index].period.year
    return round(sum(getattr(r, name) for r in rows[: index + 1] if r.period.year == year), 2)


def trailing(rows: list[Quarter], name: str, day: date) -> float | None:
    """Trailing-twelve-month flow *name* from the reports published on or before *day*."""
    seen = [r for r in rows if r.notice <= day]
    return sum(getattr(r, name) for r in seen[-4:]) if len(seen) >= 4 else None


def latest(rows: list[Quarter], day: date) -> Quarter:
    """The newest report published on or before *day*."""
    return [r for r in rows if r.notice <= day][-1]
