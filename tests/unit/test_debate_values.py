"""What an argument may expect a value of, and how one side answers the value the other expects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from flows.contracts.packs import Fact, Pack
from flows.debate.grounds import root_of
from flows.debate.offline.contesting import contested
from flows.debate.offline.phrasebook_values import NAMES, VALUE_GROUPS, reason_for
from flows.debate.offline.reading import Seen
from flows.debate.offline.references import Known
from tests.unit.debate_fakes import ScriptedGate, hold
from tests.unit.debate_packs import DAY, pack
from tests.unit.test_debate_truth_of_phrases import _drawn, _given

#: Metric → what a cited fact must be about for the metric to be settled by it or to decide what it is worth.
BEARS: dict[str, str] = {
    "net_profit_yoy_pct": r"profit_yoy|deducted_yoy|earnings_forecast|^pe_ttm|peers\.pe|consensus|业绩预告|revenue_yoy",
    "revenue_yoy_pct": r"revenue_yoy|^ps_ttm|合同|定点|订单|中标",
    "gross_margin_pct": r"gross_margin|集采|带量采购",
    "roe_pct": r"roe|^pb(?:_|$)|peers\.pb",
    "operating_cash_flow_cny": r"cash_flow|cash_to_profit",
    "debt_ratio_pct": r"debt_ratio|资产负债率",
    "eps_cny": r"eps|^pe_ttm|peers\.pe_ttm|research|卖方",
}  # fmt: skip


def arguments(gate: ScriptedGate) -> Iterator[dict[str, Any]]:
    for raw in gate.raws:
        answer = json.loads(raw)
        yield from (*answer.get("claims", ()), *answer.get("pro", ()), *answer.get("con", ()))


def unrelated(the_pack: Pack, gate: ScriptedGate) -> list[str]:
    """Expectations on an argument none of whose facts bears on the metric."""
    found = []
    for argument in arguments(gate):
        expect = argument["expect"]
        cited = [fact for fid in argument["facts"] if (fact := the_pack.fact(fid))]
        if expect and not any(_bears(expect["metric"], fact) for fact in cited):
            found.append(f"{expect['metric']} on {argument['conclusion']}")
    return found


def _bears(metric: str, fact: Fact) -> bool:
    return re.search(BEARS[metric], fact.field) is not None or re.search(BEARS[metric], fact.sentence) is not None


@pytest.mark.parametrize("protocol", ["bull_bear", "four_stance", "direct"])
def test_an_argument_expects_only_what_its_facts_bear_on(protocol: str) -> None:
    _, gate = hold(protocol)
    assert any(argument["expect"] for argument in arguments(gate))
    assert unrelated(pack(), gate) == []


@pytest.mark.parametrize("seed", range(60, 90))
def test_no_drawn_pack_hangs_a_value_on_an_argument_about_something_else(seed: int) -> None:
    drawn = _given(_drawn(seed))
    _, gate = hold(the_pack=drawn)
    assert unrelated(drawn, gate) == []


def test_a_side_names_each_metric_once_and_answers_every_value_it_can() -> None:
    transcript, gate = hold()
    named: dict[str, list[str]] = {}
    for raw, ask in zip(gate.raws, gate.asks, strict=True):
        for argument in json.loads(raw).get("claims", ()):
            if argument["expect"]:
                named.setdefault(ask.role, []).append(argument["expect"]["metric"])
    assert all(len(metrics) == len(set(metrics)) for metrics in named.values()), named
    assert {d.metric for d in transcript.disagreements} <= set(named["bull"]) & set(named["bear"])


def seen(number: int, sentence: str, metric: str | None = None, value: float | None = None) -> Seen:
    return Seen(f"E{number}", "0", sentence, "基本面", "数据", DAY, metric, value)


GROWTH = (
    seen(1, "2026年前三季度营业收入同比增长15.74%", "revenue_yoy_pct", 15.74),
    seen(2, "2026年第三季度单季营业收入同比增长22.70%"),
)


def known(*facts: Seen) -> Known:
    _, gate = hold()
    return Known(replace(gate.scenes[0], facts=facts, claims=()))


def test_a_side_without_an_argument_of_its_own_stands_on_its_value_and_quotes_both() -> None:
    made = contested(known(*GROWTH), "revenue_yoy_pct", 22.7, is_for=False)
    assert made is not None
    assert made["conclusion"] == "营业收入同比应以最近一期的值为准，而不是最近单季的同比"
    assert made["facts"] == ["E1", "E2"]
    assert made["expect"]["value"] == 15.74
    assert "15.74%" in made["basis"]
    assert "22.70%" in made["basis"]
    assert "余下的季度必须比这个单季更强" in made["reasoning"]


@pytest.mark.parametrize("expected", [15.74, 15.5])
def test_a_value_is_not_contested_by_itself(expected: float) -> None:
    assert contested(known(*GROWTH), "revenue_yoy_pct", expected, is_for=False) is None


def test_a_value_is_not_contested_by_a_fact_the_side_was_not_shown() -> None:
    assert contested(known(GROWTH[0]), "revenue_yoy_pct", 22.7, is_for=False) is None


@pytest.mark.parametrize(("mine", "is_higher"), [(kind, way) for kind in NAMES for way in (True, False)])
def test_every_kind_of_value_has_a_reason_in_both_directions(mine: str, is_higher: bool) -> None:
    reasons = {reason_for(mine, theirs, is_higher=is_higher) for theirs in NAMES if theirs != mine}
    assert all(reason.endswith("。") and not re.search(r"\d", reason) for reason in reasons)


def test_every_contested_metric_is_one_somebody_expects_something_of() -> None:
    assert set(VALUE_GROUPS) == set(BEARS)


@pytest.mark.parametrize("metric", ["pe_ttm", "pb", "ps_ttm"])
def test_a_disagreement_on_a_multiple_says_that_it_settles_no_question_of_business(metric: str) -> None:
    assert "主要随股价变动" in root_of(metric)


def test_an_indicator_shows_the_newest_value_whichever_an_argument_cites() -> None:
    transcript, _ = hold()
    latest = {fact.field: fact.value for fact in sorted(pack().facts, key=lambda fact: fact.as_of)}
    assert transcript.indicators
    for item in transcript.indicators:
        assert item.threshold == latest[item.metric]
