"""Cross-examination of `four_stance` (PRODUCT D2): scores, attacks, 坚持度 and concession.

All of it is the program's. A speech scores by the checked strength of its claims. An attack is effective
when the attacked claim's numbers fail or its answer brings no verified fact; a rebuttal is strong when
it brings a verified fact nobody has used before. Under the threshold a role concedes and all its claims
lose weight.
"""

from __future__ import annotations

from flows.contracts.checks import Check
from flows.contracts.packs import Dimension
from flows.contracts.transcripts import Claim, ClaimStatus, Question, Side
from flows.debate.answers import CrossAnswer
from flows.debate.protocol import Order, Phase
from flows.debate.state import Record, Speaker, has_failed

START, ATTACK, REBUTTAL, THRESHOLD = 0.6, -0.15, 0.1, 0.3
#: Factor on all claims of a role that conceded.
CONCEDED_WEIGHT = 0.5
#: Asker of the question put to a role that nobody questioned.
PROGRAM = "program"


def speaking_order(record: Record, phase: Phase) -> tuple[str, ...]:
    """Who speaks when: as listed, or the lowest-scored of the last round first (ties in card order)."""
    if phase.order is Order.AS_LISTED or phase.round_no == 1:
        return phase.roles
    scores = {role: speech_score(record, role, phase.round_no - 1) for role in phase.roles}
    return tuple(sorted(phase.roles, key=lambda role: (scores[role], phase.roles.index(role))))


def speech_score(record: Record, role: str, round_no: int) -> float:
    """Score of a role's speech in a round: the sum of its claims' checked strengths; 0 if it failed."""
    return round(sum(claim.score for claim in record.claims_of(role, round_no)), 4)


def persistence_of(record: Record, role: str) -> float:
    """The role's 坚持度."""
    return record.persistence.get(role, START)


def has_conceded(record: Record, role: str) -> bool:
    """Whether a role's 坚持度 fell under the threshold; it does not come back."""
    return role in record.notes.get("conceded_roles", ())


def role_weights(record: Record) -> dict[str, float]:
    """Factor on the claims of each role that conceded."""
    return dict.fromkeys(record.notes.get("conceded_roles", ()), CONCEDED_WEIGHT)


def _move(record: Record, role: str, change: float, cause: str) -> None:
    before = persistence_of(record, role)
    after = round(min(1.0, max(0.0, before + change)), 4)
    record.persistence[role] = after
    log = record.notes.setdefault("persistence_log", [])
    log.append({"role": role, "from": before, "to": after, "cause": cause})
    if after < THRESHOLD and not has_conceded(record, role):
        record.notes.setdefault("conceded_roles", []).append(role)


def attack_succeeds(record: Record, question: Question) -> None:
    """Settle a question as an effective attack: the target loses 坚持度, the claim its standing."""
    _replace(record, question.model_copy(update={"is_effective": True}))
    _move(record, question.target, ATTACK, f"有效攻击 {question.question_id}")
    claim = record.claims.get(question.claim_id or "")
    if claim is not None and claim.status is ClaimStatus.STANDING:
        record.set_status(claim.claim_id, ClaimStatus.PENDING)
        record.notes.setdefault("broken_by", {})[claim.claim_id] = question.question_id


def put_question(record: Record, question: Question) -> None:
    """Put a question on the record; if the attacked claim's numbers had failed, it is effective at once."""
    record.questions.append(question)
    if has_failed(record.checks.get(question.claim_id or "", ())):
        attack_succeeds(record, question)


def put_program_question(record: Record, speaker: Speaker) -> None:
    """Make sure the speaker has something to answer.

    A role nobody questioned is faced with the strongest opposing argument not yet put to it, so that
    everybody answers once a round.
    """
    role = speaker.role.name
    if any(q.target == role and not q.is_answered for q in record.questions):
        return
    own = [claim for claim in record.claims_of(role) if claim.status is ClaimStatus.STANDING]
    if not own:
        own = record.claims_of(role)
    if not own:
        return
    side = record.side_of(speaker.role)
    put_before = {q.text for q in record.questions if q.target == role}
    rivals = sorted(record.claims_against(side), key=lambda claim: -claim.score)
    text = next((t for claim in rivals if (t := _faced_with(claim)) not in put_before), "")
    number = sum(q.round_no == speaker.round_no for q in record.questions) + 1
    put_question(
        record,
        Question(
            question_id=f"r{speaker.round_no}-q{number}",
            round_no=speaker.round_no,
            asker=PROGRAM,
            target=role,
            claim_id=own[-1].claim_id,
            text=text or f"{own[-1].conclusion.rstrip('。')}：还有哪一项已披露的事实能够印证？",
            is_answered=False,
        ),
    )


def _faced_with(claim: Claim) -> str:
    return f"记录里有相反的论点（{claim.claim_id}）：{claim.conclusion.rstrip('。')}。你的论点如何成立？请拿出事实。"


def settle_answer(record: Record, speaker: Speaker, answer: CrossAnswer, turn_no: int) -> str:
    """Enter an answer to an open question and settle the attack; return the text a reader sees."""
    question = next(q for q in record.questions if q.question_id == answer.question_id)
    used = used_facts(record)
    checks = _checked(record, speaker, answer, turn_no)
    record.answer_checks[answer.question_id] = checks
    answered = question.model_copy(update={"is_answered": True, "answer": answer.answer})
    _replace(record, answered)
    is_verified = bool(answer.facts) and not has_failed(checks)
    if answer.concede and question.claim_id:
        record.set_status(question.claim_id, ClaimStatus.CONCEDED)
    if question.is_effective is None:
        if answer.concede or not is_verified:
            attack_succeeds(record, answered)
        else:
            _replace(record, answered.model_copy(update={"is_effective": False}))
    if is_verified and not answer.concede and set(answer.facts) - used:
        _move(record, speaker.role.name, REBUTTAL, f"有力反驳 {answer.question_id}")
    record.answered_facts |= set(answer.facts)
    facts = "、".join(answer.facts) or "无事实"
    return f"答{answer.question_id}：{answer.answer}（{facts}）" + ("让步。" if answer.concede else "")


def used_facts(record: Record) -> set[str]:
    """Facts anybody has brought so far, in claims or answers."""
    return {fid for claim in record.claims.values() for fid in claim.fact_ids} | record.answered_facts


def _checked(record: Record, speaker: Speaker, answer: CrossAnswer, turn_no: int) -> tuple[Check, ...]:
    """The number check of an answer, as if it were a claim of its own."""
    claim = Claim(
        claim_id=answer.question_id,
        turn_no=turn_no,
        round_no=speaker.round_no,
        role=speaker.role.name,
        side=record.side_of(speaker.role) or Side.FOR,
        dimension=Dimension.RISK,
        conclusion="",
        basis=answer.answer,
        reasoning="",
        fact_ids=answer.facts,
        evidence_type="",
    )
    return record.check(claim, record.pack)


def _replace(record: Record, question: Question) -> None:
    for place, known in enumerate(record.questions):
        if known.question_id == question.question_id:
            record.questions[place] = question
