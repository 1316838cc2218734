"""Which simple calculation the words beside a number ask for: 合计, 相差, 占, 倍, 同比, 剩下, 相当于, 平均, 年化.

The form word chooses the operation and the order, pronouns and periods choose its operands; a calculation that only
happens to fit proves nothing. Formulas are definitions: A + B, A - B, A / B, A / B - 1, A × B, 100 % - A, the mean,
(A / B)^(1 / n) - 1 and A / (1 + g).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from flows.contracts.units import Unit
from flows.truth.grammar.lexicon import CHANGE
from flows.truth.grammar.numerals import read_number
from flows.truth.judging.terms import Term

_SUM = re.compile(r"合计|一共|总共|共计|累计|加起来|叠(?:在一起|加)|之和|总计|加总|合起来|相加|共(?!同|识)")
_MEAN = re.compile(r"平均|均值|均数")
_REMAINS = re.compile(r"余下|其余|剩|扣掉|去掉|除去|刨去|另外的")
_APART = re.compile(
    r"相?差(?!别|异|强)|缺口|口子|距离?(?=[^，。；]{0,12}$)|空间|价差|利差|丢了|让出|落差|间隔|实际利率"
)
_SHARE = re.compile(r"占|比重|分量|走完|完成|覆盖|落到|转化|收回|变成|比例|份额|的(?:约|近)?$|相当于|兑现|已有|比")
_WORTH = re.compile(r"值|价|算|折|拿出|派|乘|对应|相当于|市值|估|[x×]")
_COMPOUND = re.compile(r"复合|年化|年均|CAGR", re.IGNORECASE)
_BACK = re.compile(r"前|去年|上年|反推|倒推|倒算|推算|推回|原来|起点|还原|那(?:么)?就是")
_FORTH = re.compile(r"涨到|升到|增至|回到|走到|达到|上限|下限|涨停|跌停|对应|后")
_YEARS = re.compile(r"(?P<n>[一两二三四五六七八九十]|\d{1,2})年(?:时间|内|里|后|来)?")
_UP = re.compile(r"高|多|溢价|扩大|涨|增|升|贵|放大|快|强|拓宽|超")
_DOWN = re.compile(r"低|少|缩|跌|降|没了|折价|收窄|下滑|回落|减|丢|便宜|慢|弱|放缓|不及")
_FROM = re.compile(r"(?:从|由|自)[^，。；从由自]{0,14}$")
_TO = re.compile(r"到|至|升|降|缩|变|放缓|回|走|→|减|增")
_COMPARES = re.compile(r"(?<!相)比|较|高于|低于")
_HELD_AGAINST = re.compile(r"(?:较|比起?|距离?|离|与|跟|和|同|相对于?|相比|对照)[^，。；较比]{0,12}$")


#: 后一笔比前一笔少, 后者约为前者的四分之一
_LATTER = re.compile(r"后[一面者][^，。；]{0,5}(?:比|较|不及|不到|是|为|相当于|占)[^，。；]{0,2}前")
_FORMER = re.compile(r"前[一面者][^，。；]{0,5}(?:比|较|不及|不到|是|为|相当于|占)[^，。；]{0,2}后")


@dataclass(frozen=True, slots=True)
class Asked:
    """A number to be worked out, with the words around it.

    Attributes:
        lead: What stands between the number before and this one.
        tail: What follows it in its clause, up to the next number.
        direction: +1 or -1 where a word says which way it goes, else 0.
        plain: The text itself, in which the terms stand.
        start: Where its sentence begins.
    """

    unit: str
    form: str
    lead: str
    tail: str
    direction: int
    plain: str
    start: int
    at: int

    @property
    def around(self) -> str:
        """Words on both sides."""
        return f"{self.lead}｜{self.tail}"


@dataclass(frozen=True, slots=True)
class Worked:
    """A calculated value, as the facts give it and as the written numbers do; *signed* if its sign is claimed."""

    value: float
    written: float
    formula: str
    first: Term
    signed: bool = False


def workings(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    """Calculations over the terms of *pool* (text order) that the words of *asked* name."""
    yield from _restated(asked, pool)
    if _COMPOUND.search(asked.lead) and asked.unit == Unit.PCT:
        yield from _compounds(asked, pool)
        return
    if _REMAINS.search(asked.lead):
        yield from _remainders(asked, pool)
    if _SUM.search(asked.lead):
        yield from _sums(asked, pool)
    if _MEAN.search(asked.lead):
        yield from _means(asked, pool)
    for one, other in _near_pairs(asked, pool):
        yield from _of_pair(asked, one, other)


#: 跌去了16.5%，也就是约六分之一: the same number in other words.
_THAT_IS = re.compile(
    r"^[^，。；]{0,3}[，,(:]?(?:也就是说?|也即|即|亦即|换言之|或者说|差不多|大约|约合|折合|合)(?:约|近)?$"
)


def _restated(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    before = [t for t in pool if t.start < asked.at]
    if before and _THAT_IS.match(asked.lead) and before[-1].unit == asked.unit:
        term = before[-1]
        yield Worked(term.value, term.written, term.name.removeprefix("(").removesuffix(")"), term)


def direction_in(words: str) -> int:
    """Which way the last word of moving or comparing points."""
    up = max((m.start() for m in _UP.finditer(words)), default=-1)
    down = max((m.start() for m in _DOWN.finditer(words)), default=-1)
    return 0 if up == down else (1 if up > down else -1)


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


def _of_pair(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    same = _alike(one, other)
    if same and _asks_difference(asked, one):
        yield _signed(asked, one, other, lambda a, b: a - b, "{a} - {b}")
    if same and asked.unit == Unit.PCT and one.unit not in {Unit.PCT, Unit.PP}:
        yield from _quotients(asked, one, other)
    if same and asked.unit == Unit.PCT and asked.direction and one.unit == Unit.PCT and "相对" in asked.lead:
        yield _signed(asked, one, other, lambda a, b: (a / b - 1) * 100, "{a} / {b} - 1")
    if same and asked.unit == Unit.MULTIPLE and one.unit != Unit.MULTIPLE:
        yield from _ratios(asked, one, other)
    if same and asked.unit == Unit.MULTIPLE and "的" in asked.lead[-4:]:
        yield from _ratios(asked, one, other)
    if not same and _WORTH.search(asked.around):
        yield from _products(asked, one, other)
    if {one.unit, other.unit} & {Unit.PCT} and other.start < asked.at and one.is_money != other.is_money:
        yield from _moved(asked, *((one, other) if one.is_money else (other, one)))


def _alike(one: Term, other: Term) -> bool:
    return one.unit == other.unit or (one.is_money and other.is_money and _scale(one) == _scale(other))


def _scale(term: Term) -> bool:
    """Whether an amount is as large as a company's, not as a share's."""
    return abs(term.value) >= 1e4


def _asks_difference(asked: Asked, one: Term) -> bool:
    if asked.unit == Unit.PP:
        return one.unit in {Unit.PCT, Unit.PP}
    is_alike = asked.unit == one.unit or (asked.unit == Unit.CNY and one.is_money)
    if not is_alike or asked.unit == Unit.PCT:
        return is_alike and bool(_APART.search(asked.lead))
    return bool(asked.direction or _APART.search(asked.around) or _REMAINS.search(asked.lead))


def _oriented(asked: Asked, one: Term, other: Term) -> tuple[Term, Term]:
    """(what is said to stand higher or lower, what it is measured from)."""
    between, head = asked.plain[one.end : other.start], asked.plain[max(asked.start, one.start - 18) : one.start]
    if _FROM.search(head) and _TO.search(between):
        return other, one
    if one.order and other.order and one.order != other.order:
        return (one, other) if one.order > other.order else (other, one)
    if _LATTER.search(asked.plain, other.end, asked.at):
        return other, one
    if _HELD_AGAINST.search(head) and not _COMPARES.search(between):
        return other, one
    return one, other


def _signed(asked: Asked, one: Term, other: Term, calculate, formula: str) -> Worked:  # type: ignore[no-untyped-def]
    a, b = _oriented(asked, one, other)
    signed = bool(asked.direction) and not _APART.search(asked.lead)
    return Worked(
        calculate(a.value, b.value), calculate(a.written, b.written), formula.format(a=a.name, b=b.name), a, signed
    )


def _quotients(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    """Growth where a word of moving or comparing asks for it, else a share: the part is the smaller."""
    if min(one.value, other.value) <= 0 or min(one.written, other.written) <= 0:
        return
    if _MOVE.search(asked.around) and (distance := _distance_of(one, other)) is not None:
        yield distance
    if asked.direction and asked.form == CHANGE:
        yield _signed(asked, one, other, lambda a, b: (a / b - 1) * 100, "{a} / {b} - 1")
    elif _SHARE.search(asked.around):
        part, whole = sorted((one, other), key=lambda t: t.value)
        value, written = part.value / whole.value * 100, part.written / whole.written * 100
        yield Worked(value, written, f"{part.name} / {whole.name}", part)


_MOVE = re.compile(r"涨|跌|幅|空间")


def _distance_of(one: Term, other: Term) -> Worked | None:
    """还差2.66元，折合现价4.9%的涨幅: a distance already worked out, in terms of the price."""
    for gap, price in ((one, other), (other, one)):
        if price.concept == "price" and re.fullmatch(r"\(E\d+ - E\d+\)", gap.name):
            value, written = abs(gap.value) / price.value * 100, abs(gap.written) / price.value * 100
            return Worked(value, written, f"{gap.name} / {price.name}", price)
    return None


def _ratios(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    """x是y的N倍: the first in terms of the second; without 是 the greater in terms of the smaller may be meant."""
    said = asked.plain[other.end : asked.at]
    orders = [(one, other)] if _FORMER.search(said) else [(other, one)] if _LATTER.search(said) else []
    for a, b in orders or ((one, other), (other, one)):
        if b.value and b.written:
            yield Worked(abs(a.value / b.value), abs(a.written / b.written), f"{a.name} / {b.name}", a)
        if re.search(r"是|相当于|为", asked.plain[one.end : other.start]):
            return


def _products(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    made = _PRODUCTS.get(frozenset({one.unit, other.unit}))
    if made is not None and _meets(asked.unit, made[0]):
        value, written = one.value * other.value * made[1], one.written * other.written * made[1]
        yield Worked(value, written, f"{one.name} × {other.name}", one)


def _meets(asked: str, unit: str) -> bool:
    return asked == unit or (asked == Unit.CNY and unit == Unit.CNY_PER_SHARE)


_PRODUCTS: dict[frozenset[str], tuple[str, float]] = {
    frozenset({Unit.CNY_PER_SHARE, Unit.SHARES}): (Unit.CNY, 1.0),
    frozenset({Unit.PCT, Unit.CNY}): (Unit.CNY, 0.01),
    frozenset({Unit.PCT, Unit.SHARES}): (Unit.SHARES, 0.01),
    frozenset({Unit.MULTIPLE, Unit.CNY_PER_SHARE}): (Unit.CNY_PER_SHARE, 1.0),
}


def _moved(asked: Asked, level: Term, move: Term) -> Iterator[Worked]:
    """The level before a stated move, or after one: A / (1 + g), A × (1 + g)."""
    if asked.unit not in {Unit.CNY, Unit.CNY_PER_SHARE} or move.value <= -100 or move.written <= -100:
        return
    if _BACK.search(asked.around):
        value, written = level.value / (1 + move.value / 100), level.written / (1 + move.written / 100)
        yield Worked(value, written, f"{level.name} / (1 + {move.name})", level)
    elif _FORTH.search(asked.around):
        value, written = level.value * (1 + move.value / 100), level.written * (1 + move.written / 100)
        yield Worked(value, written, f"{level.name} × (1 + {move.name})", level)


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
    alike = [t for t in pool if _meets(asked.unit, t.unit) and t.start < asked.at]
    for first in range(len(alike) - 1):
        group = alike[first:]
        yield _grouped(group, 1, "{ids}")


def _means(asked: Asked, pool: Sequence[Term]) -> Iterator[Worked]:
    alike = [t for t in pool if _meets(asked.unit, t.unit) and t.start < asked.at]
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
    for n in dict.fromkeys(reversed(years)):
        for one, other in _near_pairs(asked, pool):
            if _alike(one, other) and min(one.value, other.value, one.written, other.written) > 0 and n > 1:
                yield _signed(
                    asked, one, other, lambda a, b, n=n: ((a / b) ** (1 / n) - 1) * 100,
                    f"({{a}} / {{b}}) ^ (1 / {n}) - 1",
                )  # fmt: skip
