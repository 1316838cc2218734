"""What the other generators quote: a company with its reports and bars, and numbers in Chinese words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from .companies import Company
from .prices import Bar
from .reports import Quarter, cumulative


@dataclass(frozen=True)
class World:
    """One company with everything drawn for it."""

    company: Company
    reports: list[Quarter]
    bars: list[Bar]

    def report(self, period: date) -> int:
        """Index of the report of *period*."""
        return next(i for i, r in enumerate(self.reports) if r.period == period)

    def flow(self, name: str, period: date) -> float:
        """Cumulative flow of *period*, CNY."""
        return cumulative(self.reports, name, self.report(period))

    def growth(self, name: str, period: date) -> float:
        """Change of the cumulative flow against the year before, percent of the absolute base."""
        base = self.flow(name, period.replace(year=period.year - 1))
        return 100 * (self.flow(name, period) - base) / abs(base)

    def bar(self, day: date) -> Bar:
        """The last bar on or before *day*."""
        return [b for b in self.bars if b.day <= day][-1]


    def profit_change(self, period: date) -> str:
        """The change of net profit in words: a loss narrows or widens, it does not grow."""
        now, before = self.flow("profit", period), self.flow("profit", period.replace(year=period.year - 1))
        percent = self.growth("profit", period)
        if now < 0 and before < 0:
            return f"亏损{'收窄' if percent >= 0 else '扩大'}{abs(percent):.2f}%"
        if now < 0 or before < 0:
            return "扭亏为盈" if now > 0 else "由盈转亏"
        return f"同比{moved(percent)}"


def yi(value: float) -> str:
    """CNY as 亿元 from one 亿 on, else 万元, two decimals."""
    return f"{value / 1e8:.2f}亿元" if abs(value) >= 1e8 else f"{value / 1e4:.2f}万元"


def moved(percent: float) -> str:
    """增长12.34% or 下降12.34%."""
    return f"{'增长' if percent >= 0 else '下降'}{abs(percent):.2f}%"
