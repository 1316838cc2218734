"""How strong an argument is, from 0 to 1: evidence type × freshness × fate (PRODUCT D7).

The product is plain so that a reader can recompute it:

    base     = type weight × freshness weight
    strength = base × fate × audit

The type weight of measured data depends on what was measured: the company's books and multiples weigh fully,
prices and money flow less, since they restate what the proposition asks about, and the general economy
least, since it says the same of every company.

An argument without a source, or with a number that failed its check, has strength zero.
"""

from __future__ import annotations

from datetime import date

from flows.contracts.packs import Dimension, Fact, FactKind, Pack
from flows.contracts.transcripts import Claim, ClaimStatus
from flows.debate.answers import EvidenceType

KIND_WEIGHT: dict[FactKind, float] = {
    FactKind.DATA: 1.0,
    FactKind.ANNOUNCEMENT: 1.0,
    FactKind.NEWS: 0.6,
    FactKind.RESEARCH: 0.5,
    FactKind.USER: 0.4,
    FactKind.KNOWLEDGE: 0.3,
}
#: Measured data that is not of the company's books: prices and money flow, and the general economy.
TRADING_WEIGHT = 0.6
GENERAL_WEIGHT = 0.3
_TRADING_FIELDS = ("drawdown_", "volatility_", "daily_return_", "limit_")
_OWNERSHIP_FIELDS = ("unlocks.", "holder_trades.", "pledge")
STATED_WEIGHT: dict[str, float] = {
    EvidenceType.FILING: 1.0,
    EvidenceType.HISTORY: 1.0,
    EvidenceType.NEWS: 0.6,
    EvidenceType.INFERENCE: 0.5,
    EvidenceType.KNOWLEDGE: 0.3,
}
#: Age of the freshest cited fact in calendar days (inclusive) → weight; older than all: OLD_WEIGHT.
FRESHNESS: tuple[tuple[int, float], ...] = ((45, 1.0), (130, 0.9), (220, 0.8), (400, 0.6))
OLD_WEIGHT = 0.4
STALE_WEIGHT = 0.5

FATE: dict[ClaimStatus, float] = {
    ClaimStatus.STANDING: 1.0,
    ClaimStatus.PENDING: 0.5,
    ClaimStatus.CONCEDED: 0.0,
    ClaimStatus.REFUTED: 0.0,
    ClaimStatus.UNSUPPORTED: 0.0,
}
AUDIT_FACTOR = 0.7


def type_weight(claim: Claim, facts: list[Fact]) -> float:
    """Weight of the evidence type: the stated one, but never more than the best fact really cited."""
    if not facts:
        return 0.0
    stated = STATED_WEIGHT.get(claim.evidence_type, 0.0)
    return min(stated, max(fact_weight(fact) for fact in facts))


def fact_weight(fact: Fact) -> float:
    """Weight of one fact as evidence."""
    if fact.kind is not FactKind.DATA:
        return KIND_WEIGHT[fact.kind]
    if is_general(fact):
        return GENERAL_WEIGHT
    is_trading = fact.dimension in {Dimension.TECHNICAL, Dimension.CAPITAL} or fact.field.startswith(_TRADING_FIELDS)
    return TRADING_WEIGHT if is_trading and not fact.field.startswith(_OWNERSHIP_FIELDS) else KIND_WEIGHT[fact.kind]


def is_general(fact: Fact) -> bool:
    """Whether a fact is a reading of the general economy, the same for every company."""
    return fact.kind is FactKind.DATA and fact.dimension is Dimension.POLICY


def freshness_weight(facts: list[Fact], trade_date: date) -> float:
    """Weight of the freshest cited fact; a fact marked STALE counts at most half."""
    return max((_freshness(fact, trade_date) for fact in facts), default=0.0)


def _freshness(fact: Fact, trade_date: date) -> float:
    age = (trade_date - fact.as_of).days
    weight = next((weight for days, weight in FRESHNESS if age <= days), OLD_WEIGHT)
    return min(weight, STALE_WEIGHT) if fact.freshness == "STALE" else weight


def base_strength(claim: Claim, pack: Pack) -> float:
    """Type weight × freshness weight, before anything happened to the claim."""
    facts = [fact for fid in claim.fact_ids if (fact := pack.fact(fid))]
    if len(facts) < len(claim.fact_ids):
        return 0.0
    return round(type_weight(claim, facts) * freshness_weight(facts, pack.trade_date), 4)


def is_sourced(claim: Claim) -> bool:
    """Whether the claim cites anything; unsourced ones are screened before the judge reads."""
    return bool(claim.fact_ids)
