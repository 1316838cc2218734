"""Names told in parts, records of lines, and what a table's corner and caption say (PRODUCT T1, T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Fact
from flows.contracts.units import Unit
from flows.truth.verify import verify_document
from tests.factories import SYMBOL
from tests.unit.test_truth_binding import NAMES, of

SHARES = 69_808e4
FACTS: tuple[Fact, ...] = (
    of(1, "eps_cny", 2.21, Unit.CNY_PER_SHARE, "2025Q3每股收益为2.21元。", "2025Q3"),
    of(2, "eps_cny", 1.85, Unit.CNY_PER_SHARE, "2024Q3每股收益为1.85元。", "2024Q3"),
    of(3, "bvps_cny", 36.97, Unit.CNY_PER_SHARE, "2025Q3每股净资产为36.97元。", "2025Q3"),
    of(4, "pledge_ratio_pct", 9.71, Unit.PCT, "质押比例为9.71%。"),
    of(5, "pb", 8.94, Unit.MULTIPLE, "市净率为8.94倍。"),
    of(6, "pb_pct_3y", 21.63, Unit.PCT, "市净率近3年分位为21.63%。", "近3年"),
    of(7, "pb_pct_1y", 48.2, Unit.PCT, "市净率近1年分位为48.20%。", "近1年"),
    of(8, "gross_margin_pct", 33.16, Unit.PCT, "2025Q3毛利率为33.16%。", "2025Q3"),
    of(9, "gross_margin_pct", 29.4, Unit.PCT, "2024Q3毛利率为29.40%。", "2024Q3"),
    of(10, "holder_trades.changed_shares", SHARES, Unit.SHARES, "股东某投资公司减持6.98亿股。"),
    of(11, "unlocks.unlocked_shares", 28_836e4, Unit.SHARES, "限售股解禁2.88亿股。"),
)
#: Template, right, wrong.
SPLIT = [
    ("每一股背后的净资产，按2025Q3计为{n}元，主体是公司。", "36.97", "46.97"), ("摊到每股的净资产，公司2025Q3是{n}元。", "36.97", "2.21"),
    ("归到每一股上，公司2025Q3的收益是{n}元。", "2.21", "36.97"), ("公司2025Q3平均每股赚{n}元。", "2.21", "1.85"), ("2025Q3公司每一股对应的收益为{n}元。", "2.21", "3.21"),
    ("股权质押一项，市场关心的是比例，公司的这一数字目前为{n}%。", "9.71", "19.71"), ("质押这块，看比例，公司是{n}%。", "9.71", "12.71"), ("聊到股份质押比例，公司眼下的读数就是{n}%。", "9.71", "39.71"),
    ("{n}%——公司市净率在近3年中的分位。", "21.63", "48.20"), ("{n}%的市净率分位（近三年），就公司而言，该给什么权重？", "21.63", "48.20"), ("PB分位怎么说？近3年，{n}%，公司。", "21.63", "48.20"),
    ("近三年里，公司的PB排到{n}%的位置，这是分位。", "21.63", "48.20"), ("公司，PB分位，近1年，{n}%。", "48.20", "21.63"),
    ("权益变动公告显示，公司股东本次卖出{n}万股。", "69,808", "59,808"), ("股东抛了{n}万股，公司的公告可查。", "69808", "28836"), ("股东卖出{n}万股——我没有添油加醋，公司的公告就是这么写的。", "69808", "79808"),
    ("从限售到可流通，公司这一批股份的规模为{n}万股。", "28836", "69808"),
]  # fmt: skip
RECORDS = [
    ("- 公司\n  - 指标：毛利率\n  - 期间：2025Q3\n  - 数值：{n}%", "33.16", "29.40"), ("主体：公司\n指标：毛利率\n期间：2025Q3\n数值：{n}%", "33.16", "29.40"),
    ("【笔记】公司\n期间：2024Q3\n毛利率：{n}%", "29.40", "33.16"),
    ("| 公司 | 2024Q3 |\n|---|---|\n| 毛利率 | {n}% |", "29.40", "33.16"), ("毛利率（2024Q3）\n\n| 公司 | 数值 |\n|---|---|\n| 公司 | {n}% |", "29.40", "33.16"),
    ("表1：公司2024Q3主要指标\n\n| 指标 | 数值 |\n|---|---|\n| 毛利率 | {n}% |", "29.40", "33.16"), ("| 报告期：2024Q3 | 公司 |\n|---|---|\n| 毛利率 | {n}% |", "29.40", "33.16"),
    ("截至2025年最近一次定期报告，公司的毛利率为{n}%。", "33.16", "29.40"),
]  # fmt: skip
LISTS = [
    ("公司毛利率按期列：\n1、2024Q3：{n}%\n2、2025Q3：33.16%", "29.40", "33.16"), ("公司毛利率按期列：\n1、2024Q3：29.40%\n2、2025Q3：{n}%", "33.16", "29.40"),
    ("公司2024Q3要点：\n- 毛利率：{n}%\n- 每股收益：1.85元", "29.40", "33.16"), ("1、毛利率：{n}%\n2、每股收益：1.85元\n（公司，2024Q3）", "29.40", "33.16"),
    ("以下均为公司2024Q3数据：\n（1）毛利率{n}%\n（2）每股收益1.85元", "29.40", "33.16"), ("## 公司\n\n- 毛利率（2024Q3）：{n}%", "29.40", "33.16"),
]  # fmt: skip


def fails(text: str) -> bool:
    return bool(verify_document(text, FACTS, subject=SYMBOL, names=NAMES).failures)


@pytest.mark.parametrize(("template", "right", "wrong"), [*SPLIT, *RECORDS, *LISTS])
def test_a_name_told_in_parts_holds_only_its_own_number(template: str, right: str, wrong: str) -> None:
    assert not fails(template.format(n=right))
    assert fails(template.format(n=wrong))
    assert fails(template.format(n=right).replace("公司", "海市蜃楼科技", 1))


def test_a_holder_who_buys_did_not_sell() -> None:
    assert fails("公司股东本次买入69,808万股。")
    assert not fails("公司股东本次卖出69,808万股。")


def test_a_part_inside_a_longer_name_or_behind_a_number_is_no_part() -> None:
    assert not fails("每股收益2.21元，净资产方面没有数据。")
    assert fails("每股收益高于同业，净资产为36.97元。")
    assert fails("截至2024年最近一次定期报告，公司的毛利率为33.16%。")


FALLS = [
    "自近52周最高点算起，公司股价累计下跌{n}%。", "与近52周的最高价相比，公司现价下跌{n}%。", "从近一年高点往下算，公司股价跌了{n}%。",
    "较近52周高点，公司股价回落{n}%。", "拿近52周高点做参照，公司股价下跌{n}%。", "比起52周高点，公司现价低{n}%。",
]  # fmt: skip


@pytest.mark.parametrize("template", FALLS)
def test_a_fall_measured_from_a_high_is_the_drawdown(template: str) -> None:
    facts = (of(1, "drawdown_52w_pct", -12.5, Unit.PCT, "较52周高点回撤12.50%。", "近52周"),)
    for text, is_right in ((template.format(n="12.5"), True), (template.format(n="22.5"), False)):
        assert bool(verify_document(text, facts, subject=SYMBOL, names=NAMES).failures) is not is_right
    assert verify_document(
        template.format(n="12.5").replace("公司", "海市蜃楼科技"), facts, subject=SYMBOL, names=NAMES
    ).failures


def test_a_number_is_taken_up_by_the_sentence_behind_it() -> None:
    growth = (of(1, "revenue_yoy_pct", -14.59, Unit.PCT, "2025Q3营业收入同比下降14.59%。", "2025Q3"),)
    for text, is_right in (
        ("下滑14.59%！公司2025Q3营收同比就是这个幅度。", True), ("上升14.59%！公司2025Q3营收同比就是这个幅度。", False),
        ("下滑14.59%！公司2024Q3营收同比就是这个幅度。", False), ("下滑24.59%！公司2025Q3营收同比就是这个幅度。", False),
    ):  # fmt: skip
        assert bool(verify_document(text, growth, subject=SYMBOL, names=NAMES).failures) is not is_right, text
