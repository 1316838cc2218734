"""The blind judge (PRODUCT D6): content decides; order, names, length and side do not."""

import re
from dataclasses import replace

import pytest

from flows.contracts.transcripts import UNDECIDED, Side
from flows.debate.blind import ARGUMENT_LIMIT, present, presentations, screened, unblinded
from flows.debate.judge import agreement
from tests.unit.debate_fakes import hold, standard

LINE = re.compile(r"^([AB]\d+) \[(.*?)\](.*)$", re.MULTILINE)


def judge_script(rule):
    """A script whose judge rules by *rule* over the shown lines: letter → list of argument texts."""

    def script(scene, honest):
        if scene.role != "judge":
            return None
        sides = {"A": [], "B": []}
        for label, _, text in LINE.findall(scene.record):
            sides[label[0]].append(text)
        winner = rule(sides)
        return {
            **honest,
            "winner": winner,
            "score_a": 60 if winner == "A" else 40,
            "score_b": 60 if winner == "B" else 40,
        }

    return script


def reads_content(sides):
    """Prefers the side that argues more with profits that grow: content only."""
    weight = {letter: sum(text.startswith("净利润同比增长") for text in texts) for letter, texts in sides.items()}
    return "A" if weight["A"] > weight["B"] else "B" if weight["B"] > weight["A"] else "未决"


def loves_length(sides):
    return max(sides, key=lambda letter: sum(len(text) for text in sides[letter]) + (letter == "A") * 0)


def test_content_reading_judge_agrees_with_itself_in_both_orders():
    transcript, _ = hold(script=judge_script(reads_content))
    assert [j.order for j in transcript.judgements] in (["for_first", "against_first"], ["against_first", "for_first"])
    assert [j.verdict for j in transcript.judgements] == ["for", "for"]
    assert transcript.conclusion.swap_agreement == 1.0


@pytest.mark.parametrize("debate_id", ["a", "b", "c", "d", "e", "f"])
def test_verdict_does_not_depend_on_which_side_is_shown_first(debate_id):
    transcript, _ = hold(script=judge_script(reads_content), debate_id=debate_id)
    assert [j.verdict for j in transcript.judgements] == ["for", "for"]


def test_both_orders_come_up_as_the_first_one():
    record = _record()
    first = {presentations(record, f"debate-{n}")[0].order for n in range(20)}
    assert first == {"for_first", "against_first"}


def test_judge_that_prefers_the_first_side_decides_nothing():
    transcript, _ = hold(script=judge_script(lambda sides: "A"))
    assert {j.verdict for j in transcript.judgements} == {"for", "against"}
    assert transcript.conclusion.verdict == UNDECIDED
    assert transcript.conclusion.swap_agreement == 0.0


def test_padding_one_side_changes_nothing_for_a_content_reader():
    def padded(scene, honest):
        if scene.role == "bear":
            for claim in honest["claims"]:
                claim["reasoning"] = (claim["reasoning"] + _padding(claim["facts"][0]))[:240]
            return honest
        return judge_script(reads_content)(scene, honest)

    transcript, _ = hold(script=padded)
    assert [j.verdict for j in transcript.judgements] == ["for", "for"]


def _padding(seed):
    return "".join(
        f"补充说明{word}，需要继续跟踪并等待后续材料加以印证。" for word in (f"甲{seed}", f"乙{seed}", f"丙{seed}")
    )


def test_length_cannot_be_exploited_beyond_the_cap():
    def padded(scene, honest):
        if scene.role in {"bull", "bear"}:
            for claim in honest["claims"]:
                claim["reasoning"] = (claim["reasoning"] + _padding(claim["facts"][0]))[:240]
            return honest
        return judge_script(loves_length)(scene, honest)

    _, gate = hold(script=padded)
    for scene in gate.scenes:
        if scene.role == "judge":
            texts = {label: text.split("｜指标")[0].split("｜预期")[0] for label, _, text in LINE.findall(scene.record)}
            assert max(map(len, texts.values())) <= ARGUMENT_LIMIT <= 200


def test_both_sides_get_the_same_number_of_seats():
    _, gate = standard()
    record = next(s.record for s in gate.scenes if s.role == "judge")
    labels = [label for label, _, _ in LINE.findall(record)]
    assert sum(label[0] == "A" for label in labels) == sum(label[0] == "B" for label in labels)


def test_judge_sees_no_role_side_or_claim_id():
    def named(scene, honest):
        if scene.role == "bear":
            honest["claims"][0]["reasoning"] = "多方的 r1-bull-1 只讲了一半，空方补上了另一半，两者要合起来看。"
            return honest
        return None

    _, gate = hold(script=named)
    for scene in gate.scenes:
        if scene.role == "judge":
            assert not re.search(r"多方|空方|bull|bear|正方|反方|r\d-", scene.record)


def test_order_inside_a_side_is_shuffled_by_the_debate_not_by_the_round():
    record = _record()
    orders = {tuple(c.claim_id for c in present(record, str(n), "for_first").claims.values()) for n in range(8)}
    assert len(orders) > 1
    assert present(record, "x", "for_first").lines == present(record, "x", "for_first").lines


def test_arguments_without_a_source_or_with_a_wrong_number_are_screened():
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("bull", "argue", 1):
            honest["claims"][0] |= {"facts": [], "basis": "业内都这样看，不需要数据也能明白这一点。"}
            honest["claims"][1]["basis"] = honest["claims"][1]["basis"].replace("8.35%", "9.35%")
            return honest
        return None

    transcript, gate = hold(script=script)
    shown = {cid for turn in transcript.turns if turn.role == "judge" for cid in turn.claim_ids_seen}
    assert not shown & {"r1-bull-1", "r1-bull-2"}
    judge = next(s for s in gate.scenes if s.role == "judge")
    assert "业内都这样看" not in judge.record


def test_disagreement_values_come_from_the_sides_not_from_the_judge():
    transcript, _ = standard()
    expectations = transcript.record["expectations"]
    for item in transcript.disagreements:
        assert expectations[item.for_claim_id]["value"] == item.for_value
        assert expectations[item.against_claim_id]["value"] == item.against_value
        assert expectations[item.for_claim_id]["metric"] == item.metric


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"cites": ["A9"]}, "没有论点 A9"),
        (
            {"disagreements": [{"metric": "happiness", "a": "A1", "b": "B1", "assumption": "双方对未来看法不同"}]},
            "不是登记的指标",
        ),
        (
            {"disagreements": [{"metric": "pe_ttm", "a": "A1", "b": "A2", "assumption": "双方对未来看法不同"}]},
            "各一个论点",
        ),
        ({"winner": "A", "score_a": 10, "score_b": 90}, "矛盾"),
        (
            {
                "falsifiers": [
                    {"label": "A1", "metric": "pe_ttm", "operator": "<", "threshold": 77.7, "due": "2026-12-31"}
                ]
            },
            "证伪阈值",
        ),
    ],
)
def test_verdict_is_sent_back_with_its_cause(change, cause):
    transcript, _ = hold(script=lambda scene, honest: {**honest, **change} if scene.role == "judge" else None)
    failed = [t for t in transcript.turns if t.role == "judge"]
    assert all(t.status == "failed" and cause in t.error for t in failed)
    assert transcript.judgements == ()
    assert transcript.conclusion.swap_agreement is None


def test_one_failed_reading_decides_nothing():
    seen = []

    def script(scene, honest):
        if scene.role == "judge":
            seen.append(scene)
            return "超时" if len(seen) == 1 else None
        return None

    transcript, _ = hold(script=script)
    assert len(transcript.judgements) == 1
    assert transcript.conclusion.verdict == UNDECIDED
    assert transcript.conclusion.swap_agreement is None


def test_agreement_needs_two_readings():
    assert agreement([]) == (UNDECIDED, None)


def test_labels_in_the_judges_words_are_mapped_back():
    record = _record()
    blind = present(record, "d", "against_first")
    text = unblinded(blind, "A1 比 B 方更可信，B2没有回应")
    assert text.startswith(blind.claims["A1"].claim_id)
    assert "多方更可信" in text
    assert blind.claims["B2"].claim_id in text


def _record():
    from flows.debate.restoring import restored
    from tests.unit.debate_packs import pack

    transcript, _ = standard()
    record = restored(transcript, pack())
    assert screened(record)
    return record


def test_renaming_the_roles_changes_nothing_the_judge_sees():
    record = _record()
    shown = [blind.lines for blind in presentations(record, "d-1")]
    renamed = tuple(replace(role, zh=f"{role.zh}之友") for role in record.protocol.roles)
    record.protocol = replace(record.protocol, roles=renamed)
    assert [blind.lines for blind in presentations(record, "d-1")] == shown


def test_swapping_which_side_supports_swaps_the_verdict_only():
    """The same arguments under exchanged sides: the judge sees the same two piles and prefers the same one."""
    record = _record()
    other = {Side.FOR: Side.AGAINST, Side.AGAINST: Side.FOR}
    piles = {order: present(record, "d-1", order).lines for order in ("for_first", "against_first")}
    record.claims = {cid: c.model_copy(update={"side": other[c.side]}) for cid, c in record.claims.items()}
    swapped = {order: present(record, "d-1", order).lines for order in ("for_first", "against_first")}
    assert swapped["for_first"] == piles["against_first"]
    assert swapped["against_first"] == piles["for_first"]
