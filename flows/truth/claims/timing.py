"""Of which reporting period or day a number is."""

from __future__ import annotations

import re
from dataclasses import replace

from flows.truth.claims.forms import MOVES
from flows.truth.claims.qualifiers import trailing
from flows.truth.claims.statement import Place
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading, When

_BASELINE = re.compile(
    r"(?:较|比起?|与|和|跟|对照|参照|同|相比|相较于?|对比|不及|不如|超过|超出|胜过|好过|(?<![属见源归])于|从|由|(?<![取出来源引摘录抄载])自|除以|(?:对?比较?|对照|基)期(?:为|是|:)?)\s*$"
)
#: 较2024Q3减少…，现为x: a period something is held against is not that of a later level; 2024Q3与2025Q3 are two topics.
_HELD_AGAINST = re.compile(
    r"(?:较|比起?|与|和|跟|同|对照|参照|相较于?|相对于?|对比|不及|不如|超过|超出|胜过|好过|[高低大小多少优劣强弱]于|除以)\s*$"
)
_PUBLISHED = re.compile(
    r"披露|公告|发布|公布|召开|报告|计划|将于|预约|晚间|当日晚|起|至|收到|签订|签署|报道|消息|举行|完成"
)


def period_of(place: Place, form: str) -> tuple[Period | None, str]:
    """(period, ``said``, ``carried`` or empty); after 较 stands what a change is measured from, not its own."""
    bracketed = _in_brackets(place)
    if bracketed is not None:
        return _whole(bracketed, place), "said"
    own = _back_then(place) or _own_period(place, moves=form in MOVES or _is_reached(place))
    if own is not None:
        return _whole(own.period, place), "said"
    unlike = _moved_from if form in MOVES else is_held_against
    carried = [p for p in place.carried(place.reading.periods) if not unlike(place.reading, p)]
    if carried:
        return _whole(carried[-1].period, place), "carried"
    framed = [p for p in place.framed(place.reading.periods) if not unlike(place.reading, p)]
    if len({p.period for p in framed}) == 1:
        return _whole(framed[-1].period, place), "carried"
    after = _closing(place) or _in_next_clause(place.reading, place.clause[1])
    if after is not None:
        return after.period, "carried"
    earlier = [
        p.period for p in place.reading.periods if p.start < place.sentence[0] and p.period and p.period.is_complete
    ]
    return (earlier[-1] if earlier else None), ""


def _is_reached(place: Place) -> bool:
    """比上年同期提高0.55个百分点至23.8%: the value a move ends at is not of the period the move is measured from."""
    return place.quantity.is_target or place.head.endswith(("至", "到"))


#: 不及当时的2.64亿元, 彼时为3亿元
_BACK_THEN = re.compile(r"(?:当时|彼时|那时候?|那会儿?|其时)(?:的|是|为|有|还|只有|仅有?|约|近|\s)*$")


def _back_then(place: Place) -> When | None:
    """和去年同期比，2025Q4净利润不及当时的2.64亿元: back then is what the sentence holds something against."""
    if not _BACK_THEN.search(place.head):
        return None
    start, at, reading = place.sentence[0], place.quantity.number_start, place.reading
    said = [p for p in reading.periods if start <= p.start < at]
    return next((p for p in reversed(said) if _moved_from(reading, p)), None)


def _in_brackets(place: Place) -> Period | None:
    """12亿元（2025Q3）."""
    reading, end = place.reading, place.quantity.end
    after = next((p for p in reading.periods if end <= p.start < end + 3), None)
    if after is None or reading.plain[end : after.start].strip() != "(":
        return None
    return after.period if reading.plain[after.end : after.end + 1] == ")" else None


def _closing(place: Place) -> When | None:
    """毛利率23.17%，净利率12.8%，2024年报如此: the sentence's only period, behind all its numbers, is that of each."""
    reading, (start, stop) = place.reading, place.sentence
    named = [p for p in reading.periods if start <= p.start < stop]
    said = [p for p in named if not is_baseline(reading, p) and not _is_before(p)] or named
    if len(said) != 1 or is_baseline(reading, said[0]):
        return None
    at, end = said[0].start, reading.clause(said[0].start)[1]
    behind = [q for q in reading.quantities if q.is_quantity and at <= q.start < stop]
    is_of_both = bool(_BOTH.search(reading.plain, at, end)) and place.quantity.end <= at
    return said[0] if not behind or (is_of_both and all(q.start < end for q in behind)) else None


#: 营收20亿元，净利6亿元，2024年报两者之差为14亿元: a clause about both numbers before it dates them too.
_BOTH = re.compile(
    r"[两二]者|前者|后者|之差|之和|相差|合计|这?[两二](?:个|项|者|组|数|率|笔)|的(?:比例|比值|占比|比重|差额|差值|差距)|之比|相除|相减"
    r"|都是|均为|均是|皆为"
)


def _own_period(place: Place, *, moves: bool) -> When | None:
    reading = place.reading
    own = place.own(reading.periods)
    explicit = [p for p in own if p.period is not None and p.period.relative != "latest"] or own
    explicit = explicit if not own or not _is_its_value(place, own[-1]) else own
    subjects = [p for p in explicit if not moves or _is_its_value(place, p) or not is_baseline(reading, p)]
    if subjects:
        return subjects[-1]
    later = place.behind(reading.periods)
    if later is None or is_baseline(reading, later) or _labels_next(reading, later):
        return None
    return later


_LABEL_END = re.compile(r"\s*(?:的|为|是)?\s*(?:约|近)?\s*")


def _labels_next(reading: Reading, when: When) -> bool:
    """x除以上年同期y: a period right before another number is of that one."""
    following = next((q for q in reading.quantities if q.is_quantity and q.number_start >= when.end), None)
    return following is not None and bool(_LABEL_END.fullmatch(reading.plain[when.end : following.start]))


def _in_next_clause(reading: Reading, end: int) -> When | None:
    """…12亿元，这是2025Q3的水平."""
    for start, stop in trailing(reading, end):
        after = next((p for p in reading.periods if start <= p.start < stop), None)
        if after is not None:
            return None if _BASELINE.search(reading.plain[start : after.start]) else after
    return None


def is_baseline(reading: Reading, when: When) -> bool:
    """Whether a period stands after 较 and the like: what a change is measured from."""
    before, after = reading.plain[max(0, when.start - 4) : when.start], reading.plain[when.end : when.end + 2]
    return bool(_BASELINE.search(before)) and not after.startswith(("看", "来看", "起", "以来"))


#: 2024Q3的12亿元与2025Q3的13亿元推算 names two topics; 与2024Q3相比 does not.
_JOINS = frozenset("与和跟同")
_COMPARES = re.compile(r"[^，。；]{0,24}?(?:比(?!例|重|率)|相比|对比|比较|相较|对照|持平|相当|相差|相同|一致)")
#: …是2024Q3的0.75倍: what is so many times a period is held against it.
_TIMES_OF = re.compile(r"的(?:约|近)?\s*[\d零一二两三四五六七八九十百.点]+\s*倍")
_IS = re.compile(r"(?:是|为|相当于|等于)\s*$")
_BASES = frozenset({"prior_year", "previous", "earlier"})


def _moved_from(reading: Reading, when: When) -> bool:
    """Whether a move told in a later clause is measured from a period: …，上年同期12亿元，增长5%."""
    return is_base_period(reading, when) or is_baseline(reading, when)


def is_base_period(reading: Reading, when: When) -> bool:
    """Whether a period is before another by its very name, or what something is held against."""
    return _is_before(when) or is_held_against(reading, when)


def _is_before(when: When) -> bool:
    return when.period is not None and when.period.relative in _BASES


def is_held_against(reading: Reading, when: When) -> bool:
    """Whether a period is only what something is compared with, not one of two topics joined by 与."""
    if _TIMES_OF.match(reading.plain, when.end) and _IS.search(reading.plain, max(0, when.start - 4), when.start):
        return True
    marker = _HELD_AGAINST.search(reading.plain, max(0, when.start - 5), when.start)
    if marker is None or marker[0].strip() not in _JOINS:
        return marker is not None
    is_joined = any(p.end == marker.start() for p in reading.periods)
    return not is_joined and bool(_COMPARES.match(reading.plain, when.end))


def _is_its_value(place: Place, when: When) -> bool:
    """由2024Q3的5.3%变到: the number directly behind a period is of that period, whatever stands before it."""
    return place.reading.plain[when.end : place.quantity.number_start].strip() in {"", "的"}


def said_before(place: Place) -> Period | None:
    """The last full period said before a number, else the first after it: what 上一期 and 上年同期 count from."""
    full = [p for p in place.reading.periods if p.period is not None and p.period.is_complete]
    before = [p.period for p in full if p.start < place.quantity.number_start]
    after = [p.period for p in full if p.start >= place.quantity.end]
    return before[-1] if before else (after[0] if after else None)


def _only_said(place: Place) -> Period | None:
    """上年同期5.5%，本期4.5%，公司2024Q2负债率的变化就这些: 本期 is the one period its sentence names behind."""
    stop = place.sentence[1]
    last = max(q.end for q in place.reading.quantities if q.is_quantity and q.start < stop)
    inside = [p for p in place.reading.periods if last <= p.start < stop and p.period and p.period.is_complete]
    said = {p.period for p in inside if not is_held_against(place.reading, p)}
    return said.pop() if len(said) == 1 else None


def _said_in_sentence(place: Place) -> Period | None:
    before = [p for p in place.reading.periods if place.sentence[0] <= p.start < place.quantity.number_start]
    full = [p.period for p in before if p.period and p.period.is_complete and not is_held_against(place.reading, p)]
    return max(full, key=lambda p: p.order, default=None)


_LIST = re.compile(r"\n[ \t]*(?:[-*•·]|\d{1,2}[.、)]|[①-⑳])")


def _said_above(place: Place) -> Period | None:
    """- 毛利率（2025Q3）：12%⏎- 净利率（同期）：5%: the period of the item above."""
    line = place.reading.plain.rfind("\n", 0, place.quantity.number_start)
    is_item = line >= 0 and _LIST.match(place.reading.plain, line)
    return said_before(place) if is_item and "同期" in place.reading.plain[line : place.quantity.number_start] else None


def _whole(period: Period | None, place: Place) -> Period | None:
    """三季报 alone takes the last year said before it, 本期 the last period of its sentence, else it is the latest."""
    if period is not None and (_stands_against_now(place, period) or _is_year_before(place, period)):
        return replace(period, relative="prior_year")
    if period is not None and period.relative == "same":
        return _said_in_sentence(place) or _only_said(place) or _said_above(place) or Period(relative="latest")
    if period is None or period.year is not None or period.relative:
        return period
    at = place.quantity.number_start
    years = [p.period.year for p in place.reading.periods if p.start < at and p.period and p.period.year]
    return replace(period, year=years[-1]) if years else period


_BASE = re.compile(r"(?:基数|基期)(?:的?[^，。；\d]{0,6})?$")
_YEAR_BEFORE = re.compile(r"同比|上年同期|去年同期|上年|去年")


def _is_year_before(place: Place, period: Period) -> bool:
    """同比下降28.3%，基数为1.96亿元: the base of a move against the year before."""
    said = place.reading.plain[place.sentence[0] : place.clause[0]]
    return period.relative == "earlier" and bool(_BASE.search(place.head) and _YEAR_BEFORE.search(said))


def _stands_against_now(place: Place, period: Period) -> bool:
    """上年7.0亿元，本期6.1亿元: the year before the period of the sentence, not the calendar's."""
    if period.relative != "last_year" or period.quarter is not None:
        return False
    start, stop = place.sentence
    return any(start <= p.start < stop and p.period and p.period.relative == "same" for p in place.reading.periods)


def day_of(place: Place) -> When | None:
    """The day a number is of; the day something was published is not."""
    reading, end = place.reading, place.quantity.end
    own = place.own(reading.days)
    if own:
        return None if _PUBLISHED.search(reading.plain[own[-1].end : own[-1].end + 6]) else own[-1]
    after = next((d for d in reading.days if end <= d.start < end + 4), None)
    return after if after is not None and reading.plain[end : after.start].strip() == "(" else None
