"""What warns first, whose value a metric is, and which falsifiers can be met."""

from __future__ import annotations

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from flows.contracts.packs import Dimension, Fact, FactKind, Pack, Polarity
from flows.contracts.transcripts import Falsifier, Side
from flows.contracts.units import Unit
from flows.debate.conclusion import Ruling
from flows.debate.falsifying import can_falsify
from flows.debate.giving import given_facts
from flows.debate.ownership import is_own_measure
from flows.debate.protocol import Role
from flows.debate.severity import gravest
from flows.debate.state import Record

OWN = "001991.SZ"


def fact(number: int, field: str, value: float | str | None, sentence: str, **more: Any) -> Fact:
    stated: dict[str, Any] = {
        "polarity": Polarity.NEGATIVE, "dimension": Dimension.RISK, "kind": FactKind.DATA, "subject": OWN,
    }  # fmt: skip
    return Fact(
        id=f"E{number}", sentence=sentence, field=field, value=value, unit=Unit.PCT, as_of=date(2026, 11, 27),
        published_at=datetime(2026, 11, 27, 8, tzinfo=UTC), source="测试", **(stated | more),
    )  # fmt: skip


def pack(*facts: Fact) -> Pack:
    return cast(Pack, SimpleNamespace(symbol=OWN, identity=SimpleNamespace(name="蜃楼"), facts=facts))


DRAWDOWN = fact(1, "drawdown_52w_pct", -39.4, "较52周最高收盘价低39.40%。")
LOSS = fact(2, "net_profit_cny", -1.0, "归母净利润为-1元。", dimension=Dimension.FUNDAMENTALS)
TOLD = {"kind": FactKind.ANNOUNCEMENT}
OVERDUE = fact(3, "filing_texts.sentence", "x", "公告《可能被终止上市的公告》第2页：逾期债务4.37亿元。", **TOLD)
DELISTING = fact(4, "announcements.title", "x", "公告（风险提示）《可能被终止上市的公告》。", **TOLD)


def test_delisting_warns_before_debt_loss_and_price() -> None:
    left = [DRAWDOWN, LOSS, OVERDUE, DELISTING]
    for expected in (DELISTING, OVERDUE, LOSS, DRAWDOWN):
        assert gravest(pack(*left)) is expected
        left.remove(expected)
    assert gravest(pack()) is None


def test_cash_that_fell_far_warns_before_a_slight_fall_of_profit() -> None:
    profit = fact(5, "net_profit_yoy_pct", -1.96, "净利润同比下降1.96%。", dimension=Dimension.FUNDAMENTALS)
    cash = fact(6, "financial_indicators.operating_cash_flow_yoy_pct", -27.88, "经营活动现金流净额同比下降27.88%。")
    assert gravest(pack(profit, cash)) is cash
    assert gravest(pack(profit.model_copy(update={"value": -45.0}), cash)).id == profit.id  # type: ignore[union-attr]


def _unlock(share: float, day: str) -> Fact:
    return fact(7, "unlocks.unlocked_pct", share, f"{day}将解禁限售股份占总股本{share:.2f}%。")


def test_much_stock_free_for_sale_within_days_warns_before_cash_that_fell() -> None:
    cash = fact(6, "financial_indicators.operating_cash_flow_yoy_pct", -26.28, "经营活动现金流净额同比下降26.28%。")
    near = _unlock(21.3, "2026-12-02")
    assert gravest(pack(cash, near)) is near
    for milder in (_unlock(2.1, "2026-12-02"), _unlock(21.3, "2027-06-02")):
        assert gravest(pack(cash, milder)) is cash


def test_a_contract_that_ended_warns_before_a_quarter_that_fell() -> None:
    quarter = fact(8, "financial_indicators.quarter_net_profit_yoy_pct", -13.7, "单季归母净利润同比下降13.70%。")
    ended = fact(9, "filing_texts.sentence", "x", "公告《进展公告》第1页：双方协商终止合同。", **TOLD)
    assert gravest(pack(quarter, ended)) is ended


def test_the_against_side_is_given_the_gravest_of_every_matter_before_a_second_of_one() -> None:
    delisting = [fact(n, "news.title", "x", f"可能被终止上市，其{n}。", **TOLD) for n in range(10, 14)]
    debt = fact(14, "filing_texts.sentence", "x", "公告《进展公告》第1页：逾期债务4.37亿元。", **TOLD)
    given = SimpleNamespace(symbol=OWN, identity=SimpleNamespace(name="蜃楼"), facts=(*delisting, debt), roles={})
    bear = Role("bear", "空方", Side.AGAINST, max_facts=2)
    assert [one.id for one in given_facts(cast(Pack, given), bear)] == ["E10", "E14"]


def test_neutral_and_foreign_facts_never_warn() -> None:
    neutral = DELISTING.model_copy(update={"polarity": Polarity.NEUTRAL})
    assert gravest(pack(neutral, DELISTING.model_copy(update={"subject": "别家"}), DRAWDOWN)) is DRAWDOWN


@pytest.mark.parametrize(
    ("subject", "dimension", "expected"),
    [
        (OWN, "估值", True),
        ("烛龙显示", "行业", False),
        ("行业平均", "行业", False),
        ("", "政策", False),
        ("", "估值", True),
    ],
)
def test_a_metric_of_another_company_is_not_the_stocks_own(subject: str, dimension: str, expected: bool) -> None:
    known = fact(1, "pe_ttm", 38.24, "市盈率(TTM)为38.24倍。", subject=subject, dimension=Dimension(dimension))
    assert is_own_measure(known, pack(known)) is expected


@pytest.mark.parametrize(
    ("metric", "operator", "limit", "expected"),
    [
        ("drawdown_52w_pct", ">", 0.0, False),
        ("drawdown_52w_pct", ">", -19.7, True),
        ("main_net_cny", "<", 0.0, False),
        ("pledge_ratio_pct", "<", 38.2, False),
        ("pledge_ratio_pct", "<", 20.0, True),
        ("net_profit_yoy_pct", "<", 60.0, False),
        ("net_profit_yoy_pct", "<", 51.48, False),
        ("net_profit_yoy_pct", "<", 0.0, True),
        ("return_60d_pct", ">", 0.0, False),
        ("pe_ttm_pct_1y", ">", 50.0, False),
        ("roe_pct", ">", -8.36, False),
        ("roe_pct", ">", 0.0, True),
        ("pb_pct_1y", ">", 100.0, False),
    ],
)
def test_a_falsifier_must_be_possible_and_not_yet_met(metric: str, operator: str, limit: float, expected: bool) -> None:
    present = {"drawdown_52w_pct": -39.4, "pledge_ratio_pct": 38.2, "net_profit_yoy_pct": 51.48, "roe_pct": -9.0}
    record = cast(Record, SimpleNamespace(present_value=present.get, pack=pack()))
    item = Falsifier(
        falsifier_id="", side=Side.AGAINST, description="", metric=metric, operator=operator, threshold=limit,
        unit="PCT", due_date=date(2027, 2, 25), claim_id="r1-bear-1",
    )  # fmt: skip
    assert can_falsify(record, item) is expected


@pytest.mark.parametrize(
    ("judged", "agreed", "confidence", "verdict"),
    [
        ("for", 1.0, 60.0, "for"),
        ("for", 1.0, 50.9, "for"),
        ("for", 1.0, 44.0, "undecided"),
        ("against", 1.0, 55.3, "undecided"),
        ("undecided", 0.0, 70.0, "undecided"),
        ("against", None, 55.3, "against"),
    ],
)
def test_judge_and_program_never_contradict_each_other_in_a_verdict(
    judged: str, agreed: float | None, confidence: float, verdict: str
) -> None:
    assert Ruling(judged, agreed, confidence).verdict == verdict
