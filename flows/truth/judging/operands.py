"""Which cited values a sentence puts side by side.

A formula may only use what the sentence names: its concepts, companies and periods. Anything wider would find some
pair of facts for every number, which proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from flows.contracts.units import Unit
from flows.truth.claims.owners import is_compared
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Reference
from flows.truth.grammar.companies import SUBJECT, CompanyMention
from flows.truth.grammar.lexicon import CHANGE, LEVEL, RATIO, SHARE, Mention, concepts
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import When
from flows.truth.judging.scenes import (
    Scene,
    companies_in,
    mentions_in,
    periods_in,
    previous,
    resolve,
)


def pairs(s: Statement, scene: Scene) -> Iterator[tuple[Reference, Reference]]:
    """Pairs (subject, comparator) the sentence puts side by side, most literal first."""
    seen: set[tuple[int, int]] = set()
    for source in (_across_companies, _across_periods, _across_concepts):
        for one, other in source(s, scene):
            if one is not other and (id(one), id(other)) not in seen:
                seen.add((id(one), id(other)))
                yield one, other


def _across_companies(s: Statement, scene: Scene) -> Iterator[tuple[Reference, Reference]]:
    """The same quantity of two companies."""
    said = companies_in(scene)
    concept = s.concept or _last_concept(scene)
    keys = list(dict.fromkeys(c.key for c in said))
    if not concept or not any(key != SUBJECT for key in keys):
        return
    left, right = _split(said, scene.marker)
    compared = [c for c in said if is_compared(scene.reading, c)]
    if not right and compared:
        left, right = [c for c in said if c not in compared], compared
    owner = s.company if s.company in keys else keys[-1]
    others = {c.key for c in right} or {key for key in keys if key != owner} or {keys[-1]}
    owners = {c.key for c in left} - others or {SUBJECT}
    if len(keys) == 2 and (ordered := _by_former_and_latter(keys, scene)):
        owners, others = {ordered[0]}, {ordered[1]}
    statistics = {c.statistic for c in right if c.statistic}
    ours = scene.references(lambda r: r.concept == concept and r.company in owners and _alike(s, r, scene))
    theirs = scene.references(lambda r: r.concept == concept and r.company in others)
    for one, other in product(ours, theirs):
        same_statistic = not statistics or not other.statistic or other.statistic in statistics
        if one.form == other.form and _comparable(one, other) and same_statistic:
            yield one, other


def _by_former_and_latter(keys: list[str], scene: Scene) -> list[str]:
    """The two companies as the clause compares them: 前者高于后者, 后者高于前者; empty if it does not say so."""
    clause = scene.reading.plain[slice(*scene.clause)]
    former, latter = clause.find("前者"), clause.find("后者")
    if former < 0 or latter < 0:
        return []
    return keys if former < latter else keys[::-1]


def _split(spans: list[CompanyMention], marker: int) -> tuple[list[CompanyMention], list[CompanyMention]]:
    return [c for c in spans if c.start < marker], [c for c in spans if c.start >= marker]


def _last_concept(scene: Scene) -> str:
    found = [m for m in mentions_in(scene) if m.start < scene.at]
    return found[-1].concept if found else ""


def _alike(s: Statement, r: Reference, scene: Scene) -> bool:
    """The reference is of the window and period the statement says, or of the latest."""
    if s.window and r.window and s.window != r.window:
        return False
    said = [p.period for p in periods_in(scene) if p.period is not None and p.period.is_complete]
    if r.period is None or not r.period.is_complete:
        return True
    if said:
        return any(p is not None and (p.year, p.quarter) == (r.period.year, r.period.quarter) for p in said)
    return r.period == scene.ledger.latest(r.concept, r.company)


def _comparable(one: Reference, other: Reference) -> bool:
    return (
        one.unit == other.unit
        and one.basis == other.basis
        and one.window == other.window
        and (one.period is None or other.period is None or one.period == other.period)
    )


def _across_periods(s: Statement, scene: Scene) -> Iterator[tuple[Reference, Reference]]:
    """The same quantity of one company in two periods."""
    concept = s.concept or _last_concept(scene)
    if not concept:
        return
    company = s.company if s.is_company_said else SUBJECT
    values = scene.references(lambda r: r.concept == concept and r.company == company)
    for now, before in _period_pairs(s, scene, concept, company):
        ours, theirs = ([r for r in values if r.period == period] for period in (now, before))
        for one, other in product(ours, theirs):
            if (one.form, one.basis, one.unit) == (other.form, other.basis, other.unit):
                yield one, other


def _period_pairs(s: Statement, scene: Scene, concept: str, company: str) -> Iterator[tuple[Period, Period]]:
    said = [p for p in scene.reading.periods if scene.sentence[0] <= p.start < scene.sentence[1]]
    resolved = [(p, resolve(scene, p.period, concept, company)) for p in said]
    complete = [(when, p) for when, p in resolved if p is not None and p.is_complete]
    latest = scene.ledger.latest(concept, company)
    if s.basis == "yoy":
        yield from _years_apart(s, scene, complete, latest, (concept, company))
    elif s.basis == "qoq":
        quarter = next((p for when, p in reversed(complete) if when.start < scene.at), latest)
        if quarter is not None and not (concept in concepts() and concepts()[concept].is_flow):
            yield quarter, _quarter_before(quarter)
    else:
        yield from _named_apart(s, scene, complete, latest, (concept, company))


_Said = Sequence[tuple[When, Period]]


def _years_apart(
    s: Statement, scene: Scene, complete: _Said, latest: Period | None, of: tuple[str, str]
) -> Iterator[tuple[Period, Period]]:
    """同比: the number's own period, else every one the sentence names, else the latest, and the year before it."""
    bases = [p for when, p in complete if when.period is None or when.period.relative != "prior_year"]
    own = resolve(scene, s.period, *of) if s.is_period_said or s.is_period_carried else None
    if own is not None and own.is_complete and s.period is not None and s.period.relative != "prior_year":
        bases = [own]
    for base in [*reversed(bases), *([latest] if latest and not bases else [])]:
        yield base, base.shifted(-1)


def _named_apart(
    s: Statement, scene: Scene, complete: _Said, latest: Period | None, of: tuple[str, str]
) -> Iterator[tuple[Period, Period]]:
    """Two periods on both sides of 较, the last and the first named, or the latest and the one before it."""
    left = [p for when, p in complete if when.start < scene.marker]
    right = [p for when, p in complete if when.start >= scene.marker]
    yield from product(left or ([latest] if latest else []), right)
    ordered = sorted({p.order: p for _, p in complete}.items())
    if len(ordered) >= 2 and not right:
        yield ordered[-1][1], ordered[0][1]
    if latest is not None and len(ordered) <= 1 and not s.basis and not right and _says_before(scene):
        now = ordered[0][1] if ordered else latest
        before = previous(scene.ledger, *of, now)
        if before is not None:
            yield now, before


def _quarter_before(period: Period) -> Period:
    order = (period.year or 0) * 4 + (period.quarter or 1) - 2
    return Period(order // 4, order % 4 + 1)


_BEFORE = re.compile(
    r"彼时|当时|那时|基期|原来|先前|早先|上次|上回|早前|比较期|上一个|前一个|前一季|上一期|上期|此前|前一期|前值|前期"
    r"|上一报告期|上个报告期|一年前|原先|之前|上年|去年"
)


def _says_before(scene: Scene) -> bool:
    return _BEFORE.search(scene.reading.plain, scene.sentence[0], scene.clause[1]) is not None


def _across_concepts(s: Statement, scene: Scene) -> Iterator[tuple[Reference, Reference]]:
    """Two quantities of one company, in the order they are named (the one after 较, 比, 占 second)."""
    named = mentions_in(scene)
    if s.form in {SHARE, RATIO} and (turned := _whole_first(scene)):
        named = turned
    left, right = [m for m in named if m.start < scene.marker], [m for m in named if m.start >= scene.marker]
    if not left or not right or (s.form in {SHARE, RATIO} and named is not None and _whole_first(scene)):
        left, right = named[:-1], named[-1:]
    company = s.company if s.is_company_said else SUBJECT
    if len({m.concept for m in named}) == 1 and named[0].concept in _PRICE_LEVELS:
        left, right = [Mention(scene.clause[0], scene.clause[0], "price")], named[-1:]
    for first in reversed(left):
        for second in right:
            yield from _concept_pair(first, second, company, scene, s)


#: Levels a share price is measured against even where the price is not named (距20日均线还差0.5元).
_PRICE_LEVELS = frozenset({"ma", "high", "low", "previous_close"})

_PART_OF = re.compile(r"占(?:了|到|比)?(?:约|为|近)?\s*$")

#: 扣非净利相当于它的10%: the pronoun is the quantity named before.
_PART_OF_IT = re.compile(r"(?:相当于|占|是|为)(?:了|到)?(?:它|其|这一数字)的?(?:约|近)?\s*$")

_COMES_FROM = re.compile(r"\s*(?:来自|是|由|为|属于|转化为|变成|落到|沉淀为)")


def _whole_first(scene: Scene) -> list[Mention]:
    """营收里净利润占10%, 营收中有10%转化为净利润: the whole is named first; (part, whole), or nothing if not so."""
    plain = scene.reading.plain
    number = next((q for q in scene.reading.quantities if q.number_start == scene.at), None)
    inside = [m for m in scene.reading.mentions if scene.sentence[0] <= m.start < scene.sentence[1]]
    before = [m for m in inside if m.end <= scene.at]
    after = [m for m in inside if m.start > scene.at]
    head = plain[max(0, scene.at - 10) : scene.at]
    if len(before) >= 2 and (_PART_OF.search(head) or _PART_OF_IT.search(head)):
        return [before[-1], before[-2]]
    if before and after and number is not None and _COMES_FROM.match(plain, number.end):
        return [after[0], before[-1]]
    return []


def _concept_pair(
    first: Mention, second: Mention, company: str, scene: Scene, s: Statement
) -> Iterator[tuple[Reference, Reference]]:
    if (first.concept, first.window, first.form) == (second.concept, second.window, second.form):
        return

    def fits(mention: Mention, r: Reference) -> bool:
        return (
            r.concept == mention.concept
            and r.company == company
            and (not mention.window or mention.window == "yoy" or not r.window or mention.window == r.window)
            and (
                r.form == (mention.form or LEVEL)
                or (mention.form == "" and r.form == CHANGE and s.quantity.unit == Unit.PP)
            )
            and _alike(s, r, scene)
        )

    for one in scene.references(lambda r: fits(first, r)):
        for other in scene.references(lambda r: fits(second, r)):
            if one.period is None or other.period is None or one.period == other.period:
                yield one, other
