"""Which of two numbers belongs to which of the two things a sentence puts side by side (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

PAIRS = [
    ("两项比率之中，毛利率高于净利率，74.28%与32.48%，2026Q3。", True), ("两项比率之中，毛利率高于净利率，32.48%与74.28%，2026Q3。", False),
    ("2026Q3毛利率高于净利率：74.28%、32.48%，顺序就是先毛利率后净利率。", True), ("2026Q3毛利率高于净利率：32.48%、74.28%。", False),
    ("前者为净利润，后者为营业收入：17.17亿元、52.85亿元，均取自乌有酒业2026Q3。", True),
    ("前者为净利润，后者为营业收入：52.85亿元、17.17亿元，均取自乌有酒业2026Q3。", False),
    ("收盘价高于20日均线——54.49元/股对54.12元，差0.37元。", True), ("收盘价高于20日均线——54.12元/股对54.49元，差0.37元。", False),
    ("2026Q3毛利率低于2025Q3（74.28%对75.97%）。", True), ("2026Q3毛利率低于2025Q3（75.97%对74.28%）。", False),
    ("毛利率低于上年同期（74.28%对75.97%），这一点没有争议。", True), ("毛利率低于上年同期（75.97%对74.28%），这一点没有争议。", False),
    ("毛利率在2026Q3不及上年同期，74.28%对75.97%。", True), ("毛利率在2026Q3不及上年同期，75.97%对74.28%。", False),
]  # fmt: skip

PRONOUNS = [
    ("同一报告期（2026Q3）里，毛利率高于净利率，前者74.28%，后者32.48%。", True),
    ("同一报告期（2026Q3）里，毛利率高于净利率，前者32.48%，后者74.28%。", False),
    ("营收同比和净利润同比的差距为2.25个百分点：前者0.30%，后者-1.96%。", True),
    ("营收同比和净利润同比的差距为2.25个百分点：前者-1.96%，后者0.30%。", False),
    ("2026Q3与2025Q3的毛利率相差1.69个百分点，前者74.28%，后者75.97%。", True),
    ("2026Q3与2025Q3的毛利率相差1.69个百分点，前者75.97%，后者74.28%。", False),
    ("营收与净利润，前者同比增长0.30%，后者同比下降1.96%。", True), ("营收与净利润，前者同比下降1.96%，后者同比增长0.30%。", False),
]  # fmt: skip

AFTER_A_BASE = [
    ("毛利率较上年同期降低1.69个百分点，报74.28%。", True), ("毛利率较上年同期降低1.69个百分点，报75.97%。", False),
    ("营收比上年同期增加0.16亿元，现为52.85亿元，主体是乌有酒业。", True), ("营收比上年同期增加0.16亿元，现为52.70亿元，主体是乌有酒业。", False),
    ("较2025Q3降低1.69个百分点之后，乌有酒业的毛利率为74.28%。", True), ("较2025Q3降低1.69个百分点之后，乌有酒业的毛利率为75.97%。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), PAIRS)
def test_two_numbers_told_together_are_of_the_two_sides_in_order(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), PRONOUNS)
def test_former_and_latter_are_the_things_named_before_them(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), AFTER_A_BASE)
def test_a_level_behind_a_move_is_not_of_what_the_move_starts_from(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
