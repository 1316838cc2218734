"""Which cited values a sentence puts side by side.

A formula may only use what the sentence names: its concepts, companies and periods. Anything wider would find some
pair of facts for every number, which proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import product

from flows.contracts.units import Unit
from flows.truth.claims.owners import is_compared
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Reference
from flows.truth.grammar.companies import SUBJECT, CompanyMention
from flows.truth.grammar.lexicon import CHANGE, LEVEL, RATIO, SHARE, Mention
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import When
from flows.truth.judging.period_pairs import period_pairs
from flows.truth.judging.pronouns import Named
from flows.truth.judging.roles import roles
from flows.truth.judging.scenes import (
    Scene,
    companies_in,
    mentions_in,
    periods_in,
    resolve,
)


def pairs(s: Statement, scene: Scene) -> Iterator[tuple[Reference, Reference]]:
    """Pairs (subject, comparator) the sentence puts side by side, most literal first; only those its words name."""
    said = roles(scene)
    if said is not None:
        yield from by_roles(s, scene, *said)
        return
    seen: set[tuple[int, int]] = set()
    for source in (_across_companies, _across_periods, _across_concepts):
        for one, other in source(s, scene):
            if one is not other and (id(one), id(other)) not in seen:
                seen.add((id(one), id(other)))
                yield one, other


def by_roles(s: Statement, scene: Scene, one: Named, other: Named) -> Iterator[tuple[Reference, Reference]]:
    """The values of two companies, periods or quantities of which the sentence says which is measured by which."""
    match one, other:
        case CompanyMention(), CompanyMention():
            yield from _company_pair(s, scene, {one.key}, {other.key})
        case When(), When():
            yield from _period_pair(s, scene, one, other)
        case Mention(), Mention():
            yield from _concept_pair(one, other, s.company if s.is_company_said else SUBJECT, scene, s)


def _period_pair(s: Statement, scene: Scene, one: When, other: When) -> Iterator[tuple[Reference, Reference]]:
    concept, company = s.concept or _last_concept(scene), s.company if s.is_company_said else SUBJECT
    now, before = (resolve(scene, when.period, concept, company) for when in (one, other))
    if one.period is not None and one.period.relative == "latest":
        now = scene.ledger.latest(concept, company)
    yield from _of_periods(scene, concept, company, now, before)


def _across_companies(s: Statement, scene: Scene) -> Iterator[tuple[Reference, Reference]]:
    """The same quantity of two companies."""
    said = companies_in(scene)
    concept = s.concept or _last_concept(scene)
    keys = list(dict.fromkeys(c.key for c in said))
    if not concept or not any(key != SUBJECT for key in keys):
        return
    if len(keys) == 2 and _BARE_RATIO.search(scene.reading.plain, scene.clause[0], scene.at):
        yield from _told_in_order(s, scene, said)
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
    yield from _company_pair(s, scene, owners, others, {c.statistic for c in right if c.statistic})


#: 比值1.88倍, 两者之比为0.7倍, 相除得1.2倍
_BARE_RATIO = re.compile(r"(?:比值|之比|比率|相除)(?:[^，。；\d]{0,3}[为是约得到有在]|等于|=|:|\s)*$")


def _told_in_order(
    s: Statement, scene: Scene, said: Collection[CompanyMention]
) -> Iterator[tuple[Reference, Reference]]:
    """A的PE 16.24倍，B 8.63倍，比值1.88倍: of the first by the second; of ours by theirs if ours is told last."""
    names = list({c.key: c for c in reversed(list(said))}.values())[::-1]
    first, second = sorted(names, key=lambda c: is_compared(scene.reading, c))
    yield from _company_pair(s, scene, {first.key}, {second.key})
    if second.key == SUBJECT:
        yield from _company_pair(s, scene, {second.key}, {first.key})


def _company_pair(
    s: Statement, scene: Scene, owners: set[str], others: set[str], statistics: Collection[str] = ()
) -> Iterator[tuple[Reference, Reference]]:
    concept = s.concept or _last_concept(scene)
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
    for now, before in period_pairs(s, scene, concept, company):
        yield from _of_periods(scene, concept, company, now, before)


def _of_periods(
    scene: Scene, concept: str, company: str, now: Period | None, before: Period | None
) -> Iterator[tuple[Reference, Reference]]:
    """Values of one quantity in two periods, alike in form, basis and unit."""
    values = scene.references(lambda r: r.concept == concept and r.company == company and r.period is not None)
    ours, theirs = ([r for r in values if r.period == period] for period in (now, before))
    for one, other in product(ours, theirs):
        if (one.form, one.basis, one.unit) == (other.form, other.basis, other.unit):
            yield one, other


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
