"""The adjudicator (PRODUCT D7): every step of the confidence can be redone with a pencil."""
# ruff: noqa: E501 -- one case, one line

import re
from datetime import date, timedelta

import pytest

from flows.contracts.packs import Dimension
from flows.contracts.transcripts import Claim, ClaimStatus, Side
from flows.debate.bull_bear import PROTOCOL
from flows.debate.confidence import FLOOR, NEUTRAL, confidence_changes
from flows.debate.metrics import due_date
from flows.debate.probability import for_probability, persistence
from flows.debate.proposition import stock_proposition
from flows.debate.state import Record
from flows.debate.strength import base_strength, fact_weight
from tests.unit.debate_fakes import standard
from tests.unit.debate_packs import DAY, facts, pack


def claim(number, side=Side.FOR, facts=("E37",), status=ClaimStatus.STANDING, source="历史数据", **more):
    return Claim(
        claim_id=f"r1-{'bull' if side is Side.FOR else 'bear'}-{number}", turn_no=number, round_no=1,
        role="bull" if side is Side.FOR else "bear", side=side, dimension=Dimension.FUNDAMENTALS,
        conclusion="结论。", basis="依据。", reasoning="推演。", fact_ids=facts, evidence_type=source, status=status, **more,
    )  # fmt: skip


def record(*claims):
    the_pack = pack()
    made = Record(the_pack, PROTOCOL, stock_proposition(the_pack), lambda claim, pack: ())
    made.claims = {c.claim_id: c for c in claims}
    return made


def level(*claims, audited=None, weights=None):
    changes = confidence_changes(record(*claims), audited or {}, weights or {})
    return changes[-1].confidence_to if changes else NEUTRAL


def test_no_claims_leave_the_neutral_fifty():
    assert level() == NEUTRAL


def test_one_full_strength_claim_moves_its_share():
    assert base_strength(claim(1, facts=("E23",)), pack()) == 1.0
    assert level(claim(1, facts=("E23",))) == pytest.approx(50 + 50 / FLOOR)


def test_two_months_old_filing_weighs_nine_tenths():
    old = claim(1, facts=("E51",), source="公告")
    assert base_strength(old, pack()) == 0.9
    assert level(old) == pytest.approx(50 + 50 / FLOOR * 0.9)


@pytest.mark.parametrize(
    ("broken_by", "cause"),
    [
        ("r1-bear-2", "被 r1-bear-2 回应后未以新事实作答，降为待验证"),
        ("r1-q1", "质询 r1-q1 未过，降为待验证"),
        (None, "降为待验证"),
    ],
)
def test_cause_of_a_pending_claim_names_what_broke_it(broken_by, cause):
    made = record(claim(1, status=ClaimStatus.PENDING), claim(2, side=Side.AGAINST, facts=("E45",)))
    made.notes["broken_by"] = {"r1-bull-1": broken_by} if broken_by else {}
    causes = [step.cause for step in confidence_changes(made, {}, {}) if step.claim_id == "r1-bull-1"]
    assert causes == ["采纳论点", cause]


def test_argument_broken_under_questioning_counts_half():
    whole, half = level(claim(1)) - 50, level(claim(1, status=ClaimStatus.PENDING)) - 50
    assert half == pytest.approx(whole / 2, abs=1e-3)


@pytest.mark.parametrize("status", [ClaimStatus.UNSUPPORTED, ClaimStatus.CONCEDED, ClaimStatus.REFUTED])
def test_wrong_number_and_concession_count_zero(status):
    assert level(claim(1, status=status)) == pytest.approx(50)


def test_audited_circular_argument_counts_thirty_percent_less():
    whole = level(claim(1)) - 50
    audited = level(claim(1), audited={"r1-bull-1": "循环论证"}) - 50
    assert audited == pytest.approx(whole * 0.7, abs=1e-3)


def test_role_that_conceded_weighs_less():
    assert level(claim(1), weights={"bull": 0.5}) - 50 == pytest.approx((level(claim(1)) - 50) / 2, abs=1e-3)


def test_unsourced_and_invented_sources_have_no_strength():
    assert base_strength(claim(1, facts=()), pack()) == 0.0
    assert base_strength(claim(1, facts=("E37", "E999")), pack()) == 0.0
    assert level(claim(1, facts=())) == NEUTRAL


def test_stated_source_never_weighs_more_than_the_fact_really_cited():
    assert base_strength(claim(1, facts=("E52",), source="公告"), pack()) == 0.6


def test_repeating_ones_facts_earns_nothing():
    once = level(claim(1, facts=("E23", "E24")))
    again = level(claim(1, facts=("E23", "E24")), claim(2, facts=("E24",)))
    assert again == once


def test_many_words_earn_nothing():
    ids = [f.id for f in facts() if fact_weight(f) == 1.0 and (DAY - f.as_of).days <= 45][:9]
    many = level(*(claim(n, facts=(fid,)) for n, fid in enumerate(ids, start=1)))
    assert many == pytest.approx(100.0)
    assert len(ids) > FLOOR


def test_neither_more_roles_nor_more_speeches_move_the_confidence():
    """Three good arguments against nine good ones: equally many of each are weighed."""
    books = [f.id for f in facts() if fact_weight(f) == 1.0 and (DAY - f.as_of).days <= 45]
    pro = [claim(n, facts=(fid,)) for n, fid in enumerate(books[:3], start=1)]
    con = [claim(n, Side.AGAINST, (fid,)) for n, fid in enumerate(books[3:12], start=1)]
    assert len(con) > 2 * len(pro)
    assert level(*pro, *con) == pytest.approx(50)


def test_equal_sides_end_where_they_began():
    assert level(claim(1, facts=("E23",)), claim(1, Side.AGAINST, ("E30",))) == pytest.approx(50)


def test_whole_debate_is_recomputable_from_the_steps_alone():
    transcript, _ = standard()
    at = NEUTRAL
    for step in transcript.confidence_changes:
        assert step.confidence_from == pytest.approx(at, abs=1e-3)
        move = float(re.findall(r"[+-]\d+\.\d+", step.detail)[-1])
        assert step.confidence_to - step.confidence_from == pytest.approx(move, abs=1e-3)
        at = step.confidence_to
    assert transcript.conclusion.confidence == pytest.approx(at, abs=0.01)


def test_steps_equal_the_formula():
    transcript, _ = standard()
    the_pack = pack()
    counted = {step.claim_id for step in transcript.confidence_changes}
    fate = {"standing": 1.0, "pending": 0.5}
    means = {}
    for side in Side:
        own = [c for c in transcript.claims if c.side is side and c.claim_id in counted]
        total = sum(base_strength(c, the_pack) * fate.get(c.status, 0.0) for c in own)
        means[side] = total / max(FLOOR, len(own))
    expected = 50 + 50 * (means[Side.FOR] - means[Side.AGAINST])
    assert transcript.conclusion.confidence == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("fact_id", "weight"),
    [("E23", 1.0), ("E30", 1.0), ("E8", 0.6), ("E6", 0.6), ("E32", 0.6), ("E62", 0.3), ("E46", 1.0), ("E52", 0.6)],
)
def test_prices_weigh_less_than_books_and_the_general_economy_least(fact_id, weight):
    """Percentile, pledge; 20-day return, drawdown, money flow; purchasing managers; filing, news."""
    assert fact_weight(pack().fact(fact_id)) == weight


def test_a_side_that_nothing_can_prove_wrong_loses_a_tenth_of_what_it_had():
    both = record(claim(1, facts=("E23",)), claim(1, Side.AGAINST, ("E30",)))
    steps = confidence_changes(both, {}, {}, frozenset({Side.FOR}))
    assert steps[-1].claim_id is None
    assert steps[-1].confidence_to == pytest.approx(50 - 50 / FLOOR * 0.1, abs=1e-3)


def test_probability_is_the_documented_sum():
    assert for_probability((0.9, 0.4), 60.0, None) == pytest.approx(0.5 + 0.2 * 0.5 + 0.1 * 0.2)
    assert for_probability((0.5, 0.5), 50.0, 1.0) == pytest.approx(0.7)
    assert for_probability((1.0, 0.0), 100.0, 1.0) == 0.95
    assert for_probability((0.0, 1.0), 0.0, 0.0) == 0.05


def test_persistence_is_the_share_of_closeness_to_today():
    assert persistence(15.0, 7.5, 15.0) == 1.0
    assert persistence(20.0, 10.0, 15.0) == 0.5
    assert persistence(20.0, 10.0, None) is None
    assert persistence(15.0, 15.0, 15.0) is None


@pytest.mark.parametrize(
    ("period_end", "due"),
    [
        (date(2026, 3, 31), date(2026, 8, 31)),
        (date(2026, 6, 30), date(2026, 10, 31)),
        (date(2026, 9, 30), date(2027, 4, 30)),
        (date(2025, 12, 31), date(2026, 4, 30)),
    ],
)
def test_reported_metric_is_due_when_the_next_report_must_be_out(period_end, due):
    assert due_date("net_profit_yoy_pct", period_end + timedelta(days=20), period_end) == due


def test_market_metric_is_due_ninety_days_on():
    assert due_date("pe_ttm", DAY) == DAY + timedelta(days=90)
