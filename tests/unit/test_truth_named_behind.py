"""What the words behind a number, or a window before it, say that it is of (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

BEHIND = [
    ("线在哪？54.91元/股。公司的五日均线。", True), ("线在哪？54.91元/股。公司的六十日均线。", False),
    ("均线播报：57.15元处，是公司的60日均线。", True), ("均线播报：57.15元处，是公司的20日均线。", False),
    ("摊到每一股，公司2026Q3赚2.15元，即每股收益。", True), ("摊到每一股，公司2026Q3赚2.15元，即每股净资产。", False),
    ("3.51%——别看错，这是公司近三年的PB分位。", True), ("14.37%——别看错，这是公司近三年的PB分位。", False),
    ("19.42倍——别看错，这是公司的市盈率。", True), ("19.42倍——别看错，这是黄粱食品的市盈率。", False),
    ("市净率3.42倍超过2.40倍：前者为公司的，后者为行业平均的。", True), ("市净率2.40倍不及3.42倍：前者为公司的，后者为行业平均的。", False),
]  # fmt: skip

WINDOWS = [
    ("近60日，公司股票上涨的日子数了数，共24天。", True), ("近120日，公司股票上涨的日子数了数，共24天。", False),
    ("公司涨的日子，近60日数下来共24天。", True), ("公司涨的日子，近20日数下来共24天。", False), ("公司涨的日子，近60日数下来共14天。", False),
    ("近60个交易日里，公司有24天是涨的。", True), ("近60个交易日里，公司有34天是涨的。", False),
    ("“近60日，公司几天是涨的？”“24天。”", True), ("“近5日，公司几天是涨的？”“24天。”", False),
    ("Q：公司近60日的波动率怎么样？\nA：数字是20.89%。", True), ("Q：公司近120日的波动率怎么样？\nA：数字是20.89%。", False),
    ("3.51%，公司的市净率分位，时间窗取近3年。", True), ("3.51%，公司的市净率分位，时间窗取近5年。", False),
]  # fmt: skip

BASES = [
    ("公司2026Q3营业收入52.85亿元，倒退一年是52.70亿元。", True), ("公司2026Q3毛利率74.28%，倒退一年是74.28%。", False),
    ("公司的毛利率，2026Q3 74.28%，同比基数75.97%。", True), ("公司的毛利率，2026Q3 74.28%，同比基数74.28%。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), BEHIND)
def test_the_words_behind_a_number_say_what_it_is_of(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), WINDOWS)
def test_the_only_window_of_a_sentence_is_that_of_its_number(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), BASES)
def test_a_base_is_of_the_same_period_a_year_before(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


LATER_WORDINGS = [
    ("74.28%是个什么数？是公司2026Q3的毛利率。", True), ("74.28%是个什么数？是公司2026Q3的净利率。", False),
    ("参照物是行业平均，市净率2.40倍；公司3.42倍，高于参照物。", True), ("参照物是行业平均，市净率3.42倍；公司2.40倍，高于参照物。", False),
    ("上年同期75.97%，本期74.28%，公司2026Q3毛利率的变化就这些。", True), ("上年同期74.28%，本期75.97%，公司2026Q3毛利率的变化就这些。", False),
    ("公司质押了多少股份？占总股本1.10%。", True), ("公司质押了多少股份？占总股本0.73%。", False),
    ("公司的股东把1.10%的股份押了出去。", True), ("公司的股东把3.10%的股份押了出去。", False),
    ("公司2026Q3总资产中有22.34%是负债。", True), ("公司2026Q3总资产中有32.48%是负债。", False),
    ("公司2026年最近这份报告，毛利率是74.28%。", True), ("公司2026年最近这份报告，毛利率是75.97%。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), LATER_WORDINGS)
def test_a_question_a_measure_and_a_period_behind_are_read(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
