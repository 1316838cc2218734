"""Every phrase of the offline model obeys the discipline it is meant to show."""

from flows.contracts.packs import Dimension
from flows.contracts.transcripts import Claim, Side
from flows.debate.answers import Argument, EvidenceType
from flows.debate.constraints import overheated_word, unreasoned_hedge
from flows.debate.offline import speaking
from flows.debate.offline.phrasebook_events import OTHER
from flows.debate.offline.topics import TOPICS
from flows.truth.attribution import check_attribution, check_sources, form_faults
from flows.truth.binding import check_claim
from flows.truth.compliance import find_advice
from tests.unit.debate_packs import pack

PACK = pack()


def _directions():
    for topic in (*TOPICS, OTHER):
        for lines, doubts in ((topic.good, topic.doubt_good), (topic.bad, topic.doubt_bad)):
            yield topic, lines, doubts


def _texts():
    """Every phrase at least once, in the place it takes in an argument."""
    ties = (*speaking._TIES_FOR, *speaking._TIES_AGAINST)
    forms = (*speaking._ANSWER_FOR, *speaking._ANSWER_AGAINST, *speaking._SAME)
    for number, (topic, lines, doubts) in enumerate(_directions()):
        for conclusion in lines.conclusions:
            for reasoning in lines.reasonings:
                yield topic.key, conclusion, reasoning
        for doubt in doubts:
            form, tie = forms[number % len(forms)], ties[number % len(ties)]
            yield topic.key, form.format(mine=lines.conclusions[0], theirs=topic.zh), doubt + tie
            for preempt in speaking._PREEMPTS:
                yield topic.key, lines.conclusions[0], preempt.format(topic=topic.zh, doubt=doubt)
    for form in forms:
        for tie in ties:
            yield "forms", form.format(mine="利润在扩张", theirs="估值分位"), tie


TEXTS = sorted(set(_texts()))


def _argument(conclusion, reasoning):
    return Argument(
        dimension=Dimension.FUNDAMENTALS, conclusion=conclusion, basis="收盘价为12.34元（E1）。", reasoning=reasoning,
        facts=("E1",), source=EvidenceType.HISTORY,
    )  # fmt: skip


def _claim(conclusion, reasoning):
    return Claim(
        claim_id="r1-bull-1", turn_no=1, round_no=1, role="bull", side=Side.FOR, dimension=Dimension.FUNDAMENTALS,
        conclusion=f"{conclusion}。", basis="收盘价为12.34元（E1）。", reasoning=reasoning, fact_ids=("E1",),
        evidence_type="历史数据",
    )  # fmt: skip


def test_phrases_exist_for_both_directions_of_every_topic():
    assert len(TEXTS) > 300
    assert all(lines.conclusions and lines.reasonings and doubts for _, lines, doubts in _directions())


def test_no_phrase_claims_a_number_or_comparison_without_a_fact():
    failed = {
        (key, check.text, check.reason)
        for key, conclusion, reasoning in TEXTS
        for check in check_claim(_claim(conclusion, reasoning), PACK)
        if check.verdict.is_failure
    }
    assert failed == set()


def test_phrases_hedge_with_reasons_and_stay_calm():
    faults = [
        (conclusion, word)
        for _, conclusion, reasoning in TEXTS
        if (word := unreasoned_hedge(_argument(conclusion, reasoning)) or overheated_word(conclusion + reasoning, ()))
    ]
    assert faults == []


def test_phrases_give_no_advice_and_put_nothing_in_anybodys_mouth():
    for _, conclusion, reasoning in TEXTS:
        text = f"{conclusion}。{reasoning}"
        assert find_advice(text) == []
        assert not [c for c in check_attribution(text, [], speaker=Side.FOR) if c.verdict.is_failure]
        assert not [c for c in check_sources(text, []) if c.verdict.is_failure], text


def test_phrases_have_no_fault_of_form():
    assert [
        form_faults(c, "收盘价为12.34元（E1）。", r)
        for _, c, r in TEXTS
        if form_faults(c, "收盘价为12.34元（E1）。", r)
    ] == []
