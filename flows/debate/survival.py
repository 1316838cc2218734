"""Whether a claim survived being questioned (PRODUCT D7).

A claim is challenged by an opponent's verified argument that replies to it and brings a fact of its
own. It survives if its side later answers with a verified argument that brings a fact its side had not
brought before the challenge and that either replies to the challenge or, by that fact, returns to a topic
the claim or the challenge measures. A dimension is too wide for that, and a user's note, which nobody has
verified, restores nothing. A claim is broken (待验证, half weight) if its owner spoke again after the
challenge and did not answer. A challenge in the last word breaks nothing: nobody is condemned without a
hearing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from flows.contracts.packs import FactKind
from flows.contracts.transcripts import Claim, ClaimStatus
from flows.contracts.units import Unit
from flows.debate.metrics import family
from flows.debate.state import Record, is_verified

#: Measures that speak of the same thing under different names; the first pattern a field fits is its topic.
_TOPICS = tuple(
    re.compile(words)
    for words in (
        r"cash_flow|cash_to_profit",
        r"net_profit|deducted|eps_cny|roe_pct",
        r"revenue",
        r"(?:gross|net)_margin",
        r"^(?:peers\.)?(?:pe_ttm|pb|ps_ttm|pcf_ttm)",
        r"^(?:return_|drawdown_|ma_|close_|high_52w|low_52w|position_52w)",
    )
)


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
    about = _topics(record, {*claim.fact_ids, *challenge.fact_ids})
    for answer in record.claims.values():
        if answer.turn_no <= challenge.turn_no or answer.side is not claim.side:
            continue
        brought = _restoring_facts(record, answer, challenge)
        is_to_it = answer.replies_to == challenge.claim_id or bool(about & _topics(record, brought))
        if brought and is_to_it and is_verified(answer, record.checks.get(answer.claim_id, ())):
            return True
    return False


def _restoring_facts(record: Record, answer: Claim, challenge: Claim) -> set[str]:
    """What an answer adds to the facts its side had brought before the challenge, without a user's notes."""
    own = (c for c in record.claims.values() if c.side is answer.side and c.turn_no < challenge.turn_no)
    known = {fid for claim in own for fid in claim.fact_ids}
    added = (record.pack.fact(fid) for fid in answer.fact_ids if fid not in known)
    return {fact.id for fact in added if fact and fact.kind is not FactKind.USER}


def _topics(record: Record, fact_ids: Iterable[str]) -> set[str]:
    """What the measures among facts speak of; a text measures nothing."""
    facts = (record.pack.fact(fid) for fid in fact_ids)
    fields = (fact.field for fact in facts if fact and fact.unit is not Unit.TEXT)
    return {next((topic.pattern for topic in _TOPICS if topic.search(field)), family(field)) for field in fields}


def settle_survival(record: Record) -> None:
    """Let every broken claim that still stands fall to pending; remember what broke it."""
    for claim_id, challenge in broken_claims(record).items():
        if record.claims[claim_id].status is ClaimStatus.STANDING:
            record.set_status(claim_id, ClaimStatus.PENDING)
            record.notes.setdefault("broken_by", {})[claim_id] = challenge
