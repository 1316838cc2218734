"""Whether a claim survived being questioned (PRODUCT D7).

A claim is challenged by an opponent's verified argument that replies to it and brings a fact of its
own. It survives if its side later answers with a verified argument that brings a fact the claim did
not cite and that either replies to the challenge or returns to the same dimension. It is broken
(待验证, half weight) if its owner spoke again after the challenge and did not. A challenge in the last
word breaks nothing: nobody is condemned without a hearing.
"""

from __future__ import annotations

from flows.contracts.transcripts import Claim, ClaimStatus
from flows.debate.state import Record, is_verified


def broken_claims(record: Record) -> dict[str, str]:
    """Claims broken under questioning → the challenge that broke them."""
    broken: dict[str, str] = {}
    for claim in record.claims.values():
        for challenge in challenges(record, claim):
            if _had_a_turn(record, claim, challenge) and not _is_answered(record, claim, challenge):
                broken.setdefault(claim.claim_id, challenge.claim_id)
    return broken


def challenges(record: Record, claim: Claim) -> list[Claim]:
    """Opponents' verified arguments that reply to a claim and bring a fact of their own."""
    return [
        other
        for other in record.claims.values()
        if other.replies_to == claim.claim_id
        and other.side is not claim.side
        and is_verified(other, record.checks.get(other.claim_id, ()))
        and not set(other.fact_ids) <= set(claim.fact_ids)
        and other.status not in {ClaimStatus.UNSUPPORTED, ClaimStatus.CONCEDED}
    ]


def _had_a_turn(record: Record, claim: Claim, challenge: Claim) -> bool:
    return any(
        turn.role == claim.role and turn.turn_no > challenge.turn_no and turn.side is claim.side
        for turn in record.turns
    )


def _is_answered(record: Record, claim: Claim, challenge: Claim) -> bool:
    return any(
        answer.turn_no > challenge.turn_no
        and answer.side is claim.side
        and (answer.replies_to == challenge.claim_id or answer.dimension is claim.dimension)
        and is_verified(answer, record.checks.get(answer.claim_id, ()))
        and not set(answer.fact_ids) <= set(claim.fact_ids)
        for answer in record.claims.values()
    )


def settle_survival(record: Record) -> None:
    """Let every broken claim that still stands fall to pending; remember what broke it."""
    for claim_id, challenge in broken_claims(record).items():
        if record.claims[claim_id].status is ClaimStatus.STANDING:
            record.set_status(claim_id, ClaimStatus.PENDING)
            record.notes.setdefault("broken_by", {})[claim_id] = challenge
