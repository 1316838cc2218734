"""Second look at the numbers no fact holds: what the sentence's own numbers, calculated as its words say, give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.units import Unit
from flows.truth.claims.setting import is_condition
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL, PERCENTILE, RATIO, SHARE
from flows.truth.grammar.numbers import Quantity, Rough
from flows.truth.grammar.reading import Reading
from flows.truth.judging.asked import Asked, Worked, direction_in
from flows.truth.judging.closeness import near
from flows.truth.judging.judge import held_by, judge
from flows.truth.judging.operations import workings
from flows.truth.judging.readings import other_readings
from flows.truth.judging.roles import roles
from flows.truth.judging.scenes import scene_of
from flows.truth.judging.terms import (
    HELD,
    Term,
    held_terms,
    marks_in,
    named_terms,
    percentile_terms,
    price_term,
    session_terms,
)
from flows.truth.judging.wordless import of_no_word

_ROUNDS = 3


def worked_out(
    reading: Reading, found: Sequence[tuple[Statement, Check]], ledger: Ledger, cited: frozenset[str] | None
) -> list[Check]:
    """The checks of *found* (text order), those that fail judged again by the sentence's own arithmetic."""
    known = list(found)
    for _ in range(_ROUNDS):
        changed = False
        for i, (s, check) in enumerate(known):
            is_open = check.verdict.is_failure and not is_condition(reading, s)
            again = _again(reading, s, check, known, ledger, cited) if is_open else None
            if again is not None:
                known[i], changed = again, True
        if not changed:
            break
    return [check for _, check in known]


def _again(
    reading: Reading, s: Statement, check: Check, known: Sequence[tuple[Statement, Check]], ledger: Ledger,
    cited: frozenset[str] | None,
) -> tuple[Statement, Check] | None:  # fmt: skip
    for other in other_readings(reading, s):
        again = judge(reading, other, ledger, cited, check.claim_id)
        if again.verdict in HELD:
            return other, again
    told = of_no_word(reading, s, ledger, cited, _spoken_of(reading, s, known))
    if told is not None:
        statement, reference = told
        return statement, held_by(s, reference, check.claim_id)
    made = _worked(reading, s, check, known, ledger, cited)
    return None if made is None else (s, made)


def _spoken_of(reading: Reading, s: Statement, known: Sequence[tuple[Statement, Check]]) -> set[str]:
    """Quantities of the numbers that hold in the sentence and the one before it."""
    start, stop = reading.sentence(s.quantity.number_start)
    start = reading.sentence(max(0, start - 2))[0]
    return {o.concept for o, c in known if c.verdict in HELD and start <= o.quantity.start < stop and o.concept}


def _worked(
    reading: Reading, s: Statement, check: Check, known: Sequence[tuple[Statement, Check]], ledger: Ledger,
    cited: frozenset[str] | None,
) -> Check | None:  # fmt: skip
    if s.quantity.high is not None or s.form == PERCENTILE or _has_roles(reading, s, ledger, cited):
        return None
    asked = _asked(reading, s)
    for pool in _pools(reading, s, known, ledger, cited):
        for made in workings(asked, pool):
            if _may_be(s, made, asked, pool) and _gives(s, made, asked):
                return check.model_copy(
                    update={
                        "verdict": CheckVerdict.DERIVED, "fact_id": made.first.fact_id or None,
                        "expected": made.value, "formula": made.formula, "reason": "由句中有据的数算出",
                        "unit": s.quantity.unit,
                    }
                )  # fmt: skip
    return None


def _has_roles(reading: Reading, s: Statement, ledger: Ledger, cited: frozenset[str] | None) -> bool:
    """Whether words say what a ratio, share or move is measured by: the formulas of the facts then decide alone."""
    if s.form not in {SHARE, RATIO, CHANGE, LEVEL}:
        return False
    scene = scene_of(reading, ledger, cited, s.clause, s.quantity.number_start)
    return s.quantity.unit in {Unit.PCT, Unit.MULTIPLE} and roles(scene) is not None


def _asked(reading: Reading, s: Statement) -> Asked:
    q = s.quantity
    start = reading.sentence(q.number_start)[0]
    before = [o.end for o in reading.quantities if o.is_quantity and start <= o.start and o.end <= q.number_start]
    lead = reading.plain[max([start, *before]) : q.number_start]
    following = [o.start for o in reading.quantities if o.is_quantity and o.start >= q.end]
    tail = reading.plain[q.number_start : min([s.clause[1], q.end + 12, *following])]
    direction = q.direction or direction_in(lead) or direction_in(tail)
    return Asked(q.unit, s.form, lead, tail, direction, reading.plain, start, q.number_start)


def _pools(
    reading: Reading, s: Statement, known: Sequence[tuple[Statement, Check]], ledger: Ledger,
    cited: frozenset[str] | None,
) -> Iterator[list[Term]]:  # fmt: skip
    """Operands of the sentence, then with the share price, then with the sentence before."""
    start, stop = reading.sentence(s.quantity.number_start)
    terms = [t for t in held_terms(known, ledger) if t.start != s.quantity.number_start]
    inside = [t for t in terms if start <= t.start < stop]
    yield inside
    span = (start, s.clause[1])
    if s.quantity.unit == Unit.PP and (places := percentile_terms(reading, span, ledger, cited)):
        yield places
    told = {t.name for t in inside}
    own = s.mention if s.form == LEVEL and s.concept == "price" else None
    others = named_terms(reading, span, ledger, cited, own)
    others += marks_in(reading, span) + session_terms(reading, span, inside)
    named = [t for t in others if t.name not in told]
    together = sorted([*inside, *named], key=lambda t: t.start)
    if named:
        yield together
    price = price_term(ledger, cited, start)
    if price is not None and inside and price.name not in told:
        yield [price, *together]
    earlier = reading.sentence(max(0, start - 2))[0]
    yield [t for t in terms if earlier <= t.start < stop]
    if not _names_anything(reading, start, stop):
        before = reading.sentence(max(0, earlier - 2))[0]
        yield [t for t in terms if before <= t.start < stop]
        yield [t for t in terms if start <= t.start < reading.sentence(min(stop + 1, len(reading.plain)))[1]]


def _names_anything(reading: Reading, start: int, stop: int) -> bool:
    """差多少？1.4亿元: a sentence that names nothing is of what stands before it, however many sentences tell it."""
    spans = (reading.mentions, reading.companies, reading.periods)
    return any(start <= span.start < stop for group in spans for span in group)


def _may_be(s: Statement, made: Worked, asked: Asked, pool: Sequence[Term]) -> bool:
    """A number its own word names is of that quantity: it is no difference of two others."""
    own = s.mention is not None and s.mention.start >= asked.at - len(asked.lead)
    if not own or s.form in {DIFFERENCE}:
        return True
    return s.form != LEVEL or any(t.concept == s.concept for t in pool) or asked.unit == Unit.CNY


def _gives(s: Statement, made: Worked, asked: Asked) -> bool:
    q = s.quantity
    if q.unit == Unit.MULTIPLE and not made.signed and made.value < 0:
        return False
    if (made.signed and made.value * asked.direction < 0) or (q.has_sign and made.value * q.value < 0):
        return False
    return any(near(q, abs(q.value), abs(value)) and _is_close(q, value) for value in (made.value, made.written))


def _is_close(q: Quantity, value: float) -> bool:
    """Whether a number told in one figure (一个百分点) is meant: its rounding alone would let a half pass for it."""
    return q.rough is not Rough.EXACT or abs(abs(q.value) - abs(value)) <= 0.25 * abs(q.value)
