"""What a ratio, a share or a move is measured by, however the sentence says it (PRODUCT T3)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

BASES = [
    ("营收为52.85亿元，净利润为17.17亿元，后者相当于前者的32.48%。", True), ("营收为52.85亿元，净利润为17.17亿元，前者相当于后者的32.48%。", False),
    ("净利润17.17亿元，营收52.85亿元，前者只有后者的32.48%。", True), ("净利润17.17亿元，营收52.85亿元，后者只有前者的32.48%。", False),
    ("以净利润为单位去量乌有酒业2026Q3的营收，得数是3.08倍。", True), ("以营收为单位去量乌有酒业2026Q3的净利润，得数是3.08倍。", False),
    ("以营收52.85亿元为分母、净利润17.17亿元为分子，比值是32.48%。", True), ("以净利润17.17亿元为分母、营收52.85亿元为分子，比值是32.48%。", False),
    ("以20日均线为分母，乌有酒业收盘价与之相比得到1.01倍。", True), ("以20日均线为分母，乌有酒业收盘价与之相比得到1.07倍。", False),
    ("乌有酒业2026Q3每份收入里，净利润相当于32.48%。", True), ("乌有酒业2026Q3每份净利润里，收入相当于32.48%。", False),
    ("营收之中有32.48%最终沉淀为净利润。", True), ("净利润之中有32.48%最终沉淀为营收。", False),
    ("营收52.85亿元里落到净利润的是17.17亿元，折32.48%，乌有酒业2026Q3。", True), ("营收52.85亿元里落到净利润的是17.17亿元，折34.28%，乌有酒业2026Q3。", False),
    ("32.48%——乌有酒业2026Q3净利润与营收之比。", True), ("34.28%——乌有酒业2026Q3净利润与营收之比。", False),
    ("公司PE/黄粱食品PE=1.80倍。", True), ("黄粱食品PE/公司PE=1.80倍。", False),
    ("扣非净利润15.91亿元，2025Q3是16.11亿元，后者为底，前者下滑1.2%。", True), ("扣非净利润15.91亿元，2025Q3是16.11亿元，前者为底，后者下滑1.2%。", False),
]  # fmt: skip

PERIODS = [
    ("净利润比2025Q3下降0.34亿元，乌有酒业2026Q3遂为17.17亿元。", True), ("净利润比2025Q3下降0.43亿元，乌有酒业2026Q3遂为17.17亿元。", False),
    ("与去年同期的16.11亿元相比，扣非净利润下降约1.2%，为15.91亿元。", True), ("与去年同期的16.11亿元相比，扣非净利润增长约1.2%，为15.91亿元。", False),
    ("2026Q3毛利率较2025Q3下降1.69个百分点，从75.97%到74.28%。", True), ("2026Q3毛利率较2025Q3下降1.69个百分点，从74.28%到75.97%。", False),
    ("15.91亿元除以16.11亿元，0.99倍，扣非净利润，2026Q3比2025Q3。", True), ("15.91亿元除以16.11亿元，1.01倍，扣非净利润，2026Q3比2025Q3。", False),
    ("2026Q3扣非净利润是2025Q3的0.99倍，同比减少约1.23%。", True), ("2026Q3扣非净利润是2025Q3的0.99倍，同比增长约1.23%。", False),
]  # fmt: skip

BASIS = [
    ("同比看，毛利率下降1.69个百分点，这一变化可以核对。", True), ("同比看，毛利率上升1.69个百分点，这一变化可以核对。", False),
    ("下降1.23%——乌有酒业扣非净利润的同比。", True), ("上升1.23%——乌有酒业扣非净利润的同比。", False),
    ("经营现金流同比减少27.88%，金额上减少4.52亿元。", True), ("经营现金流同比减少27.88%，金额上减少2.54亿元。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), BASES)
def test_a_ratio_is_of_what_is_measured_over_what_it_is_measured_by(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), PERIODS)
def test_a_move_is_measured_from_the_period_it_is_held_against(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), BASIS)
def test_the_basis_of_a_move_may_stand_before_its_clause_or_behind_it(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


MORE_BASES = [
    ("营收52.85亿元是分母，净利润17.17亿元是分子，相除得32.48%。", True), ("净利润17.17亿元是分母，营收52.85亿元是分子，相除得32.48%。", False),
    ("把营收看成100%，乌有酒业2026Q3净利润就是32.48%。", True), ("把营收看成100%，乌有酒业2026Q3净利润就是23.48%。", False),
    ("乌有酒业2026Q3，净利润在营收中占32.48%。", True), ("乌有酒业2026Q3，营收在净利润中占32.48%。", False),
    ("乌有酒业2026Q3每收入100元，净利润占32.48%。", True), ("乌有酒业2026Q3每收入100元，净利润占34.28%。", False),
    ("以2025Q3为100，乌有酒业2026Q3的扣非净利润相当于其98.77%。", True), ("以2025Q3为100，乌有酒业2026Q3的扣非净利润相当于其101.25%。", False),
    ("52.85亿元减52.70亿元，差0.16亿元，这是营收2026Q3与2025Q3之差。", True), ("52.85亿元减52.70亿元，差0.61亿元，这是营收2026Q3与2025Q3之差。", False),
    ("扣非净利润15.91亿元，较去年同期的16.11亿元增长1.23%。", False), ("扣非净利润15.91亿元，较去年同期的16.11亿元下降1.23%。", True),
    ("毛利率同比下降1.69个百分点至74.28%。", True), ("毛利率同比下降1.69个百分点至75.97%。", False),
    ("同比口径下，扣非净利润下降1.23%。", True), ("同比口径下，扣非净利润上升1.23%。", False),
]  # fmt: skip

FALLS = [
    ("自近52周最高点算起，乌有酒业股价累计下跌13.99%。", True), ("自近52周最高点算起，乌有酒业股价累计下跌19.39%。", False),
    ("自近三年最高点算起，乌有酒业股价累计下跌13.99%。", False), ("与近52周的最高价相比，乌有酒业现价下跌13.99%。", True),
    ("以52周最高价为起点，乌有酒业现价下跌13.99%。", True), ("以52周最高价为起点，乌有酒业现价下跌9.31%。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), MORE_BASES)
def test_more_ways_to_say_what_a_number_is_reckoned_from(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), FALLS)
def test_a_fall_of_the_price_is_from_the_high_its_sentence_names(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


WHOLES = [
    ("营收的32.48%成了净利润。", True), ("净利润的32.48%成了营收。", False),
    ("32.48%的营收最终变成净利润，乌有酒业2026Q3如此。", True), ("32.48%的净利润最终变成营收，乌有酒业2026Q3如此。", False),
    ("公司对行业平均，市净率是高于的关系：3.42倍对2.40倍。", True), ("公司对行业平均，市净率是低于的关系：3.42倍对2.40倍。", False),
    ("把2025Q3与2026Q3并列，毛利率后者低于前者，74.28%对75.97%。", True), ("把2025Q3与2026Q3并列，毛利率后者低于前者，75.97%对74.28%。", False),
    ("市净率3.42倍（公司）vs 2.40倍（行业平均），前者高于后者。", True), ("市净率2.40倍（公司）vs 3.42倍（行业平均），前者低于后者。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), WHOLES)
def test_a_whole_may_stand_before_its_share_or_behind_it(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
