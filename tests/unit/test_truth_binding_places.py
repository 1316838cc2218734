"""Words that say of whom, of what and of when a number is, at every place they can stand to it."""

from __future__ import annotations

import pytest

from flows.contracts.units import Unit
from tests.unit.test_truth_binding import FACTS, checked, of

DAYS = of(20, "up_days_60d", 24.0, Unit.SESSIONS, "近60日上涨天数为24个交易日。", "近60日")
SPREAD = of(21, "volatility_60d_pct", 20.89, Unit.PCT, "近60日年化波动率为20.89%。", "近60日")
KNOWN = (*FACTS, DAYS, SPREAD)


def _failures(text: str) -> list[str]:
    return [check.text for check in checked(text, facts=KNOWN) if check.verdict.is_failure]


@pytest.mark.parametrize(
    "text",
    [
        "近60日上涨天数有多少？24天，公司的日线可以作证。",
        "近60个交易日里示例甲收涨的日子有24天。",
        "24天——示例甲的近60日上涨天数。",
        "问：示例甲2025年三季报毛利率是多少？答：31.25%。",
        "毛利率（2025年前三季度）：31.25%；来源：示例甲定期报告。",
        "毛利率：31.25%。期间：2025Q3。主体：示例甲。",
        "31.25%是示例甲2025年前三季度毛利率的披露值。",
        "以20.89%的年化波动率衡量，示例甲近60日的价格起伏大致如此。",
        "-6.8%：近20个交易日示例甲股价的涨跌幅。",
    ],
)
def test_number_is_held_by_words_behind_it_and_by_its_question(text: str) -> None:
    assert [check.verdict.value for check in checked(text, facts=KNOWN)] in (["supported"], ["rounded"])


@pytest.mark.parametrize(
    "text",
    [
        "近60日上涨天数有多少？42天，公司的日线可以作证。",
        "近20个交易日里示例甲收涨的日子有24天。",
        "24天——示例甲的近20日上涨天数。",
        "近60日里示例乙收涨的日子有24天。",
        "毛利率（2025年前三季度）：31.25%；来源：示例乙定期报告。",
        "毛利率：31.25%。期间：2024Q3。主体：示例甲。",
        "毛利率：31.25%。期间：2025Q3。主体：示例乙。",
        "31.25%是示例乙2025年前三季度毛利率的披露值。",
        "以20.89%的年化波动率衡量，示例甲最近5个交易日的价格起伏大致如此。",
        "-6.8%：近5个交易日示例甲股价的涨跌幅。",
    ],
)
def test_wrong_company_period_or_window_behind_a_number_is_caught(text: str) -> None:
    assert _failures(text)


def test_unknown_company_is_found_behind_any_word() -> None:
    assert _failures("盘面上松原药业以11.37元报收。")
    assert _failures("有网友问长汀水务表现如何，近20日涨跌幅给出的答案是-6.8%。")


def test_known_company_behind_a_word_that_touches_it_is_no_unknown_one() -> None:
    named = of(22, "news.title", None, Unit.TEXT, "新闻：乌有酒业签订重大销售合同")
    found = checked("提到乌有酒业，周五乌有酒业收于11.37元。", facts=(*KNOWN, named))
    assert [check.verdict.value for check in found] == ["supported"]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("市盈率这一项，18.5倍对22.4倍，前者是示例甲，后者是行业平均。", True),
        ("市盈率这一项，18.5倍对22.4倍，前者是行业平均，后者是示例甲。", False),
        ("若拿行业平均当参照，示例甲的市盈率是低于它的，18.5倍对22.4倍。", True),
        ("若拿行业平均当参照，示例甲的市盈率是低于它的，22.4倍对18.5倍。", False),
        ("先看2024Q3，再看2025Q3，示例甲的毛利率后者高于前者，31.25%对29.75%。", True),
        ("先看2024Q3，再看2025Q3，示例甲的毛利率后者高于前者，29.75%对31.25%。", False),
        ("把1.23亿元和1.10亿元放在天平两头，前一个是示例甲2025Q3的营业收入，后一个是2024Q3的。", True),
        ("把1.23亿元和1.10亿元放在天平两头，前一个是示例甲2024Q3的营业收入，后一个是2025Q3的。", False),
        ("把公司（18.5倍）和行业平均（22.4倍）的市盈率放在一块儿看。", True),
        ("把公司（22.4倍）和行业平均（18.5倍）的市盈率放在一块儿看。", False),
        ("毛利率由2024Q3的29.75%变到2025Q3的31.25%。", True),
        ("毛利率由2024Q3的31.25%变到2025Q3的29.75%。", False),
    ],
)
def test_each_number_of_a_pair_is_of_its_own_party(text: str, right: bool) -> None:
    assert (not _failures(text)) == right


@pytest.mark.parametrize(("value", "right"), [("31.25%", True), ("29.75%", False)])
def test_column_that_names_the_quantity_names_it_for_its_row(value: str, right: bool) -> None:
    table = f"| 公司 | 期间 | 指标 | 数值 |\n|---|---|---|---|\n| 示例甲 | 2025Q3 | 毛利率 | {value} |"
    assert (not _failures(table)) == right


YIELDING = (
    *KNOWN,
    of(30, "corporate_actions.cash_cny", 0.35, Unit.CNY_PER_SHARE, "每股派发现金红利（税前）0.35元。"),
    of(31, "deducted_net_profit_cny", 1.2e7, Unit.CNY, "2025Q3扣非净利润为1200万元。", "2025Q3"),
    of(32, "financial_indicators.gross_margin_yoy_pp", 1.5, Unit.PP, "2025Q3毛利率同比上升1.50个百分点。", "2025Q3"),
    of(33, "pe_ttm_pct_1y", 10.54, Unit.PCT, "市盈率(TTM)处于近1年10.54%分位。", "近1年"),
    of(34, "high_52w_cny", 14.5, Unit.CNY_PER_SHARE, "52周最高价为14.50元。", "近52周"),
    of(35, "low_52w_cny", 9.8, Unit.CNY_PER_SHARE, "52周最低价为9.80元。", "近52周"),
    of(36, "change_pct", 0.42, Unit.PCT, "当日上涨0.42%。"),
    of(37, "daily_bars.amount_cny", 2.46e8, Unit.CNY, "成交额为2.46亿元。"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("前三季度非经常性损益约300万元（归母减扣非）。", True),
        ("前三季度非经常性损益约350万元（归母减扣非）。", False),
        ("以0.35元红利对11.37元股价，静态股息率约3.08%。", True),
        ("以0.35元红利对11.37元股价，静态股息率约4.08%。", False),
        ("近一年分位：PE 10.54%。", True),
        ("近一年分位：PE 20.54%。", False),
        ("52周价格区间9.80元至14.50元。", True),
        ("52周价格区间9.80元至15.50元。", False),
        ("600999.SH 收11.37元（+0.42%），成交2.46亿元。", True),
        ("600999.SH 收11.37元（-0.42%），成交2.46亿元。", False),
        ("600999.SH 收11.37元（+0.42%），成交2.56亿元。", False),
        ("扣非占归母的80%。", True),
        ("扣非占归母的85%。", False),
    ],
)
def test_quantity_that_named_facts_give_is_recomputed_and_terse_wording_is_read(text: str, right: bool) -> None:
    failed = [check.text for check in checked(text, facts=YIELDING) if check.verdict.is_failure]
    assert (not failed) == right


@pytest.mark.parametrize(("day", "right"), [("27日", True), ("25日", False)])
def test_day_of_the_month_is_a_day_not_a_window(day: str, right: bool) -> None:
    flow = of(40, "main_net_cny", 9e6, Unit.CNY, "主力资金当日净流入900.00万元（2026-11-27）。", "当日")
    failed = [c for c in checked(f"主力资金单看{day}净流入约900万元。", facts=(flow,)) if c.verdict.is_failure]
    assert (not failed) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("有人关心毛利率。示例甲2025Q3报的是31.25%。", True),
        ("有人关心毛利率。示例甲2024Q3报的是31.25%。", False),
        ("1500万元！这是示例甲2025Q3的归母净利润。", True),
        ("1500万元！这是示例乙2025Q3的归母净利润。", False),
        ("毛利率？31.25%。谁的？示例甲。什么时候？2025Q3。", True),
        ("毛利率？31.25%。谁的？示例甲。什么时候？2024Q3。", False),
        ("论市盈率，示例甲低于行业平均：18.5倍比22.4倍。", True),
        ("论市盈率，示例甲低于行业平均：22.4倍比18.5倍。", False),
        ("18.5倍对22.4倍：示例甲和行业平均的市盈率。", True),
        ("22.4倍对18.5倍：示例甲和行业平均的市盈率。", False),
        ("示例甲市盈率18.5倍，行业平均22.4倍，前者低于后者。", True),
        ("示例甲市盈率18.5倍，行业平均22.4倍，前者高于后者。", False),
    ],
)
def test_number_is_held_across_sentences_that_belong_together(text: str, right: bool) -> None:
    assert (not _failures(text)) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("营业收入由1.10亿元变为1.23亿元（2024Q3至2025Q3，示例甲）。", True),
        ("营业收入由1.23亿元变为1.10亿元（2024Q3至2025Q3，示例甲）。", False),
        ("2025Q3的毛利率31.25%，这家公司是示例甲。", True),
        ("2025Q3的毛利率31.25%，这家公司是示例乙。", False),
        ("示例甲的市盈率18.5倍，隔壁行业平均22.4倍。", True),
        ("示例甲的市盈率22.4倍，隔壁行业平均18.5倍。", False),
    ],
)
def test_owner_or_periods_told_last_are_of_the_numbers_before(text: str, right: bool) -> None:
    assert (not _failures(text)) == right
