"""Who is given which facts (PRODUCT E3): one source set, split by polarity, hard data for everybody.

A share of the neutral facts goes to both sides. A side with too few hard data facts of its own is given hard
data of the other side as well, in pack order: it must then argue against a number it can see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.evidence.facts_disclosures import FOCUS

#: Hard data facts (measured values) each side of a debate is guaranteed, where the pack has them at all.
MIN_HARD_FACTS = 8
#: Neutral facts of each dimension a side is given, first in pack order; the data and control roles see all.
_NEUTRAL_SHARE: dict[Dimension, int] = {
    Dimension.FUNDAMENTALS: 12, Dimension.VALUATION: 6, Dimension.TECHNICAL: 6, Dimension.CAPITAL: 4,
    Dimension.RISK: 4, Dimension.INDUSTRY: 3, Dimension.POLICY: 2,
}  # fmt: skip
#: Facts shown to those who lead or judge and do not argue.
_BRIEF = 24

_COMMON_FIELDS = (
    "close_cny", "change_pct", "return_20d_pct", "return_60d_pct", "position_52w_pct", "pe_ttm", "pb", "market_cap_cny",
    "news.items", "news.positive_items", "news.negative_items",
)  # fmt: skip
_COMMON_KINDS = frozenset({FactKind.USER, FactKind.KNOWLEDGE})

#: Dimensions a stance cites first, in its own order; dimensions not named are not given to it.
_STANCES: dict[str, tuple[Dimension, ...]] = {
    "value": (Dimension.FUNDAMENTALS, Dimension.VALUATION, Dimension.INDUSTRY, Dimension.POLICY),
    "risk": (Dimension.RISK, Dimension.FUNDAMENTALS, Dimension.VALUATION, Dimension.CAPITAL, Dimension.POLICY),
    "chips": (Dimension.CAPITAL, Dimension.TECHNICAL, Dimension.RISK),
    "kline": (Dimension.TECHNICAL,),
}


def is_hard(fact: Fact) -> bool:
    """Whether the fact is a measured value that is not somebody's forecast or opinion."""
    return isinstance(fact.value, float) and fact.kind in {FactKind.DATA, FactKind.ANNOUNCEMENT}


def assign_roles(facts: Sequence[Fact], symbol: str) -> dict[str, tuple[str, ...]]:
    """Role → fact ids in pack order (stances: in their own order); ``common`` is given to all."""
    common = [fact for fact in facts if _is_common(fact, symbol)]
    rest = [fact for fact in facts if not _is_common(fact, symbol)]
    bull = _side(rest, Polarity.POSITIVE, also=_ids(fact for fact in rest if _is_abstract(fact)))
    bear = _side(rest, Polarity.NEGATIVE)
    brief = _ids(_first(rest, lambda fact: fact.polarity is Polarity.NEUTRAL, _BRIEF))
    roles = {
        "common": _ids(common),
        "moderator": brief, "judge": brief, "proposer": brief,
        "bull": bull, "bear": bear, "pro": bull, "con": bear,
        "direct": _ids(rest), "auditor": _ids(rest),
        "data": _ids(fact for fact in rest if is_hard(fact)),
    }  # fmt: skip
    return roles | {role: _stance(rest, role) for role in _STANCES}


def _is_common(fact: Fact, symbol: str) -> bool:
    if fact.kind in _COMMON_KINDS or FOCUS in fact.flags:
        return True
    return fact.field in _COMMON_FIELDS and fact.subject == symbol


def _is_abstract(fact: Fact) -> bool:
    """Whether it is what a sell-side report says: the bull's to use unless it speaks against."""
    return fact.field == "research_reports.title" and fact.polarity is not Polarity.NEGATIVE


def _side(facts: Sequence[Fact], own: Polarity, also: Iterable[str] = ()) -> tuple[str, ...]:
    given = {fact.id for fact in facts if fact.polarity is own} | _neutral_share(facts) | set(also)
    hard = sum(is_hard(fact) and fact.id in given for fact in facts)
    for fact in facts:
        if hard >= MIN_HARD_FACTS:
            break
        if is_hard(fact) and fact.id not in given:
            given.add(fact.id)
            hard += 1
    return _ids(fact for fact in facts if fact.id in given)


def _neutral_share(facts: Sequence[Fact]) -> set[str]:
    left = dict(_NEUTRAL_SHARE)
    given = set()
    for fact in facts:
        if fact.polarity is Polarity.NEUTRAL and left[fact.dimension] > 0:
            left[fact.dimension] -= 1
            given.add(fact.id)
    return given


def _stance(facts: Sequence[Fact], role: str) -> tuple[str, ...]:
    order = _STANCES[role]
    mine = [fact for fact in facts if fact.dimension in order and _suits(fact, role)]
    return _ids(sorted(mine, key=lambda fact: order.index(fact.dimension)))


def _suits(fact: Fact, role: str) -> bool:
    """The risk stance leaves praise to others, except inside its own dimension."""
    return role != "risk" or fact.dimension is Dimension.RISK or fact.polarity is not Polarity.POSITIVE


def _first(facts: Sequence[Fact], last: Callable[[Fact], bool], limit: int) -> list[Fact]:
    """The first *limit* hard facts, those matching *last* after the others, back in pack order."""
    hard = [fact for fact in facts if is_hard(fact)]
    chosen = {fact.id for fact in sorted(hard, key=last)[:limit]}
    return [fact for fact in facts if fact.id in chosen]


def _ids(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)
