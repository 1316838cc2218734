"""Rebuilds a debate's record from its transcript, and judges it again without a network (PRODUCT S6).

Every stored answer goes through the same door it came in by, so checks, questions, scores and survival
are recomputed, not copied: a better number check or a changed rule shows at once which judgement moves.
"""

from __future__ import annotations

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Refusal, Transcript, Turn
from flows.debate.adjudicator import adjudicate
from flows.debate.answers import AuditReport, Verdict
from flows.debate.asking import keep_checks
from flows.debate.assembly import transcript as assembled
from flows.debate.auditor import fallacies_by_claim, merged_findings
from flows.debate.blind import presentations
from flows.debate.cross_examination import role_weights
from flows.debate.engine import checker, protocol_named
from flows.debate.free_text import free_checks, free_text
from flows.debate.gateway_types import Abstained, Answered
from flows.debate.informing import informed_protocol
from flows.debate.protocol import Act, Protocol
from flows.debate.readings import take_verdict
from flows.debate.recording import Entry, enter
from flows.debate.run import Options, Run
from flows.debate.salvage import answer_type
from flows.debate.state import Checker, Record, Speaker
from flows.errors import DataRejected

READERS = ("judge", "auditor")


def restored(transcript: Transcript, pack: Pack, check: Checker | None = None) -> Record:
    """The record after the last spoken turn of *transcript*, checked against *pack*.

    Raises DataRejected if the transcript has no proposition or a turn its protocol does not know.
    """
    if transcript.proposition is None:
        raise DataRejected(f"辩论 {transcript.debate_id} 没有命题，无法重演")
    known = protocols_of(transcript)
    record = Record(pack, known[0], transcript.proposition, checker(check))
    for turn in transcript.turns:
        if turn.role not in READERS:
            record.protocol = _protocol_of(known, turn)
            lost = [refusal for refusal in transcript.refusals if refusal.turn_no == turn.turn_no]
            _replay(record, turn, lost)
    record.protocol = known[-1]
    kept = ("lookups", "base_protocol", "informed_rounds", "new_facts")
    record.notes |= {name: transcript.record[name] for name in kept if name in transcript.record}
    return record


def protocols_of(transcript: Transcript) -> list[Protocol]:
    """The protocol of a transcript and the rounds it was informed in, in order."""
    base = protocol_named(str(transcript.record.get("base_protocol", transcript.protocol)))
    known = [base]
    for round_no in transcript.record.get("informed_rounds", ()):
        known.append(informed_protocol(known[-1], int(round_no)))
    return known


def _protocol_of(known: list[Protocol], turn: Turn) -> Protocol:
    """The protocol whose phases have this turn's round; the roles of all of them stay known."""
    found = (p for p in known if any(phase.round_no == turn.round_no for phase in p.phases))
    return next(found, known[0])


def _replay(record: Record, turn: Turn, lost: list[Refusal]) -> None:
    record.refusals += lost
    speaker = Speaker(record.protocol.role(turn.role), turn.round_no)
    act = _act_of(record.protocol, turn)
    is_reused = turn.speech.startswith("沿用第")
    if act.before and not is_reused:
        act.before(record, speaker)
    if turn.status == "ok" and turn.answer is not None and not is_reused:
        said, name = answer_type(act.answer, {refusal.part for refusal in lost}), f"turn-{turn.turn_no}"
        value = said.model_validate(turn.answer)
        checks = free_checks(record, free_text(value), name, record.side_of(speaker.role))
        enter(value, Entry(record, speaker, turn.turn_no))
        keep_checks(record, name, checks)
    record.turns.append(turn)


def _act_of(protocol: Protocol, turn: Turn) -> Act:
    for phase in protocol.phases:
        if phase.round_no == turn.round_no and phase.act.name == turn.act and turn.role in phase.roles:
            return phase.act
    raise DataRejected(f"第{turn.turn_no}次发言 {turn.role}/{turn.act} 不属于 {protocol.name}")


def judged_again(transcript: Transcript, pack: Pack, check: Checker | None = None) -> Transcript:
    """*transcript* judged again from its turns and its pack; times, calls and ids stay as they were."""
    record = restored(transcript, pack, check)
    record.calls = list(transcript.llm_calls)
    run = Run(record, _NoGate(), transcript.debate_id, Options(check=record.check))
    _take_readings(run, transcript)
    result = adjudicate(record, run.named, fallacies_by_claim(run.audits), role_weights(record))
    times = (transcript.started_at, transcript.finished_at)
    again = assembled(run, result, times, None)
    return again.model_copy(update={"model": transcript.model, "previous_debate_id": transcript.previous_debate_id})


def _take_readings(run: Run, transcript: Transcript) -> None:
    readings = [turn for turn in transcript.turns if turn.role == "judge"]
    blinds = presentations(run.record, run.debate_id) if readings else ()
    run.record.refusals += [refusal for refusal in transcript.refusals if refusal.role in READERS]
    for turn in readings:
        run.record.turns.append(turn)
    for blind, turn in zip(blinds, readings, strict=False):
        if turn.status == "ok" and turn.answer is not None:
            take_verdict(run, blind, Verdict.model_validate(turn.answer), turn.turn_no)
    audit = next((turn for turn in transcript.turns if turn.role == "auditor"), None)
    if audit is not None:
        report = AuditReport.model_validate(audit.answer) if audit.answer is not None else None
        run.record.turns.append(audit)
        run.audits += merged_findings(run.record, report)


class _NoGate:
    """A gate that is never asked: judging again buys nothing."""

    async def ask(self, ask: object) -> Answered | Abstained:
        raise AssertionError(ask)

    async def ask_or_look_up(self, ask: object) -> Answered | Abstained:
        raise AssertionError(ask)
