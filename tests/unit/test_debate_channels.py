"""Evidence channels (PRODUCT D15), the auditor (D8) and thrift (D14)."""

from collections import Counter

import pytest

from flows.contracts.packs import FactKind
from flows.contracts.transcripts import ClaimStatus
from flows.debate.answers import Lookup
from flows.debate.channels import FACTS_PER_REQUEST, REQUESTS_PER_TURN, Query, look_up, offered
from flows.debate.gateway_types import Requested, ToolUse
from flows.debate.strength import AUDIT_FACTOR
from tests.unit.debate_fakes import NOW, ScriptedGate, hold, standard
from tests.unit.debate_packs import facts, pack


def appendix():
    """Facts outside the pack proper: three news items, a filing, a note."""
    news = next(f for f in facts() if f.kind is FactKind.NEWS)
    filing = next(f for f in facts() if f.kind is FactKind.ANNOUNCEMENT)
    words = [
        (news, "新闻《甲材料海外工厂停电，停产三天》", FactKind.NEWS),
        (news, "新闻《甲材料与客户续签长期协议》", FactKind.NEWS),
        (news, "新闻《甲材料董事长接受采访》", FactKind.NEWS),
        (filing, "公告《关于海外工厂停电的说明》", FactKind.ANNOUNCEMENT),
        (filing, "前三季度报告披露的是累计口径", FactKind.KNOWLEDGE),
    ]
    return tuple(
        fact.model_copy(update={"id": f"E{900 + n}", "sentence": f"{text}（2026-10-29，测试源）。", "kind": kind})
        for n, (fact, text, kind) in enumerate(words)
    )


def deep_pack():
    return pack().model_copy(update={"appendix": appendix(), "pack_version": "with-appendix-01"})


def test_lookup_finds_by_words_within_the_reach_of_its_channel():
    found = look_up(deep_pack(), [Lookup(tool="news", query="海外工厂 停电")])
    assert found[0].id == "E900"
    assert {fact.kind for fact in found} == {FactKind.NEWS}
    assert [f.id for f in look_up(deep_pack(), [Lookup(tool="filings", query="停电")])] == ["E903"]
    assert [f.id for f in look_up(deep_pack(), [Lookup(tool="knowledge", query="累计口径")])] == ["E904"]


def test_lookup_keeps_the_budget_of_a_turn():
    many = [Lookup(tool="news", query="甲材料")] * 5
    assert len(look_up(deep_pack(), many)) <= FACTS_PER_REQUEST * REQUESTS_PER_TURN
    assert look_up(deep_pack(), [Lookup(tool="news", query="火星基地")]) == ()


def test_channels_are_offered_only_where_they_reach_something():
    assert offered(pack()) == ()
    assert [tool.name for tool in offered(deep_pack())] == ["news", "filings", "knowledge"]


def structured(scene, honest):
    """The bull asks for evidence in its answer, then cites what it was given."""
    if (scene.role, scene.act, scene.round_no) != ("bull", "argue", 1):
        return None
    if "证据通道返回" not in scene.record:
        return {**honest, "claims": [], "lookups": [{"tool": "news", "query": "停电 停产"}]}
    honest["claims"][0] |= {
        "facts": ["E900"], "basis": "新闻《甲材料海外工厂停电，停产三天》（E900）。", "source": "新闻", "expect": None,
    }  # fmt: skip
    return honest


def test_structured_request_is_served_and_counted_under_its_own_name():
    transcript, gate = hold(script=structured, the_pack=deep_pack())
    assert transcript.status == "complete"
    by_role = Counter(call.role for call in transcript.llm_calls)
    assert (by_role["bull"], by_role["evidence"]) == (6, 1)
    assert transcript.claims[0].fact_ids == ("E900",)
    assert transcript.record["lookups"][0]["facts"] == [
        f.id for f in look_up(deep_pack(), [Lookup(tool="news", query="停电 停产")])
    ]
    first, second = [ask for ask in gate.asks if ask.role == "bull"][:2]
    assert first.messages[0] == second.messages[0]
    assert first.tools
    assert not second.tools


def test_function_call_has_the_same_effect():
    paid = standard()[0].llm_calls[0]

    def requested(ask):
        call = paid.model_copy(update={"role": "bull", "call_hash": "asked"})
        return Requested((ToolUse("news", Query(query="停电 停产")),), call)

    gate = ScriptedGate(structured)
    gate.requests = [requested]
    import asyncio

    from flows.debate.engine import run_debate

    done = asyncio.run(run_debate(deep_pack(), "bull_bear", gate, clock=lambda: NOW, debate_id="d-1"))
    same, _ = hold(script=structured, the_pack=deep_pack())
    assert done.claims == same.claims
    assert done.record["lookups"] == same.record["lookups"]
    assert Counter(c.role for c in done.llm_calls) == Counter(c.role for c in same.llm_calls)


def test_facts_nobody_looked_up_cannot_be_cited():
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "argue", 1):
            honest["claims"][0]["facts"] = ["E900"]
            return honest
        return None

    transcript, _ = hold(script=script, the_pack=deep_pack())
    turn = next(t for t in transcript.turns if t.role == "bull")
    assert turn.status == "failed"
    assert "E900" in turn.error


def audit_script(findings, change=None):
    def script(scene, honest):
        if scene.role == "auditor":
            return {"findings": findings}
        return change(scene, honest) if change else None

    return script


def test_audited_claim_loses_thirty_percent_once():
    found = {"claim": "r1-bull-2", "fallacy": "循环论证", "explanation": "结论换了个说法当理由。"}
    again = {"claim": "r1-bull-2", "fallacy": "诉诸共识", "explanation": "以大家都这样看代替证据。"}
    plain = standard()[0]
    transcript, _ = hold(script=audit_script([found, again]))
    steps = [s for s in transcript.confidence_changes if s.claim_id == "r1-bull-2"]
    assert [s.cause for s in steps] == ["采纳论点", "审计：循环论证"]
    gained = steps[0].confidence_to - steps[0].confidence_from
    assert steps[1].confidence_to - steps[1].confidence_from == pytest.approx(gained * (AUDIT_FACTOR - 1), abs=1e-3)
    assert {(a.claim_id, a.fallacy) for a in transcript.audits} == {
        ("r1-bull-2", "循环论证"),
        ("r1-bull-2", "诉诸共识"),
    }
    assert transcript.conclusion.confidence < plain.conclusion.confidence


def test_auditor_may_not_invent_claims():
    found = {"claim": "r9-bull-9", "fallacy": "循环论证", "explanation": "这个论点并不存在。"}
    transcript, _ = hold(script=audit_script([found]))
    turn = next(t for t in transcript.turns if t.role == "auditor")
    assert (turn.status, transcript.audits) == ("failed", ())


@pytest.mark.parametrize(
    ("reasoning", "fallacy"),
    [
        ("众所周知，这样的公司值这个价，所以现价站得住脚。", "诉诸共识"),
        ("一旦订单减少，利润必然下滑，进而资金链断裂，后果难以承受。", "滑坡推理"),
    ],
)
def test_structure_alone_shows_some_fallacies(reasoning, fallacy):
    def change(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "argue", 1):
            honest["claims"][0]["reasoning"] = reasoning
            return honest
        return None

    transcript, _ = hold(script=audit_script([], change))
    assert ("r1-bull-1", fallacy) in {(a.claim_id, a.fallacy) for a in transcript.audits}


def repeating(scene, honest):
    """A bull whose openings are the same three times."""
    if (scene.role, scene.act) == ("bull", "argue"):
        return {
            "claims": [
                {
                    "dimension": "基本面", "conclusion": "盈利增长支撑现价", "facts": ["E37"], "source": "历史数据",
                    "basis": f"2026Q3（前三季度累计）净利润同比增长15.62%（E37），这是第{scene.round_no}次说明。",
                    "reasoning": "分子变大，现价所要求的假设就更宽松。",
                }
            ]
        }  # fmt: skip
    return None


def test_stance_stated_twice_is_reused_not_bought_again():
    transcript, gate = hold(script=repeating)
    openings = [t for t in transcript.turns if (t.role, t.act) == ("bull", "argue")]
    assert [t.speech.startswith("沿用第2轮立场") for t in openings] == [False, False, True]
    bought = [s for s in gate.scenes if (s.role, s.act) == ("bull", "argue")]
    assert len(bought) == 2
    by_role = Counter(call.role for call in transcript.llm_calls)
    assert by_role["bull"] == 6
    reused = [call for call in transcript.llm_calls if call.cached]
    assert [(c.tokens_in, c.tokens_out, c.cost_cny) for c in reused] == [(0, 0, 0.0)]
    assert len({call.call_hash for call in transcript.llm_calls}) == len(transcript.llm_calls)


def test_stance_with_another_number_is_bought():
    def moving(scene, honest):
        said = repeating(scene, honest)
        if said:
            said["claims"][0]["expect"] = {"metric": "pe_ttm", "value": 10 + scene.round_no, "due": "2026-12-31"}
        return said

    transcript, _ = hold(script=moving)
    assert not [t for t in transcript.turns if t.speech.startswith("沿用")]


def test_repeated_facts_count_once_however_often_they_are_said():
    transcript, _ = hold(script=repeating)
    counted = [s.claim_id for s in transcript.confidence_changes if s.cause == "采纳论点"]
    assert [cid for cid in counted if cid in {"r1-bull-1", "r2-bull-1"}] == ["r1-bull-1"]


def test_challenge_without_a_hearing_breaks_nothing():
    transcript, _ = hold()
    last = [c for c in transcript.claims if (c.role, c.round_no) == ("bear", 3)]
    assert last
    assert all(c.status is not ClaimStatus.PENDING for c in last)


def test_offline_model_looks_up_when_it_has_nothing_left():
    few = tuple(f.id for f in facts() if f.polarity == "-" or f.id == "E37")
    thin = pack(only=few)
    thin = thin.model_copy(update={"appendix": appendix(), "pack_version": "thin-with-appendix"})
    transcript, _ = hold(the_pack=thin)
    assert transcript.status == "complete"
    exchanges = transcript.record["lookups"]
    assert {exchange["role"] for exchange in exchanges} == {"bull"}
    assert Counter(c.role for c in transcript.llm_calls)["evidence"] == len(exchanges)
    assert Counter(c.role for c in transcript.llm_calls)["bull"] == 6
