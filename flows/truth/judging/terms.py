"""What a sentence offers a calculation: the numbers in it that facts hold, and the quantities it only names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.companies import MARKET, SUBJECT
from flows.truth.grammar.lexicon import LEVEL, PERCENTILE, Mention, concepts
from flows.truth.grammar.reading import Reading

HELD = frozenset({CheckVerdict.SUPPORTED, CheckVerdict.ROUNDED, CheckVerdict.DERIVED})


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


_MARKS = re.compile(
    r"(?P<n>\d{1,3})(?P<unit>%|倍|元|点)?(?:的|这条|这道)?(?:荣枯线|控股线|整数关口?|关口|中轴|红线|线(?!下|上|性))|荣枯线"
)
_MARK_UNITS = {"%": Unit.PCT.value, "倍": Unit.MULTIPLE.value, "元": Unit.CNY.value}


def marks_in(reading: Reading, span: tuple[int, int]) -> list[Term]:
    """What a text only measures by: 50%的线, 荣枯线, the sessions of a window; they are no facts, and claim nothing."""
    found = []
    for m in _MARKS.finditer(reading.plain, *span):
        value = float(m["n"] or 50)
        unit = _MARK_UNITS.get(m["unit"] or "", Unit.INDEX.value)
        found.append(Term(value, value, unit, f"{value:g}", m.start(), m.end()))
    return found


def session_terms(reading: Reading, span: tuple[int, int], inside: Sequence[Term]) -> list[Term]:
    """The sessions of the windows named, where some of them are counted: 近60个交易日收涨的只有24天，占四成."""
    if not any(t.unit == Unit.SESSIONS for t in inside):
        return []
    lengths = [(w, float(w.window[:-1])) for w in reading.windows if w.window[:-1].isdigit() and w.window.endswith("d")]
    return [
        Term(n, n, Unit.SESSIONS.value, f"{n:g}", w.start, w.end)
        for w, n in lengths
        if span[0] <= w.start < span[1] and n > 1
    ]


def held_terms(found: Sequence[tuple[Statement, Check]], ledger: Ledger) -> list[Term]:
    """Terms of the numbers that hold, in text order."""
    return [
        _held(s, check, ledger)
        for s, check in found
        if (check.verdict in HELD and check.expected is not None) or _is_supposed(check)
    ]


def _is_supposed(check: Check) -> bool:
    """如果每股收益真能到3.00元: what follows may be worked out from what is supposed."""
    return check.verdict is CheckVerdict.NOT_A_QUANTITY and check.reason == "条件中的阈值"


def _held(s: Statement, check: Check, ledger: Ledger) -> Term:
    right = check.expected if check.expected is not None else s.quantity.value
    written = s.quantity.signed(s.quantity.value) if right < 0 or s.quantity.direction else s.quantity.value
    unit = check.unit or s.quantity.unit
    known = 0 if check.formula else ledger.orders.get(check.fact_id or "", 0)
    order = known or (s.period.order if s.period is not None and s.period.is_complete else 0)
    name = f"({check.formula})" if check.formula else check.fact_id or f"{written:g}"
    start, end = s.quantity.number_start, s.quantity.end
    return Term(right, written, unit, name, start, end, check.fact_id or "", s.concept, order)


def named_terms(
    reading: Reading, span: tuple[int, int], ledger: Ledger, cited: frozenset[str] | None, but: Mention | None
) -> list[Term]:
    """Terms of the quantities *span* names without a number: 离60日均线还差2.66元 (the average, the price).

    *but* names the number to be worked out itself.
    """
    found = []
    for mention in reading.mentions:
        if span[0] <= mention.start < span[1] and mention != but and not _is_numbered(reading, mention):
            reference = _level_of(reading, mention, ledger, cited)
            if reference is not None:
                found.append(_of_reference(reference, mention.start, mention.end))
    return found


def _of_reference(r: Reference, start: int, end: int) -> Term:
    order = r.period.order if r.period is not None and r.period.is_complete else 0
    return Term(r.value, r.value, r.unit, r.name, start, end, r.fact.id, r.concept, order)


def percentile_terms(
    reading: Reading, span: tuple[int, int], ledger: Ledger, cited: frozenset[str] | None
) -> list[Term]:
    """Terms of percentiles named by quantity and window: 市盈率的三年分位比一年分位高近4个百分点."""
    found: list[Term] = []
    for m in re.finditer("分位", reading.plain[slice(*span)]):
        at = span[0] + m.start()
        named = [x for x in reading.mentions if span[0] <= x.start < at]
        windows = [w for w in reading.windows if span[0] <= w.start < at and w.window.endswith("y")]
        known = ledger.by_concept.get(named[-1].concept, ()) if named and windows else ()
        fitting = [r for r in known if (r.form, r.window) == (PERCENTILE, windows[-1].window)]
        found.extend(_of_reference(r, at, at + 2) for r in fitting if r.is_own and r.is_cited(cited))
    return found


def price_term(ledger: Ledger, cited: frozenset[str] | None, at: int) -> Term | None:
    """The share price, which calculations use without naming it."""
    r = _latest(ledger, "price", SUBJECT, "", cited)
    return None if r is None else _of_reference(r, at, at)


#: Between a word and the number that is its own.
_LABELS = re.compile(
    r"\s*(?:\([^)]*\))?\s*(?:为|是|在|达|约|报|的|了|:|=|仅|只有|只|有|近|逾|超过?|不到|不足|到|至|\s)*"
)


def _is_numbered(reading: Reading, mention: Mention) -> bool:
    """Whether a number of the clause is the word's own: nothing but 为 and its like stands between."""
    stop = reading.clause(mention.start)[1]
    own = next((q for q in reading.quantities if q.is_quantity and mention.end <= q.number_start < stop), None)
    return own is not None and bool(_LABELS.fullmatch(reading.plain, mention.end, own.number_start))


def _level_of(reading: Reading, mention: Mention, ledger: Ledger, cited: frozenset[str] | None) -> Reference | None:
    start = reading.sentence(mention.start)[0]
    owners = [c for c in reading.companies if start <= c.start < mention.start]
    owner = owners[-1].key if owners else SUBJECT
    found = _latest(ledger, mention.concept, owner, mention.window, cited)
    return found or (_latest(ledger, mention.concept, MARKET, mention.window, cited) if owner == SUBJECT else None)


#: Quantities that only the sentences of filings tell.
_TOLD = frozenset({"holding_after", "contract"})


def _latest(ledger: Ledger, concept: str, company: str, window: str, cited: frozenset[str] | None) -> Reference | None:
    known = [
        r
        for r in ledger.by_concept.get(concept, ())
        if (r.is_own or concept in _TOLD) and r.form == LEVEL and r.company == company and r.high is None
        if r.is_cited(cited) and (r.unit != Unit.COUNT or concepts()[concept].unit == Unit.COUNT)
        if not window or r.window in {"", window}
    ]
    if len({r.window for r in known}) != 1:
        return None
    return max(known, key=lambda r: (r.period.order if r.period else 0, r.fact.as_of, not r.formula))
