"""What a speech must satisfy (PRODUCT D1, faults L1–L7), and what is sent back with which cause."""

# ruff: noqa: E501 -- one case, one line

import pytest

from flows.contracts.packs import Dimension
from flows.contracts.transcripts import ClaimStatus, RunStatus
from flows.debate.answers import Argument, EvidenceType, Speech
from flows.debate.bull_bear import PROTOCOL
from flows.debate.constraints import overheated_word, unreasoned_hedge
from flows.debate.draining import clip
from flows.debate.proposition import stock_proposition
from flows.debate.recording import Entry, enter_claims
from flows.debate.state import Record, Speaker
from tests.unit.debate_fakes import hold
from tests.unit.debate_packs import pack


def argument(
    conclusion="利润在扩张", basis="净利润同比增长15.62%（E37）。", reasoning="分子变大，现价更站得住。", facts=("E37",)
):
    return Argument(
        dimension=Dimension.FUNDAMENTALS, conclusion=conclusion, basis=basis, reasoning=reasoning, facts=facts,
        source=EvidenceType.HISTORY,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("reasoning", "hedge"),
    [
        ("后续有望改善。", "有望"),
        ("利润可能回升，值得跟踪。", "可能"),
        ("预计全年增长。市场会重新定价。", "预计"),
        ("利润有望回升，因为原料价格已经回落。", None),
        ("利润有望回升。理由是原料价格已经回落。", None),
        ("这不可能持续。", None),
        ("存在这种可能性。", None),
        ("利润在扩张。", None),
    ],
)
def test_hedge_must_be_followed_by_its_reason(reasoning, hedge):
    assert unreasoned_hedge(argument(reasoning=reasoning)) == hedge


def test_hedge_in_a_conclusion_has_its_basis_as_reason_only_if_it_cites():
    assert unreasoned_hedge(argument(conclusion="业绩有望改善")) is None
    unsourced = argument(conclusion="业绩有望改善", basis="业内都这样看，不必举例。", facts=())
    assert unreasoned_hedge(unsourced) == "有望"


@pytest.mark.parametrize(
    ("text", "fact_id", "word"),
    [
        ("市场陷入恐慌", "E7", "恐慌"),
        ("股价暴跌", "E8", "暴跌"),
        ("股价暴跌", "E9", None),
        ("股价下跌", "E7", None),
        ("股价腰斩", "E6", "腰斩"),
        ("市场陷入恐慌", "E900", None),
    ],
)
def test_words_stronger_than_the_facts_are_named(text, fact_id, word):
    said = pack().fact("E52").model_copy(update={"id": "E900", "sentence": "新闻《市场恐慌指数发布》"})
    assert overheated_word(text, [pack(extra=(said,)).fact(fact_id)]) == word


def first_bull(change):
    """A script that changes the bull's first speech."""

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "argue", 1):
            return change(honest)
        return None

    return script


def first_turn(transcript):
    return next(t for t in transcript.turns if t.role == "bull")


def set_claim(**changes):
    def change(honest):
        honest["claims"][0] |= changes
        return honest

    return change


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (set_claim(facts=["E999"]), "E999"),
        (set_claim(facts=["E50"]), "未给你"),
        (set_claim(conclusion="结论，30字内"), "格式说明"),
        (set_claim(reasoning="净利润同比增长"), "推演"),
        (set_claim(to="r1-bear-1"), "不存在的论点"),
        (set_claim(expect={"metric": "happiness", "value": 1, "due": "2026-12-31"}), "不是登记的指标"),
        (set_claim(expect={"metric": "pe_ttm", "value": 20, "due": "2026-10-30"}), "不在允许的日期内"),
        (set_claim(expect={"metric": "pe_ttm_pct_3y", "value": 140, "due": "2026-12-31"}), "0 到 100"),
        (set_claim(reasoning="空方承认现金流没有问题，因此这一条成立，现价站得住脚。"), "还没有记录在案"),
        (set_claim(reasoning="综合来看，建议买入并长期持有，等待估值修复的到来。"), "操作建议"),
        (lambda honest: {**honest, "claims": []}, "没有给出论点"),
        (lambda honest: {**honest, "concede": ["r1-bear-1"]}, "concede"),
        (lambda honest: {**honest, "preempt": "预判的质疑和回应，60 字内"}, "preempt"),
        (
            lambda honest: {
                "claims": [
                    {
                        **honest["claims"][0],
                        "conclusion": "Profit is growing",
                        "basis": "Net profit grew (E37)",
                        "reasoning": "So the price is fine",
                    }
                ]
            },
            "中文",
        ),
    ],
)
def test_hard_cause_is_sent_back_and_in_the_end_fails_the_turn(change, cause):
    transcript, _ = hold(script=first_bull(change))
    turn = first_turn(transcript)
    assert turn.status == "failed"
    assert cause in turn.error
    assert transcript.status is RunStatus.PARTIAL


def test_metric_may_be_named_in_chinese():
    expect = {"metric": "市盈率", "value": 20, "due": "2026-12-31"}
    transcript, _ = hold(script=first_bull(set_claim(expect=expect)))
    assert transcript.record["expectations"]["r1-bull-1"]["metric"] == "pe_ttm"


def test_fact_of_the_other_side_may_be_cited_once_it_is_on_the_record():
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "reply", 1):
            honest["claims"][0]["facts"] = ["E49"]
            honest["claims"][0]["basis"] = "公告《关于收到监管问询函的公告》（E49）。"
            return honest
        return None

    transcript, _ = hold(script=script)
    assert next(c for c in transcript.claims if c.claim_id == "r1-bull-3").fact_ids == ("E49",)


def test_false_attribution_to_a_side_that_has_spoken_costs_the_claim_its_weight():
    """T4: 对方承认 must match what is recorded; here nobody conceded anything of the kind."""

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "reply", 1):
            honest["claims"][0]["reasoning"] = "空方承认公司没有任何负债压力，这一点双方已经没有争议。"
            return honest
        return None

    transcript, _ = hold(script=script)
    turn = next(t for t in transcript.turns if (t.role, t.act, t.round_no) == ("bull", "reply", 1))
    assert turn.status == "failed"
    assert "空方" in turn.error


def test_soft_cause_is_sent_back_once_and_then_costs_the_weight(tmp_path):
    """Through the real gateway: the second, unchanged answer is taken, its argument counts zero."""
    from tests.unit.debate_server import hold_on_server

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "argue", 1):
            honest["claims"][0]["reasoning"] = "后续利润有望继续改善。市场会看到这一点，现价站得住脚。"
            return honest
        return None

    transcript, server = hold_on_server(tmp_path, script)
    weak = next(c for c in transcript.claims if c.claim_id == "r1-bull-1")
    assert weak.status is ClaimStatus.UNSUPPORTED
    assert "有望" in transcript.record["weakened"]["r1-bull-1"]
    retried = [body for body in server.requests if "上一条回答无法使用" in body["messages"][-1]["content"]]
    assert len(retried) == 1
    assert "立场" in retried[0]["messages"][-1]["content"]


@pytest.mark.parametrize("limit", range(6, 40))
def test_clipping_never_cuts_a_number(limit):
    text = "2026Q3营业收入为184.20亿元，同比增长8.35%，净利润21.30亿元，毛利率31.25%"
    cut = clip(text, limit).rstrip("…")
    assert text.startswith(cut)
    rest = text[len(cut) :]
    assert not (cut and rest and cut[-1].isdigit() and (rest[0].isdigit() or rest[0] == "."))


def free_text_script(place, **changes):
    def script(scene, honest):
        return {**honest, **changes} if (scene.role, scene.act, scene.round_no) == place else None

    return script


@pytest.mark.parametrize(
    ("place", "changes", "cause"),
    [
        (("moderator", "moderate", 1), {"question": "净利润同比增长99.9%，双方怎么看这个变化？"}, "99.9%"),
        (("moderator", "moderate", 2), {"summary": "空方承认公司没有任何风险，多方已经胜出。"}, "空方"),
        (("moderator", "moderate", 1), {"question": "现在是否建议买入这只股票，请双方表态？"}, "操作建议"),
        (("bull", "argue", 1), {"preempt": "会有人说净利润同比下降88.8%，这并不成立。"}, "88.8%"),
        (("bear", "rebut", 3), {"title": "净利润同比增长77.7%还是下滑"}, "77.7%"),
        (("judge", "judge", 0), {"evidence": "A 方引用的净利润同比增长66.6%最有分量。"}, "66.6%"),
        (("judge", "judge", 0), {"logic": "综合来看，建议投资者逢低买入。"}, "操作建议"),
        (("auditor", "audit", 0), {"findings": [{"claim": "r1-bull-1", "fallacy": "循环论证", "explanation": "建议卖出，这个论点站不住。"}]}, "操作建议"),
    ],
)  # fmt: skip
def test_words_outside_arguments_are_checked_as_well(place, changes, cause):
    transcript, _ = hold(script=free_text_script(place, **changes))
    failed = [t for t in transcript.turns if t.status == "failed"]
    assert failed
    assert all(cause in t.error for t in failed)


def test_wrong_number_in_a_question_is_sent_back_once_and_then_recorded_as_wrong(tmp_path):
    from tests.unit.debate_server import hold_on_server

    script = free_text_script(("moderator", "moderate", 1), question="净利润同比增长99.9%，双方怎么看这个变化？")
    transcript, server = hold_on_server(tmp_path, script)
    assert transcript.status is RunStatus.COMPLETE
    assert len(server.requests) == 16
    check = next(c for c in transcript.checks if c.claim_id == "turn-1" and c.verdict.is_failure)
    assert "99.9%" in check.text


def test_unusable_reference_or_expectation_is_dropped_without_costing_the_argument(tmp_path):
    from tests.unit.debate_server import hold_on_server

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "argue", 1):
            honest["claims"][0] |= {
                "to": "r1-bear-7",
                "expect": {"metric": "happiness", "value": 1, "due": "2026-12-31"},
            }
            return honest
        return None

    transcript, server = hold_on_server(tmp_path, script)
    claim = transcript.claims[0]
    assert len(server.requests) == 16
    assert claim.status is not ClaimStatus.UNSUPPORTED
    assert claim.replies_to is None
    assert claim.claim_id not in transcript.record["expectations"]


@pytest.mark.parametrize(
    ("said", "meant"), [("财务数据", "历史数据"), ("研报", "新闻"), ("财报", "公告"), ("公告", "公告")]
)
def test_other_words_for_a_source_type_are_read(said, meant):
    made = Argument.model_validate({**argument().model_dump(), "source": said})
    assert made.source == meant


def test_words_of_a_cited_fact_are_no_attribution():
    said = (
        pack()
        .fact("E50")
        .model_copy(
            update={
                "id": "E900",
                "sentence": "公告《重大合同》第1页：合同对手方成立于2019年，注册地在海外（2026-10-20，测试源）。",
            }
        )
    )

    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bear", "rebut", 1):
            honest["claims"][0] |= {
                "facts": ["E900"],
                "basis": "公告《重大合同》第1页：合同对手方成立于2019年，注册地在海外（E900）。",
                "expect": None,
            }
            return honest
        return None

    transcript, _ = hold(script=script, the_pack=pack(extra=(said,)))
    claim = next(c for c in transcript.claims if c.claim_id == "r1-bear-1")
    assert [c.text for c in transcript.checks if c.claim_id == claim.claim_id and c.verdict.is_failure] == []


@pytest.mark.parametrize(
    ("given", "facts", "to"),
    [
        ({"facts": ["E3, E4", "E5 净利润"]}, ("E3", "E4", "E5"), None),
        ({"facts": "E37"}, ("E37",), None),
        ({"facts": []}, ("E37",), None),
        ({"facts": ["E37"], "to": "针对 r1-bear-2"}, ("E37",), "r1-bear-2"),
        ({"facts": ["E37"], "to": "对方论点编号|null"}, ("E37",), None),
        ({"facts": ["E37"], "to": "r1-bear-1 和 r1-bear-2"}, ("E37",), None),
    ],
)
def test_ids_are_read_out_of_the_text_around_them(given, facts, to):
    made = Argument.model_validate({**argument().model_dump(), **given})
    assert (made.facts, made.to) == (facts, to)


@pytest.mark.parametrize(
    "expect",
    [
        {"metric": "指标名", "value": "多", "due": "尽快"},
        {"value": 3},
        "增长",
        {"metric": "pe_ttm", "value": float("nan"), "due": "2026-12-31"},
    ],
)
def test_unreadable_expectation_is_none_and_never_filled_in(expect):
    assert Argument.model_validate({**argument().model_dump(), "expect": expect}).expect is None


def test_no_id_is_made_up_where_none_was_written():
    made = Argument.model_validate({**argument(basis="净利润同比增长，见公告。").model_dump(), "facts": []})
    assert made.facts == ()


def test_argument_without_a_fact_does_not_stand():
    transcript, _ = hold(script=first_bull(set_claim(basis="公司已公开的资料足以说明这一点。", facts=[])))
    claim = next(c for c in transcript.claims if c.claim_id == "r1-bull-1")
    assert (claim.status, claim.score) == (ClaimStatus.UNSUPPORTED, 0.0)


def test_part_of_an_argument_without_a_chinese_word_is_sent_back():
    transcript, _ = hold(script=first_bull(set_claim(basis="8f70d5764e766c15")))
    assert "没有写成中文句子" in first_turn(transcript).error


def test_preempt_that_copies_the_form_is_left_out_of_the_speech():
    bull = next(role for role in PROTOCOL.roles if role.name == "bull")
    record = Record(pack(), PROTOCOL, stock_proposition(pack()), lambda claim, of: ())
    speech = Speech(claims=[argument()], preempt="预判的质疑和回应，60 字内")
    assert "60 字内" not in enter_claims(speech, Entry(record, Speaker(bull, 1), 1, found=()))
