"""Numbers that no fact states but cited facts give (PRODUCT T3), recomputed with units.

Sources of the formulas are definitions: difference, growth A / B - 1, ratio, share, sum, mean, compound annual growth
(A / B)^(1 / n) - 1, price × shares, percent of an amount, and the value before a stated growth A / (1 + g).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from flows.contracts.units import Unit
from flows.truth.companies import SUBJECT
from flows.truth.ledger import Reference
from flows.truth.lexicon import CHANGE, DIFFERENCE, LEVEL, RATIO, SHARE, concepts
from flows.truth.matching import near, said_value
from flows.truth.operands import Scene, mentions_in, pairs, periods_in, resolve
from flows.truth.statement import Statement
from flows.truth.units import written_fits


@dataclass(frozen=True, slots=True)
class Derived:
    """A recomputed value with its formula over fact ids."""

    value: float
    unit: str
    formula: str
    reference: Reference


_SUM = re.compile(r"合计|总计|加总|之和|共计|总和|两者相加|累加")
_MEAN = re.compile(r"平均|均值|年均(?!复合)|算术平均")
_CAGR = re.compile(r"复合|CAGR|年化增长", re.IGNORECASE)
_PRODUCT = re.compile(
    r"市值|按收盘价|按现价|按最新|按股价|约合|折合|对应(?:金额|市值|股数)?|价值|参考市值|相当于|折算|计算"
)
_APART = re.compile(r"相差|差距|差额|之差|差值|差(?!异|别|强)|缺口|落差|价差|净增|变动|变化")


def derive(s: Statement, scene: Scene) -> tuple[Derived | None, Derived | None]:
    """(a derivation that gives the written number, else the nearest one that does not)."""
    wrong: Derived | None = None
    for made in _derivations(s, scene):
        if _gives(s, scene, made):
            return made, None
        wrong = wrong or made
    return None, wrong


def _gives(s: Statement, scene: Scene, made: Derived) -> bool:
    q = s.quantity
    if not written_fits(q.unit, made.unit) and not (made.unit == Unit.PCT and q.unit == Unit.PP):
        return False
    said = said_value(s) if s.form in {CHANGE, DIFFERENCE} else q.value
    right = made.value
    if q.direction == 0 and not q.has_sign:
        said *= _leaning(scene, q.number_start)
    if (
        q.direction == 0
        and not q.has_sign
        and made.formula.count(" - ") == 1
        and not made.formula.endswith("- 1")
        and not _leans(scene, q.number_start)
    ):
        return near(q, abs(said), abs(right))
    if q.direction == 0 and not q.has_sign and _APART.search(scene.reading.plain, scene.clause[0], q.number_start):
        return near(q, abs(said), abs(right))
    return near(q, said, right)


_UNDER = re.compile(r"低于|少于|小于|不及|逊于|弱于|落后|慢于|跑输|折价")
_OVER = re.compile(r"高于|多于|大于|优于|强于|超过|超出|领先|快于|跑赢|溢价")


def _leaning(scene: Scene, at: int) -> int:
    """-1 after 低于 and its like, so that 低于均线4.3% is said of a negative difference."""
    clause = scene.reading.plain[scene.clause[0] : at]
    under = max((m.start() for m in _UNDER.finditer(clause)), default=-1)
    over = max((m.start() for m in _OVER.finditer(clause)), default=-1)
    return -1 if under > over else 1


def _leans(scene: Scene, at: int) -> bool:
    clause = scene.reading.plain[scene.clause[0] : at]
    return bool(_UNDER.search(clause) or _OVER.search(clause))


def _derivations(s: Statement, scene: Scene) -> Iterator[Derived]:
    text = scene.reading.plain[scene.sentence[0] : scene.clause[1]]
    if _CAGR.search(text):
        yield from _compound(s, scene)
        return
    if _SUM.search(text):
        yield from _sums(s, scene)
    if _MEAN.search(text):
        yield from _means(s, scene)
    yield from _identities(s, scene)
    yield from _pairwise(s, scene)
    if s.form == LEVEL and _PRODUCT.search(text):
        yield from _products(s, scene)
    if s.form == LEVEL:
        yield from _values_before(s, scene)


#: Quantities defined by two others: concept → (numerator, denominator, what is taken off, times).
_IDENTITIES: dict[str, tuple[str, str, float, float, str]] = {
    "bias": ("price", "ma", 1.0, 100.0, Unit.PCT), "net_margin": ("net_profit", "revenue", 0.0, 100.0, Unit.PCT), "debt_ratio": ("total_debt", "total_assets", 0.0, 100.0, Unit.PCT),
    "gross_margin": ("gross_profit", "revenue", 0.0, 100.0, Unit.PCT), "drawdown": ("price", "high", 1.0, 100.0, Unit.PCT),
}  # fmt: skip


def _identities(s: Statement, scene: Scene) -> Iterator[Derived]:
    """A quantity by its definition: 乖离率(MA5) = 收盘价 / MA5 - 1, 净利率 = 净利润 / 营业收入."""
    if s.concept not in _IDENTITIES:
        return
    over, under, less, times, unit = _IDENTITIES[s.concept]
    company = s.company if s.is_company_said else SUBJECT
    windows = {m.window for m in mentions_in(scene) if m.concept == under and m.window} | (
        {s.window} if s.window else set()
    )

    def level(concept: str) -> list[Reference]:
        return scene.references(
            lambda r: r.concept == concept and r.company == company and r.form == LEVEL and r.is_own
        )

    for one in level(over):
        for other in level(under):
            if (
                other.value > 0
                and (not other.window or other.window in windows)
                and one.period == other.period
                and _fits_periods(s, scene, one)
            ):
                value = (one.value / other.value - less) * times
                yield Derived(value, unit, f"{one.fact.id} / {other.fact.id}" + (" - 1" if less else ""), one)


def _pairwise(s: Statement, scene: Scene) -> Iterator[Derived]:
    for one, other in pairs(s, scene):
        for value, unit, formula in _combined(s, one, other):
            yield Derived(value, unit, formula.format(a=one.fact.id, b=other.fact.id), one)


def _combined(s: Statement, one: Reference, other: Reference) -> Iterator[tuple[float, str, str]]:
    a, b = one.value, other.value
    unit = s.quantity.unit
    if one.unit != other.unit:
        if unit == Unit.MULTIPLE and b and {one.unit, other.unit} <= {Unit.CNY, Unit.CNY_PER_SHARE}:
            yield a / b, Unit.MULTIPLE, "{a} / {b}"
        return
    if one.unit == Unit.PCT and unit in {Unit.PP, Unit.PCT}:
        yield a - b, Unit.PP, "{a} - {b}"
    if (s.form == DIFFERENCE and unit == one.unit) or (s.form == DIFFERENCE and written_fits(unit, one.unit)):
        yield a - b, one.unit, "{a} - {b}"
    if b and unit == Unit.PCT and s.form != SHARE and one.unit != Unit.PCT and b > 0:
        yield (a / b - 1) * 100, Unit.PCT, "{a} / {b} - 1"
    if b and unit == Unit.PCT and s.form in {SHARE, LEVEL, RATIO} and b > 0:
        yield a / b * 100, Unit.PCT, "{a} / {b}"
    if b and unit == Unit.MULTIPLE and b > 0:
        yield from _multiples(s, a, b)
    if (
        s.form == LEVEL
        and written_fits(unit, one.unit)
        and one.unit in {Unit.CNY, Unit.CNY_PER_SHARE, Unit.SHARES, Unit.MULTIPLE}
    ):
        yield a - b, one.unit, "{a} - {b}"


def _multiples(s: Statement, a: float, b: float) -> Iterator[tuple[float, str, str]]:
    """增长1.35倍 is A / B - 1, 增至1.35倍 and 是…的1.35倍 are A / B."""
    if s.quantity.direction and not s.quantity.is_target:
        if a != b and s.concept and concepts()[s.concept].unit == Unit.MULTIPLE:
            yield a - b, Unit.MULTIPLE, "{a} - {b}"
        yield (a / b - 1) * s.quantity.direction, Unit.MULTIPLE, "{a} / {b} - 1"
    else:
        yield a / b, Unit.MULTIPLE, "{a} / {b}"


def _named(s: Statement, scene: Scene) -> list[Reference]:
    """Level references of the sentence's concepts, companies and periods."""
    names = {m.concept for m in mentions_in(scene)} | ({s.concept} if s.concept else set())
    company = s.company if s.is_company_said else SUBJECT
    return scene.references(lambda r: r.concept in names and r.company == company and r.is_own)


def _fits_periods(s: Statement, scene: Scene, r: Reference) -> bool:
    said = [resolve(scene, p.period, r.concept, r.company) for p in periods_in(scene)]
    return r.period is None or not said or r.period in said


def _sums(s: Statement, scene: Scene) -> Iterator[Derived]:
    found = [
        r
        for r in _named(s, scene)
        if r.form == LEVEL and _fits_periods(s, scene, r) and written_fits(s.quantity.unit, r.unit)
    ]
    for size in range(min(len(found), 5), 1, -1):
        for group in combinations(found, size):
            yield Derived(sum(r.value for r in group), group[0].unit, " + ".join(r.fact.id for r in group), group[0])


def _means(s: Statement, scene: Scene) -> Iterator[Derived]:
    found = [r for r in _named(s, scene) if r.concept == s.concept and written_fits(s.quantity.unit, r.unit)]
    series = [r for r in found if (r.form, r.window) == (found[0].form, found[0].window)]
    for size in range(len(series), 1, -1):
        yield from (_mean(group) for group in combinations(series, size))


def _mean(group: Sequence[Reference]) -> Derived:
    ids = " + ".join(r.fact.id for r in group)
    return Derived(sum(r.value for r in group) / len(group), group[0].unit, f"({ids}) / {len(group)}", group[0])


def _compound(s: Statement, scene: Scene) -> Iterator[Derived]:
    for one, other in pairs(s, scene):
        years = (one.period.order - other.period.order) / 4 if one.period and other.period else 0
        if years > 0 and one.value > 0 and other.value > 0:
            value = ((one.value / other.value) ** (1 / years) - 1) * 100
            yield Derived(value, Unit.PCT, f"({one.fact.id} / {other.fact.id}) ^ (1 / {years:g}) - 1", one)


def _products(s: Statement, scene: Scene) -> Iterator[Derived]:
    """Price × shares, percent × amount, multiple × per-share value."""
    factors = [r for r in _named(s, scene) if _fits_periods(s, scene, r)] + scene.references(
        lambda r: r.unit == Unit.CNY_PER_SHARE and r.concept == "price"
    )
    for one, other in combinations(factors, 2):
        made = _product_unit(one.unit, other.unit)
        if made and written_fits(s.quantity.unit, made[0]):
            yield Derived(one.value * other.value * made[1], made[0], f"{one.fact.id} × {other.fact.id}", one)


def _product_unit(one: str, other: str) -> tuple[str, float] | None:
    units = {one, other}
    if units == {Unit.CNY_PER_SHARE, Unit.SHARES}:
        return Unit.CNY, 1.0
    if units == {Unit.PCT, Unit.CNY}:
        return Unit.CNY, 0.01
    if units == {Unit.PCT, Unit.SHARES}:
        return Unit.SHARES, 0.01
    if units == {Unit.MULTIPLE, Unit.CNY_PER_SHARE}:
        return Unit.CNY_PER_SHARE, 1.0
    return (Unit.CNY, 1.0) if units == {Unit.MULTIPLE, Unit.CNY} else None


def _values_before(s: Statement, scene: Scene) -> Iterator[Derived]:
    """Last year's value from this year's and its growth: A / (1 + g)."""
    said = [p for p in periods_in(scene) if p.period is not None and p.start < s.quantity.number_start]
    if not said or not s.concept:
        return
    company = s.company if s.is_company_said else SUBJECT
    wanted = resolve(scene, said[-1].period, s.concept, company)
    if wanted is None or not wanted.is_complete:
        return
    levels = scene.references(
        lambda r: r.concept == s.concept and r.company == company and r.form == LEVEL and r.period is not None
    )
    growths = scene.references(
        lambda r: r.concept == s.concept and r.company == company and r.form == CHANGE and r.basis == "yoy"
    )
    for level in levels:
        for growth in growths:
            if (
                level.period == growth.period
                and level.period is not None
                and level.period.shifted(-1) == wanted
                and growth.value > -100
            ):
                value = level.value / (1 + growth.value / 100)
                yield Derived(value, level.unit, f"{level.fact.id} / (1 + {growth.fact.id})", level)
