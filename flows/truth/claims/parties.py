"""Two numbers told side by side (x对y, x和y, x除以y) and the two companies or periods they belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from flows.truth.claims.forms import as_of_mention
from flows.truth.claims.order import is_multiple_of
from flows.truth.claims.owners import is_compared
from flows.truth.claims.sorted_out import FIRST, SECOND, Party, told_of_each
from flows.truth.claims.statement import Statement
from flows.truth.claims.timing import is_held_against
from flows.truth.grammar.hedges import Rough
from flows.truth.grammar.reading import Reading

_BESIDE = re.compile(r"^\s*(?:对|和|与|及|、|除以|减去?|[÷/−-]|比|[高低大小多少优]于|超过|不及|胜过|逊于)\s*$")
#: 若拿行业平均当参照: what is named so is what the other is held against, and its number comes second.
_REFERENCE = re.compile(r"[^，。；]{0,2}(?:当|作为?|做|为)(?:个)?(?:参照|对照|基准|比较|对比|标尺|锚)")
_WITH = re.compile(r"^\s*(?:对|比|和|与|及|、|至|到|→)\s*$")


def paired(reading: Reading, found: Sequence[Statement]) -> list[Statement]:
    """*found* with the parties of each pair where the sentence says which is whose."""
    result = list(found)
    for i in reversed(range(len(result) - 1)):
        result[i] = _with_what_stands_behind(reading, result[i], result[i + 1])
    for i in range(len(result) - 1):
        result[i : i + 2] = _pair(reading, result[i], result[i + 1])
        if i and _is_repeated(reading, result[i], result[i + 1]):
            result[i + 1] = replace(result[i], quantity=result[i + 1].quantity)
    return result


def _is_repeated(reading: Reading, one: Statement, other: Statement) -> bool:
    """(x－y)÷y: the base of a growth stands twice."""
    between = reading.plain[one.quantity.end : other.quantity.start]
    return re.fullmatch(r"\s*\)\s*(?:[÷/]|除以)\s*", between) is not None and one.quantity.value == other.quantity.value


def _pair(reading: Reading, one: Statement, other: Statement) -> list[Statement]:
    told = told_of_each(reading, one, other)
    if told is not None:
        exact = replace(other, quantity=replace(other.quantity, rough=Rough.EXACT))  # x超过y bounds nothing
        return [_of(one, told[0], reading), _of(exact, told[1], reading)]
    if not _are_beside(reading, one, other):
        return _from_to(reading, one, other)
    named = _named_alike(reading, one, other)
    parties = _parties(reading, *named) if named[0].concept == named[1].concept else None
    if parties is not None and _is_way_back(reading, one, other):
        parties = parties[::-1]
    return [_of(s, party, reading) for s, party in zip(named, parties, strict=True)] if parties else list(named)


_TAKEN_FROM = re.compile(r"\s*(?:减去?|除以|[÷/−-])\s*$")
_FROM_TO = re.compile(r"[由从自][^，。；由从自]{2,16}(?:至|到|→)")


def _is_way_back(reading: Reading, one: Statement, other: Statement) -> bool:
    """x减y，某公司营收由P至Q增加d: what is taken off is what the way begins at."""
    if not _TAKEN_FROM.match(reading.plain[one.quantity.end : other.quantity.number_start]):
        return False
    end = other.quantity.end
    return _FROM_TO.search(reading.plain, end, reading.sentence(end)[1]) is not None


_BECOMES = re.compile(r"\s*(?:变|升|降|增|减|提高|下降|回落|走)(?:为|至|到|成)了?\s*$")


def _from_to(reading: Reading, one: Statement, other: Statement) -> list[Statement]:
    """营收由x变为y（P至Q，某公司）: the two periods behind are of the two numbers."""
    if not _BECOMES.match(reading.plain[one.quantity.end : other.quantity.start]):
        return [one, other]
    end = other.quantity.end
    parties = _joined_after(reading, end, reading.sentence(end)[1])
    if parties is None or parties[0].period is None:
        return [one, other]
    return [_of(one, parties[0], reading), _of(other, parties[1], reading)]


_IN_ONE_LIST = re.compile(r"(?:\([^()]*\))?[^，。；\d]{0,14}$")


def _with_what_stands_behind(reading: Reading, one: Statement, other: Statement) -> Statement:
    """把A（x）和B（y）的市盈率放在一起, 上限x、下限y：这是净利润的预计: words behind the last number are of both."""
    end, mention = other.quantity.end, other.mention
    if mention is None or mention.start < end or one.quantity.unit != other.quantity.unit:
        return one
    between = reading.plain[one.quantity.end : other.quantity.number_start]
    if not (_IN_ONE_LIST.match(between) or _is_interval(reading, one, other)):
        return one
    if one.mention is None:
        one = as_of_mention(reading, one, mention)
    if not one.is_company_said and any(end <= c.start < mention.start for c in reading.companies):
        one = replace(one, company=other.company, is_company_said=other.is_company_said, is_rule=other.is_rule)
    if not one.is_period_said and any(end <= p.start for p in reading.periods):
        one = replace(one, period=other.period, is_period_said=other.is_period_said)
    return one


def _is_interval(reading: Reading, one: Statement, other: Statement) -> bool:
    """区间[6.97亿元，8.71亿元]系净利润预告."""
    opened = reading.plain[one.quantity.start - 1 : one.quantity.start] in {"[", "(", "【"}
    return opened and reading.plain[other.quantity.end : other.quantity.end + 1] in {"]", ")", "】"}


def _are_beside(reading: Reading, one: Statement, other: Statement) -> bool:
    between = reading.plain[one.quantity.end : other.quantity.number_start]
    return bool(_BESIDE.match(between)) and one.quantity.unit == other.quantity.unit


def _named_alike(reading: Reading, one: Statement, other: Statement) -> tuple[Statement, Statement]:
    """Both of the one quantity their sentence names, where only one of them or none took it."""
    start, stop = reading.sentence(one.quantity.number_start)
    named = [m for m in reading.mentions if start <= m.start < stop]
    if len({m.concept for m in named}) != 1 or (one.concept and one.concept == other.concept):
        return one, other
    return as_of_mention(reading, one, named[0]), as_of_mention(reading, other, named[0])


def _of(s: Statement, party: Party, reading: Reading) -> Statement:
    if party.mention is not None and party.mention.concept != s.concept:
        s = as_of_mention(reading, s, party.mention)
    if party.company is not None:
        s = replace(s, company=party.company.key, statistic=party.company.statistic, is_company_said=True)
    if party.period is not None:
        s = replace(s, period=party.period, is_period_said=True, is_period_carried=False)
    return s


def _parties(reading: Reading, one: Statement, other: Statement) -> tuple[Party, Party] | None:
    start, stop = reading.sentence(one.quantity.number_start)
    return (
        _year_apart(reading, start, one, other)
        or _joined_after(reading, other.quantity.end, stop)
        or _quotient_after(reading, other.quantity.end, stop)
        or _told_before(reading, start, one.quantity.start)
    )


_YEARLY = re.compile(r"同比|(?:较|比|与)(?:上年|去年)同期")


def _year_apart(reading: Reading, start: int, one: Statement, other: Statement) -> tuple[Party, Party] | None:
    """某公司2025Q3净利润同比增长5%，即x÷y－1: of a yearly move that is checked, y is of the year before."""
    end = other.quantity.end
    is_checked = _QUOTIENT_OR_REST.match(reading.plain[one.quantity.end : other.quantity.number_start])
    said = [p for p in reading.periods if start <= p.start < reading.sentence(end)[1] and not p.period.relative]  # type: ignore[union-attr]
    if not is_checked or len(said) != 1 or not _YEARLY.search(reading.plain, start, reading.sentence(end)[1]):
        return None
    now = said[0].period
    return (Party(period=now), Party(period=now.shifted(-1))) if now is not None and now.is_complete else None


_QUOTIENT_OR_REST = re.compile(r"\s*(?:除以|减去?|[÷/−-])\s*$")


def _joined_after(reading: Reading, start: int, stop: int) -> tuple[Party, Party] | None:
    """x除以y，某公司营收（P对Q）约为1.05倍; x对y：某公司和行业平均的PB."""
    periods = [p for p in reading.periods if start <= p.start < stop]
    companies = [c for c in reading.companies if start <= c.start < stop]
    if len(periods) == 2 and _WITH.match(_without_words(reading, periods[0].end, periods[1].start)):
        return Party(period=periods[0].period), Party(period=periods[1].period)
    if len(companies) == 2 and _WITH.match(_without_words(reading, companies[0].end, companies[1].start)):
        return Party(companies[0]), Party(companies[1])
    return None


def _without_words(reading: Reading, start: int, stop: int) -> str:
    """A stretch of text without a quantity it names: P的净利润对Q."""
    named = [m for m in reading.mentions if start <= m.start and m.end <= stop]
    if len(named) != 1:
        return reading.plain[start:stop]
    return reading.plain[start : named[0].start].rstrip().removesuffix("的") + reading.plain[named[0].end : stop]


def _quotient_after(reading: Reading, start: int, stop: int) -> tuple[Party, Party] | None:
    """x÷y，即A的PB为B的1.57倍: what is so many times the other came first."""
    periods = [p for p in reading.periods if start <= p.start < stop]
    companies = [c for c in reading.companies if start <= c.start < stop]
    if len(companies) == 2 and is_multiple_of(reading, companies[0].end, companies[1].start, companies[1].end):
        return Party(companies[0]), Party(companies[1])
    if len(periods) == 2 and is_multiple_of(reading, periods[0].end, periods[1].start, periods[1].end):
        return Party(period=periods[0].period), Party(period=periods[1].period)
    return None


def _told_before(reading: Reading, start: int, stop: int) -> tuple[Party, Party] | None:
    """先看P，再看Q，A的毛利率后者高于前者，x对y; 若拿行业平均当参照，A的PE低于它，x对y; A高于行业平均：x比y."""
    ordered = _two_periods(reading, start, stop)
    if ordered is not None:
        former, latter = FIRST.search(reading.plain, start, stop), SECOND.search(reading.plain, start, stop)
        is_turned = former is not None and latter is not None and latter.start() < former.start()
        return (ordered[1], ordered[0]) if is_turned else None
    companies = list({c.key: c for c in reading.companies if start <= c.start < stop}.values())
    if len(companies) != 2:
        return None
    first, second = companies
    is_reference = _REFERENCE.match(reading.plain, first.end) or is_compared(reading, first)
    return (Party(second), Party(first)) if is_reference else (Party(first), Party(second))


def _two_periods(reading: Reading, start: int, stop: int) -> tuple[Party, Party] | None:
    named = [p for p in reading.periods if start <= p.start < stop and not is_held_against(reading, p)]
    return (Party(period=named[0].period), Party(period=named[1].period)) if len(named) == 2 else None
