"""Two numbers of which the words behind say which is which: x对y，前者是A，后者是B."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.truth.claims.statement import Statement
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.lexicon import Mention
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading
from flows.truth.grammar.units import same_measure

FIRST = re.compile(r"前者|前一个|前面|左[边侧手]|打头的|(?<=[，；、,;])前(?=[为是系])")
SECOND = re.compile(r"后者|后一个|后面|右[边侧手]|(?<=[，；、,;])后(?=[为是系])")


@dataclass(frozen=True, slots=True)
class Party:
    """Whom one number of a pair is of, of when, and what; None where both numbers share it."""

    company: CompanyMention | None = None
    period: Period | None = None
    mention: Mention | None = None

    def filled(self, other: Party) -> Party:
        """What is said of the other holds for this one where nothing else is."""
        return Party(self.company or other.company, self.period or other.period, self.mention or other.mention)


def told_of_each(reading: Reading, one: Statement, other: Statement) -> tuple[Party, Party] | None:
    """x对y，前者是A，后者是B; 价在x，线在y：前者是现价，后者是均线; x比y，前为A的净利润，后为上年同期."""
    end, stop = other.quantity.end, reading.sentence(one.quantity.number_start)[1]
    if not same_measure(one.quantity.unit, other.quantity.unit) or other.quantity.start >= stop:
        return None
    first, second = FIRST.search(reading.plain, end, stop), SECOND.search(reading.plain, end, stop)
    if first is None or second is None or second.start() < first.start():
        return None
    if any(end <= q.start < second.start() for q in reading.quantities if q.is_quantity):
        return None
    following = (q.start for q in reading.quantities if q.is_quantity and q.start >= second.end())
    former = _party(reading, first.end(), second.start())
    latter = _party(reading, second.end(), min(following, default=stop))
    if Party() in (former, latter):
        return None
    shared = latter if _ALL.search(reading.plain, second.end(), stop) else Party(mention=latter.mention)
    return former.filled(shared), latter.filled(former)


#: 前者净利率，后者毛利率，都是某公司2025Q3的
_ALL = re.compile(r"都|均|皆|同属|同为")


def _party(reading: Reading, start: int, stop: int) -> Party:
    company = next((c for c in reading.companies if start <= c.start < stop), None)
    period = next((p.period for p in reading.periods if start <= p.start < stop), None)
    return Party(company, period, next((m for m in reading.mentions if start <= m.start < stop), None))
