"""Comparisons whose sides are pronouns or roles are decided like those whose sides are named (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

FORMER_AND_LATTER = [
    ("最新价54.49元、20日均线54.12元，前者高于后者。", True), ("最新价54.49元、20日均线54.12元，前者低于后者。", False),
    ("最新价54.49元、60日均线57.15元，后者高于前者。", True), ("最新价54.49元、60日均线57.15元，前者高于后者。", False),
    ("营收同比0.30%，净利润同比-1.96%，2026Q3前一个数字高于后一个。", True), ("营收同比0.30%，净利润同比-1.96%，2026Q3前一个数字低于后一个。", False),
    ("趋势交易者只问收盘价与60日均线的关系：54.49元、57.15元，前者不及后者。", True), ("趋势交易者只问收盘价与60日均线的关系：54.49元、57.15元，前者超过后者。", False),
    ("问：乌有酒业收盘和MA60谁高谁低？答：前者低于后者。", True), ("问：乌有酒业收盘和MA60谁高谁低？答：前者高于后者。", False),
    ("2026Q3的毛利率跟2025Q3比，前者低于后者，74.28%对75.97%。", True), ("2026Q3的毛利率跟2025Q3比，前者高于后者，74.28%对75.97%。", False),
    ("甲：公司，市净率3.42倍；乙：行业平均，市净率2.40倍。甲高于乙。", True), ("甲：公司，市净率3.42倍；乙：行业平均，市净率2.40倍。甲不及乙。", False),
    ("甲：公司，市盈率19.42倍；乙：瑶池饮品，市盈率23.12倍。乙高于甲。", True), ("甲：公司，市盈率19.42倍；乙：瑶池饮品，市盈率23.12倍。甲高于乙。", False),
]  # fmt: skip

OTHER_SIDES = [
    ("参照系换成黄粱食品后，结论是：公司市盈率超过它。", True), ("参照系换成黄粱食品后，结论是：公司市盈率低于它。", False),
    ("参照系换成瑶池饮品后，结论是：公司市盈率不及它。", True), ("参照系换成瑶池饮品后，结论是：公司市盈率高于它。", False),
    ("- 与行业平均相比：公司市净率高于对方，分别为3.42倍和2.40倍", True), ("- 与行业平均相比：公司市净率低于对方，分别为3.42倍和2.40倍", False),
    ("- 与行业平均相比：公司市净率高于对方，分别为2.40倍和3.42倍", False),
    ("对照两期报告，毛利率本期74.28%、2025Q3 75.97%，本期不及彼时。", True), ("对照两期报告，毛利率本期74.28%、2025Q3 75.97%，本期超过彼时。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), FORMER_AND_LATTER)
def test_former_and_latter_are_compared_as_what_they_stand_for(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), OTHER_SIDES)
def test_a_word_for_the_other_side_is_what_the_first_is_held_against(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
