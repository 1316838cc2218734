"""Where the period of a number stands: in brackets behind it, behind a move, in the sentence that names its source."""

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "毛利率：74.28%（2026年三季报）；净利率：32.48%（同期）。",
            "毛利率：75.97%（2025年三季报）；净利率：32.48%（同期）。",
        ),
        (
            "公司2026年三季报毛利率低于上年同期，两期分别为74.28%（本期）和75.97%（上年同期）。",
            "公司2026年三季报毛利率低于上年同期，两期分别为75.97%（本期）和74.28%（上年同期）。",
        ),
        (
            "毛利率比上年同期下降1.69个百分点至74.28%，这是公司2026年三季报的情况。",
            "毛利率比上年同期下降1.69个百分点至75.97%，这是公司2026年三季报的情况。",
        ),
        (
            "先说毛利率，74.28%；再说净利率，32.48%。两个数都取自2026年三季报。",
            "先说毛利率，74.28%；再说净利率，32.48%。两个数都取自2025年三季报。",
        ),
        (
            "2025年三季报的时候公司毛利率还是75.97%，到2026年三季报这一栏已写成74.28%。",
            "2025年三季报的时候公司毛利率还是74.28%，到2026年三季报这一栏已写成75.97%。",
        ),
        ("在2026年各报告期里最近的一期，公司毛利率为74.28%。", "在2025年各报告期里最近的一期，公司毛利率为74.28%。"),
    ],
)  # fmt: skip
def test_a_period_holds_for_its_number_wherever_it_stands(pack: Pack, right: str, wrong: str) -> None:
    assert holds(pack, right)
    assert not holds(pack, wrong)


def test_a_distance_named_before_its_two_ends_is_no_level(pack: Pack) -> None:
    assert holds(pack, "公司收盘价与20日均线相距0.37元，一个54.49元，一个54.12元，按前述顺序。")
    assert not holds(pack, "公司收盘价与20日均线相距0.57元，一个54.49元，一个54.12元，按前述顺序。")
