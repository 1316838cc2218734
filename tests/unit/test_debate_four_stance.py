"""`four_stance` (PRODUCT D2): order, must-answer, 坚持度, concession, the battlefield."""

import re
from collections import Counter

import pytest

from flows.contracts.transcripts import ClaimStatus, RunStatus, Side
from flows.debate.cross_examination import ATTACK, PROGRAM, REBUTTAL, START, THRESHOLD
from flows.debate.four_stance import PROTOCOL, STANCE_FACTS, STANCES
from flows.debate.giving import given_facts
from flows.debate.prompting import market_rules, prompt_text
from flows.debate.severity import gravest
from flows.debate.views import OPPONENT_LINES
from tests.unit.debate_counted import hold_counted
from tests.unit.debate_fakes import hold, standard
from tests.unit.debate_packs import pack

CARD_PARTS = ("立场宣言", "援引优先级", "底线", "反驳偏好", "最怕的三个问题", "典型错误倾向")


@pytest.fixture(scope="module")
def debate():
    return standard("four_stance")


def turns(transcript, act, round_no):
    return [t for t in transcript.turns if (t.act, t.round_no) == (act, round_no)]


def test_calls_are_three_times_twelve_and_the_readers(debate):
    transcript, _ = debate
    assert PROTOCOL.calls == 36
    by_role = Counter(call.role for call in transcript.llm_calls)
    assert {role: by_role[role] for role in STANCES} == dict.fromkeys(STANCES, 9)
    assert (by_role["judge"], by_role["auditor"]) == (2, 1)


@pytest.mark.parametrize("role", STANCES)
def test_every_role_card_has_all_six_parts(role):
    card = prompt_text(f"role_{role}")
    assert [part for part in CARD_PARTS if part not in card] == []


def test_first_round_is_in_card_order_and_speeches_always_are(debate):
    transcript, _ = debate
    for act in ("speak", "ask", "answer"):
        assert [t.role for t in turns(transcript, act, 1)] == list(STANCES)
    assert [t.role for t in turns(transcript, "speak", 3)] == list(STANCES)


def test_lowest_scored_of_the_last_round_asks_first(debate):
    transcript, _ = debate
    for round_no in (2, 3):
        scores = {
            role: sum(c.score for c in transcript.claims if (c.role, c.round_no) == (role, round_no - 1))
            for role in STANCES
        }
        expected = sorted(STANCES, key=lambda role: (round(scores[role], 4), STANCES.index(role)))
        assert [t.role for t in turns(transcript, "ask", round_no)] == expected


def test_a_speech_with_wrong_numbers_scores_low_and_asks_first():
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("chips", "speak", 1):
            for claim in honest["claims"]:
                claim["basis"] = re.sub(r"\d+\.\d+", "77.77", claim["basis"])
            return honest
        return None

    transcript, _ = hold("four_stance", script)
    wrong = [c for c in transcript.claims if (c.role, c.round_no) == ("chips", 1)]
    assert any(c.status is ClaimStatus.UNSUPPORTED for c in wrong)
    assert turns(transcript, "ask", 2)[0].role == "chips"


def test_each_attacks_one_opponents_claim(debate):
    transcript, _ = debate
    roles = {claim.claim_id: claim.role for claim in transcript.claims}
    asked = [q for q in transcript.questions if q.asker != PROGRAM]
    assert len(asked) == 12
    assert all(q.asker != q.target and roles[q.claim_id] == q.target for q in asked)


def test_everybody_answers_one_question_put_to_it_each_round(debate):
    transcript, _ = debate
    by_id = {q.question_id: q for q in transcript.questions}
    for turn in (t for t in transcript.turns if t.act == "answer"):
        assert by_id[turn.answer["question_id"]].target == turn.role
    assert sum(q.is_answered for q in transcript.questions) == 12


def everybody_asks_risk(scene, honest):
    if scene.act == "ask" and scene.round_no == 1:
        target = "risk" if scene.role != "risk" else "value"
        claim = next(c.id for c in scene.claims if c.role == target)
        return {"target": target, "claim": claim, "question": "请拿出一项没有用过的事实来证明这一条。"}
    return None


def test_unanswered_questions_are_carried_to_the_next_round():
    transcript, gate = hold("four_stance", everybody_asks_risk)
    assert set(transcript.record["unanswered"]) == {q.question_id for q in transcript.questions if not q.is_answered}
    late = next(s for s in gate.scenes if (s.act, s.round_no) == ("speak", 2))
    assert len(re.findall(r"^r1-q\d+（\w+→risk", late.open, re.MULTILINE)) == 2
    answered = [t.answer["question_id"] for t in transcript.turns if (t.role, t.act) == ("risk", "answer")]
    assert [qid.split("-")[0] for qid in answered] == ["r1", "r1", "r1"]


def test_role_nobody_questioned_is_questioned_by_the_record():
    transcript, _ = hold("four_stance", everybody_asks_risk)
    program = [q for q in transcript.questions if (q.round_no, q.asker) == (1, PROGRAM)]
    assert {q.target for q in program} == {"data", "chips"}


def answers(**by_role):
    """A script in which roles answer as told: facts, conceding, or nothing verified."""

    def script(scene, honest):
        if scene.act == "answer" and scene.role in by_role:
            return {**honest, **by_role[scene.role]}
        return None

    return script


def log_of(transcript, role):
    return [entry for entry in transcript.record.get("persistence_log", ()) if entry["role"] == role]


def test_answer_without_a_verified_fact_makes_the_attack_effective():
    empty = {"answer": "这一条显而易见，不需要再拿数据来说明。", "facts": [], "concede": False}
    transcript, _ = hold("four_stance", answers(risk=empty))
    answered = [q for q in transcript.questions if q.target == "risk" and q.is_answered]
    assert answered
    assert all(q.is_effective for q in answered)
    moves = [round(e["to"] - e["from"], 4) for e in log_of(transcript, "risk")]
    assert moves[:2] == [ATTACK, ATTACK]


def test_answer_with_a_wrong_number_is_no_answer():
    wrong = {"answer": "资产负债率为16.30%（E44），负担并不轻。", "facts": ["E44"], "concede": False}
    transcript, _ = hold("four_stance", answers(risk=wrong))
    question = next(q for q in transcript.questions if q.target == "risk" and q.is_answered)
    assert question.is_effective
    check = next(c for c in transcript.checks if c.claim_id == question.question_id and c.verdict.is_failure)
    assert check.expected == pytest.approx(61.3)


def test_verified_fact_nobody_used_before_is_a_strong_rebuttal(debate):
    transcript, _ = debate
    rebuttals = [e for e in transcript.record["persistence_log"] if "有力反驳" in e["cause"]]
    assert rebuttals
    assert all(round(e["to"] - e["from"], 4) == REBUTTAL for e in rebuttals if e["to"] < 1)


def test_used_fact_answers_but_does_not_strengthen():
    old = {"answer": "公告《关于收到监管问询函的公告》（E49）已经说明这一点。", "facts": ["E49"], "concede": False}
    transcript, _ = hold("four_stance", answers(risk=old))
    later = [q for q in transcript.questions if q.target == "risk" and q.is_answered and q.round_no > 1]
    assert all(q.is_effective is False for q in later)
    assert len([e for e in log_of(transcript, "risk") if "有力反驳" in e["cause"]]) <= 1


def test_below_the_threshold_the_role_concedes_and_its_claims_weigh_less():
    empty = {"answer": "这一条显而易见，不需要再拿数据来说明。", "facts": [], "concede": False}
    transcript, _ = hold("four_stance", answers(risk=empty))
    level = START
    for entry in log_of(transcript, "risk"):
        assert entry["from"] == pytest.approx(level)
        level = entry["to"]
    assert transcript.record["persistence"]["risk"] == pytest.approx(level)
    assert level < THRESHOLD
    assert transcript.record["conceded_roles"] == ["risk"]
    weakened = [c for c in transcript.confidence_changes if c.cause.startswith("角色让步")]
    assert weakened
    assert {c.claim_id.split("-")[1] for c in weakened} == {"risk"}


def test_conceding_an_answer_concedes_the_claim():
    transcript, _ = hold(
        "four_stance", answers(risk={"answer": "这一条确实缺少证据，先行让步。", "facts": [], "concede": True})
    )
    attacked = {q.claim_id for q in transcript.questions if q.target == "risk" and q.is_answered}
    status = {c.claim_id: c.status for c in transcript.claims}
    assert {status[cid] for cid in attacked} == {ClaimStatus.CONCEDED}


def test_attack_on_a_claim_with_failed_numbers_is_effective_at_once():
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("value", "speak", 1):
            honest["claims"][0]["basis"] = re.sub(r"\d+\.\d+", "77.77", honest["claims"][0]["basis"])
            return honest
        if (scene.role, scene.act, scene.round_no) == ("risk", "ask", 1):
            return {"target": "value", "claim": "r1-value-1", "question": "这个数字与资料不符，依据在哪里？"}
        return None

    transcript, _ = hold("four_stance", script)
    question = next(q for q in transcript.questions if q.claim_id == "r1-value-1")
    assert question.is_effective
    assert log_of(transcript, "value")[0]["cause"].endswith(question.question_id)


def test_stand_maps_to_a_side_and_may_not_be_changed():
    def flips(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("value", "speak", 2):
            return {**honest, "stance": "反对" if honest["stance"] == "支持" else "支持"}
        return None

    transcript, _ = hold("four_stance", flips)
    turn = next(t for t in transcript.turns if (t.role, t.act, t.round_no) == ("value", "speak", 2))
    assert turn.status == "failed"
    assert "立场" in turn.error
    sides = {c.role: c.side for c in transcript.claims}
    assert transcript.record["stances"] == {role: side.value for role, side in sides.items()}


def test_four_agreeing_stances_are_reported_as_uncontested():
    def agree(scene, honest):
        if scene.act == "speak":
            claims = [{**claim, "to": None} for claim in honest["claims"]]
            return {**honest, "stance": "反对", "claims": claims}
        return None

    transcript, gate = hold("four_stance", agree)
    assert {c.side for c in transcript.claims} == {Side.AGAINST}
    assert transcript.status is RunStatus.COMPLETE
    assert transcript.conclusion.verdict == "against"
    assert transcript.conclusion.swap_agreement is None
    assert "没有经过对立质询" in transcript.conclusion.core
    assert "judge" not in {ask.role for ask in gate.asks}


def test_battlefield_is_the_only_memory(debate):
    transcript, gate = debate
    speak = next(s for s in gate.scenes if (s.role, s.act, s.round_no) == ("value", "speak", 3))
    assert speak.record.startswith("战场记录：")
    assert all(c.is_challenged in {True, False} and c.stance in {"支持", "反对"} for c in speak.claims)
    assert "据：" not in speak.record
    field = {entry["claim_id"]: entry for entry in transcript.record["battlefield"]}
    assert set(field) == {c.claim_id for c in transcript.claims}
    challenged = {q.claim_id for q in transcript.questions}
    assert {cid for cid, entry in field.items() if entry["is_challenged"]} == challenged & set(field)


def test_each_stance_gets_its_own_facts(debate):
    _, gate = debate
    the_pack = pack()
    for role in STANCES:
        seen = {f.id for f in next(s for s in gate.scenes if s.role == role).facts}
        listed = {*the_pack.roles["common"], *the_pack.roles[role]}
        assert set(the_pack.roles["common"]) <= seen <= listed
        assert len(seen) == min(STANCE_FACTS, len(listed))


#: More facts of the length of a filing's sentence, to see what a larger pack costs.
MATTERS = ["厂搬迁", "区租约", "线改造", "库扩建", "站并网", "港集运", "院合作", "楼处置", "路征收", "矿勘查"]
MORE = tuple(
    pack()
    .fact("E50")
    .model_copy(
        update={
            "id": f"E{900 + n}",
            "sentence": f"公告《关于{what}的公告》第1页：{what}由董事会授权管理层办理，{what}的对手方与公司无关联关系",
        }
    )
    for n, what in enumerate(f"{where}{matter}" for where in "东西南北中" for matter in MATTERS)
)


@pytest.mark.parametrize(("extra", "total"), [((), 76_000), (MORE, 80_000)])
def test_thirty_six_calls_stay_within_their_tokens_and_every_number_is_still_checked(extra, total, tmp_path):
    """Every fact stands in nine prompts of a role: what a role is given decides what the debate costs."""
    the_pack = pack(extra=extra)
    if extra:
        ids = tuple(fact.id for fact in extra)
        the_pack = the_pack.model_copy(
            update={"roles": {role: (*listed, *ids) for role, listed in the_pack.roles.items() if role != "common"}
                    | {"common": the_pack.roles["common"]}}
        )  # fmt: skip
    counted = hold_counted(tmp_path, "four_stance", the_pack)
    transcript = counted.transcript
    assert transcript.status is RunStatus.COMPLETE
    assert len(counted.server.requests) == 39
    assert counted.total <= total
    assert counted.outside <= 35_000
    cited = {claim.claim_id for claim in transcript.claims if re.search(r"\d", claim.basis)}
    assert cited <= {check.claim_id for check in transcript.checks}


def test_trading_rules_are_told_to_the_role_that_argues_from_trading(debate):
    _, gate = debate
    rules = market_rules(pack().symbol)
    told = {ask.role for ask in gate.asks if rules in ask.messages[0]["content"]}
    assert told == {"chips"}


def test_the_role_on_risks_is_given_the_gravest_fact_however_much_is_listed_before_it():
    the_pack = pack()
    grave = gravest(the_pack)
    crowd = tuple(
        grave.model_copy(update={"id": f"E{900 + n}", "sentence": f"公告《其他事项的公告{n}》", "field": "text"})
        for n in range(40)
    )
    crowded = pack(extra=crowd)
    listed = (*(fact.id for fact in crowd), *the_pack.roles["risk"])
    crowded = crowded.model_copy(update={"roles": {**crowded.roles, "risk": listed}})
    given = given_facts(crowded, PROTOCOL.role("risk"))
    assert len(given) == STANCE_FACTS
    assert grave.id in {fact.id for fact in given}


def test_a_question_is_put_to_the_other_sides_unchallenged_claims_first(debate):
    transcript, gate = debate
    sides = {claim.claim_id: claim.side for claim in transcript.claims}
    asks = [scene for scene in gate.scenes if scene.act == "ask"]
    assert all(len(scene.claims) <= OPPONENT_LINES for scene in asks)
    for scene in asks:
        own = next(claim.side for claim in transcript.claims if claim.role == scene.role)
        opposed = [cid for cid, side in sides.items() if side is not own and cid.split("-")[0] < f"r{scene.round_no}"]
        shown = {claim.id for claim in scene.claims}
        assert shown & set(opposed) or not opposed


def test_expectation_a_side_only_restates_stands_on_the_battlefield_once(debate):
    _, gate = debate
    for scene in gate.scenes:
        if scene.act in {"speak", "ask"}:
            expected = re.findall(r"(支持|反对)\).*?｜(预期 \S+)", scene.record)
            assert len(expected) == len(set(expected))
