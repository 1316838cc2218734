"""Which simple calculation the words beside a number ask for: 合计, 相差, 占, 倍, 同比, 剩下, 相当于, 平均, 年化.

The form word chooses the operation and the order, pronouns and periods choose its operands; a calculation that only
happens to fit proves nothing. Formulas are definitions: A + B, A - B, A / B, A / B - 1, A × B, 100 % - A, the mean,
(A / B)^(1 / n) - 1 and A / (1 + g).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from flows.contracts.units import Unit
from flows.truth.grammar.numerals import read_number
from flows.truth.judging.asked import REMAINS, Asked, Worked
from flows.truth.judging.terms import Term
from flows.truth.judging.two_terms import alike, meets, of_pair, signed

_SUM = re.compile(r"合计|一共|总共|共计|累计|加起来|叠(?:在一起|加)|之和|总计|加总|合起来|相加|共(?!同|识)")
_MEAN = re.compile(r"平均|均值|均数")
_COMPOUND = re.compile(r"复合|年化|年均|CAGR", re.IGNORECASE)
_YEARS = re.compile(r"(?P<n>[一两二三四五六七八九十]|\d{1,2})年(?:时间|内|里|后|来)?")


def workings(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    """Calculations over the terms of *pool* (text order) that the words of *asked* name."""
    yield from _restated(asked, pool)
    if _COMPOUND.search(asked.lead) and asked.unit == Unit.PCT:
        yield from _compounds(asked, pool)
        return
    if REMAINS.search(asked.lead):
        yield from _remainders(asked, pool)
    if _SUM.search(asked.lead):
        yield from _sums(asked, pool)
    if _MEAN.search(asked.lead):
        yield from _means(asked, pool)
    if asked.unit == Unit.CNY and _AT_PRICE.search(asked.lead):
        yield from _scaled(pool)
    for one, other in _near_pairs(asked, pool):
        yield from of_pair(asked, one, other)


#: 跌去了16.5%，也就是约六分之一: the same number in other words.
_THAT_IS = re.compile(
    r"^[^，。；]{0,3}[，,(:]?(?:也就是说?|也即|即|亦即|换言之|或者说|差不多|大约|约合|折合|合)(?:约|近)?$"
)


#: 是行业平均的1.42倍，溢价四成多
_PREMIUM = re.compile(r"^[，,][^，。；]{0,4}(?:溢价|折价|高出|贵出?|便宜)")


def _restated(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    before = [t for t in pool if t.start < asked.at]
    if before and _THAT_IS.match(asked.lead) and before[-1].unit == asked.unit:
        term = before[-1]
        yield Worked(term.value, term.written, term.name[1:-1] if term.name.startswith("(") else term.name, term)
    if before and before[-1].unit == Unit.MULTIPLE and asked.unit == Unit.PCT and _PREMIUM.search(asked.lead):
        term = before[-1]
        yield Worked((term.value - 1) * 100, (term.written - 1) * 100, f"{term.name} - 1", term, signed=True)


_AT_PRICE = re.compile(r"股价|价格|现价")
_MULTIPLES = frozenset({"pe", "pb", "ps"})


def _scaled(pool: Sequence[Term]) -> Iterator[Worked]:
    """市净率回到2.40倍而净资产不变，股价是38元: the price at another multiple of the same quantity."""
    prices = [t for t in pool if t.concept == "price"]
    for price in prices:
        for own, target in combinations([t for t in pool if t.concept in _MULTIPLES], 2):
            if target.concept == own.concept and own.value > 0:
                value, written = (price.value * t / own.value for t in (target.value, target.written))
                yield Worked(value, written, f"{price.name} × {target.name} / {own.name}", price)


def _near_pairs(asked: Asked, pool: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
    """Pairs of the nearest term and another; of the last two and what stands behind; of the price and any level."""
    before = [t for t in pool if t.start < asked.at][-4:]
    behind = [t for t in pool if t.start > asked.at][:2]
    yield from ((t, before[-1]) for t in reversed(before[:-1]))
    yield from ((a, b) for a in reversed(before[-2:]) for b in behind)
    if not before:
        yield from combinations(behind, 2)
    yield from ((t, p) for p in before if p.concept == "price" for t in before[:-1] if t.concept in _PRICE_LEVELS)


#: Levels a share price is held against wherever they stand in the sentence.
_PRICE_LEVELS = frozenset({"high", "low", "ma", "previous_close", "price_ago"})


def _remainders(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    """What is left of 100 %, or of the first number once the others are taken off."""
    if asked.unit == Unit.PCT:
        yield from (
            Worked(100 - t.value, 100 - t.written, f"1 - {t.name}", t) for t in reversed(pool) if t.unit == Unit.PCT
        )
    alike = [t for t in pool if t.unit == asked.unit and t.start < asked.at]
    for first in range(len(alike) - 1):
        whole, parts = alike[first], alike[first + 1 :]
        formula = " - ".join(t.name for t in (whole, *parts))
        yield Worked(
            whole.value - sum(t.value for t in parts), whole.written - sum(t.written for t in parts), formula, whole
        )


def _sums(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    alike = [t for t in pool if meets(asked.unit, t.unit) and t.start < asked.at]
    for first in range(len(alike) - 1):
        group = alike[first:]
        yield _grouped(group, 1, "{ids}")


def _means(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    alike = [t for t in pool if meets(asked.unit, t.unit) and t.start < asked.at]
    for first in range(len(alike) - 1):
        group = alike[first:]
        yield _grouped(group, len(group), "({ids}) / {n}")


def _grouped(group: Sequence[Term], n: int, formula: str) -> Worked:
    ids = " + ".join(t.name for t in group)
    return Worked(
        sum(t.value for t in group) / n, sum(t.written for t in group) / n, formula.format(ids=ids, n=n), group[0]
    )


def _compounds(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    """(A / B)^(1 / n) - 1 over the years the sentence names."""
    years = [int(read_number(m["n"])[0]) for m in _YEARS.finditer(asked.plain, asked.start, asked.at)]
    for n in dict.fromkeys(year for year in reversed(years) if year > 1):
        for one, other in _near_pairs(asked, pool):
            if alike(one, other) and min(one.value, other.value, one.written, other.written) > 0:
                yield signed(asked, one, other, partial(_yearly, n), f"({{a}} / {{b}}) ^ (1 / {n}) - 1")


def _yearly(years: int, a: float, b: float) -> float:
    return float((a / b) ** (1 / years) - 1) * 100
