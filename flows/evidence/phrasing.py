"""Values as Chinese text: the only place where a fact's number is written out.

Amounts are scaled to 万 and 亿 and rounded to two decimals; the exact value stays in ``Fact.value``.
"""

from __future__ import annotations

from datetime import date

from flows.contracts.units import UNIT_ZH, Unit

_CUMULATIVE = {1: "年一季度", 2: "年上半年", 3: "年前三季度", 4: "年度"}
_ENDS = {1: "年一季度末", 2: "年上半年末", 3: "年三季度末", 4: "年末"}
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
    return f"{report_period.year}Q{_quarter(report_period)}"


def period_words(report_period: date) -> str:
    """The cumulative period as reports call it: ``2026年前三季度``."""
    return f"{report_period.year}{_CUMULATIVE[_quarter(report_period)]}"


def period_end(report_period: date) -> str:
    """The period as a balance date: ``2026年三季度末``."""
    return f"{report_period.year}{_ENDS[_quarter(report_period)]}"


def quarter_words(report_period: date) -> str:
    """The quarter by itself: ``2026年第三季度单季``."""
    return f"{report_period.year}年第{'一二三四'[_quarter(report_period) - 1]}季度单季"


def _quarter(report_period: date) -> int:
    return (report_period.month + 2) // 3
