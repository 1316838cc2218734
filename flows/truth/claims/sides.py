"""Words for the other of two sides and its number: 对方为1.4倍, 低于参照值4.12倍, 高于当时的3.2亿元."""

from __future__ import annotations

import re
from dataclasses import replace

from flows.truth.claims.owners import is_compared
from flows.truth.claims.statement import Statement
from flows.truth.claims.timing import is_base_period
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.lexicon import LEVEL
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading

_OTHER = r"对方|对面|对照[方组]|参照方|比较方|比较对象|参照对象|(?:参照|对照|比较|基准|参考)(?:值|系|物)"
_THAN = r"(?:高于|低于|大于|小于|多于|少于|贵于|超过|超出|不及|不如|逊于|优于|胜过|高过|低过)"
_IS = r"的?则?(?:为|是|有|只有|报|取|那|:)?\s*"
#: 对方为1.4倍, 参照方2.01倍, 自己0.94倍: a clause of one of two sides and its number.
_ALONE = re.compile(rf"\s*(?:而|则)?(?:(?P<other>{_OTHER})|(?P<own>自己|自身|本身)){_IS}")
#: 低于对方的7.3倍, 高于它的42倍
_BEHIND_THAN = re.compile(rf"{_THAN}(?P<other>{_OTHER}|它(?!们)|其){_IS}$")
_TIMES_OF = re.compile(r"的(?:约|近)?\s*\d[\d.]*\s*(?:倍|%)")
#: 高于当时的3.2亿元
_THEN = re.compile(r"(?:当时|彼时|那时候?|那会儿|那个时候|其时)(?:的|为|是)*\s*$")


def of_side(reading: Reading, s: Statement) -> Statement:
    """*s* of the company or period that the pronoun before its number stands for."""
    if s.form != LEVEL:
        return s
    if (company := _company(reading, s)) is not None:
        return replace(s, company=company.key, statistic=company.statistic, is_company_said=True)
    if _THEN.search(reading.plain, s.clause[0], s.quantity.number_start) and (period := _period(reading, s)):
        return replace(s, period=period, is_period_said=True, is_period_carried=False)
    return s


def _company(reading: Reading, s: Statement) -> CompanyMention | None:
    """The company of the sentence that something is held against, or the other; of the sentence before if none is."""
    number = s.quantity.number_start
    opened = max(s.clause[0], reading.plain.rfind(":", s.clause[0], number) + 1)
    side = _ALONE.fullmatch(reading.plain, opened, number) or _BEHIND_THAN.search(reading.plain, s.clause[0], number)
    if side is None:
        return None
    wants_other = bool(side["other"])
    start = reading.sentence(number)[0]
    here = _sided(reading, start, s.clause[0], wants_other=wants_other)
    if here is not None or start == 0 or not wants_other:
        return here
    return _sided(reading, reading.sentence(start - 2)[0], s.clause[0], wants_other=True)


def _sided(reading: Reading, start: int, stop: int, *, wants_other: bool) -> CompanyMention | None:
    before = [c for c in reading.companies if start <= c.start < stop]
    bases = {c.key: c for c in before if is_compared(reading, c) or _TIMES_OF.match(reading.plain, c.end)}
    owners = {c.key: c for c in before if c.key not in bases}
    wanted = bases if wants_other else owners
    return next(iter(wanted.values())) if len(bases) == 1 and len(owners) <= 1 and wanted else None


def _period(reading: Reading, s: Statement) -> Period | None:
    """The one period of the sentence before the number that something is held against."""
    start = reading.sentence(s.quantity.number_start)[0]
    before = [p for p in reading.periods if start <= p.start < s.quantity.number_start]
    bases = {p.period for p in before if is_base_period(reading, p)}
    return next(iter(bases)) if len(bases) == 1 else None
