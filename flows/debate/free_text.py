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
from flows.debate.draining import clip
from flows.debate.state import Record
from flows.truth.compliance import find_advice
from flows.truth.speech.attribution import check_attribution


@singledispatch
def free_text(answer: object) -> str:
    """The text of an answer that belongs to no argument; empty if there is none."""
    return ""


@free_text.register
def _(answer: Moderation) -> str:
    return _joined(answer.summary, answer.question)


@free_text.register(Speech)
@free_text.register(StanceSpeech)
@free_text.register(KeyDataSpeech)
def _(answer: Speech) -> str:
    return answer.preempt


@free_text.register
def _(answer: TitledSpeech) -> str:
    return _joined(answer.title, answer.preempt)


@free_text.register
def _(answer: CrossQuestion) -> str:
    return answer.question


@free_text.register
def _(answer: DirectAnswer) -> str:
    return answer.title


@free_text.register
def _(answer: Verdict) -> str:
    named = (*(d.assumption for d in answer.disagreements), *(w.why for w in answer.watch))
    return _joined(answer.evidence, answer.logic, *named)


@free_text.register
def _(answer: AuditReport) -> str:
    return _joined(*(finding.explanation for finding in answer.findings))


def _joined(*parts: str) -> str:
    return "".join(part if part.endswith(("。", "！", "？")) else f"{part}。" for part in parts if part)


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


def advice_in(answer: object) -> Iterator[str]:
    """Advice in such a text: sent back every time."""
    if advice := find_advice(free_text(answer)):
        yield f"“{advice[0].word}”是操作建议，只讲证据与分歧"


def failures(checks: Iterable[Check]) -> list[str]:
    """Numbers without a fact and false attributions as causes to send back."""
    return [f"“{clip(check.text, 30)}”{check.reason}" for check in checks if check.verdict.is_failure]
