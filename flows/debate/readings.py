"""The readings after the last round: the judge's two and the auditor's one, all at once.

They are entered in a fixed order whichever answers first, so that a transcript does not depend on the
speed of a server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from flows.contracts.transcripts import Judgement, Turn
from flows.debate.answers import AuditReport, Verdict
from flows.debate.asking import build_ask, keep_checks
from flows.debate.auditor import AUDIT, audit_faults, audit_prompt, merged_findings
from flows.debate.blind import Blind, presentations
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
from flows.debate.state import Record


@dataclass
class ReaderScrutiny:
    """Validates a reader's answer; numbers without a fact are sent back once, everything else always."""

    record: Record
    faults: Callable[[Any], list[str]]
    is_second_look: bool = field(default=False)

    def __call__(self, answer: Any) -> list[str]:
        """Causes to send back, empty if the answer can be taken."""
        causes = [*self.faults(answer), *advice_in(answer)]
        if not self.is_second_look:
            causes += failures(free_checks(self.record, free_text(answer), "", is_reader=True))
        self.is_second_look = True
        return causes


_ONE_SIDED = "有一方没有论点通过筛选，裁判没有可比的材料"


async def hold_readings(run: Run) -> None:
    """Judge and audit what was said, as the protocol and the options ask for."""
    blinds = _comparable(run)
    prompts = [judge_prompt(run.record, blind) for blind in blinds]
    asked: list[Awaitable[Answered | Abstained]] = [
        _read(run, prompt, blind) for prompt, blind in zip(prompts, blinds, strict=True)
    ]
    audit = audit_prompt(run.record) if run.options.is_audited and run.record.claims else None
    if audit is not None:
        asked.append(_audit(run, audit))
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    for blind, prompt, outcome in zip(blinds, prompts, outcomes, strict=False):
        if not isinstance(outcome, BaseException):
            turn = _entered(run, "judge", JUDGE, prompt, outcome)
            run.told(_take_verdict(run, blind, outcome, turn) if isinstance(outcome, Answered) else turn)
    if audit is not None and not isinstance(outcomes[-1], BaseException):
        _take_audit(run, audit, outcomes[-1])
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


async def _read(run: Run, prompt: Prompt, blind: Blind) -> Answered | Abstained:
    record, limits = run.record, run.options.limits
    return await run.gateway.ask(
        build_ask("judge", JUDGE, prompt, ReaderScrutiny(record, lambda v: verdict_faults(record, blind, v)), limits)
    )


async def _audit(run: Run, prompt: Prompt) -> Answered | Abstained:
    scrutiny = ReaderScrutiny(run.record, lambda report: audit_faults(run.record, report))
    return await run.gateway.ask(build_ask("auditor", AUDIT, prompt, scrutiny, run.options.limits))


def _entered(run: Run, role: str, act: Act, prompt: Prompt, outcome: Answered | Abstained) -> Turn:
    """The turn as it stands before its answer is read; put on the record."""
    record = run.record
    if outcome.call is not None:
        record.calls.append(outcome.call)
    turn = Turn(
        turn_no=record.next_turn_no,
        round_no=record.last_round,
        role=role,
        act=act.name,
        status="failed",
        error=outcome.reason if isinstance(outcome, Abstained) else None,
        call_hash=outcome.call.call_hash if outcome.call else None,
        claim_ids_seen=prompt.claim_ids,
    )
    record.turns.append(turn)
    return turn


def _answered(run: Run, turn: Turn, speech: str, answer: Verdict | AuditReport) -> Turn:
    done = turn.model_copy(update={"status": "ok", "speech": speech, "answer": answer.model_dump(mode="json")})
    run.record.turns[-1] = done
    return done


def _take_verdict(run: Run, blind: Blind, outcome: Answered, turn: Turn) -> Turn:
    verdict = outcome.value
    if not isinstance(verdict, Verdict):
        raise TypeError(f"the judge answered with {type(verdict).__name__}")
    judgement = take_verdict(run, blind, verdict, turn.turn_no)
    return _answered(run, turn, "\n".join(judgement.reasons), verdict)


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


def _take_audit(run: Run, prompt: Prompt, outcome: Answered | Abstained) -> None:
    turn = _entered(run, "auditor", AUDIT, prompt, outcome)
    report = outcome.value if isinstance(outcome, Answered) else None
    if report is not None and not isinstance(report, AuditReport):
        raise TypeError(f"the auditor answered with {type(report).__name__}")
    run.audits += merged_findings(run.record, report)
    if report is not None:
        speech = "\n".join(f"{f.claim}：{f.fallacy}，{f.explanation}" for f in report.findings) or "没有发现谬误。"
        turn = _answered(run, turn, speech, report)
    run.told(turn)
