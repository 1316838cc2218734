"""What would prove a claim about a multiple wrong, and what an expected value of the year rests on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from flows.contracts.transcripts import Side
from flows.debate.grounds import settling_period, trailing_earnings
from flows.debate.metrics import family
from flows.debate.offline.expecting import expected_of
from flows.debate.offline.reading import Seen
from flows.debate.offline.references import Known, references
from tests.unit.debate_fakes import hold
from tests.unit.debate_packs import DAY, pack


def seen(number: int, sentence: str, metric: str | None = None, value: float | None = None, day: date = DAY) -> Seen:
    return Seen(f"E{number}", "0", sentence, "基本面", "数据", day, metric, value)


def known(*facts: Seen) -> Known:
    _, gate = hold()
    return Known(replace(gate.scenes[0], facts=facts, claims=()))


def expectation(metric: str, facts: tuple[Seen, ...], *, is_for: bool) -> float | None:
    found = expected_of(known(*facts), metric, is_for=is_for)
    return found["value"] if found else None


def test_the_year_so_far_stands_against_the_last_single_quarter() -> None:
    facts = (
        seen(1, "2026年前三季度营业收入同比增长8.35%", "revenue_yoy_pct", 8.35),
        seen(2, "2026年第三季度单季营业收入同比下降2.10%"),
    )
    assert expectation("revenue_yoy_pct", facts, is_for=True) == 8.35
    assert expectation("revenue_yoy_pct", facts, is_for=False) == -2.1


def test_the_companys_own_forecast_replaces_every_other_pace_of_profit() -> None:
    facts = (
        seen(1, "2026年前三季度净利润同比增长20.00%", "net_profit_yoy_pct", 20.0),
        seen(2, "2026年第三季度单季归母净利润同比增长60.00%"),
        seen(3, "2026年度业绩预告（略增）：预计归属于上市公司股东的净利润同比增长30.00%"),
    )
    assert expectation("net_profit_yoy_pct", facts, is_for=True) == 30.0
    assert expectation("net_profit_yoy_pct", facts, is_for=False) == 20.0


def test_a_brokers_withdrawn_forecast_is_nobodys_expectation() -> None:
    year = DAY.year
    facts = (
        seen(1, f"甲证券预测{year}年每股收益为0.88元（卖方预测）", day=DAY - timedelta(days=90)),
        seen(2, f"甲证券预测{year}年每股收益为0.80元（卖方预测）"),
        seen(3, "收盘价为14.00元", "close_cny", 14.0),
        seen(4, "市盈率(TTM)为20.00倍", "pe_ttm", 20.0),
    )
    assert expectation("eps_cny", facts, is_for=True) == 0.8
    assert expectation("eps_cny", facts, is_for=False) == 0.7


@pytest.mark.parametrize(
    ("multiple", "kinds"), [(-12.0, ["broker"]), (0.0, ["broker"]), (20.0, ["broker", "trailing"])]
)
def test_price_and_multiple_give_earnings_only_where_there_is_a_profit(multiple: float, kinds: list[str]) -> None:
    facts = (
        seen(1, f"甲证券预测{DAY.year}年每股收益为0.80元（卖方预测）"),
        seen(2, "收盘价为14.00元", "close_cny", 14.0),
        seen(3, "市盈率(TTM)", "pe_ttm", multiple),
    )
    assert [one.kind for one in references(known(*facts), "eps_cny")] == kinds


@pytest.mark.parametrize("metric", ["pe_ttm", "pb", "ps_ttm", "close_cny", "return_20d_pct"])
def test_nobody_expects_anything_of_a_price_or_a_multiple(metric: str) -> None:
    facts = (
        seen(1, "市净率为1.20倍", metric, 1.2),
        seen(2, "市净率较行业平均低30.00%"),
        seen(3, "市盈率(TTM)较行业平均低30.00%"),
    )
    assert references(known(*facts), metric) == []


def test_a_value_of_last_year_is_the_one_reported_then_and_not_one_rounded_twice() -> None:
    now, before = date(2026, 9, 30), date(2025, 9, 30)
    change = seen(3, "2026年前三季度毛利率同比上升3.02个百分点", day=now)
    latest = seen(1, "2026年前三季度毛利率为6.94%", "gross_margin_pct", 6.9372, now)
    stated = seen(2, "2025年前三季度毛利率为3.91%", "gross_margin_pct", 3.9131, before)
    assert expectation("gross_margin_pct", (latest, change, stated), is_for=False) == 3.9131
    assert expectation("gross_margin_pct", (latest, change), is_for=False) == pytest.approx(6.9372 - 3.02)


def test_earnings_of_four_quarters_are_the_close_by_its_multiple() -> None:
    ground = trailing_earnings(pack())
    assert ground is not None
    assert ground.value == pytest.approx(12.34 / 14.52)
    assert "除以" in ground.words


def test_earnings_due_with_the_annual_reports_are_those_of_the_year() -> None:
    the_pack = pack()
    assert settling_period(the_pack, "eps_cny", date(2027, 4, 30)) == date(2026, 12, 31)


def test_multiples_are_one_family() -> None:
    assert family("pe_ttm") == family("pb") != family("pe_ttm_pct_1y")


def test_a_cheap_share_is_proved_wrong_by_earnings_that_take_todays_price_to_a_higher_multiple() -> None:
    transcript, _ = hold()
    found = [item for item in transcript.falsifiers if item.metric == "eps_cny" and item.side is Side.FOR]
    assert found
    for item in found:
        assert (item.operator, item.period, item.due_date) == ("<", "2026Q4", date(2027, 4, 30))
        assert item.threshold == 0.84
        assert item.description.endswith("按现价12.34元（E1）计，市盈率(TTM)将高于现在的14.52倍（E20）")


def test_each_metric_is_settled_once_and_every_value_has_a_source() -> None:
    transcript, _ = hold()
    assert len(transcript.disagreements) >= 2
    families = [family(item.metric) for item in transcript.disagreements]
    assert len(families) == len(set(families))
    assert all("没有出处" not in item.assumption for item in transcript.disagreements)
