"""`bull_bear` from the first question to the conclusion (PRODUCT D1, D7)."""

import subprocess
import sys
from collections import Counter

import pytest

from flows.contracts.metrics import METRICS
from flows.contracts.transcripts import ClaimStatus, RunStatus
from flows.debate.bull_bear import PROTOCOL, SIDE_FACTS
from flows.debate.engine import protocol_named
from flows.errors import BudgetSpent, UsageError
from flows.truth.compliance import find_advice
from tests.unit.debate_fakes import hold, standard
from tests.unit.debate_packs import pack


@pytest.fixture(scope="module")
def debate():
    return standard()


def test_calls_are_three_six_three_and_two_readings(debate):
    transcript, gate = debate
    by_role = Counter(ask.role for ask in gate.asks)
    assert by_role == {"moderator": 3, "bull": 6, "bear": 3, "judge": 2, "auditor": 1}
    assert Counter(call.role for call in transcript.llm_calls) == by_role
    assert PROTOCOL.calls == 12


def test_turns_come_in_the_order_of_the_protocol(debate):
    transcript, _ = debate
    acts = [(t.round_no, t.role, t.act) for t in transcript.turns]
    one = [("moderator", "moderate"), ("bull", "argue"), ("bear", "rebut"), ("bull", "reply")]
    expected = [(n, role, act) for n in (1, 2, 3) for role, act in one]
    assert acts == [*expected, (3, "judge", "judge"), (3, "judge", "judge"), (3, "auditor", "audit")]


def test_offline_debate_is_complete_and_worth_reading(debate):
    transcript, _ = debate
    assert transcript.status is RunStatus.COMPLETE
    speeches = [t.speech for t in transcript.turns if t.role in {"bull", "bear"}]
    assert min(len(speech) for speech in speeches) >= 300
    assert len({claim.conclusion for claim in transcript.claims}) > len(transcript.claims) * 0.7


def test_offline_model_writes_no_wrong_number(debate):
    transcript, _ = debate
    assert [(c.text, c.reason) for c in transcript.checks if c.verdict.is_failure] == []


def test_title_rides_on_the_bears_last_speech_and_key_data_on_the_bulls(debate):
    transcript, _ = debate
    bear = next(t for t in transcript.turns if (t.role, t.round_no) == ("bear", 3))
    bull = [t for t in transcript.turns if (t.role, t.round_no) == ("bull", 3)][-1]
    assert transcript.record["title"] == bear.answer["title"]
    assert transcript.record["key_data"] == bull.answer["key_data"]
    assert "title" not in next(t for t in transcript.turns if (t.role, t.round_no) == ("bear", 2)).answer


def test_only_the_summary_and_the_last_speeches_go_on(debate):
    transcript, gate = debate
    third = next(s for s in gate.scenes if (s.role, s.act, s.round_no) == ("bull", "argue", 3))
    seen = {claim.id for claim in third.claims}
    assert seen == {c.claim_id for c in transcript.claims if c.turn_no in {7, 8}}
    assert transcript.record["summaries"]["2"] in third.record
    assert transcript.record["summaries"]["1"] not in third.record


def test_each_side_sees_only_its_own_facts_and_what_expected_values_rest_on(debate):
    _, gate = debate
    the_pack = pack()
    bull = next(s for s in gate.scenes if s.role == "bull")
    given = {*the_pack.roles["common"], *the_pack.roles["bull"]}
    own = {fact.id for fact in the_pack.facts if fact.polarity == "+"}
    seen = {fact.id for fact in bull.facts}
    grounds = {fact.id for fact in the_pack.facts if fact.field == "operating_cash_flow_cny"}
    assert grounds
    assert not grounds & (given | own)
    assert own | grounds <= seen <= given | grounds
    assert len(seen) == SIDE_FACTS
    bad_news = {fact.id for fact in the_pack.facts if fact.polarity == "-" and fact.kind == "新闻"}
    assert bad_news
    assert not bad_news & seen


def test_disagreements_name_one_metric_two_values_and_a_day(debate):
    transcript, _ = debate
    assert transcript.disagreements
    for item in transcript.disagreements:
        assert item.metric in METRICS
        assert item.for_value is not None
        assert item.against_value is not None
        assert item.for_value != item.against_value
        assert item.due_date > transcript.trade_date
        assert 0.05 <= item.for_probability <= 0.95


def test_both_sides_can_be_proved_wrong_by_a_machine(debate):
    transcript, _ = debate
    measured = [f for f in transcript.falsifiers if f.metric is not None]
    assert {f.side for f in measured} == {"for", "against"}
    assert all(f.metric in METRICS and f.operator in "<>" and f.threshold is not None for f in measured)


def test_conclusion_is_one_warning_and_exactly_five_points_without_advice(debate):
    conclusion = debate[0].conclusion
    assert len(conclusion.points) == 5
    assert conclusion.warning.count("。") == 1
    for text in (conclusion.title, conclusion.warning, conclusion.core, *conclusion.points):
        assert find_advice(text) == []


def test_core_rests_on_standing_claims_only(debate):
    transcript, _ = debate
    status = {claim.claim_id: claim.status for claim in transcript.claims}
    assert transcript.conclusion.rests_on
    assert all(status[cid] is ClaimStatus.STANDING for cid in transcript.conclusion.rests_on)


def test_same_input_gives_the_same_transcript():
    assert hold()[0] == hold()[0]


def test_thin_pack_is_gated_before_a_token_is_spent():
    transcript, gate = hold(the_pack=pack(score=31.0))
    assert transcript.status is RunStatus.GATED
    assert gate.asks == []
    assert "研报" in transcript.reason
    assert transcript.reason.count("、") >= 2


def test_failed_turn_is_recorded_and_never_filled_in():
    def script(scene, honest):
        return "服务器没有回答" if (scene.role, scene.round_no) == ("bear", 2) else None

    transcript, _ = hold(script=script)
    turn = next(t for t in transcript.turns if (t.role, t.round_no) == ("bear", 2))
    assert (turn.status, turn.speech, turn.answer) == ("failed", "", None)
    assert turn.error == "服务器没有回答"
    assert transcript.status is RunStatus.PARTIAL
    assert not [c for c in transcript.claims if (c.role, c.round_no) == ("bear", 2)]


def test_silent_side_leaves_no_conclusion():
    transcript, gate = hold(script=lambda scene, honest: "拒绝" if scene.role == "bear" else None)
    assert transcript.status is RunStatus.FAILED
    assert transcript.conclusion is None
    assert "judge" not in {ask.role for ask in gate.asks}


def test_spent_budget_ends_the_debate_where_it_stands():
    def script(scene, honest):
        if (scene.role, scene.round_no) == ("bear", 2):
            raise BudgetSpent("今日预算已用尽")

    transcript, gate = hold(script=script)
    assert transcript.status is RunStatus.PARTIAL
    assert "预算" in transcript.reason
    assert gate.scenes[-1].role == "bear"
    assert transcript.judgements == ()


def test_claim_with_a_wrong_number_counts_zero_and_the_opponent_is_told():
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "argue", 1):
            first = honest["claims"][0]
            first["basis"] = first["basis"].replace("15.62%", "51.62%")
            return honest
        return None

    transcript, gate = hold(script=script)
    wrong = next(c for c in transcript.claims if "51.62%" in c.basis)
    assert wrong.status is ClaimStatus.UNSUPPORTED
    assert wrong.score == 0.0
    assert wrong.claim_id not in transcript.conclusion.rests_on
    bear = next(s for s in gate.scenes if (s.role, s.round_no) == ("bear", 1))
    assert "应为15.62" in bear.record
    judges = [s for s in gate.scenes if s.role == "judge"]
    assert all("51.62" not in s.record for s in judges)


def test_unknown_protocol_is_a_usage_error_that_names_the_known_ones():
    with pytest.raises(UsageError, match="four_stance"):
        protocol_named("shouting")
    with pytest.raises(UsageError):
        protocol_named("../engine")


def test_protocols_import_light():
    code = (
        "import sys, flows.debate.protocol, flows.debate.bull_bear;"
        "print(sorted({m.split('.')[0] for m in sys.modules} & "
        "{'prefect','great_expectations','duckdb','openai','polars','pandas'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
