"""What a sentence offers a calculation: the numbers in it that facts hold, and the quantities it only names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.companies import SUBJECT
from flows.truth.grammar.lexicon import LEVEL, Mention, concepts
from flows.truth.grammar.reading import Reading

_HELD = frozenset({CheckVerdict.SUPPORTED, CheckVerdict.ROUNDED, CheckVerdict.DERIVED})


@dataclass(frozen=True, slots=True)
class Term:
    """One operand: its value as the facts have it and as it is written, its formula, and its place."""

    value: float
    written: float
    unit: str
    name: str
    start: int
    end: int
    fact_id: str = ""
    concept: str = ""
    order: int = 0

    @property
    def is_money(self) -> bool:
        """Whether it is an amount or a price."""
        return self.unit in {Unit.CNY, Unit.CNY_PER_SHARE}


def held_terms(found: Sequence[tuple[Statement, Check]]) -> list[Term]:
    """Terms of the numbers that hold, in text order."""
    return [_held(s, check) for s, check in found if check.verdict in _HELD and check.expected is not None]


def _held(s: Statement, check: Check) -> Term:
    right = check.expected if check.expected is not None else s.quantity.value
    written = s.quantity.signed(s.quantity.value) if right < 0 or s.quantity.direction else s.quantity.value
    unit = check.unit or s.quantity.unit
    order = s.period.order if s.period is not None and s.period.is_complete else 0
    return Term(
        right, written, unit, f"({check.formula})" if check.formula else check.fact_id or "", s.quantity.number_start,
        s.quantity.end, check.fact_id or "", s.concept, order,
    )  # fmt: skip


def named_terms(reading: Reading, span: tuple[int, int], ledger: Ledger, cited: frozenset[str] | None) -> list[Term]:
    """Terms of the quantities *span* names without a number: 离60日均线还差2.66元 (the average, the price)."""
    found = []
    for mention in reading.mentions:
        if span[0] <= mention.start < span[1] and not _is_numbered(reading, mention):
            reference = _level_of(reading, mention, ledger, cited)
            if reference is not None:
                found.append(_of_reference(reference, mention.start, mention.end))
    return found


def _of_reference(r: Reference, start: int, end: int) -> Term:
    order = r.period.order if r.period is not None and r.period.is_complete else 0
    return Term(r.value, r.value, r.unit, r.name, start, end, r.fact.id, r.concept, order)


def price_term(ledger: Ledger, cited: frozenset[str] | None, at: int) -> Term | None:
    """The share price, which calculations use without naming it."""
    r = _latest(ledger, "price", SUBJECT, "", cited)
    return None if r is None else _of_reference(r, at, at)


def _is_numbered(reading: Reading, mention: Mention) -> bool:
    """Whether a number of the clause stands right behind the word."""
    stop = reading.clause(mention.start)[1]
    return any(q.is_quantity and mention.end <= q.number_start < min(stop, mention.end + 8) for q in reading.quantities)


def _level_of(reading: Reading, mention: Mention, ledger: Ledger, cited: frozenset[str] | None) -> Reference | None:
    start = reading.sentence(mention.start)[0]
    owners = [c for c in reading.companies if start <= c.start < mention.start]
    return _latest(ledger, mention.concept, owners[-1].key if owners else SUBJECT, mention.window, cited)


def _latest(ledger: Ledger, concept: str, company: str, window: str, cited: frozenset[str] | None) -> Reference | None:
    known = [
        r
        for r in ledger.by_concept.get(concept, ())
        if r.is_own and r.form == LEVEL and r.company == company and r.is_cited(cited) and r.high is None
        if not window or r.window in {"", window}
    ]
    if not known or (concept in concepts() and len(concepts()[concept].windows) > 1 and not window):
        return None
    return max(known, key=lambda r: (r.period.order if r.period else 0, r.fact.as_of, not r.formula))
