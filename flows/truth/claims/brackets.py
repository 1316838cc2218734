"""What a text says its brackets hold: 括号内为2024Q3数，某公司2025Q3负债率30.72%（29.4%）."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from flows.truth.claims.statement import Statement
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.reading import Reading, When

_DECLARES = re.compile(
    r"括[号弧](?:之?内|里|中)的?(?:数字?|数据|数值|金额|比率)?(?:则|均|都|分别|一律)?"
    r"(?:为|是|系|指|给出|列示|列的?是?|填|放的?是?|注明?|写的?是?)\s*"
)


def in_brackets(reading: Reading, found: Sequence[Statement]) -> list[Statement]:
    """*found* with each number in brackets right behind another given to what the text says its brackets hold."""
    result = list(found)
    for match in _DECLARES.finditer(reading.plain):
        named = _named_at(reading, match.end())
        if named is not None:
            for i in range(1, len(result)):
                if _is_bracketed(reading, result[i - 1], result[i]):
                    result[i - 1] = _own(reading, result[i - 1], named)
                    result[i] = _of(replace(result[i - 1], quantity=result[i].quantity), named)
    return result


def _named_at(reading: Reading, at: int) -> CompanyMention | When | None:
    spans: list[CompanyMention | When] = [*reading.periods, *reading.companies]
    return next((span for span in spans if span.start == at), None)


def _is_bracketed(reading: Reading, one: Statement, other: Statement) -> bool:
    between = reading.plain[one.quantity.end : other.quantity.start].strip()
    return between == "(" and reading.plain[other.quantity.end : other.quantity.end + 1] == ")"


def _own(reading: Reading, s: Statement, named: CompanyMention | When) -> Statement:
    """The number before the brackets, of the company or period its own clause names."""
    if isinstance(named, CompanyMention):
        own = [c for c in reading.companies if s.clause[0] <= c.start < s.quantity.start]
        return replace(s, company=own[-1].key, statistic=own[-1].statistic, is_company_said=True) if own else s
    said = [p for p in reading.periods if s.clause[0] <= p.start < s.quantity.start]
    return replace(s, period=said[-1].period, is_period_said=True, is_period_carried=False) if said else s


def _of(s: Statement, named: CompanyMention | When) -> Statement:
    if isinstance(named, CompanyMention):
        return replace(s, company=named.key, statistic=named.statistic, is_company_said=True)
    base = s.period if s.period is not None and s.period.is_complete else s.base
    return replace(s, period=named.period, is_period_said=True, is_period_carried=False, base=base)
