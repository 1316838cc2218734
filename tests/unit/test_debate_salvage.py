"""An answer that failed every try keeps the arguments that pass; the others are left out openly (PRODUCT D12)."""

import asyncio
import itertools
import json

import pytest

from flows.contracts.transcripts import ClaimStatus, RunStatus
from flows.debate.answers import DirectAnswer, Speech, TitledSpeech
from flows.debate.breach import Breach, Part
from flows.debate.engine import run_debate
from flows.debate.restoring import judged_again
from flows.debate.salvage import salvaged
from flows.reports.render import render_markdown
from flows.reports.view import build_view
from flows.truth.verify import verify_document
from tests.unit.debate_fakes import NOW, hold
from tests.unit.debate_packs import SYMBOL, pack
from tests.unit.debate_server import ScriptedServer, gateway_on, hold_on_server

FIRST = ("bull", "argue", 1)
TRIES = 3


def always(place, change):
    """A script that changes every answer at one place, retries included."""

    def script(scene, honest):
        return change(honest) if (scene.role, scene.act, scene.round_no) == place else None

    return script


def spoilt(number, **changes):
    """A change of one argument of a speech."""

    def change(honest):
        honest["claims"][number] |= changes
        return honest

    return change


def turn_at(transcript, place):
    return next(t for t in transcript.turns if (t.role, t.act, t.round_no) == place)


FAULTS = {
    "too_long": ({"conclusion": "利润在扩张" * 30}, "超过 120 个字"),
    "no_dimension": ({"dimension": "玄学"}, "字段 dimension"),
    "unknown_key": ({"rating": "强"}, "不应有这个字段"),
    "no_basis": ({"basis": None}, "字段 basis"),
    "unknown_fact": ({"facts": ["E999"]}, "E999"),
    "form_copied": ({"conclusion": "结论，30字内"}, "格式说明"),
    "silent_mouth": ({"reasoning": "空方承认现金流没有问题，因此这一条成立，现价站得住脚。"}, "还没有记录在案"),
    "advice": ({"reasoning": "综合来看，建议买入并长期持有，等待估值修复的到来。"}, "操作建议"),
}


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_argument_is_left_out_and_the_others_stand(fault, number, tmp_path):
    changes, cause = FAULTS[fault]
    transcript, server = hold_on_server(tmp_path, always(FIRST, spoilt(number, **changes)))
    honest = hold()[0]
    turn = turn_at(transcript, FIRST)
    left = [c for c in honest.claims if c.turn_no == turn.turn_no and c.claim_id != f"r1-bull-{number + 1}"]
    kept = [c for c in transcript.claims if c.turn_no == turn.turn_no]
    assert (transcript.status, turn.status) == (RunStatus.COMPLETE, "ok")
    assert [c.conclusion for c in kept] == [c.conclusion for c in left]
    assert [c.claim_id for c in kept] == [f"r1-bull-{n + 1}" for n in range(len(left))]
    [refusal] = transcript.refusals
    assert (refusal.turn_no, refusal.role) == (turn.turn_no, "bull")
    assert (refusal.part, refusal.place) == ("claims", number + 1)
    assert cause in refusal.cause
    assert len(server.requests) == 15 + TRIES - 1


def test_every_try_is_asked_and_paid_for_before_anything_is_left_out(tmp_path):
    transcript, _ = hold_on_server(tmp_path, always(FIRST, spoilt(0, facts=["E999"])))
    call = next(c for c in transcript.llm_calls if c.call_hash == turn_at(transcript, FIRST).call_hash)
    assert (call.attempts, call.status) == (TRIES, "ok")
    assert (call.tokens_in, call.tokens_out) == (100 * TRIES, 50 * TRIES)


def test_a_retry_that_mends_the_argument_loses_nothing(tmp_path):
    tries = []

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) != FIRST:
            return None
        tries.append(1)
        return spoilt(0, facts=["E999"])(honest) if len(tries) < TRIES else honest

    transcript, _ = hold_on_server(tmp_path, script)
    assert transcript.refusals == ()
    assert [c.conclusion for c in transcript.claims] == [c.conclusion for c in hold()[0].claims]


def test_a_turn_without_one_usable_argument_still_fails(tmp_path):
    def change(honest):
        return {**honest, "claims": [{**claim, "facts": ["E999"]} for claim in honest["claims"]]}

    transcript, _ = hold_on_server(tmp_path, always(FIRST, change))
    turn = turn_at(transcript, FIRST)
    assert (transcript.status, turn.status) == (RunStatus.PARTIAL, "failed")
    assert "E999" in turn.error
    assert transcript.refusals == ()
    assert [c for c in transcript.claims if c.turn_no == turn.turn_no] == []


def test_a_wrong_number_is_no_reason_to_leave_an_argument_out(tmp_path):
    wrong = {"basis": "净利润同比增长99.9%（E37）。"}
    transcript, server = hold_on_server(tmp_path, always(FIRST, spoilt(0, **wrong)))
    assert transcript.refusals == ()
    assert transcript.claims[0].status is ClaimStatus.UNSUPPORTED
    assert len(server.requests) == 15


def test_the_newest_answer_of_any_use_is_taken_when_the_last_one_has_none(tmp_path):
    tries = []

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) != FIRST:
            return None
        tries.append(1)
        return spoilt(1, facts=["E999"])(honest) if len(tries) == 1 else "抱歉，我不能完成这个任务……"

    transcript, _ = hold_on_server(tmp_path, script)
    assert turn_at(transcript, FIRST).status == "ok"
    assert [(r.part, r.place) for r in transcript.refusals] == [("claims", 2)]


def test_an_answer_that_changed_its_stance_is_of_no_use(tmp_path):
    tries = []

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) != ("value", "speak", 1):
            return None
        tries.append(1)
        broken = {**honest, "claims": [{**honest["claims"][0], "facts": ["E999"]}, *honest["claims"][1:]]}
        return broken if len(tries) == 1 else {**honest, "stance": "反对" if honest["stance"] == "支持" else "支持"}

    transcript, _ = hold_on_server(tmp_path, script, protocol="four_stance")
    undisturbed = hold("four_stance")[0]
    assert transcript.turns[0].side is undisturbed.turns[0].side
    assert [r.place for r in transcript.refusals] == [1]


LEFT_OUT = "独此一句的弃用论点"


def with_a_third(scene, honest):
    """The bull's first speech with one argument too many that cites a fact nobody has."""
    if (scene.role, scene.act, scene.round_no) != FIRST:
        return None
    honest["claims"].append({**honest["claims"][0], "conclusion": LEFT_OUT, "facts": ["E999"], "to": None})
    return honest


def test_what_was_left_out_is_shown_to_nobody_and_weighs_nothing(tmp_path):
    transcript, server = hold_on_server(tmp_path, with_a_third)
    shown = [body for body in server.requests if LEFT_OUT in json.dumps(body["messages"], ensure_ascii=False)]
    assert all("上一条回答无法使用" in body["messages"][-1]["content"] for body in shown)
    assert len(shown) == TRIES - 1
    assert LEFT_OUT in transcript.refusals[0].text
    honest = hold()[0]
    assert transcript.claims == honest.claims
    assert transcript.confidence_changes == honest.confidence_changes
    assert transcript.conclusion == honest.conclusion


def test_what_was_left_out_can_be_nobodys_target(tmp_path):
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bear", "rebut", 1):
            honest["claims"][0]["to"] = "r1-bull-3"
            return honest
        return with_a_third(scene, honest)

    transcript, _ = hold_on_server(tmp_path, script)
    assert "r1-bull-3" not in {c.replies_to for c in transcript.claims if c.round_no == 1}
    assert next(c for c in transcript.claims if c.claim_id == "r1-bear-1").replies_to is None


def test_words_with_advice_are_not_kept(tmp_path):
    changes, _ = FAULTS["advice"]
    transcript, _ = hold_on_server(tmp_path, always(FIRST, spoilt(0, **changes)))
    assert transcript.refusals[0].text == ""


@pytest.mark.parametrize(
    ("place", "changes", "part"),
    [
        (("bear", "rebut", 3), {"title": "短"}, "title"),
        (("bull", "reply", 3), {"key_data": ["E999", "E998"]}, "key_data"),
        (("bull", "argue", 1), {"preempt": "预判" * 100}, "preempt"),
        (("bull", "argue", 1), {"rating": "强烈"}, "rating"),
    ],
)
def test_what_rides_on_a_speech_can_go_without_the_speech(place, changes, part, tmp_path):
    transcript, _ = hold_on_server(tmp_path, always(place, lambda honest: {**honest, **changes}))
    assert turn_at(transcript, place).status == "ok"
    assert [(r.part, r.place) for r in transcript.refusals] == [(part, 0)]
    assert len(transcript.claims) == len(hold()[0].claims)
    assert judged_again(transcript, pack()) == transcript


def test_more_arguments_than_asked_for_leave_the_first_ones(tmp_path):
    def change(honest):
        more = [{**honest["claims"][0], "conclusion": f"利润在扩张之{n}"} for n in "一二三四五六"]
        reasons = "甲乙丙丁戊己"
        return {**honest, "claims": [
            {**claim, "basis": f"净利润同比增长15.62%（E37），记第{reasons[n]}条。",
             "reasoning": f"分子变大，现价更站得住，这是{reasons[n]}。"}
            for n, claim in enumerate(more)
        ]}  # fmt: skip

    transcript, _ = hold_on_server(tmp_path, always(FIRST, change))
    assert len([c for c in transcript.claims if c.turn_no == turn_at(transcript, FIRST).turn_no]) == 5
    assert [(r.place, r.cause) for r in transcript.refusals] == [(6, "多于 5 项")]


def test_a_sentence_said_twice_costs_the_argument_that_repeats_it(tmp_path):
    def change(honest):
        first, second, *rest = honest["claims"]
        return {**honest, "claims": [first, {**second, "reasoning": first["reasoning"]}, *rest]}

    transcript, _ = hold_on_server(tmp_path, always(FIRST, change))
    assert [(r.place, r.cause) for r in transcript.refusals] == [(2, "同一句话重复出现，请改写")]


def test_the_control_arm_needs_an_argument_of_each_side(tmp_path):
    def one_bad(honest):
        honest["con"][0]["facts"] = ["E999"]
        return honest

    place = ("direct", "direct", 1)
    transcript, _ = hold_on_server(tmp_path / "a", always(place, one_bad), protocol="direct")
    assert [(r.part, r.place) for r in transcript.refusals] == [("con", 1)]
    assert transcript.status is RunStatus.COMPLETE

    def all_bad(honest):
        return {**honest, "con": [{**claim, "facts": ["E999"]} for claim in honest["con"]]}

    failed, _ = hold_on_server(tmp_path / "b", always(place, all_bad), protocol="direct")
    assert failed.status is RunStatus.FAILED
    assert failed.conclusion is None


def test_advice_in_an_argument_of_the_control_arm_is_never_printed(tmp_path):
    def change(honest):
        honest["pro"][0]["reasoning"] = "综合来看，建议买入并长期持有，等待估值修复的到来。"
        return honest

    transcript, _ = hold_on_server(tmp_path, always(("direct", "direct", 1), change), protocol="direct")
    assert "操作建议" in transcript.refusals[0].cause
    assert "买入" not in "".join(c.text for c in transcript.claims)


def test_a_verdict_stands_without_the_disagreement_it_got_wrong(tmp_path):
    def script(scene, honest):
        if scene.role != "judge":
            return None
        wrong = {"metric": "happiness", "a": "A1", "b": "B1", "assumption": "双方对幸福的理解不同。"}
        return {**honest, "disagreements": [wrong, *honest["disagreements"]][:3]}

    transcript, _ = hold_on_server(tmp_path, script)
    assert transcript.status is RunStatus.COMPLETE
    assert len(transcript.judgements) == 2
    assert [(r.role, r.part, r.place) for r in transcript.refusals] == [("judge", "disagreements", 1)] * 2
    assert judged_again(transcript, pack()) == transcript


def finding(claim):
    return {"claim": claim, "fallacy": "循环论证", "explanation": "结论与依据是同一句话。"}


def test_an_audit_keeps_the_findings_about_claims_that_exist(tmp_path):
    def script(scene, honest):
        return {"findings": [finding("r1-bull-1"), finding("r9-bull-1")]} if scene.role == "auditor" else None

    transcript, _ = hold_on_server(tmp_path, script)
    assert [a.claim_id for a in transcript.audits if a.fallacy == "循环论证"] == ["r1-bull-1"]
    assert [(r.role, r.part, r.place) for r in transcript.refusals] == [("auditor", "findings", 2)]


def test_an_audit_of_which_nothing_is_left_is_no_audit_that_found_nothing(tmp_path):
    def script(scene, honest):
        return {"findings": [finding("r9-bull-1")]} if scene.role == "auditor" else None

    transcript, _ = hold_on_server(tmp_path, script)
    assert next(t for t in transcript.turns if t.role == "auditor").status == "failed"
    assert transcript.refusals == ()


def test_stored_transcript_with_refusals_is_judged_again_the_same(tmp_path):
    transcript, _ = hold_on_server(tmp_path, always(FIRST, spoilt(0, facts=["E999"])))
    assert judged_again(transcript, pack()) == transcript


class Killed(BaseException):
    """Stands for kill -9."""


class Dying(ScriptedServer):
    """Spoils one argument every time, and dies before it has answered its n-th request."""

    dies_at = None

    async def handle_async_request(self, request):
        if len(self.requests) == self.dies_at:
            raise Killed
        return await super().handle_async_request(request)


def hold_dying(folder, dies_at=None):
    server = Dying(always(FIRST, spoilt(0, facts=["E999"])))
    server.dies_at = dies_at

    async def run():
        gateway = gateway_on(folder, server)
        try:
            return await run_debate(pack(), "bull_bear", gateway, clock=lambda: NOW, debate_id="d-1")
        finally:
            await gateway.aclose()

    return asyncio.run(run()), server


@pytest.mark.parametrize("dies_at", [1, 2, 3, 4, 9])
def test_killed_between_two_tries_the_next_run_leaves_out_the_same_and_pays_only_the_rest(dies_at, tmp_path):
    whole, all_of_it = hold_dying(tmp_path / "whole")
    with pytest.raises(Killed):
        hold_dying(tmp_path / "cut", dies_at)
    resumed, rest = hold_dying(tmp_path / "cut")
    assert len(rest.requests) == len(all_of_it.requests) - dies_at
    assert resumed.refusals == whole.refusals
    assert resumed.claims == whole.claims
    assert resumed.conclusion == whole.conclusion


def test_report_names_what_was_left_out_and_counts_it(tmp_path):
    transcript, _ = hold_on_server(tmp_path, always(FIRST, spoilt(1, conclusion="利润在扩张" * 30)))
    page = render_markdown(build_view(transcript, pack(), NOW))
    assert "发言中有 1 处多次重试仍未过校验，已弃用" in page
    assert "弃用第 2 个论点：字段 conclusion：超过 120 个字" in page
    assert "利润在扩张" * 30 not in page
    facts = (*pack().facts, *pack().appendix)
    assert verify_document(page, facts, subject=SYMBOL).failures == ()


GOOD = {
    "dimension": "基本面", "conclusion": "利润在扩张", "basis": "净利润同比增长15.62%（E37）。",
    "reasoning": "分子变大，现价更站得住。", "facts": ["E37"], "source": "历史数据", "to": None, "expect": None,
}  # fmt: skip


def named(value):
    """Breaches of an answer whose arguments say so themselves."""
    return [Breach("坏", Part("claims", n)) for n, claim in enumerate(value.claims) if "坏" in claim.conclusion]


@pytest.mark.parametrize("kinds", list(itertools.product("好坏缺", repeat=4)))
def test_places_are_those_of_the_answer_as_written(kinds):
    """Whatever falls first for its form and then for what it says, each refusal names its own place."""
    made = {
        "好": lambda n: {**GOOD, "conclusion": f"好论点{n}"},
        "坏": lambda n: {**GOOD, "conclusion": f"坏论点{n}"},
        "缺": lambda n: {**GOOD, "conclusion": f"缺依据{n}", "basis": None},
    }
    kept = salvaged(Speech, {"claims": [made[kind](n) for n, kind in enumerate(kinds)]}, named)
    good = [n for n, kind in enumerate(kinds) if kind == "好"]
    if not good:
        assert kept is None
        return
    assert [claim.conclusion for claim in kept.answer.claims] == [f"好论点{n}" for n in good]
    assert [refused.part.place for refused in kept.refused] == [n for n, kind in enumerate(kinds) if kind != "好"]
    for refused in kept.refused:
        assert (refused.cause == "坏") == (kinds[refused.part.place] == "坏")


def test_a_cause_that_blames_no_part_leaves_nothing():
    assert salvaged(Speech, {"claims": [GOOD]}, lambda value: [Breach("立场变了")]) is None
    assert salvaged(Speech, {"claims": "不是数组"}, named) is None
    assert salvaged(Speech, {}, named) is None


def test_a_speech_without_its_title_is_a_plain_speech():
    kept = salvaged(TitledSpeech, {"claims": [GOOD]}, named)
    assert type(kept.answer) is Speech
    assert [refused.part for refused in kept.refused] == [Part("title")]


def test_a_title_nobody_else_gives_cannot_be_spared():
    assert salvaged(DirectAnswer, {"verdict": "未决", "pro": [GOOD], "con": [GOOD]}, lambda value: []) is None
