"""Numbers that count a line, and what a heading, an aside or an answer says a number is of (PRODUCT T2, T4)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Fact, Pack
from flows.truth.speech.attribution import check_attribution
from flows.truth.verify import verify_document
from tests.recorded_claims import CLAIMS, NOBODYS, OTHERS, OWN

LISTED = [
    ("1、605901.SH公布财报，2026年三季报营业收入为52.85亿元。", True),
    ("1、605901.SH公布财报，2026年三季报营业收入为25.85亿元。", False),
    ("2）605901.SH：2026年三季报毛利率74.28%。", True),
    ("3、52.85亿元，这是乌有酒业2026年三季报的营业收入。", True),
    ("3、52.70亿元，这是乌有酒业2026年三季报的营业收入。", False),
    ("报告期所在年份为2026，期间为2026年三季报，乌有酒业毛利率为74.28%。", True),
    ("报告期所在年份为2025，期间为2025年三季报，乌有酒业毛利率为74.28%。", False),
    ("财年=2026，期间=2026Q3，乌有酒业，毛利率=74.28%。", True),
]  # fmt: skip

OF_THE_PRICE = [
    ("乌有酒业现在54.49元/股，你们成本多少？", True),
    ("乌有酒业现在45.49元/股，你们成本多少？", False),
    ("眼下乌有酒业54.49元，群里安静了。", True),
    ("眼下乌有酒业54.91元，群里安静了。", False),
    ("现在54.49元，乌有酒业就这个价。", True),
    ("乌有酒业收盘价接近52周低点（54.49元/股）。", True),
    ("乌有酒业收盘价接近52周低点（52.78元/股）。", True),
    ("乌有酒业收盘价接近52周低点（64.17元/股）。", False),
    ("价格与均线的关系：乌有酒业收盘价高于20日均线，具体为54.49元对54.12元。", True),
    ("价格与均线的关系：乌有酒业收盘价高于20日均线，具体为54.12元对54.49元。", False),
    ("价格与均线的关系：乌有酒业收盘价低于20日均线，具体为54.49元对54.12元。", False),
]  # fmt: skip

SAID_BEHIND = [
    ("质押多少？1.10%。说的就是乌有酒业的股份质押比例。", True),
    ("质押多少？2.10%。说的就是乌有酒业的股份质押比例。", False),
    ("22.34%！讲的正是乌有酒业的资产负债率。", True),
    ("22.34%！讲的正是乌有酒业的净利率。", False),
    ("高还是低？答：处于近三年低位。问的是乌有酒业的PB。", True),
    ("高还是低？答：处于近三年高位。问的是乌有酒业的PB。", False),
    ("先看股份质押比例：乌有酒业是1.10%。", True),
    ("回头看股份质押比例：乌有酒业是2.10%。", False),
    ("先看云中股份：质押比例是1.10%。", False),
]  # fmt: skip

OTHER_SIDE = [
    ("相对估值为行业平均的1.09倍——乌有酒业PE 19.42倍，对方为17.82倍。", True),
    ("相对估值为行业平均的1.29倍——乌有酒业PE 19.42倍，对方为17.82倍。", False),
    ("相对估值为行业平均的1.09倍——乌有酒业PE 19.42倍，对方为19.42倍。", False),
    ("估值是黄粱食品的1.80倍：乌有酒业PE 19.42倍，对方10.79倍。", True),
    ("估值是黄粱食品的1.80倍：乌有酒业PE 19.42倍，对方17.82倍。", False),
    ("乌有酒业PE是黄粱食品的1.80倍，自己19.42倍，对方10.79倍。", True),
    ("乌有酒业PE是黄粱食品的1.80倍，自己10.79倍，对方19.42倍。", False),
]  # fmt: skip

COUNTED = [
    ("核查表\n- 标的：乌有酒业\n- 项目：近60日上涨天数\n- 结果：24天", True),
    ("核查表\n- 标的：乌有酒业\n- 项目：近60日上涨天数\n- 结果：34天", False),
    ("核查表\n- 标的：乌有酒业\n- 项目：近20日上涨天数\n- 结果：24天", False),
    ("核查表\n- 标的：乌有酒业\n- 项目：上涨天数\n- 窗口：60天\n- 结果：24天", True),
    ("近60日，乌有酒业的上涨天数有几天？24天。", True),
    ("近20日，乌有酒业的上涨天数有几天？24天。", False),
    ("近60日上涨天数24天，样本为鹿鸣传媒股票。", False),
]  # fmt: skip

EXPECTED = [
    ("乌有酒业预告2026年全年净利润从18.10亿元到20.50亿元。", True),
    ("乌有酒业预告2026年全年净利润从17.10亿元到20.50亿元。", False),
    ("业绩预告：乌有酒业2026年全年净利润，从18.10亿元至20.50亿元。", True),
    ("业绩预告：乌有酒业2027年全年净利润，从18.10亿元至20.50亿元。", False),
]  # fmt: skip

GROWTH_EXPECTED = [
    ("业绩预告显示，乌有酒业2026年净利润同比增长区间为14.63%至29.63%。", True),
    ("业绩预告显示，乌有酒业2026年净利润同比增长区间为14.63%至39.63%。", False),
    ("业绩预告显示，乌有酒业2026年净利润同比下降区间为14.63%至29.63%。", False),
    ("业绩预告里，乌有酒业2026年净利润同比增长下限14.63%、上限29.63%。", True),
]  # fmt: skip

BOTH_RATES = [
    ("乌有酒业2026年三季报净利润同比减2025年三季报，绝对值5.21个百分点。", True),
    ("乌有酒业2026年三季报净利润同比减2025年三季报，绝对值6.21个百分点。", False),
]  # fmt: skip

PASSED_ON = [
    "观点来源核对：多方；内容：{said}；标的：乌有酒业。", "发言人：多方；内容：{said}。", "出处：多方。内容：{said}。", "说话的是多方；说的是：{said}。",
    "多空观点交锋里，多方给出的说法是“{said}”。", "多空双方过招，多方抛出的论断是“{said}”。", "辩论里，多方的那句话是“{said}”。",
    "今天这场辩论，多方的论点我觉得值得抄下来：{said}。", "多方的观点我原样记着：{said}。",
    "{said}，这是多方在第一轮里的判断，涉及标的乌有酒业。", "{said}，此为多方首轮观点，标的乌有酒业。", "{said}——多方第一轮的论点，关于乌有酒业。",
    "{said}，这句话出自多方，针对乌有酒业。", "Q：“{said}”是谁说的？A：多方。", "“{said}”，这话谁说的？多方。",
]  # fmt: skip


def _like(pack: Pack, identifier: str, **changed: object) -> Fact:
    return next(f for f in pack.facts if f.id == identifier).model_copy(update=changed)


@pytest.fixture(scope="module")
def facts(pack: Pack) -> tuple[Fact, ...]:
    """The pack's facts, an earnings forecast, and the growth rate of the year before."""
    said = "业绩预告：预计2026年度归母净利润"
    money, growth = "earnings_forecasts.value_{}_cny", "earnings_forecasts.change_{}_pct"
    return (
        *pack.facts, *pack.appendix,
        _like(pack, "E45", id="E901", field=money.format("low"), period="2026Q4", value=1.81e9, sentence=f"{said}下限18.10亿元。"),
        _like(pack, "E45", id="E902", field=money.format("high"), period="2026Q4", value=2.05e9, sentence=f"{said}上限20.50亿元。"),
        _like(pack, "E55", id="E903", field=growth.format("low"), period="2026Q4", value=14.63, sentence=f"{said}变动幅度下限14.63%。"),
        _like(pack, "E55", id="E904", field=growth.format("high"), period="2026Q4", value=29.63, sentence=f"{said}变动幅度上限29.63%。"),
        _like(pack, "E55", id="E905", period="2025Q3", value=3.2538, sentence="2025Q3净利润同比增长3.25%。"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_right"), [*LISTED, *OF_THE_PRICE, *SAID_BEHIND, *OTHER_SIDE, *COUNTED, *EXPECTED, *GROWTH_EXPECTED, *BOTH_RATES]
)  # fmt: skip
def test_what_stands_around_a_number_says_what_it_is_of(
    pack: Pack, facts: tuple[Fact, ...], text: str, is_right: bool
) -> None:
    names = {pack.identity.name: pack.symbol}
    failures = verify_document(text, facts, subject=pack.symbol, names=names).failures
    assert (not failures) is is_right, [(c.text, c.reason) for c in failures]


@pytest.mark.parametrize("template", PASSED_ON)
def test_a_record_an_aside_or_an_answer_names_the_role_a_statement_is_of(template: str) -> None:
    for said, is_right in ((OWN, True), (OTHERS, False), (NOBODYS, False), (OWN.replace("16.2", "19.2"), False)):
        found = check_attribution(template.format(said=said), CLAIMS)
        assert found, said
        assert any(c.verdict.is_failure for c in found) is not is_right, (said, found)
