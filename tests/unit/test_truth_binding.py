"""Numbers bound to facts (PRODUCT T2, T3): what holds, and each single way not to, against a dozen small facts."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.packs import Fact, FactKind
from flows.contracts.units import Unit
from flows.truth.binding import check_claim, check_text
from tests.factories import SYMBOL, claim, fact, pack

OTHER = "600998.SH"
NAMES = {"示例甲": SYMBOL, "示例乙": OTHER}
THIS_YEAR, LAST_YEAR = date(2025, 9, 30), date(2024, 9, 30)


def of(number: int, field: str, value: float | None, unit: Unit, sentence: str, period: str = "", **more: Any) -> Fact:
    return fact(number, field=field, value=value, unit=unit, sentence=sentence, period=period, **more)


FACTS = (
    of(1, "pe_ttm", 18.5, Unit.MULTIPLE, "截至2026-11-27，市盈率(TTM)为18.50倍。"),
    of(2, "revenue_cny", 1.2345e8, Unit.CNY, "2025Q3（前三季度累计）营业收入为1.23亿元。", "2025Q3", as_of=THIS_YEAR),
    of(3, "revenue_cny", 1.1e8, Unit.CNY, "2024Q3（前三季度累计）营业收入为1.10亿元。", "2024Q3", as_of=LAST_YEAR),
    of(4, "net_profit_yoy_pct", -6.8, Unit.PCT, "2025Q3净利润同比下降6.80%。", "2025Q3", as_of=THIS_YEAR),
    of(5, "gross_margin_pct", 31.25, Unit.PCT, "2025Q3毛利率为31.25%。", "2025Q3", as_of=THIS_YEAR),
    of(6, "gross_margin_pct", 29.75, Unit.PCT, "2024Q3毛利率为29.75%。", "2024Q3", as_of=LAST_YEAR),
    of(7, "return_20d_pct", -6.8, Unit.PCT, "近20日下跌6.80%。", "近20日"),
    of(8, "close_cny", 11.37, Unit.CNY_PER_SHARE, "收盘价为11.37元。"),
    of(9, "peers.pe_ttm_mean", 22.4, Unit.MULTIPLE, "同行业（白酒）市盈率(TTM)均值为22.40倍（11家可比公司）。", "白酒", subject="行业平均"),
    of(10, "pb", 1.8, Unit.MULTIPLE, "同行业公司示例乙（600998.SH）市净率为1.80倍。", subject="示例乙"),
    of(11, "net_profit_cny", 1.5e7, Unit.CNY, "2025Q3归母净利润为1500万元。", "2025Q3", as_of=THIS_YEAR),
    of(12, "financial_indicators.contract_liability_pct", 6.8, Unit.PCT, "2025Q3合同负债占总资产比例为6.80%。", "2025Q3", as_of=THIS_YEAR),
)  # fmt: skip


def checked(text: str, *, cited: list[str] | None = None, facts: tuple[Fact, ...] = FACTS) -> list[Check]:
    """Checks of *text*, without what is no quantity."""
    found = check_text(text, facts, cited=cited, subject=SYMBOL, names=NAMES)
    return [c for c in found if c.verdict is not CheckVerdict.NOT_A_QUANTITY]


def the(text: str, **given: Any) -> Check:
    (found,) = checked(text, **given)
    return found


HELD = [
    ("市盈率(TTM)为18.5倍。", "E1", "supported"), ("PE 18.50", "E1", "supported"), ("市盈率18倍", "E1", "rounded"),
    ("示例甲2025Q3营业收入为12345万元。", "E2", "supported"), ("2025年前三季度营收1.23亿元", "E2", "rounded"),
    ("2025年三季报营业收入约1.2亿元", "E2", "rounded"), ("2024Q3营业收入1.1亿元", "E3", "supported"),
    ("净利润同比下降6.8%", "E4", "supported"), ("2025Q3净利润同比-6.8%", "E4", "supported"), ("跌幅6.8%", "E7", "supported"),
    ("近20日跌幅6.8%", "E7", "supported"),
    ("近20个交易日累计下跌6.8%", "E7", "supported"), ("600999.SH收盘价11.37元", "E8", "supported"),
    ("行业平均市盈率22.4倍", "E9", "supported"), ("示例乙市净率1.8倍", "E10", "supported"),
    ("2025Q3合同负债占总资产比例为6.8%", "E12", "supported"), ("市盈率低于20倍", "E1", "rounded"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fact_id", "verdict"), HELD, ids=str)
def test_right_number_holds_against_its_fact(text: str, fact_id: str, verdict: str) -> None:
    found = the(text)
    assert (found.verdict.value, found.fact_id) == (verdict, fact_id), found.reason


def test_yuan_in_ten_thousands_said_in_hundred_millions_is_rounded() -> None:
    found = the("2025Q3营业收入为1.23亿元。")
    assert (found.verdict, found.value, found.expected) == (CheckVerdict.ROUNDED, 1.23e8, 1.2345e8)


WRONG = [
    ("digits", "市盈率19.5倍", 18.5), ("last digit", "2025Q3营业收入1.24亿元", 1.2345e8), ("scale", "2025Q3营业收入1.23万元", 1.2345e8),
    ("unit of a multiple", "市盈率18.5%", 18.5), ("unit of an amount", "2025Q3营业收入1.23亿股", 1.2345e8),
    ("sign", "2025Q3净利润同比6.8%", -6.8), ("direction word", "净利润同比增长6.8%", -6.8), ("fall said as a rise", "近20日上涨6.8%", -6.8),
    ("fall said as a rise, noun", "近20日涨幅6.8%", -6.8), ("window", "近60日下跌6.8%", -6.8),
    ("period", "2024Q3营业收入1.23亿元", 1.1e8), ("company", "示例乙市盈率18.5倍", 18.5), ("another's ratio as ours", "公司市净率1.8倍", 1.8),
    ("another's digits", "示例乙市净率为2.8倍", 1.8),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "text", "expected"), WRONG, ids=[row[0] for row in WRONG])
def test_single_deviation_is_a_mismatch_that_names_the_right_value(_what: str, text: str, expected: float) -> None:
    found = the(text)
    assert found.verdict is CheckVerdict.MISMATCH, found.reason
    assert found.expected == pytest.approx(expected)
    assert found.reason


@pytest.mark.parametrize(
    "text",
    [
        "市盈率不足18倍",
        "市盈率超过19倍",
        "市盈率不到15倍",
        "市盈率超过25倍",
    ],
)
def test_threshold_on_the_wrong_side_is_wrong(text: str) -> None:
    assert the(text).verdict.is_failure


UNKNOWN = [
    ("metric without a fact", "市净率18.5倍"), ("share said as a change", "2025Q3合同负债同比变化6.8%"), ("share said as growth", "2025Q3合同负债增长6.8%"),
    ("digits that merely occur", "目标是18.5"), ("digits that occur, another noun", "31.25家门店"), ("no word for it", "它达到18.5倍"),
    ("percent for percentage points", "2025Q3毛利率较上年同期提升1.5%"),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "text"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_digits_alone_prove_nothing(_what: str, text: str) -> None:
    assert the(text).verdict is CheckVerdict.UNSUPPORTED


DERIVED = [
    ("2025Q3营业收入同比增长12.2%", "E2 / E3 - 1", 12.227), ("营业收入比上年同期增加1345万元", "E2 - E3", 1.345e7),
    ("2025Q3毛利率较上年同期提升1.5个百分点", "E5 - E6", 1.5), ("净利润相当于营业收入的12.2%", "E11 / E2", 12.151),
    ("市盈率比行业平均低3.9倍", "E1 - E9", -3.9), ("市盈率较行业均值低17.4%", "E1 / E9 - 1", -17.411),
]  # fmt: skip


@pytest.mark.parametrize(("text", "formula", "value"), DERIVED, ids=[row[0] for row in DERIVED])
def test_derived_number_is_recomputed_and_its_formula_said(text: str, formula: str, value: float) -> None:
    found = the(text)
    assert (found.verdict, found.formula) == (CheckVerdict.DERIVED, formula)
    assert found.expected == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize(
    "text",
    ["2025Q3营业收入同比增长15.2%", "2025Q3营业收入同比下降12.2%", "毛利率较上年同期下降1.5个百分点", "毛利率同比提升2.5个百分点",
     "净利润相当于营业收入的15%", "市盈率较行业均值高17.4%", "营业收入比上年同期增加1345亿元"],
)  # fmt: skip
def test_wrong_derivation_is_caught(text: str) -> None:
    assert the(text).verdict.is_failure


COMPARISONS = [
    ("市盈率低于行业平均", "supported"), ("市盈率高于行业平均", "mismatch"), ("市净率低于行业平均", "unsupported"),
    ("股价创三年新高", "unsupported"), ("营业收入连续三季下滑", "unsupported"), ("公司已由盈转亏", "unsupported"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "verdict"), COMPARISONS, ids=[row[0] for row in COMPARISONS])
def test_comparison_without_a_number_is_a_claim_too(text: str, verdict: str) -> None:
    assert the(text).verdict.value == verdict


def test_comparison_that_cites_no_peer_is_unsupported() -> None:
    assert the("市盈率低于行业平均", cited=["E1"]).verdict is CheckVerdict.UNSUPPORTED


@pytest.mark.parametrize("cited", [[], ["E2"], ["E77"]])
def test_right_number_of_an_uncited_fact_does_not_hold(cited: list[str]) -> None:
    found = the("市盈率18.5倍", cited=cited)
    assert (found.verdict, found.fact_id) == (CheckVerdict.UNSUPPORTED, "E1")
    assert "未被引用" in found.reason


def test_right_number_of_a_cited_fact_holds() -> None:
    assert the("市盈率18.5倍[E1]", cited=["E1", "E2"]).verdict is CheckVerdict.SUPPORTED


def test_knowledge_is_never_a_number_of_the_company() -> None:
    note = of(1, "pe_ttm", 15.0, Unit.MULTIPLE, "成熟行业市盈率多在15倍上下。", kind=FactKind.KNOWLEDGE, subject="")
    assert the("公司市盈率为15倍", facts=(note,)).verdict.is_failure


def test_amount_inside_an_announcement_holds_for_what_it_is_of() -> None:
    deal = of(1, "text", None, Unit.TEXT, "公告《关于收购股权的公告》：交易对价3.5亿元。", kind=FactKind.ANNOUNCEMENT)
    assert the("交易对价3.5亿元", facts=(deal,)).verdict is CheckVerdict.SUPPORTED
    assert the("交易对价4.5亿元", facts=(deal,)).verdict is CheckVerdict.MISMATCH
    assert the("净利润3.5亿元", facts=(deal,)).verdict is CheckVerdict.UNSUPPORTED


DIVIDEND = (of(1, "dividends.cash_per_10_cny", 3.5, Unit.CNY, "2025年度每10股派现3.50元（含税）。", "2025"),)


@pytest.mark.parametrize(
    "text",
    ["2025年度每10股派现3.5元", "每10股派3.5元", "每股派现0.35元"],
)
def test_dividend_per_ten_shares_holds(text: str) -> None:
    assert not any(c.verdict.is_failure for c in checked(text, facts=DIVIDEND))


def test_dividend_per_ten_shares_said_per_share_is_wrong() -> None:
    assert any(c.verdict.is_failure for c in checked("每股派现3.5元", facts=DIVIDEND))


def test_value_of_an_older_fact_does_not_hold_under_the_id_of_the_newer() -> None:
    new, old = (
        of(n, "research_reports.eps_year_1_cny", value, Unit.CNY_PER_SHARE, f"虚拟投资预测2027年每股收益为{value}元（卖方预测，非实际值）（{day}，演示研报）。", "2027E", as_of=day)
        for n, value, day in ((1, 0.95, date(2026, 11, 16)), (2, 0.98, date(2026, 8, 20)))
    )  # fmt: skip
    assert the(
        "虚拟投资预测2027年每股收益为0.98元（卖方预测，非实际值）（2026-11-16）（E1）。", facts=(new, old)
    ).verdict.is_failure


def test_offsets_of_a_claim_run_through_its_three_parts() -> None:
    said = claim(conclusion="估值不高。", basis="市盈率(TTM)为28.5倍。", reasoning="低于行业平均。")
    checks = check_claim(said, pack(*FACTS))
    assert [said.text[c.start : c.end] for c in checks] == [c.text for c in checks]
    assert {c.text: c.verdict for c in checks}["28.5倍"] is CheckVerdict.MISMATCH
    assert {c.claim_id for c in checks} == {said.claim_id}
