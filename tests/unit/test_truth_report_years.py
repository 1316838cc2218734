"""A year that only says where a report lies is that report's period; alone it is the full year (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

ONE_REPORT = [
    ("公司2026年这一期毛利率为74.28%。", True), ("公司2026年这一期毛利率为75.97%。", False),
    ("2026年这期财报，公司营业收入52.85亿元。", True), ("2025年这期财报，公司营业收入52.85亿元。", False),
    ("打开2026年的这张报表，公司净利润写着17.17亿元。", True), ("打开2025年的这张报表，公司净利润写着17.17亿元。", False),
    ("公司最近一期（2026年内）毛利率74.28%，上年同期75.97%，差了1.69个百分点。", True), ("公司最近一期（2026年内）毛利率75.97%，上年同期74.28%，差了1.69个百分点。", False),
    ("公司最近一期财报（报告期在2026年）列示，毛利率为74.28%。", True), ("公司最近一期财报（报告期在2025年）列示，毛利率为74.28%。", False),
    ("报告期属2026年，公司毛利率为74.28%。", True), ("报告期属2025年，公司毛利率为74.28%。", False),
    ("截至2026年最近披露的财报，公司毛利率是74.28%。", True), ("截至2025年最近披露的财报，公司毛利率是74.28%。", False),
    ("2026年里最近一次披露，公司营业收入是52.85亿元。", True), ("2026年里最近一次披露，公司营业收入是52.70亿元。", False),
    ("公司毛利率74.28%，归入2026年度序列。", True), ("公司毛利率74.28%，归入2025年度序列。", False),
    ("2026年这一期毛利率74.28%，2025年同期75.97%。", True), ("2026年这一期毛利率74.28%，2025年同期74.28%。", False),
    ("2026Q3毛利率74.28%，2025年的同一报告期75.97%。", True), ("2026Q3毛利率75.97%，2025年的同一报告期74.28%。", False),
    ("2026年毛利率为74.28%。", False), ("2026年全年毛利率为74.28%。", False),
]  # fmt: skip

BOOKED = [
    ("毛利率（公司，2026Q3，归2026财年）列示为74.28%。", True), ("毛利率（公司，2025Q3，归2025财年）列示为74.28%。", False),
    ("公司在2025Q3（2025会计年度）的毛利率为75.97%。", True), ("公司在2025Q3（2025会计年度）的毛利率为74.28%。", False),
    ("公司2026财年项下，2026Q3营业收入较上年同期增长0.30%。", True), ("公司2026财年项下，2026Q3营业收入较上年同期下降0.30%。", False),
]  # fmt: skip

SAME_REPORT_A_YEAR_BEFORE = [
    ("公司2026Q3营业收入较上一年同一报告期增长0.30%。", True), ("公司2026Q3营业收入较上一年同一报告期增长3.30%。", False),
    ("公司2026Q3毛利率74.28%，上一年同一时期75.97%。", True), ("公司2026Q3毛利率74.28%，上一年同一时期74.28%。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), [*ONE_REPORT, *BOOKED])
def test_a_year_with_words_for_one_report_is_the_report_the_facts_know(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), SAME_REPORT_A_YEAR_BEFORE)
def test_the_same_report_a_year_before_is_the_same_period(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
