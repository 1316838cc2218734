"""Which two values a comparison in words sets side by side, and which of them it is about (PRODUCT T2)."""

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

#: {} takes 高于 or 低于; the word beside each is the right one.
BY_NAMES = [
    ("我方的同业比较只有一句：公司市盈率{}黄粱食品。", "高于"),
    ("20日均线那条线，公司收盘价{}它。", "高于"),
    ("- 公司 vs 瑶池饮品：市盈率{}后者，19.42倍 对 23.12倍", "低于"),
    ("收盘价在20日均线之上还是之下？公司是收盘价{}20日均线，差额0.37元。", "高于"),
    ("MA20在54.12元，公司的收盘价在54.49元，价格{}均线。", "高于"),
    ("公司毛利率：2025Q3为75.97%，2026Q3为74.28%，后一期{}前一期。", "低于"),
    ("公司毛利率：2025Q3为75.97%，2026Q3为74.28%，前一期{}后一期。", "高于"),
    ("- 2026Q3 vs 2025Q3，公司毛利率：74.28% vs 75.97%，{}同期基数", "低于"),
    ("公司2026Q3毛利率{}上年可比的2025Q3。", "低于"),
]
BY_NUMBERS = [
    ("瑶池饮品的市盈率摆在那里，23.12倍；公司呢？其市盈率为19.42倍，{}前述水平。", "低于"),
    ("以20日均线（54.12元）为界，公司最新54.49元，{}这条线。", "高于"),
    ("假如瑶池饮品的23.12倍算合理，那么公司市盈率19.42倍，{}这个参照。", "低于"),
    ("查了一下市盈率，公司19.42倍（瑶池饮品为23.12倍），{}对方。", "低于"),
    ("相比2025Q3的75.97%，公司2026Q3的毛利率（74.28%）{}前值。", "低于"),
    ("拿行业平均作参照（17.82倍），公司19.42倍的市盈率{}参照值。", "高于"),
    ("19.42倍{}23.12倍：前者为公司的市盈率，后者为瑶池饮品的市盈率。", "低于"),
    ("只谈市盈率：19.42倍的公司，{}23.12倍的瑶池饮品。", "低于"),
]
IN_TABLES = [
    ("| 指标 | 公司 | 瑶池饮品 | 公司相对参照 |\n|---|---|---|---|\n| 市盈率 | 19.42倍 | 23.12倍 | {} |", "低于"),
    ("| 指标 | 公司 | 瑶池饮品 | 瑶池饮品相对公司 |\n|---|---|---|---|\n| 市盈率 | 19.42倍 | 23.12倍 | {} |", "高于"),
    ("| 对照项 | 市净率 | 结论 |\n| --- | --- | --- |\n| 公司 | 3.42倍 | {}行业平均 |", "高于"),
    ("| 毛利率 | 数值 |\n|---|---|\n| 2026Q3 | 74.28% |\n| 2025Q3 | 75.97% |\n可见公司2026Q3{}2025Q3。", "低于"),
]
OTHER = {"高于": "低于", "低于": "高于"}


@pytest.mark.parametrize(("text", "word"), BY_NAMES + BY_NUMBERS + IN_TABLES)
def test_the_order_of_the_two_values_decides(pack: Pack, text: str, word: str) -> None:
    assert holds(pack, text.format(word))
    assert not holds(pack, text.format(OTHER[word]))


@pytest.mark.parametrize(
    "text",
    [
        "以20日均线（54.21元）为界，公司最新54.49元，高于这条线。",
        "假如瑶池饮品的32.12倍算合理，那么公司市盈率19.42倍，低于这个参照。",
        "拿行业平均作参照（18.72倍），公司19.42倍的市盈率高于参照值。",
        "19.42倍低于23.12倍：前者为瑶池饮品的市盈率，后者为公司的市盈率。",
        "只谈市盈率：19.42倍的瑶池饮品，低于23.12倍的公司。",
        "公司2026Q3净利润低于营业收入，后者为25.85亿元。",
        "与上年同期相比，公司2026Q3净利润17.17亿元，低于彼时的15.71亿元。",
    ],
)
def test_each_number_of_a_comparison_is_still_checked(pack: Pack, text: str) -> None:
    assert not holds(pack, text)


@pytest.mark.parametrize(
    "text",
    [
        "公司2026Q3净利润低于营业收入，后者为52.85亿元。",
        "与上年同期相比，公司2026Q3净利润17.17亿元，低于彼时的17.51亿元。",
        "公司上年同期毛利率75.97%、最近一期74.28%，最近一期低于上年同期。",
        "假如市盈率高于23.12倍，估值就不便宜了。",
    ],
)
def test_a_number_takes_its_side_from_the_words_before_it(pack: Pack, text: str) -> None:
    assert holds(pack, text)


BEFORE = [
    ("先报数：公司19.42倍，瑶池饮品23.12倍。结论是前者的市盈率{}后者。", "低于"),
    ("今日公司的收盘价是54.49元。20日均线是54.12元。前者{}后者。", "高于"),
    ("- 公司毛利率\n- 2026Q3：74.28%\n- 2025Q3：75.97%\n- 前者{}后者", "低于"),
    ("公司：市盈率19.42倍\n瑶池饮品：市盈率23.12倍\n结果：公司{}瑶池饮品", "低于"),
    ("1）瑶池饮品，市盈率，23.12倍；2）公司，市盈率，19.42倍。第二条{}第一条。", "低于"),
    ("把公司的市盈率（19.42倍）放到瑶池饮品（23.12倍）旁边，{}这把尺子。", "低于"),
]


@pytest.mark.parametrize(("text", "word"), BEFORE)
def test_sides_told_in_sentences_before_the_word_are_taken_up(pack: Pack, text: str, word: str) -> None:
    assert holds(pack, text.format(word))
    assert not holds(pack, text.format(OTHER[word]))
    assert not holds(
        pack, text.format(word).replace("19.42", "14.92").replace("74.28", "78.24").replace("54.12", "51.24")
    )


ELSEWHERE = [
    ("假设瑶池饮品的市盈率23.12倍是公允水平，公司的19.42倍就{}公允水平。", "低于"),
    ("公司在2025Q3的毛利率（75.97%）之后，又交出2026Q3的74.28%，{}前次。", "低于"),
    ("这是公司的毛利率：2025Q3，75.97%；2026Q3，74.28%。后面这期{}前面那期。", "低于"),
    ("毛利率（公司）\n2026Q3：74.28%\n2025Q3：75.97%\n点评：2026Q3{}2025Q3", "低于"),
    ("公司收盘价，54.49元；20日均线，54.12元。价在线的哪一侧？{}均线。", "高于"),
    ("本段只为一件事：证明公司的市盈率{}瑶池饮品。证据是19.42倍和23.12倍。", "低于"),
    ("比起2025Q3，公司2026Q3的毛利率是{}的，75.97%变74.28%。", "低于"),
    ("| 期间 | 公司毛利率 |\n|---|---|\n| 2026Q3 | 74.28% |\n| 2025Q3 | 75.97% |\n\n结论：2026Q3{}2025Q3。", "低于"),
    ("| | 公司 | 瑶池饮品 | 谁高谁低 |\n|---|---|---|---|\n| 市盈率 | 19.42倍 | 23.12倍 | 公司{}瑶池饮品 |", "低于"),
]


@pytest.mark.parametrize(("text", "word"), ELSEWHERE)
def test_sides_are_found_by_what_they_were_called_and_when_they_were(pack: Pack, text: str, word: str) -> None:
    assert holds(pack, text.format(word))
    assert not holds(pack, text.format(OTHER[word]))
    assert not holds(
        pack, text.format(word).replace("19.42", "14.92").replace("74.28", "78.24").replace("54.12", "51.24")
    )


def test_a_line_break_ends_the_hedge_of_a_number(pack: Pack) -> None:
    assert holds(pack, "公司市盈率19.42倍\n\n以上引自估值表。")


POINTED = [
    ("对公司来说，20日均线的54.12元是一道坎，股价54.49元{}这道坎。", "高于"),
    ("对比两份报告：2025Q3的毛利率75.97%，2026Q3的毛利率74.28%。公司这一份{}上一份。", "低于"),
    ("- 2026Q3，公司毛利率74.28%\n- 2025Q3，公司毛利率75.97%\n- 前一条{}后一条", "低于"),
    ("以2025Q3为基期（75.97%），公司2026Q3的毛利率74.28%，{}基期。", "低于"),
]


@pytest.mark.parametrize(("text", "word"), POINTED)
def test_a_pointing_word_and_its_noun_are_the_other_side(pack: Pack, text: str, word: str) -> None:
    assert holds(pack, text.format(word))
    assert not holds(pack, text.format(OTHER[word]))
    assert not holds(pack, text.format(word).replace("75.97", "79.75").replace("54.12", "51.24"))


def test_what_asks_which_takes_for_granted_that_it_is_so(pack: Pack) -> None:
    assert not holds(pack, "哪项指标由盈转亏？公司的净利润。")
    assert holds(pack, "哪项指标由盈转亏？")
