"""What facts say of a claim without a number."""

from __future__ import annotations

from dataclasses import dataclass

from flows.contracts.checks import CheckVerdict
from flows.truth.facts.ledger import Reference


@dataclass(frozen=True, slots=True)
class Finding:
    """What facts say of a numberless claim."""

    verdict: CheckVerdict
    reason: str
    fact_id: str | None = None
    formula: str | None = None
    expected: float | None = None
    unit: str | None = None


def no_fact(reason: str) -> Finding:
    """No cited fact decides the claim."""
    return Finding(CheckVerdict.UNSUPPORTED, reason)


def verdict_of(holds: bool, reason: str, reference: Reference, formula: str = "") -> Finding:
    """What *reference* decides."""
    verdict = CheckVerdict.SUPPORTED if holds else CheckVerdict.MISMATCH
    return Finding(
        verdict, reason, reference.fact.id, formula or None, None if holds else reference.value, reference.unit
    )
