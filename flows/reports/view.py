"""One content for Markdown, HTML and JSON (PRODUCT R2), in three layers (PRODUCT R1)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from flows.contracts.checks import Check
from flows.contracts.metrics import METRICS
from flows.contracts.packs import Pack
from flows.contracts.transcripts import Audit, Claim, Disagreement, Falsifier, Indicator, Side, Transcript
from flows.reports.record import JudgementView, TurnView, judgement_views, turn_views
from flows.reports.segments import Line, claim_parts, marked, plain, quantity
from flows.reports.sides import role_of, sides_of, verdict_of
from flows.reports.sources import Footnote, footnote
from flows.reports.words import (
    CLAIM_STATUS_ZH,
    DISCLAIMER,
    OFFLINE_NOTE,
    SAMPLE_NOTE,
)

_FACT_ID = re.compile(r"\bE\d+\b")

Checks = defaultdict[str, list[Check]]


@dataclass(frozen=True)
class ClaimView:
    """One argument ready to print."""

    claim_id: str
    role: str
    round_no: int
    dimension: str
    status: str
    status_zh: str
    score: float
    fact_ids: tuple[str, ...]
    evidence_type: str
    conclusion: Line
    basis: Line
    reasoning: Line

    @property
    def other_ids(self) -> tuple[str, ...]:
        """Cited facts that 依据 does not name itself."""
        named = set(_FACT_ID.findall(plain(self.basis)))
        return tuple(fact_id for fact_id in self.fact_ids if fact_id not in named)


@dataclass(frozen=True)
class ReportView:
    """Everything a report says; the templates add nothing but layout.

    Attributes:
        rests_on: Claims under the conclusion, without any that failed its check.
        side_names: ``for`` and ``against`` as this report calls them.
    """

    transcript: Transcript
    pack: Pack
    generated_at: datetime
    title: str
    notes: tuple[str, ...]
    verdict: str
    warning: Line
    points: tuple[Line, ...]
    core: Line
    rests_on: tuple[str, ...]
    side_names: dict[str, str]
    sides: dict[str, tuple[ClaimView, ...]]
    disagreements: tuple[dict[str, Any], ...]
    indicators: tuple[dict[str, Any], ...]
    falsifiers: tuple[dict[str, Any], ...]
    judgements: tuple[JudgementView, ...]
    audits: tuple[dict[str, Any], ...]
    turns: tuple[TurnView, ...]
    cited_facts: tuple[Footnote, ...]
    other_facts: tuple[Footnote, ...]


def build_view(transcript: Transcript, pack: Pack, generated_at: datetime) -> ReportView:
    """Lay out one finished debate.

    Checks of the report's own sentences carry a ``claim_id`` ``report:…`` (see ``reports.checked``).
    """
    checks = _by_claim(transcript.checks)
    conclusion = transcript.conclusion
    protocol = transcript.protocol
    warning = conclusion.warning if conclusion else (transcript.reason or "本次没有形成结论。")
    points = conclusion.points if conclusion else ()
    cited = {fact_id for claim in transcript.claims for fact_id in claim.fact_ids}
    return ReportView(
        transcript=transcript,
        pack=pack,
        generated_at=generated_at,
        title=_title(transcript, pack),
        notes=_notes(transcript, pack),
        verdict=verdict_of(conclusion.verdict, protocol) if conclusion else "",
        warning=marked(warning, checks["report:warning"]),
        points=tuple(marked(point, checks[f"report:point:{i}"]) for i, point in enumerate(points)),
        core=marked(conclusion.core if conclusion else "", checks["report:core"]),
        rests_on=_rests_on(transcript, checks),
        side_names={side.value: name for side, name in sides_of(protocol).items()},
        sides={side.value: _side(transcript, side, checks) for side in Side},
        disagreements=tuple(_disagreement(d, checks) for d in transcript.disagreements),
        indicators=tuple(_indicator(i, checks) for i in transcript.indicators),
        falsifiers=tuple(_falsifier(f, checks, protocol) for f in transcript.falsifiers),
        judgements=judgement_views(transcript, checks),
        audits=tuple(_audit(a, checks[f"report:audit:{n}"]) for n, a in enumerate(transcript.audits)),
        turns=turn_views(transcript, checks),
        cited_facts=tuple(footnote(f, pack) for f in (*pack.facts, *pack.appendix) if f.id in cited),
        other_facts=tuple(footnote(f, pack) for f in pack.facts if f.id not in cited),
    )


def as_json(view: ReportView) -> dict[str, Any]:
    """The report's JSON form: the same content, with the transcript and the pack as they are stored."""
    shown = {
        name: value
        for name, value in asdict(view).items()
        if name not in {"transcript", "pack", "cited_facts", "other_facts", "turns"}
    }
    return {
        **shown,
        "disclaimer": DISCLAIMER,
        "generated_at": view.generated_at.isoformat(),
        "cutoff": view.pack.cutoff.isoformat(),
        "transcript": view.transcript.model_dump(mode="json"),
        "pack": view.pack.model_dump(mode="json"),
    }


def _title(transcript: Transcript, pack: Pack) -> str:
    name = pack.identity.name or pack.symbol
    headline = transcript.conclusion.title if transcript.conclusion else "未形成结论"
    return f"{name}（{pack.symbol}）{headline}"


def _notes(transcript: Transcript, pack: Pack) -> tuple[str, ...]:
    notes = [OFFLINE_NOTE] if transcript.model == "offline" else []
    if pack.identity.is_sample:
        notes.append(SAMPLE_NOTE)
    if any("injection" in fact.flags for fact in pack.facts):
        notes.append("材料中有试图指挥模型的文字，已作为普通数据引用并标注，未被执行。")
    if transcript.status == "partial":
        notes.append(f"本次辩论不完整：{transcript.reason}")
    if count := len(transcript.refusals):
        notes.append(f"发言中有 {count} 处多次重试仍未过校验，已弃用，不计入任何判断；原因见逐轮记录。")
    return (*notes, *pack.notices)


def _by_claim(checks: tuple[Check, ...]) -> Checks:
    grouped: Checks = defaultdict(list)
    for check in checks:
        grouped[check.claim_id].append(check)
    return grouped


def _rests_on(transcript: Transcript, checks: Checks) -> tuple[str, ...]:
    named = transcript.conclusion.rests_on if transcript.conclusion else ()
    return tuple(i for i in named if not any(check.verdict.is_failure for check in checks[i]))


def _side(transcript: Transcript, side: Side, checks: Checks) -> tuple[ClaimView, ...]:
    claims = [claim for claim in transcript.claims if claim.side == side]
    return tuple(_claim(claim, checks[claim.claim_id], transcript.protocol) for claim in claims)


def _claim(claim: Claim, checks: list[Check], protocol: str) -> ClaimView:
    parts = claim_parts(claim, checks)
    return ClaimView(
        claim.claim_id,
        role_of(claim.role, protocol),
        claim.round_no,
        claim.dimension.value,
        claim.status.value,
        CLAIM_STATUS_ZH[claim.status.value],
        claim.score,
        claim.fact_ids,
        claim.evidence_type,
        parts["conclusion"],
        parts["basis"],
        parts["reasoning"],
    )


def _value(value: float | None, unit: str | None) -> str:
    return "未给出" if value is None else quantity(value, unit)


def _metric_zh(name: str | None) -> str:
    return METRICS[name].zh if name in METRICS else (name or "")


def _disagreement(item: Disagreement, checks: Checks) -> dict[str, Any]:
    return {
        "id": item.disagreement_id,
        "metric": item.metric,
        "metric_zh": _metric_zh(item.metric),
        "for": _value(item.for_value, item.unit),
        "against": _value(item.against_value, item.unit),
        "for_probability": item.for_probability,
        "due": item.due_date.isoformat() if item.due_date else "未定",
        "assumption": marked(item.assumption, checks[f"report:{item.disagreement_id}"]),
        "claims": [c for c in (item.for_claim_id, item.against_claim_id) if c],
    }


def _indicator(item: Indicator, checks: Checks) -> dict[str, Any]:
    return {
        "id": item.indicator_id,
        "metric_zh": _metric_zh(item.metric),
        "description": marked(item.description, checks[f"report:{item.indicator_id}"]),
        "threshold": _value(item.threshold, item.unit),
        "due": item.due_date.isoformat() if item.due_date else "未定",
    }


def _falsifier(item: Falsifier, checks: Checks, protocol: str) -> dict[str, Any]:
    return {
        "id": item.falsifier_id,
        "side": sides_of(protocol)[item.side],
        "description": marked(item.description, checks[f"report:{item.falsifier_id}"]),
        "is_checkable": item.metric in METRICS and item.threshold is not None,
        "due": item.due_date.isoformat() if item.due_date else "未定",
        "claim_id": item.claim_id,
    }


def _audit(item: Audit, checks: list[Check]) -> dict[str, Any]:
    return {
        "claim_id": item.claim_id,
        "fallacy": item.fallacy,
        "explanation": marked(item.explanation, checks),
    }
