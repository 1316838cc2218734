"""Two names and their two numbers apart from them: ROE高于净利率，38%与14%; 2025年超过2024年（6元对5元）."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flows.truth.claims.forms import MOVES, as_of_mention
from flows.truth.claims.owners import is_compared
from flows.truth.claims.statement import Statement
from flows.truth.claims.timing import is_held_against
from flows.truth.grammar.companies import SUBJECT, CompanyMention
from flows.truth.grammar.lexicon import LEVEL, Mention
from flows.truth.grammar.reading import Reading, When
from flows.truth.grammar.units import same_measure

_FIRST, _SECOND = r"前者|前一个|前面", r"后者|后一个|后面"
_WHICH = re.compile(rf"(?:(?P<first>{_FIRST})|(?P<second>{_SECOND}))(?!的)[^，。；,;\d]{{0,6}}$")
#: 上年同期的12亿元, 2024Q3（12亿元）: nothing but this stands between a name and the number it labels.
#: 分别报36元（前者）和34元（后者）
_WHICH_BEHIND = re.compile(rf"\s*\((?:(?P<first>{_FIRST})|(?P<second>{_SECOND}))\)")
_LABELS = re.compile(r"[\s:(（]*(?:的|为|是|水平|数值|值|时)*[\s:(（]*(?:约|近)?")


@dataclass(frozen=True, slots=True)
class Name:
    """A quantity, company or period that a number can be of; *is_base* if something is held against it."""

    span: Mention | CompanyMention | When
    is_base: bool

    @property
    def key(self) -> object:
        """What makes two names the same."""
        match self.span:
            case Mention(concept=concept, form=form, window=window):
                return concept, form, window
            case CompanyMention(key=key):
                return key
            case When(period=period):
                return period


def in_order(reading: Reading, found: Sequence[Statement]) -> list[Statement]:
    """*found* with each pair of numbers given to the two names before or behind it, as their order says.

    What something is held against comes last (与A相比，B低于对方，x对y: x is B's); 前者 and 后者 count as they stand.
    A pair with more than one kind of two names, or with a name between its numbers, is left as it was read.
    """
    result = list(found)
    for i in range(len(result) - 1):
        j = _next(result, i)
        if _is_pair(reading, result, i, j):
            names = _two_names(reading, result[i], result[j])
            if names:
                result[i], result[j] = (_of(reading, result[at], name) for at, name in zip((i, j), names, strict=True))
    return result


def _next(found: Sequence[Statement], i: int) -> int:
    """The number that pairs with the one at *i*: the next, or the one behind a move (从x降低d，来到y)."""
    is_move_between = found[i].form == LEVEL and found[i + 1].form in MOVES and i + 2 < len(found)
    return i + 2 if is_move_between else i + 1


def _is_pair(reading: Reading, found: Sequence[Statement], i: int, j: int) -> bool:
    """Two numbers of one unit and form in one sentence, the first of that form, no name between them."""
    one, other = found[i], found[j]
    sentence = reading.sentence(one.quantity.number_start)
    if not same_measure(one.quantity.unit, other.quantity.unit) or one.form != other.form:
        return False
    if one.quantity.high is not None:
        return False
    if other.quantity.number_start >= sentence[1] or _named_in(reading, one.quantity.end, other.quantity.start):
        return False
    return not any(s.form == one.form and s.quantity.start >= sentence[0] for s in found[:i]) and not any(
        s.form == one.form and s.quantity.start < sentence[1] and not _is_made(reading, other, s)
        for s in found[j + 1 : j + 2]
    )


#: 一个49.43倍，一个92.16倍，比值0.54倍
_MADE = re.compile(
    r"[^。；]{0,6}(?:比值|之比|比例|倍数|相差|差额|差值|差距|之差|差|折合|相除|相当于|得)[为是约达了:]*\s*$"
)


def _is_made(reading: Reading, other: Statement, s: Statement) -> bool:
    """Whether *s* is what the two numbers before it make."""
    return _MADE.match(reading.plain, other.quantity.end, s.quantity.start) is not None


def _named_in(reading: Reading, start: int, stop: int) -> bool:
    starts = [span.start for group in (reading.mentions, reading.companies, reading.periods) for span in group]
    return any(start <= at < stop for at in starts)


def _two_names(reading: Reading, one: Statement, other: Statement) -> tuple[Name, Name] | None:
    start, stop = reading.sentence(one.quantity.number_start)
    ahead = _ahead(reading, _names_from(reading, start, stop), one.quantity.start)
    is_said = _said_which(reading, one, other) is not None  # 前者 and 后者 are of the last two named
    twofold = [names[-2:] for names in ahead if len(names) == 2 or (is_said and len(names) > 2)]
    if len(twofold) == 1:
        return _ordered(reading, twofold[0], one, other)
    if twofold:
        return None
    behind = _joined(reading, other.quantity.end, stop)
    if behind is not None:
        return behind
    implied = [names for names in ahead if len(names) == 1 and names[0].is_base]
    if len(implied) == 1 and not _labelled(reading, implied[0][0], one, other):
        pair = _unsaid(implied[0][0]), implied[0][0]
        return pair[::-1] if _begins_way(reading, one) else pair
    return None


def _names_from(reading: Reading, start: int, stop: int) -> int:
    """证明A的PB高于B。证据是a和b: a sentence of numbers alone is of what the one before it names."""
    if not start or _named_in(reading, start, stop):
        return start
    before = reading.sentence(max(0, start - 2))[0]
    has_numbers = any(before <= q.number_start < start for q in reading.quantities if q.is_quantity)
    return start if has_numbers else before


_HEADING = re.compile(r"[^，。；]{2,16}(?:[:，]|——?)")


def _ahead(reading: Reading, start: int, stop: int) -> list[list[Name]]:
    """Names before the numbers; 价格与均线的关系：股价高于20日均线，x对y: a heading only announces those behind it."""
    ahead = [*kinds(reading, start, stop)]
    heading = _HEADING.match(reading.plain, start, stop)
    if heading is None or any(len(names) == 2 for names in ahead):
        return ahead
    behind = [*kinds(reading, heading.end(), stop)]
    return behind if any(len(names) == 2 for names in behind) else ahead


#: 从75.97%到74.28%, 绝对额由x到y
_WAY = re.compile(r"\s*(?:[^，。；\d]{0,6}:)?[一-鿿]{0,6}?[从由自]\s*$")


def _begins_way(reading: Reading, one: Statement) -> bool:
    """较上一期降低1.69个百分点，从75.97%到74.28%: the way begins at what the change is held against."""
    return _WAY.match(reading.plain[one.clause[0] : one.quantity.number_start]) is not None


_TO = re.compile(r"\s*(?:对|比|和|与|及|、|至|到|→|[，,、]?(?:终点|止于?|终于|结束于)[是为在]?)\s*$")


#: 为B的1.57倍, 相当于Q的1.2倍, ＝行业平均的85%
_IS = re.compile(r"[^，。；]{0,14}?(?:为|是|相当于|等于|=)\s*$")
_TIMES = re.compile(r"\s*的")


def is_multiple_of(reading: Reading, start: int, stop: int, end: int) -> bool:
    """Whether what ends at *start* is said to be so many times what stands from *stop* to *end*."""
    return bool(_IS.match(reading.plain[start:stop]) and _TIMES.match(reading.plain, end))


def _joined(reading: Reading, start: int, stop: int) -> tuple[Name, Name] | None:
    """从x到y，…走完了P至Q的这段路: two periods or companies joined behind both numbers."""
    for names in kinds(reading, start, stop):
        if len(names) == 2:
            first, second = (name.span for name in names)
            is_list = not isinstance(first, Mention) and _TO.match(reading.plain[first.end : second.start])
            is_compared_pair = names[1].is_base and not names[0].is_base and not isinstance(first, Mention)
            if is_list or is_compared_pair or is_multiple_of(reading, first.end, second.start, second.end):
                return names[0], names[1]
    return None


def _unsaid(base: Name) -> Name:
    """Whom or when the text is about, where only what that is held against is named: 低于上年同期，x对y."""
    span = When(0, 0) if isinstance(base.span, When) else CompanyMention(0, 0, SUBJECT)
    return Name(span, is_base=False)


def kinds(reading: Reading, start: int, stop: int) -> Iterator[list[Name]]:
    """Distinct quantities, companies and periods of a stretch of text, each in the order of first naming."""
    mentions = [Name(m, is_base=False) for m in reading.mentions if start <= m.start < stop]
    companies = [Name(c, is_compared(reading, c)) for c in reading.companies if start <= c.start < stop]
    periods = [Name(p, is_held_against(reading, p)) for p in reading.periods if start <= p.start < stop]
    for names in (mentions, companies, periods):
        yield list({name.key: name for name in reversed(names)}.values())[::-1]


def _ordered(reading: Reading, names: list[Name], one: Statement, other: Statement) -> tuple[Name, Name] | None:
    which = _said_which(reading, one, other)
    if which is not None:
        return (names[1], names[0]) if which == "second" else (names[0], names[1])
    if _labelled(reading, names[1], one, other):
        return names[1], names[0]
    between = reading.plain[one.quantity.end : other.quantity.number_start]
    is_way = _begins_way(reading, one) or bool(_BECOMES.fullmatch(between))
    first, second = sorted(names, key=lambda name: name.is_base, reverse=is_way)
    return first, second


#: 比起2024Q3，2025Q3营收a变b: the second number is what the first became.
_BECOMES = re.compile(r"\s*(?:(?:变|升|降|增|减|涨|跌|提高|提升|下降|回落)(?:到|至|为|成)了?|变|→)\s*")


def _said_which(reading: Reading, one: Statement, other: Statement) -> str | None:
    """``first`` for 前者x、后者y and x（前者）和y（后者）, ``second`` for 后者x、前者y, None if unsaid."""
    which = [
        _WHICH_BEHIND.match(reading.plain, s.quantity.end)
        or _WHICH.search(reading.plain, s.clause[0], s.quantity.number_start)
        for s in (one, other)
    ]
    if which[0] is None or which[1] is None or which[0].lastgroup == which[1].lastgroup:
        return None
    return which[0].lastgroup


def _labelled(reading: Reading, name: Name, one: Statement, other: Statement) -> bool:
    """Whether *name* stands right before the first number and is its own.

    Two numbers in one bracket, or joined behind one colon (A高于B：x、y), are of both names.
    """
    between = reading.plain[name.span.end : one.quantity.start]
    named = [m for m in reading.mentions if name.span.end <= m.start and m.end <= one.quantity.start]
    if len(named) == 1 and not name.is_base and not isinstance(name.span, Mention):
        between = reading.plain[name.span.end : named[0].start] + reading.plain[named[0].end : one.quantity.start]
    if not _LABELS.fullmatch(between):
        return False
    if ":" in between and _TO.match(reading.plain[one.quantity.end : other.quantity.number_start]):
        return False
    return "(" not in between or ")" in reading.plain[one.quantity.end : other.quantity.start]


def _of(reading: Reading, s: Statement, name: Name) -> Statement:
    match name.span:
        case Mention() as mention:
            return as_of_mention(reading, s, mention)
        case CompanyMention(key=key, statistic=statistic):
            return replace(s, company=key, statistic=statistic, is_company_said=True)
        case When(period=period):
            return replace(s, period=period, is_period_said=period is not None, is_period_carried=False)
