"""Whether a number tells what two values come to, their difference or their ratio: 相差3亿元, 比值1.2倍."""

from __future__ import annotations

import re

from flows.contracts.units import Unit
from flows.truth.claims.statement import Place

#: 隔着5.4倍的距离
_APART_AFTER = re.compile(r"的?(?:距离|差距|差额|落差|差值|价差|利差)")
#: 6.1亿元，这是2025年报与2024年报净利润之间的差
_APART_BEHIND = re.compile(
    r"\s*[—,，:：]+\s*(?:这|那|此)?(?:就|正|便|乃)?(?:是|为|即)?[^，。；(]{2,40}?"
    r"(?:之间的(?:差|差额|差距|差值|落差)|之差|的差额|的差值|的差距|的落差|的变动额)(?=[，。；(]|$)"
)
_GAP = re.compile(
    r"(?:相差|相距|相隔|隔着|隔了|差距|差额|之差|差值|落差|价差|差|间距|净?(?:变动|增减|变化)(?:额|量|值|数)?)"
    r"(?:了|为|达|约|是|有|多少|多大|几何|[？?]|答|:|\s)*$"
)
#: 同比下降24%，金额上是1.4亿元
_IN_MONEY = re.compile(
    r"(?:金额|绝对额|绝对数|绝对值|绝对量|差?额)(?:上|方面)?(?:就|便|则|即|变动|变化|变了)?(?:是|为|合|约|有)*$"
)


def is_apart(place: Place, gap: str) -> bool:
    """Whether an amount is a difference; *gap* is the text between the word that names its quantity and it."""
    if place.quantity.unit == Unit.SHARES:
        return _APART_AFTER.match(place.after) is not None or _is_apart_behind(
            place
        )  # 变动：248万股 is the trade itself
    named = _GAP.search(gap) is not None or _APART_AFTER.match(place.after) is not None
    return named or _is_apart_behind(place) or _is_in_money(place)


def opens(place: Place) -> bool:
    """Whether nothing of its clause stands before the number and its direction."""
    return not place.reading.plain[place.clause[0] : place.quantity.start].strip()


def _is_in_money(place: Place) -> bool:
    """同比下降24%，金额上是1.4亿元: an amount right behind a move in percent tells the same move."""
    before = [q for q in place.reading.quantities if q.is_quantity and q.end <= place.quantity.start]
    if not before or before[-1].unit != Unit.PCT or not before[-1].direction or before[-1].start < place.sentence[0]:
        return False
    return _IN_MONEY.search(place.reading.plain, before[-1].end, place.quantity.start) is not None


def _is_apart_behind(place: Place) -> bool:
    return opens(place) and bool(_APART_BEHIND.match(place.reading.plain, place.quantity.end))


#: 比值1.88倍, 两者之比为0.7倍, 相除得1.2倍, 1.2倍的比值
_OF_TWO = re.compile(
    r"(?:比值|之比|比率|比例|相除|倍数关系|一除|[÷/][^，。；]{2,24}=)(?:[^，。；\d]{0,3}[为是约得到有在]|等于|=|:|\s)*$"
)
_OF_TWO_BEHIND = re.compile(r"的?(?:比值|比率|之比)")


def is_of_two(place: Place) -> bool:
    """Whether a multiple is said to be the ratio of two values, not the level of one."""
    return _is_times_a_name(place) or bool(_OF_TWO.search(place.head[-40:]) or _OF_TWO_BEHIND.match(place.after))


_EQUALS = re.compile(r"(?:(?<![头个边方者端侧别])[是为]|相当于|等于|折合|=)\s*$")
_SO_MANY = re.compile(r"\s*的(?:约|近|大约)?\s*")


def _is_times_a_name(place: Place) -> bool:
    """某公司的市净率相当于行业平均的1.42倍."""
    reading, at = place.reading, place.quantity.start
    return any(
        _SO_MANY.fullmatch(reading.plain, c.end, at) and _EQUALS.search(reading.plain, place.clause[0], c.start)
        for c in place.own(reading.companies)
    )
