"""Which facts and measures of a pack are the company's own."""

from __future__ import annotations

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Dimension, Fact, Pack


def is_own_fact(fact: Fact, pack: Pack) -> bool:
    """Whether a fact is about the pack's company: not about a peer, an industry average, a rule or the economy."""
    if fact.subject:
        return fact.subject in {pack.symbol, pack.identity.name}
    return fact.dimension not in {Dimension.INDUSTRY, Dimension.POLICY}


def is_own_measure(fact: Fact, pack: Pack) -> bool:
    """Whether a fact gives the value of a registered metric of the pack's company."""
    return fact.field in METRICS and isinstance(fact.value, int | float) and is_own_fact(fact, pack)
