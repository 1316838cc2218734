"""Other readings of a number that fails as it is first read: what its sentence says elsewhere of basis, form and order.

Each is a whole statement, judged like any other; it may only add what the sentence says or what is the custom (an
accumulating quantity that moves is measured against the year before).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL, PERCENTILE, SHARE, concepts
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading

_SUPPOSED = re.compile(r"若|如果|假如|倘若|假设|要是|只要|得拿出|要做到")
_PLACES = re.compile(r"分位")
_ONE_UP_ONE_DOWN = re.compile(r"一(?P<first>增|升|涨|高|降|减|跌|低)一(?:增|升|涨|高|降|减|跌|低)")
_FALLS = re.compile(r"(?<!涨)(?:降|跌|减)幅[^，。；]{0,6}[，,]?[^，。；]{0,4}$")


def other_readings(reading: Reading, s: Statement) -> Iterator[Statement]:
    """Statements the number of *s* may also be."""
    said = reading.plain[reading.sentence(s.quantity.number_start)[0] : s.quantity.number_start]
    if s.form in {CHANGE, DIFFERENCE} and not s.basis and _is_yearly(s, said):
        yield replace(s, basis="yoy", window="")
    if not s.is_forecast and s.concept in {"eps", "net_profit"} and _SUPPOSED.search(said):
        yield replace(s, is_forecast=True)
    if s.form == CHANGE and _heads_values(reading, s):
        yield replace(s, form=LEVEL, basis="")
    if _is_place(s, said):
        yield replace(s, form=PERCENTILE, basis="")
    if s.concept == "holder_change" and s.quantity.unit == Unit.PCT and s.form in {LEVEL, CHANGE}:
        yield replace(s, form=SHARE, basis="")
    if s.quantity.direction == 0 and not s.quantity.has_sign and s.form == CHANGE:
        yield from _directed(s, said, reading)
    if s.period is not None and s.period.relative in {"this_year", "last_year"} and s.period.quarter is None:
        yield from _same_quarter(reading, s)
        yield from _of_report_year(reading, s)


_HEADS = re.compile(r"(?:同比|变化|变动)[^，。；:]{0,12}:[^，。；:]*$")
_AND_BEFORE = re.compile(r"\s*[，、；,;]\s*(?:而)?(?:上年|去年|前一年|上一?期|此前|基期)")


def _heads_values(reading: Reading, s: Statement) -> bool:
    """同比变化：这一期27.4%，上年同期28.4%，降低1.0个百分点: a heading speaks of the move, not of each value."""
    q = s.quantity
    head = reading.plain[s.clause[0] : q.start]
    return not q.direction and bool(_HEADS.search(head) and _AND_BEFORE.match(reading.plain, q.end))


#: 毛利率一年下来降低2.1个百分点, 一年之间: what reports give by period moved from the same period of the year before.
_YEAR_LONG = re.compile(
    r"(?:(?<![近前去今上这那半每一二三四五六七八九十\d])一年(?:之间|之内|下来|过去|时间|间|里|内)|时隔一年|隔了?一年)"
)


def _is_yearly(s: Statement, said: str) -> bool:
    if not s.window and _is_flow(s.concept):
        return True
    known = concepts().get(s.concept)
    is_reported = known is not None and not known.windows - {"yoy"}
    return is_reported and s.window in {"", "1y"} and _YEAR_LONG.search(said) is not None


def _is_flow(concept: str) -> bool:
    return concept in concepts() and concepts()[concept].is_flow


def _is_place(s: Statement, said: str) -> bool:
    """三个指标的近三年分位里，…都没到15%: a percentage of a multiple is a percentile where the sentence says so."""
    if s.quantity.unit != Unit.PCT or s.quantity.direction or s.form == PERCENTILE or s.concept not in concepts():
        return False
    return concepts()[s.concept].unit == Unit.MULTIPLE and bool(_PLACES.search(said))


def _directed(s: Statement, said: str, reading: Reading) -> Iterator[Statement]:
    """一增一降，分别为0.30%和1.96%; 降幅更小，为1.23%: the direction stands apart from the number."""
    turn = _ONE_UP_ONE_DOWN.search(said)
    sign = -1 if _FALLS.search(said) else 0
    if turn is not None:
        start = reading.sentence(s.quantity.number_start)[0]
        told = [q for q in reading.quantities if q.is_quantity and start + turn.end() <= q.start <= s.quantity.start]
        falls_first = turn["first"] in "降减跌低"
        sign = -1 if (len(told) == 1) == falls_first else 1
    if sign:
        word = "下降" if sign < 0 else "增长"
        directed = replace(s, quantity=replace(s.quantity, direction=sign, direction_word=word))
        yield directed
        if not s.basis and _is_flow(s.concept):
            yield replace(directed, basis="yoy")


def _same_quarter(reading: Reading, s: Statement) -> Iterator[Statement]:
    """去年前三季度2.19元，今年是2.15元: the same part of the year."""
    start = reading.sentence(s.quantity.number_start)[0]
    parts = [p.period for p in reading.periods if start <= p.start < s.quantity.number_start and p.period]
    quarters = [p.quarter for p in parts if p.quarter is not None]
    if quarters and s.period is not None:
        period = Period(None, quarters[-1], False, s.period.relative)
        yield replace(s, period=period)


def _of_report_year(reading: Reading, s: Statement) -> Iterator[Statement]:
    """2025Q4净利润同比增长4.4%，去年这个时候3.2亿元，今年是3.3亿元: this year is that of the report told of."""
    start = reading.sentence(s.quantity.number_start)[0]
    said = [p.period for p in reading.periods if start <= p.start < s.quantity.number_start and p.period]
    full = [p for p in said if p.is_complete]
    if full and s.period is not None:
        yield replace(s, period=full[-1].shifted(-1 if s.period.relative == "last_year" else 0))
