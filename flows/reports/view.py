"""One content for Markdown, HTML and JSON (PRODUCT R2), in three layers (PRODUCT R1)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact, Pack
from flows.contracts.transcripts import Check, Claim, Disagreement, Falsifier, Indicator, Side, Transcript
from flows.reports.segments import Segment, claim_segments, quantity, segments

DISCLAIMER = "本报告只整理多空双方的论据与分歧，不预测涨跌，不构成任何投资建议。"
SAMPLE_NOTE = "演示数据：公司、价格、公告与新闻均为虚构，仅用于演示。"
OFFLINE_NOTE = "本报告由内置规则模型生成，未使用任何语言模型。"

_FACT_ID = re.compile(r"\bE\d+\b")
SIDE_ZH = {Side.FOR: "多方", Side.AGAINST: "空方"}
ROLE_ZH = {
    "moderator": "主持人", "bull": "多方", "bear": "空方", "judge": "裁判", "value": "价值", "risk": "风险",
    "data": "数据", "chips": "筹码", "pro": "正方", "con": "反方", "direct": "直接分析", "proposer": "命题",
    "auditor": "审计", "kline": "K 线",
}  # fmt: skip
CLAIM_STATUS_ZH = {
    "standing": "成立", "pending": "待验证", "conceded": "已让步", "refuted": "被驳倒", "unsupported": "数字不符",
}  # fmt: skip
PROTOCOL_ZH = {"bull_bear": "多空辩论", "four_stance": "四立场辩论", "targeted": "定点辩论", "direct": "直接分析"}
VERDICT_ZH = {"for": "偏多论据较强", "against": "偏空论据较强", "未决": "未决"}
MISSING_ZH = {
    "NO_DATA": "没有记录", "NOT_READY": "尚未公布", "NOT_SUPPORTED": "来源不提供", "UPSTREAM_ERROR": "查询失败",
    "RATE_LIMITED": "被限流，未查到", "PERMISSION_DENIED": "无权限", "INVALID_ARGUMENTS": "请求无效",
}  # fmt: skip


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
    conclusion: tuple[Segment, ...]
    basis: tuple[Segment, ...]
    reasoning: tuple[Segment, ...]

    @property
    def other_ids(self) -> tuple[str, ...]:
        """Cited facts that 依据 does not name itself."""
        named = set(_FACT_ID.findall(plain(self.basis)))
        return tuple(fact_id for fact_id in self.fact_ids if fact_id not in named)


@dataclass(frozen=True)
class ReportView:
    """Everything a report says; the templates add nothing but layout."""

    transcript: Transcript
    pack: Pack
    generated_at: datetime
    title: str
    notes: tuple[str, ...]
    warning: tuple[Segment, ...]
    points: tuple[tuple[Segment, ...], ...]
    core: tuple[Segment, ...]
    sides: dict[str, tuple[ClaimView, ...]]
    disagreements: tuple[dict[str, Any], ...]
    indicators: tuple[dict[str, Any], ...]
    falsifiers: tuple[dict[str, Any], ...]
    cited_facts: tuple[Fact, ...]
    other_facts: tuple[Fact, ...]


def build_view(transcript: Transcript, pack: Pack, generated_at: datetime) -> ReportView:
    """Lay out one finished debate.

    Checks of the conclusion's own texts carry the ``claim_id`` ``report:warning``, ``report:core`` or
    ``report:point:N`` (see ``reports.checked``).
    """
    checks = _by_claim(transcript.checks)
    conclusion = transcript.conclusion
    warning = conclusion.warning if conclusion else (transcript.reason or "本次没有形成结论。")
    cited = {fact_id for claim in transcript.claims for fact_id in claim.fact_ids}
    return ReportView(
        transcript=transcript,
        pack=pack,
        generated_at=generated_at,
        title=_title(transcript, pack),
        notes=_notes(transcript, pack),
        warning=segments(warning, checks["report:warning"]),
        points=tuple(
            segments(point, checks[f"report:point:{i}"])
            for i, point in enumerate(conclusion.points if conclusion else ())
        ),
        core=segments(conclusion.core if conclusion else "", checks["report:core"]),
        sides={side.value: _side(transcript, side, checks) for side in Side},
        disagreements=tuple(_disagreement(d) for d in transcript.disagreements),
        indicators=tuple(_indicator(i) for i in transcript.indicators),
        falsifiers=tuple(_falsifier(f) for f in transcript.falsifiers),
        cited_facts=tuple(f for f in (*pack.facts, *pack.appendix) if f.id in cited),
        other_facts=tuple(f for f in pack.facts if f.id not in cited),
    )


def as_json(view: ReportView) -> dict[str, Any]:
    """The report's JSON form: the same content, with the transcript and the pack as they are stored."""
    return {
        "title": view.title,
        "disclaimer": DISCLAIMER,
        "notes": view.notes,
        "generated_at": view.generated_at.isoformat(),
        "cutoff": view.pack.cutoff.isoformat(),
        "warning": [asdict(s) for s in view.warning],
        "points": [[asdict(s) for s in point] for point in view.points],
        "core": [asdict(s) for s in view.core],
        "sides": {side: [asdict(c) for c in claims] for side, claims in view.sides.items()},
        "disagreements": view.disagreements,
        "indicators": view.indicators,
        "falsifiers": view.falsifiers,
        "transcript": view.transcript.model_dump(mode="json"),
        "pack": view.pack.model_dump(mode="json"),
    }


def plain(parts: tuple[Segment, ...]) -> str:
    """The text of segments without markup."""
    return "".join(part.text for part in parts)


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
    return (*notes, *pack.notices)


def _by_claim(checks: tuple[Check, ...]) -> defaultdict[str, list[Check]]:
    grouped: defaultdict[str, list[Check]] = defaultdict(list)
    for check in checks:
        grouped[check.claim_id].append(check)
    return grouped


def _side(transcript: Transcript, side: Side, checks: defaultdict[str, list[Check]]) -> tuple[ClaimView, ...]:
    claims = [claim for claim in transcript.claims if claim.side == side]
    return tuple(_claim(claim, checks[claim.claim_id]) for claim in claims)


def _claim(claim: Claim, checks: list[Check]) -> ClaimView:
    parts = claim_segments(claim, checks)
    return ClaimView(
        claim.claim_id,
        ROLE_ZH.get(claim.role, claim.role),
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


def _disagreement(item: Disagreement) -> dict[str, Any]:
    return {
        "id": item.disagreement_id,
        "metric": item.metric,
        "metric_zh": _metric_zh(item.metric),
        "for": _value(item.for_value, item.unit),
        "against": _value(item.against_value, item.unit),
        "for_probability": item.for_probability,
        "due": item.due_date.isoformat() if item.due_date else "未定",
        "assumption": item.assumption,
        "claims": [c for c in (item.for_claim_id, item.against_claim_id) if c],
    }


def _indicator(item: Indicator) -> dict[str, Any]:
    return {
        "id": item.indicator_id,
        "metric_zh": _metric_zh(item.metric),
        "description": item.description,
        "threshold": _value(item.threshold, item.unit),
        "due": item.due_date.isoformat() if item.due_date else "未定",
    }


def _falsifier(item: Falsifier) -> dict[str, Any]:
    return {
        "id": item.falsifier_id,
        "side": SIDE_ZH[item.side],
        "description": item.description,
        "is_checkable": item.metric in METRICS and item.threshold is not None,
        "due": item.due_date.isoformat() if item.due_date else "未定",
        "claim_id": item.claim_id,
    }
