"""What a turn says outside its arguments: a summary, a question, a title, a verdict's reasons.

It is checked like everything else (PRODUCT T1): every number against all facts of the pack, no advice,
nothing put into a silent mouth. It carries no weight, so a fault is sent back once and then stays on
the record as a failed check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

from flows.contracts.checks import Check
from flows.contracts.packs import Dimension
from flows.contracts.transcripts import Claim, Side
from flows.debate.answers import (
    AuditReport,
    CrossQuestion,
    DirectAnswer,
    KeyDataSpeech,
    Moderation,
    Speech,
    StanceSpeech,
    TitledSpeech,
    Verdict,
)
from flows.debate.breach import Breach, Part
from flows.debate.draining import clip
from flows.debate.state import Record
from flows.truth.compliance import find_advice
from flows.truth.speech.attribution import check_attribution


@singledispatch
def free_parts(answer: object) -> dict[Part, str]:
    """The texts of an answer that belong to no argument, by the part they stand in."""
    return {}


@free_parts.register
def _(answer: Moderation) -> dict[Part, str]:
    return {Part("summary"): answer.summary, Part("question"): answer.question}


@free_parts.register(Speech)
@free_parts.register(StanceSpeech)
@free_parts.register(KeyDataSpeech)
def _(answer: Speech) -> dict[Part, str]:
    return {Part("preempt"): answer.preempt}


@free_parts.register
def _(answer: TitledSpeech) -> dict[Part, str]:
    return {Part("title"): answer.title, Part("preempt"): answer.preempt}


@free_parts.register
def _(answer: CrossQuestion) -> dict[Part, str]:
    return {Part("question"): answer.question}


@free_parts.register
def _(answer: DirectAnswer) -> dict[Part, str]:
    return {Part("title"): answer.title}


@free_parts.register
def _(answer: Verdict) -> dict[Part, str]:
    return {
        Part("evidence"): answer.evidence,
        Part("logic"): answer.logic,
        **{Part("disagreements", n): item.assumption for n, item in enumerate(answer.disagreements)},
        **{Part("watch", n): item.why for n, item in enumerate(answer.watch)},
    }


@free_parts.register
def _(answer: AuditReport) -> dict[Part, str]:
    return {Part("findings", n): finding.explanation for n, finding in enumerate(answer.findings)}


def free_text(answer: object) -> str:
    """All of them as one text; empty if there is none."""
    return "".join(
        part if part.endswith(("。", "！", "？")) else f"{part}。" for part in free_parts(answer).values() if part
    )


def free_checks(
    record: Record, text: str, name: str, side: Side | None = None, *, is_reader: bool = False
) -> tuple[Check, ...]:  # fmt: skip
    """Checks of such a text under the id *name*; one per span start, failures first.

    A reader (judge, auditor) speaks about the sides by label, which is checked by label, so its words
    are not read as quotations.
    """
    if not text:
        return ()
    claim = Claim(
        claim_id=name,
        turn_no=0,
        round_no=0,
        role="",
        side=side or Side.FOR,
        dimension=Dimension.RISK,
        conclusion="",
        basis=text,
        reasoning="",
        fact_ids=tuple(fact.id for fact in (*record.pack.facts, *record.pack.appendix)),
        evidence_type="",
    )
    known = list(record.claims.values())
    spoken = () if is_reader else check_attribution(text, known, speaker=side, claim_id=name)
    found = sorted((*record.check(claim, record.pack), *spoken), key=lambda check: not check.verdict.is_failure)
    by_start: dict[int, Check] = {}
    for check in found:
        by_start.setdefault(check.start, check)
    return tuple(by_start[start] for start in sorted(by_start))


def advice_in(answer: object) -> Iterator[Breach]:
    """Advice in such a text: sent back every time."""
    for part, text in free_parts(answer).items():
        if advice := find_advice(text):
            yield Breach(f"“{advice[0].word}”是操作建议，只讲证据与分歧", part)


def failures(checks: Iterable[Check]) -> list[str]:
    """Numbers without a fact and false attributions as causes to send back."""
    return [f"“{clip(check.text, 30)}”{check.reason}" for check in checks if check.verdict.is_failure]
