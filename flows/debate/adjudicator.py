"""The adjudicator (PRODUCT D7): a program that turns the record into the four-part result.

Core conclusion, main disagreements, falsification conditions, completeness: all of it follows from
the record, the checks and the judge's two readings by stated rules, so it can be replayed without a
network. Expected values stand in the disagreements, never in the prose: prose may only carry facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flows.contracts.packs import Dimension, Polarity
from flows.contracts.transcripts import (
    Claim,
    ClaimStatus,
    Conclusion,
    ConfidenceChange,
    Disagreement,
    Falsifier,
    Indicator,
    Side,
)
from flows.debate.awaiting import awaited_falsifiers
from flows.debate.blind import side_names
from flows.debate.conclusion import Ruling, conclude
from flows.debate.confidence import NEUTRAL, confidence_changes, counted_claims, strength_of
from flows.debate.fallbacks import derived_disagreements, derived_falsifiers, derived_indicators
from flows.debate.falsifying import none_found, telling
from flows.debate.grounds import ground_of, is_lasting, settling
from flows.debate.judge import agreement
from flows.debate.metrics import family, is_percentile, is_reported
from flows.debate.probability import for_probability, persistence
from flows.debate.run import Named
from flows.debate.severity import claim_severity
from flows.debate.state import Record, is_verified
from flows.debate.strength import is_general
from flows.debate.survival import settle_survival

DISAGREEMENT_LIMIT = 3
INDICATOR_LIMIT = 4
#: Falsifiers that a number settles; each side has one more that an announcement does, where it rests on such a matter.
FALSIFIER_LIMIT = 4


@dataclass(frozen=True)
class Adjudication:
    """The adjudicator's result."""

    conclusion: Conclusion | None
    changes: tuple[ConfidenceChange, ...]
    disagreements: tuple[Disagreement, ...]
    indicators: tuple[Indicator, ...]
    falsifiers: tuple[Falsifier, ...]


NOTHING = Adjudication(None, (), (), (), ())


def adjudicate(record: Record, named: Named, audited: dict[str, str], weights: dict[str, float]) -> Adjudication:
    """Judge the record.

    *audited* maps claim ids to the fallacy the auditor found; *weights* maps roles to a factor on
    all their claims. Without a claim on each side there is no conclusion.
    """
    settle_survival(record)
    strengths = {cid: strength_of(record, c, audited, weights) for cid, c in record.claims.items()}
    falsifiers = _falsifiers(record, named, strengths)
    untestable = frozenset(item.side for item in falsifiers if item.claim_id is None)
    changes = confidence_changes(record, audited, weights, untestable)
    confidence = round(changes[-1].confidence_to, 2) if changes else NEUTRAL
    disagreements = _disagreements(record, named, strengths, confidence)
    conclusion = None
    if _is_contested(record):
        ruling = Ruling(*_verdict(record), confidence)
        conclusion = conclude(record, standing_claims(record, strengths), disagreements, ruling)
    return Adjudication(
        conclusion, tuple(changes), disagreements, _indicators(record, named, strengths), falsifiers
    )  # fmt: skip


def _is_contested(record: Record) -> bool:
    """Whether there is anything to conclude: both sides spoke, or four stances agree."""
    sides = {claim.side for claim in record.claims.values()}
    return sides == set(Side) or (record.protocol.has_stances and bool(sides))


def _verdict(record: Record) -> tuple[str, float | None]:
    """The final verdict and the agreement of both orders, which only a judged debate has."""
    if "direct_verdict" in record.notes:
        return str(record.notes["direct_verdict"]), None
    sides = {claim.side for claim in record.claims.values()}
    if record.protocol.has_stances and len(sides) == 1:
        return next(iter(sides)).value, None
    return agreement(record.judgements)


def standing_claims(record: Record, strengths: dict[str, float]) -> list[Claim]:
    """Claims a conclusion may rest on: standing, verified, counted, about the company; strongest first."""
    good = [
        claim
        for claim in counted_claims(record)
        if claim.status is ClaimStatus.STANDING
        and is_verified(claim, record.checks.get(claim.claim_id, ()))
        and not rests_on_general(record, claim)
    ]
    return sorted(good, key=lambda claim: (-strengths[claim.claim_id], *_weightier(record, claim)))


#: Order in which dimensions bear on a proposition about a price.
_BEARING = tuple(Dimension(name) for name in ("基本面", "估值", "行业", "风险", "资金", "政策", "技术"))
_OWN = {Side.FOR: Polarity.POSITIVE, Side.AGAINST: Polarity.NEGATIVE}


def rests_on_general(record: Record, claim: Claim) -> bool:
    """Whether a claim cites nothing but the general economy."""
    return all(fact is not None and is_general(fact) for fact in map(record.pack.fact, claim.fact_ids))


def _weightier(record: Record, claim: Claim) -> tuple[bool, int, int, bool]:
    """Among equals: facts that point the claim's way, the graver matter, the more telling dimension, an expectation."""
    facts = (record.pack.fact(fid) for fid in claim.fact_ids)
    points_away = not any(fact and fact.polarity is _OWN[claim.side] for fact in facts)
    gravity = claim_severity(claim, record.pack) if claim.side is Side.AGAINST else 0
    return points_away, gravity, _BEARING.index(claim.dimension), claim.claim_id not in record.expectations


def _disagreements(
    record: Record, named: Named, strengths: dict[str, float], confidence: float
) -> tuple[Disagreement, ...]:
    found: dict[str, Disagreement] = {}
    for item in (*named.disagreements, *derived_disagreements(record, strengths)):
        if is_lasting(item.metric):
            found.setdefault(family(item.metric), item)
    soonest = sorted(found.values(), key=lambda item: item.due_date or date.max)
    kept = sorted(soonest, key=lambda item: _interest(item.metric))[:DISAGREEMENT_LIMIT]
    return tuple(
        item.model_copy(
            update={
                "disagreement_id": f"d{number}",
                "for_probability": _probability(record, item, strengths, confidence),
                "assumption": _grounded(record, item),
            }
        )
        for number, item in enumerate(kept, start=1)
    )


def _grounded(record: Record, item: Disagreement) -> str:
    """The report that settles it, where each side's value stands, and the assumption at the root."""
    names = side_names(record.protocol)
    taken = []
    for side, value in ((Side.FOR, item.for_value), (Side.AGAINST, item.against_value)):
        if value is not None:
            words = ground_of(record, item.metric, value)
            taken.append(f"{names[side]}取{words}" if words else f"{names[side]}的预期值在资料里没有出处")
    report = settling(record, item.metric, item.due_date).report if item.due_date else ""
    return (f"以{report}核对。" if report else "") + "，".join(taken) + "。" + item.assumption


def _interest(metric: str) -> int:
    """Results before prices, prices before percentiles: what settles a proposition best comes first."""
    if is_reported(metric):
        return 0
    return 2 if is_percentile(metric) else 1


def _probability(record: Record, item: Disagreement, strengths: dict[str, float], confidence: float) -> float | None:
    if item.for_value is None or item.against_value is None:
        return None
    pair = (_backing(record, strengths, item.metric, Side.FOR), _backing(record, strengths, item.metric, Side.AGAINST))
    closeness = persistence(item.for_value, item.against_value, record.present_value(item.metric))
    return for_probability(pair, confidence, closeness)


def _backing(record: Record, strengths: dict[str, float], metric: str, side: Side) -> float:
    """The strongest claim with which a side expects something of a metric, whichever of them the judge named."""
    own = (cid for cid, e in record.expectations.items() if e.metric == metric and record.claims[cid].side is side)
    return max((strengths.get(cid, 0.0) for cid in own), default=0.0)


def _indicators(record: Record, named: Named, strengths: dict[str, float]) -> tuple[Indicator, ...]:
    found: dict[str, Indicator] = {}
    for item in (*named.indicators, *derived_indicators(record, strengths)):
        if is_lasting(item.metric):
            found.setdefault(item.metric, item)
    kept = list(found.values())[:INDICATOR_LIMIT]
    return tuple(item.model_copy(update={"indicator_id": f"i{n}"}) for n, item in enumerate(kept, start=1))


def _falsifiers(record: Record, named: Named, strengths: dict[str, float]) -> tuple[Falsifier, ...]:
    items = (*named.falsifiers, *derived_falsifiers(record, strengths))
    kept = _balanced(list(telling(record, items)))[:FALSIFIER_LIMIT]
    awaited = list(awaited_falsifiers(record, standing_claims(record, strengths)))
    kept += [item for side in Side if (item := next((a for a in awaited if a.side is side), None))]
    spoke = {claim.side for claim in record.claims.values()}
    kept += [none_found(record, side) for side in Side if side in spoke - {item.side for item in kept}]
    return tuple(item.model_copy(update={"falsifier_id": f"f{n}"}) for n, item in enumerate(kept, start=1))


def _balanced(items: list[Falsifier]) -> list[Falsifier]:
    """Alternate the sides so that both can be proved wrong."""
    sides = [[item for item in items if item.side is side] for side in Side]
    longest = max((len(side) for side in sides), default=0)
    return [side[n] for n in range(longest) for side in sides if n < len(side)]
