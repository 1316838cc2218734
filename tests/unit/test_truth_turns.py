"""由盈转亏 and its like, of which quantity, company and period; whose number an afterthought says it is (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Fact
from flows.contracts.units import Unit
from flows.truth.binding import check_text
from tests.factories import SYMBOL
from tests.unit.test_truth_binding import NAMES, of

PEER = "黄粱食品"
FACTS: tuple[Fact, ...] = (
    of(1, "net_profit_cny", 1.2e8, Unit.CNY, "2025Q3净利润为1.20亿元。", "2025Q3"),
    of(2, "net_profit_cny", -0.8e8, Unit.CNY, "2024Q3净利润为-0.80亿元。", "2024Q3"),
    of(3, "net_profit_cny", 0.5e8, Unit.CNY, "2023Q3净利润为0.50亿元。", "2023Q3"),
    of(4, "gross_margin_pct", 33.16, Unit.PCT, "2025Q3毛利率为33.16%。", "2025Q3"),
    of(5, "pe_ttm", 18.5, Unit.MULTIPLE, f"{PEER}市盈率为18.50倍。").model_copy(update={"subject": PEER}),
    of(6, "market_cap_cny", 80e8, Unit.CNY, "总市值为80.00亿元。"),
    of(7, "pb", 1.4, Unit.MULTIPLE, "市净率为1.40倍。"),
)


def fails(text: str) -> bool:
    return any(c.verdict.is_failure for c in check_text(text, FACTS, cited=None, subject=SYMBOL, names=NAMES))


TURNS = [
    "公司2025Q3的关键词是扭亏为盈。", "扭亏为盈，这就是公司2025Q3的成绩。", "与上一年同期相比，公司2025Q3归母净利润扭亏为盈。", "业绩扭亏为盈的公司名单中有公司（2025Q3）。",
    "公司净利润扭亏为盈（2025Q3），多空分歧从这里开始。", "扭亏为盈，是公司2025Q3利润表上的变化。",
]  # fmt: skip


@pytest.mark.parametrize("text", TURNS)
def test_a_turn_is_one_of_its_period_and_company(text: str) -> None:
    assert not fails(text)
    assert fails(text.replace("2025Q3", "2024Q3"))
    assert fails(text.replace("2025Q3", "2022Q3"))
    assert fails(text.replace("公司", PEER).replace(f"{PEER}名单", "公司名单"))
    assert fails(text.replace("扭亏为盈", "由盈转亏"))


def test_an_earlier_turn_holds_of_its_own_period() -> None:
    assert not fails("公司2024Q3净利润由盈转亏。")
    assert not fails("营收变化不大，公司2025Q3却扭亏为盈。")


@pytest.mark.parametrize("quantity", ["市值", "融资余额", "营业收入"])
def test_what_is_never_negative_does_not_turn(quantity: str) -> None:
    assert fails(f"公司2025Q3{quantity}扭亏为盈。")


def test_asking_whether_a_price_is_below_book_claims_nothing() -> None:
    assert not fails("破没破净先看分母，公司市净率1.4倍。")
    assert fails("公司已经破净。")


AFTERTHOUGHTS = [
    "毛利率（2025Q3）33.16%，数据取自{c}定期报告。", "毛利率，33.16%，2025Q3——三个要素拼成{c}的一行数据。", "看一眼2025Q3毛利率，33.16%；看完再来辩论{c}。",
    "33.16%，毛利率，2025Q3，{c}没跑。", "毛利率：33.16%。报告期：2025Q3。主体：{c}。", "先看2025Q3：毛利率33.16%。公司名：{c}。", "毛利率33.16%，窗口不论，标的{c}。",
    "截至2025Q3，{c}股票的毛利率为33.16%。", "【{c}】毛利率33.16%（2025Q3）", "#{c}# 2025Q3毛利率33.16%",
]  # fmt: skip


@pytest.mark.parametrize("template", AFTERTHOUGHTS)
def test_the_words_behind_a_number_say_whose_it_is(template: str) -> None:
    assert not fails(template.format(c="公司"))
    assert fails(template.format(c=PEER))
    assert fails(template.format(c="瑞禾农业"))


def test_the_label_behind_a_number_says_when_it_was() -> None:
    assert fails("毛利率：33.16%。报告期：2024Q3。主体：公司。")


CORNER = "| 预告（{p}） | 净利润 |\n|---|---|\n| 下限 | 1.00亿元 |\n| 上限 | 1.50亿元 |"


def test_the_corner_of_a_table_says_when_its_numbers_are() -> None:
    ends = [
        of(
            n,
            f"earnings_forecasts.value_{end}_cny",
            value,
            Unit.CNY,
            f"2025Q4业绩预告预计净利润{word}为{value / 1e8:.2f}亿元。",
            "2025Q4",
        )
        for n, end, value, word in ((11, "low", 1.0e8, "下限"), (12, "high", 1.5e8, "上限"))
    ]
    for period, is_right in (("2025Q4", True), ("2024Q4", False), ("2026年一季报", False)):
        found = check_text(CORNER.format(p=period), (*FACTS, *ends), cited=None, subject=SYMBOL, names=NAMES)
        assert any(c.verdict.is_failure for c in found) is not is_right, period


ALONE = [
    "扭亏为盈！公司2025Q3净利润的方向变了。", "扭亏为盈了！公司2025Q3的净利润，老股东心里有数。", "先看公司2025Q3净利润。扭亏为盈！",
    "2025年公司净利润扭亏为盈，期间为2025Q3。", "2025年这期财报，公司净利润扭亏为盈。",
]  # fmt: skip


@pytest.mark.parametrize("text", ALONE)
def test_a_turn_that_stands_alone_is_of_what_is_named_beside_it(text: str) -> None:
    assert not fails(text)
    assert fails(text.replace("扭亏为盈", "由盈转亏"))
    assert fails(text.replace("净利润", "总市值"))
    assert fails(text.replace("公司", PEER))
    assert fails(text.replace("2025Q3", "2024Q3").replace("2025年这期", "2024年这期"))


def test_a_quantity_turns_whatever_stands_between_them() -> None:
    assert fails("2025Q3，公司总市值较上年同期扭亏为盈。")
    assert fails("要概括公司2025Q3的融资余额，四个字以内：扭亏为盈。")
    assert not fails("2025Q3，公司总市值下降，扭亏为盈。")
