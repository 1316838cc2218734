"""Enters a validated answer into the record; one function per answer type.

Claims are checked here, at the moment they are made: a failed number makes the claim unsupported
before any opponent or judge sees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch

from flows.contracts.checks import Check
from flows.contracts.transcripts import UNDECIDED, Claim, ClaimStatus, Question, Side
from flows.debate.answers import (
    Answer,
    Argument,
    CrossAnswer,
    CrossQuestion,
    DirectAnswer,
    Expectation,
    KeyDataSpeech,
    Moderation,
    Speech,
    Stance,
    StanceSpeech,
    TitledSpeech,
)
from flows.debate.breach import Breach, Part
from flows.debate.constraints import (
    argument_text,
    bad_reply,
    breaches,
    copies_the_form,
    expectation_fault,
)
from flows.debate.cross_examination import put_question, settle_answer
from flows.debate.metrics import metric_named
from flows.debate.state import Record, Speaker, has_failed
from flows.debate.strength import base_strength
from flows.truth.speech.attribution import check_attribution, check_sources

SIDE_OF_STANCE = {Stance.SUPPORT: Side.FOR, Stance.OPPOSE: Side.AGAINST}
VERDICT_OF = {"支持": "for", "反对": "against", "未决": UNDECIDED}


@dataclass(frozen=True)
class Entry:
    """Where an answer goes, and what its arguments were found to breach, if that is known already."""

    record: Record
    speaker: Speaker
    turn_no: int
    found: tuple[Breach, ...] | None = None


@singledispatch
def enter(answer: Answer, entry: Entry) -> str:
    """Enter *answer* and return the turn's text as a reader sees it."""
    raise TypeError(f"no place on the record for {type(answer).__name__}")


@enter.register
def _(answer: Moderation, entry: Entry) -> str:
    round_no = entry.speaker.round_no
    if answer.summary and round_no > 1:
        entry.record.summaries[round_no - 1] = answer.summary
    entry.record.agenda[round_no] = answer.question
    return (f"上一轮核心分歧：{answer.summary}\n" if answer.summary and round_no > 1 else "") + answer.question


@enter.register
def _(answer: Speech, entry: Entry) -> str:
    concede(entry.record, entry.speaker, answer.concede)
    return enter_claims(answer, entry)


@enter.register
def _(answer: TitledSpeech, entry: Entry) -> str:
    entry.record.title = answer.title
    concede(entry.record, entry.speaker, answer.concede)
    return enter_claims(answer, entry)


@enter.register
def _(answer: KeyDataSpeech, entry: Entry) -> str:
    entry.record.key_data = answer.key_data
    concede(entry.record, entry.speaker, answer.concede)
    return enter_claims(answer, entry)


@enter.register
def _(answer: StanceSpeech, entry: Entry) -> str:
    entry.record.stances[entry.speaker.role.name] = SIDE_OF_STANCE[answer.stance]
    concede(entry.record, entry.speaker, answer.concede)
    return f"立场：{answer.stance}命题。\n" + enter_claims(answer, entry)


@enter.register
def _(answer: CrossQuestion, entry: Entry) -> str:
    record, speaker = entry.record, entry.speaker
    number = sum(q.round_no == speaker.round_no for q in record.questions) + 1
    put_question(
        record,
        Question(
            question_id=f"r{speaker.round_no}-q{number}",
            round_no=speaker.round_no,
            asker=speaker.role.name,
            target=answer.target,
            claim_id=answer.claim,
            text=answer.question,
            is_answered=False,
        ),
    )
    return f"问{record.protocol.role(answer.target).zh}（{answer.claim}）：{answer.question}"


@enter.register
def _(answer: CrossAnswer, entry: Entry) -> str:
    return settle_answer(entry.record, entry.speaker, answer, entry.turn_no)


@enter.register
def _(answer: DirectAnswer, entry: Entry) -> str:
    record = entry.record
    record.title = answer.title
    record.notes["direct_verdict"] = VERDICT_OF[answer.verdict]
    parts = [f"判断：{answer.verdict}。"]
    for side, arguments in ((Side.FOR, answer.pro), (Side.AGAINST, answer.con)):
        parts += [_text(_enter_claim(argument, entry, side), argument) for argument in arguments]
    return "\n".join(parts)


def concede(record: Record, speaker: Speaker, claim_ids: tuple[str, ...]) -> None:
    """Mark a role's own claims as conceded; ids of others are ignored."""
    for claim_id in claim_ids:
        claim = record.claims.get(claim_id)
        if claim and claim.role == speaker.role.name:
            record.set_status(claim_id, ClaimStatus.CONCEDED)


def enter_claims(speech: Speech, entry: Entry) -> str:
    """Enter and check every argument of a speech; return its text."""
    side = entry.record.side_of(entry.speaker.role)
    if side is None:
        raise ValueError(f"role {entry.speaker.role.name} speaks before it has a side")
    found = breaches(entry.record, entry.speaker, speech) if entry.found is None else entry.found
    soft = {breach.part: breach.cause for breach in found if breach.is_soft and breach.weakens}
    parts = []
    for place, argument in enumerate(speech.claims):
        claim = _enter_claim(argument, entry, side)
        if cause := soft.get(Part("claims", place)):
            weaken(entry.record, claim.claim_id, cause)
        parts.append(_text(claim, argument))
    if speech.preempt and not copies_the_form(speech.preempt):
        parts.append(f"预判：{speech.preempt}")
    return "\n".join(parts)


def weaken(record: Record, claim_id: str, cause: str) -> None:
    """Give a claim weight zero because of a fault that was sent back and not mended."""
    record.claims[claim_id] = record.claims[claim_id].model_copy(
        update={"status": ClaimStatus.UNSUPPORTED, "score": 0.0}
    )
    record.notes.setdefault("weakened", {})[claim_id] = cause


def _text(claim: Claim, argument: Argument) -> str:
    return f"{claim.claim_id}｜{claim.dimension}｜{argument_text(argument)}（{'、'.join(claim.fact_ids)}）"


def _enter_claim(argument: Argument, entry: Entry, side: Side) -> Claim:
    record, speaker = entry.record, entry.speaker
    number = len(record.claims_of(speaker.role.name, speaker.round_no)) + 1
    claim = Claim(
        claim_id=f"r{speaker.round_no}-{speaker.role.name}-{number}",
        turn_no=entry.turn_no,
        round_no=speaker.round_no,
        role=speaker.role.name,
        side=side,
        dimension=argument.dimension,
        conclusion=_sentence(argument.conclusion),
        basis=_sentence(argument.basis),
        reasoning=_sentence(argument.reasoning),
        fact_ids=tuple(dict.fromkeys(argument.facts)),
        evidence_type=argument.source.value,
        replies_to=None if bad_reply(record, speaker, argument) else argument.to,
    )
    return enter_checked(record, claim, argument.expect)


def enter_checked(record: Record, claim: Claim, expect: Expectation | None) -> Claim:
    """Check a claim, score it and put it on the record; one that rests on no fact is no better than a false one."""
    checks = all_checks(record, claim)
    failed = has_failed(checks)
    score = 0.0 if failed else base_strength(claim, record.pack)
    status = ClaimStatus.STANDING if score else ClaimStatus.UNSUPPORTED
    checked = claim.model_copy(update={"score": score, "status": status})
    record.claims[claim.claim_id] = checked
    record.checks[claim.claim_id] = checks
    if expect and expectation_fault(record, expect) is None:
        name = metric_named(expect.metric) or expect.metric
        record.expectations[claim.claim_id] = expect.model_copy(update={"metric": name})
    return checked


def all_checks(record: Record, claim: Claim) -> tuple[Check, ...]:
    """Numbers and comparisons, who is said to have said what, and outsiders quoted; one check per span start."""
    cited = [fact.sentence for fid in claim.fact_ids if (fact := record.pack.fact(fid))]
    spoken = check_attribution(claim.text, list(record.claims.values()), speaker=claim.side, claim_id=claim.claim_id)
    found = [
        *record.check(claim, record.pack),
        *(check for check in spoken if not _is_quoted(check, cited)),
        *check_sources(claim.text, cited, claim_id=claim.claim_id),
    ]
    by_start: dict[int, Check] = {}
    for check in sorted(found, key=lambda check: not check.verdict.is_failure):
        by_start.setdefault(check.start, check)
    return tuple(by_start[start] for start in sorted(by_start))


def _is_quoted(check: Check, cited: list[str]) -> bool:
    """Whether a span stands in a cited fact: 对手方 of a contract is no opponent of ours."""
    return any(check.text[:12] in sentence for sentence in cited)


def _sentence(text: str) -> str:
    return text if text.endswith(("。", "！", "？", "…")) else f"{text}。"
