"""Numbers that no fact states but cited facts give (PRODUCT T3), recomputed with units.

Sources of the formulas are definitions: difference, growth A / B - 1, ratio, share, sum, mean, compound annual growth
(A / B)^(1 / n) - 1, price × shares, percent of an amount, and the value before a stated growth A / (1 + g).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Reference
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL, RATIO, SHARE, concepts
from flows.truth.grammar.units import written_fits
from flows.truth.judging.closeness import near, said_value
from flows.truth.judging.definitions import (
    Derived,
    compounds,
    identities,
    means,
    products,
    sums,
    values_before,
)
from flows.truth.judging.operands import pairs
from flows.truth.judging.scenes import Scene

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
    if q.direction == 0 and not q.has_sign and " - " in made.formula:
        said *= _leaning(scene, q.number_start)
    if (
        q.direction == 0
        and not q.has_sign
        and made.formula.count(" - ") == 1
        and not made.formula.endswith("- 1")
        and not _leans(scene, q.number_start)
    ):
        return near(q, abs(said), abs(right))
    if q.direction == 0 and not q.has_sign and _APART.search(scene.reading.plain, _own_start(scene), q.number_start):
        return near(q, abs(said), abs(right))
    return near(q, said, right)


def _own_start(scene: Scene) -> int:
    """Where the words that belong to the number begin: behind the number before it in its clause."""
    ends = [q.end for q in scene.reading.quantities if q.is_quantity and scene.clause[0] < q.end <= scene.at]
    return max([scene.clause[0], *ends])


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
        yield from compounds(s, scene)
        return
    if _SUM.search(text):
        yield from sums(s, scene)
    if _MEAN.search(text):
        yield from means(s, scene)
    yield from identities(s, scene)
    yield from _pairwise(s, scene)
    if s.form == LEVEL and _PRODUCT.search(text):
        yield from products(s, scene)
    if s.form == LEVEL:
        yield from values_before(s, scene)


def _pairwise(s: Statement, scene: Scene) -> Iterator[Derived]:
    for one, other in pairs(s, scene):
        for value, unit, formula in _combined(s, one, other):
            yield Derived(value, unit, formula.format(a=one.name, b=other.name), one)


def _combined(s: Statement, one: Reference, other: Reference) -> Iterator[tuple[float, str, str]]:
    a, b = one.value, other.value
    unit = s.quantity.unit
    if one.unit != other.unit:
        if unit == Unit.MULTIPLE and b and {one.unit, other.unit} <= {Unit.CNY, Unit.CNY_PER_SHARE}:
            yield a / b, Unit.MULTIPLE, "{a} / {b}"
        if unit == Unit.SHARES and b and (one.unit, other.unit) == (Unit.CNY, Unit.CNY_PER_SHARE):
            yield a / b, Unit.SHARES, "{a} / {b}"
        return
    if one.unit == Unit.PCT and unit in {Unit.PP, Unit.PCT}:
        yield a - b, Unit.PP, "{a} - {b}"
    if s.form == DIFFERENCE and written_fits(unit, one.unit):
        yield a - b, one.unit, "{a} - {b}"
    if b > 0:
        yield from _quotients(s, one.unit, a, b)
    if s.form == LEVEL and written_fits(unit, one.unit) and one.unit in _SUBTRACTED:
        yield a - b, one.unit, "{a} - {b}"


_SUBTRACTED = frozenset({Unit.CNY, Unit.CNY_PER_SHARE, Unit.SHARES, Unit.MULTIPLE})


def _quotients(s: Statement, unit: str, a: float, b: float) -> Iterator[tuple[float, str, str]]:
    """Growth, share and multiple of two values in one unit."""
    if s.quantity.unit == Unit.PCT and s.form != SHARE and unit != Unit.PCT:
        yield (a / b - 1) * 100, Unit.PCT, "{a} / {b} - 1"
    if s.quantity.unit == Unit.PCT and s.form in {SHARE, LEVEL, RATIO}:
        yield a / b * 100, Unit.PCT, "{a} / {b}"
    if s.quantity.unit == Unit.MULTIPLE:
        yield from _multiples(s, a, b)


def _multiples(s: Statement, a: float, b: float) -> Iterator[tuple[float, str, str]]:
    """增长1.35倍 is A / B - 1, 增至1.35倍 and 是…的1.35倍 are A / B."""
    if s.quantity.direction and not s.quantity.is_target:
        if a != b and s.concept and concepts()[s.concept].unit == Unit.MULTIPLE:
            yield a - b, Unit.MULTIPLE, "{a} - {b}"
        yield (a / b - 1) * s.quantity.direction, Unit.MULTIPLE, "{a} / {b} - 1"
    else:
        yield a / b, Unit.MULTIPLE, "{a} / {b}"
