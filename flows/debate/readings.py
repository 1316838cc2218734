"""The readings after the last round: the judge's two and the auditor's one, all at once.

They are entered in a fixed order whichever answers first, so that a transcript does not depend on the
speed of a server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from flows.contracts.transcripts import Judgement, Turn
from flows.debate.answers import Answer, AuditReport, Verdict
from flows.debate.asking import build_ask, keep_checks
from flows.debate.auditor import AUDIT, audit_faults, audit_prompt, merged_findings
from flows.debate.blind import Blind, presentations
from flows.debate.breach import Breach
from flows.debate.free_text import advice_in, failures, free_checks, free_text
from flows.debate.gateway_types import Abstained, Answered
from flows.debate.judge import (
    JUDGE,
    disagreements_of,
    falsifiers_of,
    indicators_of,
    judge_prompt,
    mapped_back,
    verdict_faults,
)
from flows.debate.prompting import Prompt
from flows.debate.protocol import Act
from flows.debate.run import Named, Run
from flows.debate.salvage import Examiner
from flows.debate.state import Record


@dataclass
class ReaderScrutiny(Examiner):
    """Validates a reader's answer; numbers without a fact are sent back once, everything else always."""

    record: Record
    faults: Callable[[Any], Iterable[Breach]]
    is_second_look: bool = False

    def __call__(self, answer: Any) -> list[str]:
        """Causes to send back, empty if the answer can be taken."""
        causes = [breach.told for breach in self.hard(answer)]
        if not self.is_second_look:
            causes += failures(free_checks(self.record, free_text(answer), "", is_reader=True))
        self.is_second_look = True
        return causes

    def hard(self, answer: Answer) -> list[Breach]:
        """What an answer is sent back for every time."""
        return [*self.faults(answer), *advice_in(answer)]


@dataclass(frozen=True)
class _Reading:
    """One reader's question.

    Attributes:
        take: Takes the answer (None if there is none) of the turn with that number and returns its speech.
    """

    role: str
    act: Act
    prompt: Prompt
    scrutiny: ReaderScrutiny
    take: Callable[[BaseModel | None, int], str]


_ONE_SIDED = "有一方没有论点通过筛选，裁判没有可比的材料"


async def hold_readings(run: Run) -> None:
    """Judge and audit what was said, as the protocol and the options ask for."""
    readings = [_judging(run, blind) for blind in _comparable(run)]
    if run.options.is_audited and run.record.claims:
        readings.append(_auditing(run))
    limits = run.options.limits
    asked = (run.gateway.ask(build_ask(r.role, r.act, r.prompt, r.scrutiny, limits)) for r in readings)
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    for reading, outcome in zip(readings, outcomes, strict=True):
        if not isinstance(outcome, BaseException):
            run.told(_entered(run.record, reading, outcome))
    # What was bought is on the record by now, so a reading that was stopped loses no other.
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome


def _comparable(run: Run) -> tuple[Blind, ...]:
    if not run.record.protocol.is_judged:
        return ()
    blinds = presentations(run.record, run.debate_id)
    if all(any(label.startswith(letter) for label in blinds[0].claims) for letter in "AB"):
        return blinds
    if not run.record.protocol.has_stances:
        run.reason = run.reason or _ONE_SIDED
    return ()


def _judging(run: Run, blind: Blind) -> _Reading:
    record = run.record

    def take(verdict: BaseModel | None, turn_no: int) -> str:
        if verdict is None:
            return ""
        if not isinstance(verdict, Verdict):
            raise TypeError(f"the judge answered with {type(verdict).__name__}")
        return "\n".join(take_verdict(run, blind, verdict, turn_no).reasons)

    scrutiny = ReaderScrutiny(record, lambda verdict: verdict_faults(record, blind, verdict))
    return _Reading("judge", JUDGE, judge_prompt(record, blind), scrutiny, take)


def _auditing(run: Run) -> _Reading:
    def take(report: BaseModel | None, _: int) -> str:
        if report is not None and not isinstance(report, AuditReport):
            raise TypeError(f"the auditor answered with {type(report).__name__}")
        run.audits += merged_findings(run.record, report)
        found = report.findings if report else ()
        return "\n".join(f"{f.claim}：{f.fallacy}，{f.explanation}" for f in found) or "没有发现谬误。"

    scrutiny = ReaderScrutiny(run.record, lambda report: audit_faults(run.record, report))
    return _Reading("auditor", AUDIT, audit_prompt(run.record), scrutiny, take)


def _entered(record: Record, reading: _Reading, outcome: Answered | Abstained) -> Turn:
    """Put an answered or failed reading on the record and return its turn."""
    if outcome.call is not None:
        record.calls.append(outcome.call)
    turn = Turn(
        turn_no=record.next_turn_no,
        round_no=record.last_round,
        role=reading.role,
        act=reading.act.name,
        status="failed",
        error=outcome.reason if isinstance(outcome, Abstained) else None,
        call_hash=outcome.call.call_hash if outcome.call else None,
        claim_ids_seen=reading.prompt.claim_ids,
    )
    value = outcome.value if isinstance(outcome, Answered) else None
    speech = reading.take(value, turn.turn_no)
    if value is not None:
        done = {"status": "ok", "speech": speech, "answer": value.model_dump(mode="json")}
        turn = turn.model_copy(update=done)
        record.refusals += [refused.on_record(turn.turn_no, reading.role) for refused in reading.scrutiny.refused]
    record.turns.append(turn)
    return turn


def take_verdict(run: Run, blind: Blind, verdict: Verdict, turn_no: int) -> Judgement:
    """Map a verdict back, check its words and keep what it named."""
    judgement = mapped_back(run.record, blind, verdict)
    name = f"turn-{turn_no}"
    checks = free_checks(run.record, "\n".join(judgement.reasons), name, is_reader=True)
    keep_checks(run.record, name, checks)
    run.record.judgements.append(judgement)
    run.named = Named(
        (*run.named.disagreements, *disagreements_of(run.record, blind, verdict)),
        (*run.named.indicators, *indicators_of(run.record, blind, verdict.watch)),
        (*run.named.falsifiers, *falsifiers_of(run.record, blind, verdict)),
    )
    return judgement
