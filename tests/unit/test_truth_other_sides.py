"""Which of two numbers is whose: reference frames, pronouns for the other side, legends, appositions (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

SIDES = [
    ("把行业平均请进来对照，公司的市净率高于它，3.42倍对2.40倍。", True), ("把行业平均请进来对照，公司的市净率高于它，2.40倍对3.42倍。", False),
    ("公司，市净率3.42倍；和行业平均摆在一起，高于对方的2.40倍。", True), ("公司，市净率2.40倍；和行业平均摆在一起，高于对方的3.42倍。", False),
    ("公司市净率高于行业平均，一个3.42倍，一个2.40倍，比值1.42倍。", True), ("公司市净率高于行业平均，一个2.40倍，一个3.42倍，比值1.42倍。", False),
    ("参照系选行业平均。公司市净率3.42倍，高于参照值2.40倍。", True), ("参照系选行业平均。公司市净率2.40倍，高于参照值3.42倍。", False), ("参照系选行业平均。公司市净率3.42倍，低于参照值2.40倍。", False),
    ("和去年同期比，公司2026Q3的毛利率低于当时的75.97%。", True), ("和去年同期比，公司2026Q3的毛利率低于当时的74.28%。", False),
    ("公司市净率高于行业平均。前者，3.42倍；后者，2.40倍。", True), ("公司市净率高于行业平均。前者，2.40倍；后者，3.42倍。", False),
    ("公司市净率高于行业平均。数据：3.42倍，对照2.40倍。", True), ("公司市净率高于行业平均。数据：2.40倍，对照3.42倍。", False),
]  # fmt: skip

EACH_SAID = [
    ("价在54.49元，线在54.12元：前者是公司收盘价，后者是20日均线。", True), ("价在54.12元，线在54.49元：前者是公司收盘价，后者是20日均线。", False),
    ("74.28%和32.48%，前者毛利率，后者净利率，都是公司2026Q3的。", True), ("32.48%和74.28%，前者毛利率，后者净利率，都是公司2026Q3的。", False), ("74.28%和32.48%，前者毛利率，后者净利率，都是公司2025Q3的。", False),
    ("推算一步：52.85亿元比52.70亿元，前为公司2026Q3营业收入，后为2025Q3，得增长0.30%。", True), ("推算一步：52.70亿元比52.85亿元，前为公司2026Q3营业收入，后为2025Q3，得增长0.30%。", False),
    ("复算：52.85亿元减52.70亿元，公司营业收入由2025Q3至2026Q3增加0.16亿元。", True), ("复算：52.70亿元减52.85亿元，公司营业收入由2025Q3至2026Q3增加0.16亿元。", False),
    ("算式——52.85亿元÷52.70亿元，即公司2026Q3营业收入对2025Q3之比，得1.00倍。", True), ("算式——52.70亿元÷52.85亿元，即公司2026Q3营业收入对2025Q3之比，得1.00倍。", False),
    ("与2025Q3相比，公司2026Q3的营业收入增长0.30%，绝对额由52.70亿元到52.85亿元。", True), ("与2025Q3相比，公司2026Q3的营业收入增长0.30%，绝对额由52.85亿元到52.70亿元。", False),
    ("纪要附注：毛利率，公司上年同期75.97%、最近一期74.28%，最近一期低于上年同期。", True), ("纪要附注：毛利率，公司上年同期74.28%、最近一期75.97%，最近一期低于上年同期。", False),
    ("上年同期的营业收入是52.70亿元，公司这一期52.85亿元。", True), ("上年同期的营业收入是52.85亿元，公司这一期52.70亿元。", False),
]  # fmt: skip

LEGENDS = [
    ("括号内为上年同期数：公司2026Q3毛利率74.28%（75.97%）。", True), ("括号内为上年同期数：公司2026Q3毛利率75.97%（74.28%）。", False),
    ("附注：括号内为2025Q3数，公司2026Q3毛利率74.28%（75.97%），即减少1.69个百分点。", True), ("附注：括号内为2025Q3数，公司2026Q3毛利率75.97%（74.28%），即减少1.69个百分点。", False),
    ("括号里是行业平均：公司市净率3.42倍（2.40倍）。", True), ("括号里是行业平均：公司市净率2.40倍（3.42倍）。", False),
]  # fmt: skip

APPOSITIONS = [
    ("盈利能力小节：32.48%，这是公司2026Q3交出的净利率。", True), ("盈利能力小节：32.48%，这是公司2026Q3交出的毛利率。", False),
    ("市场给公司的净资产定价是3.42倍，指标名叫市净率。", True), ("市场给公司的净资产定价是19.42倍，指标名叫市净率。", False),
    ("2026Q3收入最终有32.48%沉淀为利润，这是公司的净利率。", True), ("2026Q3收入最终有74.28%沉淀为利润，这是公司的净利率。", False),
    ("2.15元。此为公司每股收益。", True), ("15.95元。此为公司每股收益。", False),
    ("74.28%。在公司2026Q3的成绩单上，这个数字属于毛利率。", True), ("74.28%。在公司2026Q3的成绩单上，这个数字属于净利率。", False),
    ("公司质押，1.1%！有人贴过图，质押比例就是它。", True), ("公司质押，3.1%！有人贴过图，质押比例就是它。", False),
    ("我们采用的公司毛利率为75.97%，出自2025Q3。", True), ("我们采用的公司毛利率为74.28%，出自2025Q3。", False),
]  # fmt: skip

NAMES = [
    ("公司账上的负债占总资产的比重，2026Q3这一期是22.34%。", True), ("公司账上的负债占总资产的比重，2026Q3这一期是32.48%。", False),
    ("公司被质押的股份占到总股本的1.10%。", True), ("公司被质押的股份占到总股本的0.73%。", False),
    ("公司的总股本里，有1.10%已经被质押出去。", True), ("公司的总股本里，有0.73%已经被质押出去。", False),
    ("过去一年里，公司最便宜的时候是52.78元。", True), ("过去一年里，公司最便宜的时候是64.17元。", False),
    ("近52周里，公司股价最低见过52.78元。", True), ("近52周里，公司股价最高见过52.78元。", False),
    ("公司收盘价处在近52周高低点之间的15.01%处。", True), ("公司收盘价处在近52周高低点之间的55.57%处。", False),
    ("扣除非经常性损益后，2026Q3，公司归属于上市公司股东的净利润为15.91亿元。", True), ("扣除非经常性损益后，2026Q3，公司归属于上市公司股东的净利润为17.17亿元。", False),
    ("归属于每一股份之净资产，公司最近一期为15.95元。", True), ("归属于每一股份之净资产，公司最近一期为2.15元。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), SIDES)
def test_a_number_of_the_other_side_is_of_what_something_is_held_against(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), EACH_SAID)
def test_two_numbers_are_of_what_the_sentence_says_of_each(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), LEGENDS)
def test_a_legend_says_what_stands_in_brackets(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), APPOSITIONS)
def test_a_clause_behind_a_number_says_what_it_was(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), NAMES)
def test_a_quantity_may_be_told_in_other_words(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
