"""The one engine of all protocols: a pack goes in, a transcript comes out.

It knows phases, turns and readings; what a protocol is stands in its own file. Nothing here reads a
clock or a database, so a debate runs in-process, in a worker or on a cluster without change.
"""

from __future__ import annotations

import asyncio
import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Proposition, RunStatus, Transcript, Turn
from flows.debate.adjudicator import Adjudication, Named, adjudicate
from flows.debate.answers import Verdict
from flows.debate.asking import Gate, ask_turn, build_ask
from flows.debate.blind import Blind, presentations
from flows.debate.gateway import Abstained, Answered
from flows.debate.judge import (
    JUDGE,
    disagreements_of,
    falsifiers_of,
    indicators_of,
    judge_prompt,
    mapped_back,
    verdict_faults,
)
from flows.debate.proposition import stock_proposition
from flows.debate.protocol import Phase, Protocol
from flows.debate.state import Checker, Record, Speaker
from flows.errors import BudgetSpent, UsageError


@dataclass(frozen=True)
class Options:
    """What a debate may be given besides its pack.

    Attributes:
        proposition: What to argue about; None for the standing proposition of the stock.
        check: The number check; None for ``flows.truth.binding.check_claim``.
        progress: Called after every turn.
    """

    proposition: Proposition | None = None
    check: Checker | None = None
    progress: Callable[[Turn], None] | None = None


@dataclass
class _Run:
    """One debate under way."""

    record: Record
    gateway: Gate
    debate_id: str
    options: Options
    named: Named = field(default_factory=Named)
    reason: str = ""


def protocol_named(name: str) -> Protocol:
    """The protocol of ``flows/debate/<name>.py``. Raises UsageError if there is none."""
    found = _protocol_in(name) if re.fullmatch(r"[a-z_]{3,20}", name) else None
    if not isinstance(found, Protocol):
        raise UsageError(f"没有名为 {name} 的辩论方式；可用：bull_bear、four_stance、targeted、direct")
    return found


def _protocol_in(name: str) -> object:
    try:
        return getattr(importlib.import_module(f"flows.debate.{name}"), "PROTOCOL", None)
    except ModuleNotFoundError:
        return None


async def run_debate(
    pack: Pack,
    protocol: str,
    gateway: Gate,
    *,
    clock: Callable[[], datetime],
    debate_id: str,
    previous: Transcript | None = None,
    options: Options | None = None,
) -> Transcript:
    """Hold one debate on *pack*.

    An incomplete pack is gated before a token is spent. A turn without a usable answer is recorded as
    failed and the debate goes on; a spent budget ends it where it stands. Raises ConfigurationError if
    the model cannot be used at all.
    """
    started_at = clock()
    chosen = options or Options()
    record = _open_record(pack, protocol_named(protocol), chosen)
    run = _Run(record, gateway, debate_id, chosen)
    if not pack.completeness.is_enough:
        return _gated(run, started_at, clock(), previous)
    try:
        for phase in record.protocol.phases:
            await _hold_phase(run, phase)
        if record.protocol.is_judged and record.claims:
            await _hold_judgement(run)
    except BudgetSpent as spent:
        run.reason = str(spent)
    result = adjudicate(record, run.named, audited={}, weights={})
    return _transcript(run, result, (started_at, clock()), previous)


def _open_record(pack: Pack, protocol: Protocol, options: Options) -> Record:
    check = options.check
    if check is None:
        from flows.truth.binding import check_claim  # noqa: PLC0415

        check = check_claim
    return Record(pack, protocol, options.proposition or stock_proposition(pack), check)


async def _hold_phase(run: _Run, phase: Phase) -> None:
    for name in phase.roles:
        speaker = Speaker(run.record.protocol.role(name), phase.round_no)
        _told(run, await ask_turn(run.gateway, run.record, speaker, phase.act))


def _told(run: _Run, turn: Turn) -> None:
    if run.options.progress:
        run.options.progress(turn)


async def _hold_judgement(run: _Run) -> None:
    """Both readings at once; they are entered in their fixed order whichever answers first."""
    blinds = presentations(run.record, run.debate_id)
    if not all(any(label.startswith(letter) for label in blinds[0].claims) for letter in "AB"):
        run.reason = "有一方没有论点通过筛选，裁判没有可比的材料"
        return
    readings = [_read(run, blind) for blind in blinds]
    for blind, outcome in zip(blinds, await asyncio.gather(*readings), strict=True):
        _enter_reading(run, blind, outcome)


async def _read(run: _Run, blind: Blind) -> Answered | Abstained:
    prompt = judge_prompt(run.record, blind)
    return await run.gateway.ask(
        build_ask("judge", JUDGE, prompt, lambda verdict: verdict_faults(run.record, blind, verdict))
    )


def _enter_reading(run: _Run, blind: Blind, outcome: Answered | Abstained) -> None:
    record = run.record
    if outcome.call is not None:
        record.calls.append(outcome.call)
    turn = Turn(
        turn_no=len(record.turns) + 1,
        round_no=record.protocol.rounds,
        role="judge",
        act="judge",
        status="failed",
        error=outcome.reason if isinstance(outcome, Abstained) else None,
        call_hash=outcome.call.call_hash if outcome.call else None,
        claim_ids_seen=tuple(claim.claim_id for claim in blind.claims.values()),
    )
    if isinstance(outcome, Answered):
        turn = _take_verdict(run, blind, outcome, turn)
    record.turns.append(turn)
    _told(run, turn)


def _take_verdict(run: _Run, blind: Blind, outcome: Answered, turn: Turn) -> Turn:
    verdict = Verdict.model_validate(outcome.value.model_dump())
    judgement = mapped_back(run.record, blind, verdict)
    run.record.judgements.append(judgement)
    run.named = Named(
        (*run.named.disagreements, *disagreements_of(run.record, blind, verdict)),
        (*run.named.indicators, *indicators_of(run.record, blind, verdict.watch)),
        (*run.named.falsifiers, *falsifiers_of(run.record, blind, verdict)),
    )
    speech = "\n".join(judgement.reasons)
    done = {"status": "ok", "speech": speech, "answer": verdict.model_dump(mode="json")}
    return turn.model_copy(update=done)


def _gated(run: _Run, started_at: datetime, finished_at: datetime, previous: Transcript | None) -> Transcript:
    completeness = run.record.pack.completeness
    run.reason = (
        f"资料完整度 {completeness.score:g} 低于门槛 {completeness.threshold:g}，未开始辩论；"
        f"请补充：{'、'.join(completeness.to_add)}"
    )
    nothing = Adjudication(None, (), (), (), ())
    done = _transcript(run, nothing, (started_at, finished_at), previous)
    return done.model_copy(update={"status": RunStatus.GATED})


def _transcript(
    run: _Run, result: Adjudication, times: tuple[datetime, datetime], previous: Transcript | None
) -> Transcript:
    record = run.record
    status, reason = _status(run, result)
    return Transcript(
        debate_id=run.debate_id,
        symbol=record.pack.symbol,
        trade_date=record.pack.trade_date,
        protocol=record.protocol.name,
        model="、".join(dict.fromkeys(call.model for call in record.calls)),
        pack_version=record.pack.pack_version,
        status=status,
        reason=reason,
        proposition=record.proposition,
        turns=tuple(record.turns),
        claims=tuple(record.claims.values()),
        checks=tuple(record.all_checks()),
        questions=tuple(record.questions),
        judgements=tuple(record.judgements),
        disagreements=result.disagreements,
        indicators=result.indicators,
        falsifiers=result.falsifiers,
        confidence_changes=result.changes,
        llm_calls=tuple(record.calls),
        conclusion=result.conclusion,
        record=_kept(record),
        previous_debate_id=previous.debate_id if previous else None,
        started_at=times[0],
        finished_at=times[1],
    )


def _status(run: _Run, result: Adjudication) -> tuple[RunStatus, str]:
    failed = [turn for turn in run.record.turns if turn.status != "ok"]
    if result.conclusion is None:
        return RunStatus.FAILED, run.reason or _why(failed) or "没有双方论点，无法裁断"
    if failed or run.reason:
        return RunStatus.PARTIAL, run.reason or _why(failed)
    return RunStatus.COMPLETE, ""


def _why(failed: list[Turn]) -> str:
    return "；".join(f"第{t.round_no}轮 {t.role}/{t.act} 失败：{t.error}" for t in failed[:3])


def _kept(record: Record) -> dict[str, object]:
    kept = {
        "summaries": {str(number): text for number, text in record.summaries.items()},
        "agenda": {str(number): text for number, text in record.agenda.items()},
        "key_data": list(record.key_data),
        "expectations": {cid: e.model_dump(mode="json") for cid, e in record.expectations.items()},
        **record.notes,
    }
    return {name: value for name, value in kept.items() if value}
