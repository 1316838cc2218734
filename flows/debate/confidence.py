"""The adjudicator's confidence, step by step (PRODUCT D7): a program, recomputable by hand.

    confidence = 50 + 50 × (mean strength of for-claims − mean strength of against-claims)

taken as a chain of steps. Each side's claims share 50 points: one claim's share is
``50 / max(FLOOR, claims of the side)``, so that neither the number of speeches nor that of roles on a side
moves it, and fewer than FLOOR arguments do not earn the full weight. A claim that rests on a user's note
alone counts there by no more than its base, so that weak news cannot dilute what its side already had. A claim
first moves the confidence by share × base; what happened to it later takes back a part: broken under questioning
a half, a concession or a failed number all of it, an audited fallacy 30 % of what is left. A claim that only
repeats facts its side has already used does not count. A side for which no condition was found that could prove
it wrong loses 10 % of what it had in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flows.contracts.packs import FactKind
from flows.contracts.transcripts import Claim, ClaimStatus, ConfidenceChange, Side
from flows.debate.blind import SIDE_NAMES
from flows.debate.state import Record
from flows.debate.strength import AUDIT_FACTOR, FATE, base_strength, is_sourced

NEUTRAL = 50.0
SIDE_POINTS = 50.0
FLOOR = 3
UNTESTABLE_FACTOR = 0.9

_FATE_CAUSE = {
    ClaimStatus.PENDING: "降为待验证",
    ClaimStatus.CONCEDED: "己方让步",
    ClaimStatus.REFUTED: "被驳倒",
    ClaimStatus.UNSUPPORTED: "数字核对不符",
}


@dataclass(frozen=True)
class Step:
    """One move of the confidence, before it is chained."""

    cause: str
    claim: Claim | None
    move: float
    detail: str


def confidence_changes(
    record: Record, audited: dict[str, str], weights: dict[str, float], untestable: frozenset[Side] = frozenset()
) -> list[ConfidenceChange]:
    """All steps, chained from the neutral 50.

    *audited* maps claim ids to the fallacy found; *weights* maps roles to a factor on all their
    claims (a role that conceded in `four_stance`), 1 if absent; *untestable* are the sides without a
    falsifier.
    """
    changes: list[ConfidenceChange] = []
    level = NEUTRAL
    steps = list(_steps(record, audited, weights))
    for step in (*steps, *_untestable_steps(steps, untestable)):
        after = level + step.move
        changes.append(
            ConfidenceChange(
                seq=len(changes) + 1,
                cause=step.cause,
                claim_id=step.claim.claim_id if step.claim else None,
                confidence_from=round(level, 4),
                confidence_to=round(after, 4),
                detail=step.detail,
            )
        )
        level = after
    return changes


def counted_claims(record: Record) -> list[Claim]:
    """Claims that take part: sourced, existing facts, and not a repetition of their side's facts."""
    used: dict[Side, set[str]] = {Side.FOR: set(), Side.AGAINST: set()}
    counted = []
    for claim in record.claims.values():
        facts = set(claim.fact_ids)
        if is_sourced(claim) and not facts <= used[claim.side]:
            counted.append(claim)
            used[claim.side] |= facts
    return counted


def _steps(record: Record, audited: dict[str, str], weights: dict[str, float]) -> Iterator[Step]:
    counted = counted_claims(record)
    sizes = {side: max(FLOOR, sum(_room(record, c) for c in counted if c.side is side)) for side in Side}
    for claim in counted:
        share = SIDE_POINTS / sizes[claim.side] * (1 if claim.side is Side.FOR else -1)
        yield from _claim_steps(record, claim, share, audited.get(claim.claim_id), weights.get(claim.role, 1.0))


def _room(record: Record, claim: Claim) -> float:
    """How much of a place a claim takes among those of its side: what only a user's note bears, its base."""
    facts = (record.pack.fact(fid) for fid in claim.fact_ids)
    is_noted = all(fact is not None and fact.kind is FactKind.USER for fact in facts)
    return base_strength(claim, record.pack) if is_noted else 1.0


def _untestable_steps(steps: list[Step], untestable: frozenset[Side]) -> Iterator[Step]:
    for side in (side for side in Side if side in untestable):
        had = sum(step.move for step in steps if step.claim and step.claim.side is side)
        move = had * (UNTESTABLE_FACTOR - 1)
        if had:
            yield Step(
                f"{SIDE_NAMES[side]}没有可证伪的条件",
                None,
                move,
                f"{had:+.4f} × ({UNTESTABLE_FACTOR:g} − 1) = {move:+.4f}",
            )


def _claim_steps(record: Record, claim: Claim, share: float, fallacy: str | None, weight: float) -> Iterator[Step]:
    base = base_strength(claim, record.pack)
    left = share * base
    yield Step("采纳论点", claim, left, f"{share:+.4f} × 基础强度 {base:.4f} = {left:+.4f}")
    fate = FATE[claim.status]
    if fate < 1.0:
        cause = _fate_cause(record, claim)
        yield Step(cause, claim, left * (fate - 1), f"{left:+.4f} × ({fate:g} − 1) = {left * (fate - 1):+.4f}")
        left *= fate
    if weight < 1.0 and left:
        yield Step("角色让步，权重下调", claim, left * (weight - 1), f"{left:+.4f} × ({weight:g} − 1)")
        left *= weight
    if fallacy and left:
        move = left * (AUDIT_FACTOR - 1)
        yield Step(f"审计：{fallacy}", claim, move, f"{left:+.4f} × ({AUDIT_FACTOR:g} − 1) = {move:+.4f}")


def _fate_cause(record: Record, claim: Claim) -> str:
    weakened = record.notes.get("weakened", {})
    if claim.claim_id in weakened:
        return f"表述不合纪律：{weakened[claim.claim_id]}"
    return _broken_cause(record, claim) + _FATE_CAUSE[claim.status]


def _broken_cause(record: Record, claim: Claim) -> str:
    """What broke a pending claim: a question put to it, or an opposing argument its side left standing."""
    broken_by = record.notes.get("broken_by", {}).get(claim.claim_id)
    if claim.status is not ClaimStatus.PENDING or broken_by is None:
        return ""
    if broken_by in record.claims:
        return f"被 {broken_by} 回应后未以新事实作答，"
    return f"质询 {broken_by} 未过，"


def strength_of(record: Record, claim: Claim, audited: dict[str, str], weights: dict[str, float]) -> float:
    """Final strength of a claim, 0–1."""
    strength = base_strength(claim, record.pack) * FATE[claim.status] * weights.get(claim.role, 1.0)
    return strength * (AUDIT_FACTOR if claim.claim_id in audited else 1.0)
