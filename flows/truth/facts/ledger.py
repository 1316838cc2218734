"""Facts as references a statement can be held against.

A fact gives its own value under its field's concept, and every number of its sentence under the words of that sentence.
Knowledge facts are references of rules only, never of a company (PRODUCT E13).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from flows.contracts.packs import Fact, FactKind
from flows.contracts.units import Unit
from flows.truth.claims.forms import is_loss
from flows.truth.claims.naming import wide_label
from flows.truth.claims.setting import is_condition
from flows.truth.claims.statement import Statement
from flows.truth.claims.statements import statements
from flows.truth.facts.defined import defined
from flows.truth.facts.reference import RULE, Reference
from flows.truth.facts.tellers import said_by
from flows.truth.facts.titles import titles_in
from flows.truth.grammar.companies import INDUSTRY, MARKET, SUBJECT, canonical
from flows.truth.grammar.lexicon import CHANGE, LEVEL, field_concept
from flows.truth.grammar.numbers import normalise
from flows.truth.grammar.periods import ONE_DAY, Day, Period, parse_period, parse_window
from flows.truth.grammar.reading import Reading, read
from flows.truth.grammar.units import written_fits

__all__ = ["RULE", "Ledger", "Reference", "fact_company", "fact_period"]

#: Shorter runs of a sentence are coincidence, not quotation.
SHORTEST = 10
_SOURCE = re.compile(r"（[^（）]*(?:（[^（）]*）[^（）]*)*）[。.]?$")
_LABEL = re.compile(r"^(?:知识|公告|新闻|研报|用户)[:：]")


def fact_period(fact: Fact) -> tuple[Period | None, str]:
    """Reporting period and window of ``Fact.period``."""
    text = normalise(fact.period)
    window = "1d" if ONE_DAY.search(text) else parse_window(text)
    period = parse_period(text)
    if period is not None and period.is_complete:
        return period, ""
    return None, window


def fact_company(fact: Fact, subject: str, names: Mapping[str, str]) -> str:
    """Canonical company of a fact; ``@industry`` for an aggregate of its peers."""
    if fact.kind is FactKind.KNOWLEDGE:
        return RULE
    if fact.field.startswith("macro."):
        return MARKET
    if not fact.subject or canonical(fact.subject, names) == canonical(subject, names):
        return SUBJECT
    named = read(fact.subject, {}).companies
    if any(c.key == INDUSTRY for c in named) or fact.subject.endswith(("行业", "同业", "板块")):
        return INDUSTRY
    if any(c.key == MARKET for c in named):
        return MARKET
    return canonical(fact.subject, names)


def _statistic_of(subject: str) -> str:
    named = read(subject, {}).companies if subject else ()
    return next((c.statistic for c in named if c.statistic), "")


def _days(fact: Fact, reading: Reading) -> tuple[date | Day, ...]:
    return (fact.as_of, fact.published_at.date(), *(w.day for w in reading.days if w.day is not None))


class Ledger:
    """All references of a set of facts, indexed by concept.

    Args:
        facts: Facts a text may rely on.
        subject: Symbol or name the text is about unless it names another company.
        names: Written company names and codes → canonical key (usually the symbol).
    """

    def __init__(self, facts: Iterable[Fact], subject: str, names: Mapping[str, str]) -> None:
        self.facts = tuple(facts)
        self.subject = canonical(subject, names)
        self.names = self._names(names)
        stated = tuple(reference for fact in self.facts for reference in self._references(fact))
        self.references = (*stated, *defined(stated))
        self.by_concept: dict[str, list[Reference]] = {}
        for reference in self.references:
            self.by_concept.setdefault(reference.concept, []).append(reference)

    def _names(self, names: Mapping[str, str]) -> dict[str, str]:
        keys = {name: (SUBJECT if key == self.subject else key) for name, key in names.items()}
        keys |= {key: (SUBJECT if key == self.subject else key) for key in set(names.values())}
        keys |= {key.partition(".")[0]: value for key, value in keys.items() if key[:6].isdigit() and "." in key}
        for fact in self.facts:
            if fact.subject and fact.subject not in keys and len(fact.subject) >= 2:
                company = fact_company(fact, self.subject, keys)
                keys[fact.subject] = company
        if self.subject:
            keys.setdefault(self.subject, SUBJECT)
            keys.setdefault(self.subject.partition(".")[0], SUBJECT)
        return {name: key for name, key in keys.items() if key not in {INDUSTRY, MARKET} and len(name) >= 2}

    @cached_property
    def as_of(self) -> date | None:
        """Latest exchange date of the facts."""
        return max((fact.as_of for fact in self.facts), default=None)

    def _references(self, fact: Fact) -> Iterator[Reference]:
        company = fact_company(fact, self.subject, self.names)
        reading = read(fact.sentence, self.names)
        told = [self._told(fact, statement, company, reading) for statement in statements(reading)]
        own = self._own(fact, company, told, reading)
        if own is not None:
            yield own
        for reference in told:
            if own is None or not _same(own, reference):
                yield reference

    def _own(self, fact: Fact, company: str, told: Sequence[Reference], reading: Reading) -> Reference | None:
        if isinstance(fact.value, str) or fact.value is None or fact.unit in {Unit.TEXT, Unit.DATE}:
            return None
        period, window = fact_period(fact)
        concept, form, spec = field_concept().get(fact.field, ("", LEVEL, ""))
        basis = spec if spec in {"yoy", "qoq", "ytd", "prior"} else ""
        twin = next((t for t in told if _is_display(t, float(fact.value))), None)
        if not concept:
            concept = twin.concept if twin else fact.field
            form = twin.form if twin else (CHANGE if fact.unit == Unit.PCT and "change" in fact.field else LEVEL)
            basis = twin.basis if twin else ""
        window = (spec if not basis else "") or window or (twin.window if twin else "")
        held = Reference(
            fact, concept, form, basis, window, fact.unit.value, float(fact.value), None, 0.0, company, period,
            _days(fact, reading), statistic=_statistic_of(fact.subject),
        )  # fmt: skip
        return held if twin is None else _as_told(held, twin)

    def _told(self, fact: Fact, s: Statement, company: str, reading: Reading) -> Reference:
        period, window = fact_period(fact)
        q = s.quantity
        said = company if s.company == SUBJECT or company == RULE else s.company
        value = q.signed(q.value) if s.form != LEVEL or is_loss(q) else q.value
        high = None if q.high is None else (q.signed(q.high) if s.form != LEVEL or is_loss(q) else q.high)
        label = s.label or ("" if s.concept else wide_label(reading, q))
        return Reference(
            fact, s.concept, s.form, s.basis, s.window or window, q.unit, value, high, q.step, said,
            self.resolved(s.period) or period, _days(fact, reading), label, s.statistic, is_own=False, raw_unit=q.unit,
            against=s.against, course=s.course, is_condition=is_condition(reading, s),
        )  # fmt: skip

    def resolved(self, period: Period | None) -> Period | None:
        """A relative period made absolute where the facts' date alone decides it."""
        if period is None or self.as_of is None:
            return period
        if period.relative in {"this_year", "last_year"}:
            year = self.as_of.year - (period.relative == "last_year")
            return Period(year, period.quarter or 4, period.is_single)
        return period

    @cached_property
    def orders(self) -> Mapping[str, int]:
        """Fact id → place in time of the reporting period its own value is of."""
        own = (r for r in self.references if r.is_own and not r.formula and r.period is not None)
        return {r.fact.id: r.period.order for r in own if r.period is not None and r.period.is_complete}

    def mentions(self, word: str) -> bool:
        """Whether any fact's sentence contains *word*."""
        return word in self._sentences

    @cached_property
    def sources(self) -> Mapping[str, frozenset[str]]:
        """Broker or medium → ids of the facts that report what it said."""
        return said_by(self.facts)

    @cached_property
    def sentences(self) -> tuple[tuple[str, str, bool], ...]:
        """(sentence without label and source note, fact id, whether it binds by wording, not by a known quantity)."""
        known = field_concept()
        spoken = ((_LABEL.sub("", _SOURCE.sub("", f.sentence.strip())).rstrip("。."), f) for f in self.facts)
        return tuple((core, f.id, f.field not in known) for core, f in spoken if len(core) >= SHORTEST)

    @cached_property
    def titles(self) -> dict[str, str]:
        """Title of a filing that a fact quotes → fact id."""
        return {title: fact.id for fact in reversed(self.facts) for title in titles_in(fact.sentence)}

    @cached_property
    def _sentences(self) -> str:
        return "\n".join(fact.sentence for fact in self.facts)

    def latest(self, concept: str, company: str) -> Period | None:
        """Latest period a fact has for *concept* of *company*; one told in a sentence counts if there is no other."""
        known = [
            r for r in self.by_concept.get(concept, ()) if r.company == company and r.period and r.period.is_complete
        ]
        own = [r.period for r in known if r.is_own] or [r.period for r in known]
        return max((period for period in own if period is not None), key=lambda p: p.order, default=None)


def _as_told(own: Reference, twin: Reference) -> Reference:
    """A fact's own value with what its sentence says of it beyond the field."""
    return replace(
        own, period=own.period or twin.period, label=twin.label, statistic=twin.statistic or own.statistic,
        against=twin.against, course=twin.course,
    )  # fmt: skip


def _is_display(told: Reference, value: float) -> bool:
    """Whether a number of the fact's sentence shows the fact's value, the sign perhaps said in words."""
    half = told.step / 2 * (1 + 1e-9)
    return abs(told.value - value) <= half + 1e-12 or (
        abs(abs(told.value) - abs(value)) <= half and told.value * value != 0
    )


def _same(own: Reference, told: Reference) -> bool:
    if told.company != own.company or told.form != own.form or (told.concept and told.concept != own.concept):
        return False
    if not written_fits(told.raw_unit, own.unit):
        return False
    return abs(abs(told.value) - abs(own.value)) <= told.step / 2 * (1 + 1e-9) + 1e-12
