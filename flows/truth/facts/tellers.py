"""Which broker or medium a fact reports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from flows.contracts.packs import Fact, FactKind

_BROKER = re.compile(r"^(?:卖方研报[（(](?P<report>[^，,（）()]+)[，,]|(?P<forecast>[^，,。]{2,12}?)预测\d{4}年)")


def said_by(facts: Iterable[Fact]) -> Mapping[str, frozenset[str]]:
    """Broker or medium → ids of the facts that report what it said."""
    found: dict[str, set[str]] = {}
    for fact in facts:
        if name := _source(fact):
            found.setdefault(name, set()).add(fact.id)
    return {name: frozenset(ids) for name, ids in found.items()}


def _source(fact: Fact) -> str:
    if fact.kind is FactKind.NEWS:
        return fact.source
    if fact.kind is not FactKind.RESEARCH:
        return ""
    broker = _BROKER.match(fact.sentence)
    return (broker["report"] or broker["forecast"]) if broker else ""
