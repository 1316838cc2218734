"""Survival under questioning (PRODUCT D7): only an answer to the matter restores a claim."""

import asyncio

import pytest

from flows.contracts.packs import Dimension
from flows.contracts.transcripts import Claim, Side, Turn
from flows.debate.bull_bear import PROTOCOL
from flows.debate.proposition import stock_proposition
from flows.debate.reversal import inform
from flows.debate.state import Record
from flows.debate.survival import broken_claims
from flows.evidence.user_material import with_user_material
from tests.unit.debate_fakes import NOW, ScriptedGate, standard
from tests.unit.debate_packs import pack

DEBT_NOTE = "公司与债权人达成债务重组，豁免部分逾期借款。"
CASH_FLOW, CASH_TO_PROFIT, PROFIT, MARGIN, REVENUE, CONTRACT, LAWSUIT = "E45", "E64", "E37", "E65", "E35", "E46", "E51"
PE_1Y, PE_5Y = "E23", "E25"
NOTED = with_user_material(pack(), DEBT_NOTE, None, at=NOW)
NOTE = NOTED.facts[-1].id


def said(claim_id, turn_no, side, fact_ids, replies_to=None):
    return Claim(
        claim_id=claim_id, turn_no=turn_no, round_no=turn_no, role="bull" if side is Side.FOR else "bear", side=side,
        dimension=Dimension.FUNDAMENTALS, conclusion="结论。", basis="依据。", reasoning="推演。", fact_ids=fact_ids,
        evidence_type="历史数据", replies_to=replies_to,
    )  # fmt: skip


def is_broken(answer_facts, replies_to=None, claim_facts=(PROFIT,), earlier=()):
    """Whether a claim challenged with the cash flow is broken although its owner spoke again."""
    claims = (
        *(said("earlier", 1, Side.FOR, earlier) for _ in earlier[:1]),
        said("claim", 1, Side.FOR, claim_facts),
        said("challenge", 2, Side.AGAINST, (CASH_FLOW,), "claim"),
        said("answer", 3, Side.FOR, answer_facts, replies_to),
    )
    record = Record(NOTED, PROTOCOL, stock_proposition(NOTED), lambda claim, pack: ())
    record.claims = {claim.claim_id: claim for claim in claims}
    record.turns = [
        Turn(turn_no=c.turn_no, round_no=c.round_no, role=c.role, act="argue", side=c.side, status="ok", speech="")
        for c in claims
    ]
    return "claim" in broken_claims(record)


@pytest.mark.parametrize("answer_facts", [(MARGIN,), (REVENUE,), (CONTRACT,)])
def test_another_fact_of_the_same_dimension_is_no_answer(answer_facts):
    assert is_broken(answer_facts)


@pytest.mark.parametrize("answer_facts", [(MARGIN,), (REVENUE,), (CONTRACT,)])
def test_reply_to_the_challenge_with_a_new_fact_restores(answer_facts):
    assert not is_broken(answer_facts, "challenge")


def test_new_fact_on_the_topic_of_claim_or_challenge_restores():
    assert not is_broken((CASH_FLOW, REVENUE))
    assert not is_broken((CASH_TO_PROFIT,))
    assert not is_broken((PE_5Y,), claim_facts=(PE_1Y,))


def test_fact_its_side_had_brought_before_the_challenge_answers_nothing():
    assert is_broken((CASH_TO_PROFIT,), earlier=(CASH_TO_PROFIT,))
    assert is_broken((CASH_TO_PROFIT,), "challenge", earlier=(CASH_TO_PROFIT,))


def test_texts_share_no_topic():
    assert is_broken((LAWSUIT,), claim_facts=(CONTRACT,))


def test_users_note_restores_nothing_even_as_a_reply():
    assert is_broken((NOTE,))
    assert is_broken((NOTE,), "challenge")
    assert is_broken((PROFIT, NOTE), "challenge")


def test_note_of_an_unrelated_debt_restructuring_restores_no_claim_of_a_finished_debate():
    previous = standard()[0]
    before = {claim.claim_id: claim.status for claim in previous.claims}
    assert "pending" in before.values()
    done = asyncio.run(inform(previous, NOTED, ScriptedGate(), clock=lambda: NOW, debate_id="d-2"))
    restored = [c.claim_id for c in done.claims if before.get(c.claim_id) == "pending" and c.status == "standing"]
    assert any(NOTE in claim.fact_ids for claim in done.claims)
    assert restored == []
