"""The transcript of a finished debate, and how it ended."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flows.contracts.transcripts import RunStatus, Transcript, Turn
from flows.debate.adjudicator import NOTHING, Adjudication
from flows.debate.run import Run
from flows.debate.state import Record


def gated(run: Run, times: tuple[datetime, datetime], previous: Transcript | None) -> Transcript:
    """The transcript of a debate that did not start because the material is too thin (PRODUCT E6)."""
    completeness = run.record.pack.completeness
    run.reason = (
        f"资料完整度 {completeness.score:g} 低于门槛 {completeness.threshold:g}，未开始辩论；"
        f"请补充：{'、'.join(completeness.to_add)}"
    )
    done = transcript(run, NOTHING, times, previous)
    return done.model_copy(update={"status": RunStatus.GATED})


def transcript(
    run: Run, result: Adjudication, times: tuple[datetime, datetime], previous: Transcript | None
) -> Transcript:
    """Everything that was said, checked and concluded."""
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
        audits=tuple(run.audits),
        refusals=tuple(record.refusals),
        llm_calls=tuple(record.calls),
        conclusion=result.conclusion,
        record=kept(record),
        previous_debate_id=previous.debate_id if previous else None,
        started_at=times[0],
        finished_at=times[1],
    )


def _status(run: Run, result: Adjudication) -> tuple[RunStatus, str]:
    failed = [turn for turn in run.record.turns if turn.status != "ok"]
    if result.conclusion is None:
        return RunStatus.FAILED, run.reason or _why(failed) or "没有双方论点，无法裁断"
    if failed or run.reason:
        return RunStatus.PARTIAL, run.reason or _why(failed)
    return RunStatus.COMPLETE, ""


def _why(failed: list[Turn]) -> str:
    return "；".join(f"第{t.round_no}轮 {t.role}/{t.act} 失败：{t.error}" for t in failed[:3])


def kept(record: Record) -> dict[str, Any]:
    """What a transcript keeps beside its tables: enough to judge again and to show the battlefield."""
    found: dict[str, Any] = {
        "summaries": {str(number): text for number, text in record.summaries.items()},
        "agenda": {str(number): text for number, text in record.agenda.items()},
        "title": record.title,
        "key_data": list(record.key_data),
        "expectations": {cid: e.model_dump(mode="json") for cid, e in record.expectations.items()},
        "stances": {role: side.value for role, side in record.stances.items()},
        "persistence": dict(record.persistence),
        "battlefield": battlefield(record) if record.protocol.has_stances else [],
        "unanswered": [q.question_id for q in record.questions if not q.is_answered],
        **record.notes,
    }
    return {name: value for name, value in found.items() if value}


def battlefield(record: Record) -> list[dict[str, Any]]:
    """The shared record of `four_stance`: who concluded what, on which evidence, and whether it was challenged."""
    challenged = {question.claim_id for question in record.questions}
    return [
        {
            "claim_id": claim.claim_id,
            "role": claim.role,
            "side": claim.side.value,
            "conclusion": claim.conclusion,
            "evidence": list(claim.fact_ids),
            "is_challenged": claim.claim_id in challenged,
            "status": claim.status.value,
        }
        for claim in record.claims.values()
    ]
