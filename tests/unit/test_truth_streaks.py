"""Streaks: of whom, and until when (PRODUCT T2)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from flows.contracts.packs import Dimension, Fact, FactKind
from flows.contracts.units import Unit
from flows.truth.binding import check_text

AS_OF = date(2026, 3, 20)
SERIES = {
    "net_profit_cny": ("归母净利润", Unit.CNY, {"2025Q4": -2.0e8, "2024Q4": 3.0e8, "2023Q4": 2.5e8}),
    "revenue_cny": ("营业收入", Unit.CNY, {"2025Q4": 30e8, "2024Q4": 28e8, "2023Q4": 25e8}),
    "gross_margin_pct": ("毛利率", Unit.PCT, {"2025Q4": 20.0, "2024Q4": 22.0, "2023Q4": 25.0}),
    "margin_balance_cny": ("融资余额", Unit.CNY, {"": 5.0e8}),
}


def _facts() -> list[Fact]:
    values = [(name, *row[:2], period, v) for name, row in SERIES.items() for period, v in row[2].items()]
    return [
        Fact(
            id=f"E{n}", sentence=f"{period}{zh}为{value:.2f}", field=name, value=value, unit=unit, as_of=AS_OF,
            published_at=datetime(2026, 3, 20, tzinfo=UTC), source="样例",
            dimension=Dimension.FUNDAMENTALS, kind=FactKind.DATA, subject="688999.SH", period=period,
        )
        for n, (name, zh, unit, period, value) in enumerate(values, 1)
    ]  # fmt: skip


def holds(text: str) -> bool:
    checks = check_text(
        text, _facts(), cited=None, subject="688999.SH", names={"北辰材料": "688999.SH", "鹿鸣传媒": "600111.SH"}
    )
    return not any(c.verdict.is_failure for c in checks)


STREAKS = [
    ("营业收入连续两年增长，主体为北辰材料。", True), ("营业收入连续两年下滑，主体为北辰材料。", False),
    ("营业收入连续两年增长，主体为鹿鸣传媒。", False), ("连续两年回落的毛利率，是理解北辰材料的一条线索。", True),
    ("连续两年回落的毛利率，是理解鹿鸣传媒的一条线索。", False), ("到2024年，北辰材料毛利率已连续两年回落。", False),
    ("北辰材料的净资产收益率连续三年回落。", False), ("毛利率连续两年回落的公司，鹿鸣传媒算一个。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), STREAKS)
def test_a_streak_is_of_the_company_said_and_ends_in_the_period_said(text: str, is_right: bool) -> None:
    assert holds(text) is is_right
