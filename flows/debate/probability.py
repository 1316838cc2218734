"""The adjudicator's probability that the for-side's value will turn out nearer (PRODUCT S3).

    p = 0.5 + 0.2 × (strength_for − strength_against)
            + 0.1 × (confidence − 50) / 50
            + 0.2 × (2q − 1),     clamped to [0.05, 0.95]

q is persistence: the for-side's share of closeness to the metric's present value,
``distance_against / (distance_for + distance_against)``; without a present value the term is left out.
The weights are stated guesses, kept small so that no disagreement starts out decided; the Brier scores
in ``debates.outcomes`` are there to correct them.
"""

from __future__ import annotations

STRENGTH_WEIGHT = 0.2
CONFIDENCE_WEIGHT = 0.1
PERSISTENCE_WEIGHT = 0.2
LOWEST, HIGHEST = 0.05, 0.95


def persistence(for_value: float, against_value: float, present: float | None) -> float | None:
    """The for-side's share of closeness to the present value, 0–1; None if it cannot be told."""
    if present is None:
        return None
    distance_for, distance_against = abs(for_value - present), abs(against_value - present)
    total = distance_for + distance_against
    return None if total == 0 else distance_against / total


def for_probability(strengths: tuple[float, float], confidence: float, closeness: float | None) -> float:
    """The probability, from (for, against) strengths, confidence 0–100 and persistence."""
    p = 0.5 + STRENGTH_WEIGHT * (strengths[0] - strengths[1]) + CONFIDENCE_WEIGHT * (confidence - 50) / 50
    if closeness is not None:
        p += PERSISTENCE_WEIGHT * (2 * closeness - 1)
    return round(min(HIGHEST, max(LOWEST, p)), 4)
