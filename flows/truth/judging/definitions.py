"""Values that facts give by definition: identities, sums, means, growth, products, and the value before a growth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.claims.timing import is_held_against
from flows.truth.facts.ledger import Reference
from flows.truth.grammar.companies import SUBJECT
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL
from flows.truth.grammar.units import written_fits
from flows.truth.judging.operands import pairs
from flows.truth.judging.scenes import Scene, mentions_in, periods_in, resolve


@dataclass(frozen=True, slots=True)
class Derived:
    """A recomputed value with its formula over fact ids."""

    value: float
    unit: str
    formula: str
    reference: Reference


#: Quantities defined by the share price and a level of a window: concept → that level.
_AGAINST_PRICE = {"bias": "ma", "drawdown": "high"}


def identities(s: Statement, scene: Scene) -> Iterator[Derived]:
    """A quantity by its definition: 乖离率(MA5) = 收盘价 / MA5 - 1, 回撤 = 收盘价 / 最高价 - 1."""
    if s.concept not in _AGAINST_PRICE:
        return
    level = _AGAINST_PRICE[s.concept]
    company = s.company if s.is_company_said else SUBJECT
    windows = {m.window for m in mentions_in(scene) if m.concept == level and m.window} | (
        {s.window} if s.window else set()
    )

    def levels(concept: str) -> list[Reference]:
        return scene.references(
            lambda r: r.concept == concept and r.company == company and r.form == LEVEL and r.is_own
        )

    for one, other in product(levels("price"), levels(level)):
        if other.value > 0 and (not other.window or other.window in windows):
            yield Derived((one.value / other.value - 1) * 100, Unit.PCT, f"{one.name} / {other.name} - 1", one)


def _named(s: Statement, scene: Scene) -> list[Reference]:
    """Level references of the sentence's concepts, companies and periods."""
    names = {m.concept for m in mentions_in(scene)} | ({s.concept} if s.concept else set())
    company = s.company if s.is_company_said else SUBJECT
    return scene.references(lambda r: r.concept in names and r.company == company and r.is_own)


def _fits_periods(s: Statement, scene: Scene, r: Reference) -> bool:
    said = [resolve(scene, p.period, r.concept, r.company) for p in periods_in(scene)]
    return r.period is None or not said or r.period in said


def sums(s: Statement, scene: Scene) -> Iterator[Derived]:
    """Sums of the sentence's levels, of five at most."""
    found = [
        r
        for r in _named(s, scene)
        if r.form == LEVEL and _fits_periods(s, scene, r) and written_fits(s.quantity.unit, r.unit)
    ]
    for size in range(min(len(found), 5), 1, -1):
        for group in combinations(found, size):
            yield Derived(sum(r.value for r in group), group[0].unit, " + ".join(r.name for r in group), group[0])


def means(s: Statement, scene: Scene) -> Iterator[Derived]:
    """Arithmetic means of one quantity's series."""
    found = [r for r in _named(s, scene) if r.concept == s.concept and written_fits(s.quantity.unit, r.unit)]
    series = [r for r in found if (r.form, r.window) == (found[0].form, found[0].window)]
    for size in range(len(series), 1, -1):
        yield from (_mean(group) for group in combinations(series, size))


def _mean(group: Sequence[Reference]) -> Derived:
    ids = " + ".join(r.name for r in group)
    return Derived(sum(r.value for r in group) / len(group), group[0].unit, f"({ids}) / {len(group)}", group[0])


def compounds(s: Statement, scene: Scene) -> Iterator[Derived]:
    """Compound annual growth (A / B)^(1 / n) - 1, percent."""
    for one, other in pairs(s, scene):
        years = (one.period.order - other.period.order) / 4 if one.period and other.period else 0
        if years > 0 and one.value > 0 and other.value > 0:
            value = ((one.value / other.value) ** (1 / years) - 1) * 100
            yield Derived(value, Unit.PCT, f"({one.name} / {other.name}) ^ (1 / {years:g}) - 1", one)


def products(s: Statement, scene: Scene) -> Iterator[Derived]:
    """Price × shares, percent × amount, multiple × per-share value."""
    factors = [r for r in _named(s, scene) if _fits_periods(s, scene, r)] + scene.references(
        lambda r: r.unit == Unit.CNY_PER_SHARE and r.concept == "price"
    )
    for one, other in combinations(factors, 2):
        made = _product_unit(one.unit, other.unit)
        if made and written_fits(s.quantity.unit, made[0]):
            yield Derived(one.value * other.value * made[1], made[0], f"{one.name} × {other.name}", one)


def _product_unit(one: str, other: str) -> tuple[str, float] | None:
    return _PRODUCTS.get(frozenset({one, other}))


#: Units of two factors → unit of the product and the factor to it.
_PRODUCTS: dict[frozenset[str], tuple[str, float]] = {
    frozenset({Unit.CNY_PER_SHARE, Unit.SHARES}): (Unit.CNY, 1.0),
    frozenset({Unit.PCT, Unit.CNY}): (Unit.CNY, 0.01),
    frozenset({Unit.PCT, Unit.SHARES}): (Unit.SHARES, 0.01),
    frozenset({Unit.MULTIPLE, Unit.CNY_PER_SHARE}): (Unit.CNY_PER_SHARE, 1.0),
    frozenset({Unit.MULTIPLE, Unit.CNY}): (Unit.CNY, 1.0),
}


def values_before(s: Statement, scene: Scene) -> Iterator[Derived]:
    """Last year's value from this year's and its change: A / (1 + g) of a growth, A - d of percentage points."""
    at = s.quantity.number_start
    may_be_base = not scene.reading.plain.endswith(("至", "到"), 0, at)  # 比上年同期下降1.69个百分点至74.28%
    said = [
        p for p in periods_in(scene)
        if p.period is not None and p.start < at
        if (may_be_base and p.start >= s.clause[0]) or not is_held_against(scene.reading, p)
    ]  # fmt: skip
    if not said or not s.concept:
        return
    company = s.company if s.is_company_said else SUBJECT
    wanted = resolve(scene, s.period if s.is_period_said else said[-1].period, s.concept, company)
    if wanted is None or not wanted.is_complete:
        return
    levels = scene.references(
        lambda r: r.concept == s.concept and r.company == company and r.form == LEVEL and r.period is not None
    )
    changes = scene.references(
        lambda r: r.concept == s.concept and r.company == company and r.form in _CHANGED and r.basis == "yoy"
    )
    for level, change in product(levels, changes):
        if level.period is not None and level.period == change.period and level.period.shifted(-1) == wanted:
            yield from _before(level, change)


_CHANGED = frozenset({CHANGE, DIFFERENCE})


def _before(level: Reference, change: Reference) -> Iterator[Derived]:
    if change.unit == Unit.PP and level.unit == Unit.PCT:
        yield Derived(level.value - change.value, level.unit, f"{level.name} - {change.name}", level)
    elif change.unit == Unit.PCT and change.form == CHANGE and change.value > -100:
        value = level.value / (1 + change.value / 100)
        yield Derived(value, level.unit, f"{level.name} / (1 + {change.name})", level)
