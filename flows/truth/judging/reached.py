"""How a level was reached (升至, 降至, 上调至): a claim about the value before it, decided by facts that know one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL

#: Words that somebody changed his figure; without an earlier figure they are not believed.
_REVISIONS = frozenset({"上调", "上修", "调高", "下调", "下修", "调低"})


@dataclass(frozen=True, slots=True)
class Turned:
    """Why the direction of 升至 does not hold; *is_known* if facts say the opposite, not only nothing."""

    reason: str
    is_known: bool


def reached_otherwise(s: Statement, r: Reference, ledger: Ledger) -> Turned | None:
    """Whether the level of *s*, which *r* holds, was reached in another direction than said."""
    q = s.quantity
    if not q.is_target or not q.direction or q.of_loss or r.form != LEVEL:
        return None
    moves = list(_moves(s, r, ledger))
    if any(move * q.direction > 0 for move in moves):
        return None
    if moves:
        return Turned(f"方向不符：{r.fact.id} 之前的数值并非由{'低' if q.direction > 0 else '高'}而来", is_known=True)
    if q.direction_word in _REVISIONS and q.direction_word not in r.fact.sentence:
        return Turned(f"无据：没有事实说明这是{q.direction_word}", is_known=False)
    return None


def _moves(s: Statement, r: Reference, ledger: Ledger) -> Iterator[float]:
    """Changes of the quantity that end at *r*: stated ones, and differences to earlier values."""
    for other in ledger.by_concept.get(r.concept, ()):
        if other.company != r.company or not other.is_own:
            continue
        if other.form in {CHANGE, DIFFERENCE} and other.period == r.period and (not s.basis or s.basis == other.basis):
            yield other.value
        elif other.form == LEVEL and (other.unit, other.window) == (r.unit, r.window) and _is_before(other, r):
            yield r.value - other.value


def _is_before(other: Reference, r: Reference) -> bool:
    if other.period is not None and r.period is not None and other.period != r.period:
        return other.period.order < r.period.order and other.period.quarter == r.period.quarter
    return other.fact.as_of < r.fact.as_of
