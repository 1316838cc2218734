"""What two terms give, calculated as the words beside a number ask: difference, growth, share, multiple, product."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from flows.contracts.units import Unit
from flows.truth.grammar.lexicon import CHANGE
from flows.truth.judging.asked import REMAINS, Asked, Worked
from flows.truth.judging.terms import Term

_APART = re.compile(
    r"净?(?:变动|增减|变化)[额量值数]?(?=[了为达约是有\s]*$)|相?差(?!别|异|强)|缺口|口子|距离?(?=[^，。；]{0,12}$)|空间|价差|利差|丢了|让出|落差|间隔|实际利率"
)
_SHARE = re.compile(r"占|比重|分量|走完|完成|覆盖|落到|转化|收回|变成|比例|份额|的(?:约|近)?$|相当于|兑现|已有|比")
_WORTH = re.compile(r"值|价|算|折|拿出|派|乘|对应|相当于|市值|估|[x×]")
_BACK = re.compile(r"前|去年|上年|反推|倒推|倒算|推算|推回|原来|起点|还原|那(?:么)?就是")
_FORTH = re.compile(r"涨到|升到|增至|回到|走到|达到|上限|下限|涨停|跌停|对应|后")
_FROM = re.compile(r"(?:从|由|自)[^，。；从由自]{0,14}$")
_TO = re.compile(r"到|至|升|降|缩|变|放缓|回|走|→|减|增")
_COMPARES = re.compile(r"(?<!相)比|较|高于|低于")
_HELD_AGAINST = re.compile(r"(?:较|比起?|距离?|离|与|跟|和|同|相对于?|相比|对照)[^，。；较比]{0,12}$")


#: 后一笔比前一笔少, 后者约为前者的四分之一
_LATTER = re.compile(r"后[一面者][^，。；]{0,5}(?:比|较|不及|不到|是|为|相当于|占)[^，。；]{0,2}前")
_FORMER = re.compile(r"前[一面者][^，。；]{0,5}(?:比|较|不及|不到|是|为|相当于|占)[^，。；]{0,2}后")


def of_pair(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    """Calculations of two terms (in text order) that the words of *asked* name."""
    if alike(one, other):
        yield from _of_one_kind(asked, one, other)
        return
    if _WORTH.search(asked.around):
        yield from _products(asked, one, other)
    if asked.unit == Unit.CNY and _BACK.search(asked.plain, asked.start, asked.at):
        yield from _wholes(asked, one, other)
    if Unit.PCT in {one.unit, other.unit} and other.start < asked.at and one.is_money != other.is_money:
        yield from _moved(asked, *((one, other) if one.is_money else (other, one)))


def _of_one_kind(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    if _asks_difference(asked, one) or _is_equation(asked, one, other):
        yield signed(asked, one, other, lambda a, b: a - b, "{a} - {b}")
    if asked.unit == Unit.PCT and one.unit not in {Unit.PCT, Unit.PP}:
        yield from _quotients(asked, one, other)
    if asked.unit == Unit.PCT and one.unit == Unit.PCT and asked.direction and "相对" in asked.lead:
        yield signed(asked, one, other, lambda a, b: (a / b - 1) * 100, "{a} / {b} - 1")
    if asked.unit == Unit.PCT and one.unit == Unit.PCT and _FRACTION_OF.search(asked.lead):
        yield from _parts(asked, one, other)
    if asked.unit == Unit.MULTIPLE and (one.unit != Unit.MULTIPLE or "的" in asked.lead[-4:]):
        yield from _ratios(asked, one, other)


#: 后者约为前者的四分之一
_FRACTION_OF = re.compile(r"(?:为|是|相当于|占)[^，。；]{1,10}的(?:约|近)?$")


def _parts(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    """One percentage as a fraction of another."""
    for made in _ratios(asked, one, other):
        yield Worked(made.value * 100, made.written * 100, made.formula, made.first)


def alike(one: Term, other: Term) -> bool:
    """Whether two terms are of one unit and scale, so that they can be subtracted and divided."""
    return one.unit == other.unit or (one.is_money and other.is_money and _scale(one) == _scale(other))


def _scale(term: Term) -> bool:
    """Whether an amount is as large as a company's, not as a share's."""
    return abs(term.value) >= 1e4


def _is_equation(asked: Asked, one: Term, other: Term) -> bool:
    """x－y＝d."""
    is_rest = re.fullmatch(r"\s*(?:减去?|[-−])\s*", asked.plain[one.end : other.start]) is not None
    return is_rest and asked.unit in {one.unit, Unit.PP, Unit.CNY} and "=" in asked.lead[:2]


def _asks_difference(asked: Asked, one: Term) -> bool:
    if asked.unit == Unit.PP:
        return one.unit in {Unit.PCT, Unit.PP}
    is_alike = asked.unit == one.unit or (asked.unit == Unit.CNY and one.is_money)
    if not is_alike or asked.unit == Unit.PCT:
        return is_alike and bool(_APART.search(asked.lead))
    return bool(asked.direction or _APART.search(asked.around) or REMAINS.search(asked.lead))


def _oriented(asked: Asked, one: Term, other: Term) -> tuple[Term, Term]:
    """(what is said to stand higher or lower, what it is measured from)."""
    return (other, one) if _is_base_first(asked, one, other) else (one, other)


def _is_base_first(asked: Asked, one: Term, other: Term) -> bool:
    """Whether the first term is what the second is measured from: 从x到y, the earlier period, 与x相比."""
    between, head = asked.plain[one.end : other.start], asked.plain[max(asked.start, one.start - 18) : one.start]
    if _FROM.search(head) and _TO.search(between):
        return True
    if one.order and other.order and one.order != other.order:
        return one.order < other.order
    is_around = one.start < asked.at < other.start
    if is_around or _YEARLY.search(asked.lead) or _LATTER.search(asked.plain, other.end, asked.at):
        return True
    return bool(_HELD_AGAINST.search(head)) and not _COMPARES.search(between)


_YEARLY = re.compile(r"复合|年化")


def signed(asked: Asked, one: Term, other: Term, calculate: Callable[[float, float], float], formula: str) -> Worked:
    """*calculate* of the two in the order the sentence holds one against the other."""
    a, b = _oriented(asked, one, other)
    signed = bool(asked.direction) and not _APART.search(asked.lead)
    return Worked(
        calculate(a.value, b.value), calculate(a.written, b.written), formula.format(a=a.name, b=b.name), a, signed
    )


def _quotients(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    """Growth where a word of moving or comparing asks for it, else a share: the part is the smaller."""
    if _MOVE.search(asked.around) and (distance := _distance_of(one, other)) is not None:
        yield distance
    if min(one.value, other.value) <= 0 or min(one.written, other.written) <= 0:
        return
    if asked.direction and asked.form == CHANGE:
        yield signed(asked, one, other, lambda a, b: (a / b - 1) * 100, "{a} / {b} - 1")
    elif _SHARE.search(asked.lead) or _SHARE.search(asked.tail):
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
            yield Worked(a.value / b.value, a.written / b.written, f"{a.name} / {b.name}", a)
        if re.search(r"是|相当于|为|除以|[÷/]", asked.plain[one.end : other.start]):
            return


def _products(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    made = _PRODUCTS.get(frozenset({one.unit, other.unit}))
    if made is not None and meets(asked.unit, made[0]):
        value, written = one.value * other.value * made[1], one.written * other.written * made[1]
        yield Worked(value, written, f"{one.name} × {other.name}", one)


def meets(asked: str, unit: str) -> bool:
    """Whether a number written in *asked* can state a value in *unit*."""
    return asked == unit or (asked == Unit.CNY and unit == Unit.CNY_PER_SHARE)


_PRODUCTS: dict[frozenset[str], tuple[str, float]] = {
    frozenset({Unit.CNY_PER_SHARE, Unit.SHARES}): (Unit.CNY, 1.0),
    frozenset({Unit.PCT, Unit.CNY}): (Unit.CNY, 0.01),
    frozenset({Unit.PCT, Unit.SHARES}): (Unit.SHARES, 0.01),
    frozenset({Unit.MULTIPLE, Unit.CNY_PER_SHARE}): (Unit.CNY_PER_SHARE, 1.0),
    frozenset({Unit.MULTIPLE, Unit.CNY}): (Unit.CNY, 1.0),
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


def _wholes(asked: Asked, one: Term, other: Term) -> Iterator[Worked]:
    """合同金额1.79亿元占营收的2.60%，反推营收: the whole of which a stated share is known."""
    part, share = (one, other) if one.is_money else (other, one)
    if share.unit != Unit.PCT or not part.is_money or min(share.value, share.written) <= 0:
        return
    if "占" in asked.plain[part.end : share.start]:
        value, written = part.value / share.value * 100, part.written / share.written * 100
        yield Worked(value, written, f"{part.name} / {share.name}", part)
