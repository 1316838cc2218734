"""Values as Chinese text: the only place where a fact's number is written out.

Amounts are scaled to 万 and 亿 and rounded to two decimals; the exact value stays in ``Fact.value``.
"""

from __future__ import annotations

from datetime import date

from flows.contracts.units import UNIT_ZH, Unit

_CUMULATIVE = {1: "一季度", 2: "上半年", 3: "前三季度", 4: "全年"}
_SCALED = frozenset({Unit.CNY, Unit.SHARES})
_WHOLE = frozenset({Unit.SESSIONS, Unit.COUNT})


def say(value: float, unit: Unit) -> str:
    """*value* with its unit, e.g. ``12.35亿元``, ``-6.80%``, ``第35名``."""
    if unit in _SCALED:
        return _scaled(value) + UNIT_ZH[unit]
    if unit is Unit.RANK:
        return f"第{value:.0f}名"
    if unit in _WHOLE:
        return f"{value:.0f}{UNIT_ZH[unit]}"
    if unit is Unit.INDEX:
        return f"{value:.2f}"
    return f"{value:.2f}{UNIT_ZH[unit]}"


def _scaled(value: float) -> str:
    size = abs(value)
    if size >= 1e8:
        return f"{value / 1e8:.2f}亿"
    if size >= 1e4:
        return f"{value / 1e4:.2f}万"
    return f"{value:.2f}" if value % 1 else f"{value:.0f}"


def directed(value: float, unit: Unit, up: str, down: str, flat: str = "持平") -> str:
    """A signed value as direction word and size: ``下降6.80%``; nothing left after rounding is ``flat``."""
    if say(abs(value), unit) == say(0.0, unit):
        return f"{flat}（变动{say(0.0, unit)}）"
    return f"{up if value > 0 else down}{say(abs(value), unit)}"


def period_name(report_period: date) -> str:
    """Field name of a reporting period: 2026-09-30 → ``2026Q3``."""
    return f"{report_period.year}Q{(report_period.month + 2) // 3}"


def period_words(report_period: date) -> str:
    """The cumulative period in words: ``2026Q3（前三季度累计）``."""
    quarter = (report_period.month + 2) // 3
    return f"{period_name(report_period)}（{_CUMULATIVE[quarter]}累计）"


def period_end(report_period: date) -> str:
    """The period as a balance date: ``2026Q3期末``."""
    return f"{period_name(report_period)}期末"


def day_words(day: date) -> str:
    """ISO date."""
    return day.isoformat()
