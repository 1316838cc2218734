"""A text read for checking: its numbers, concept words, companies, periods and clauses, with offsets.

The same reader reads claims, reports and the sentences of facts, so that a fact and what is said of it meet in one
shape.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from flows.truth.grammar.companies import CompanyMention, find_companies
from flows.truth.grammar.day_counts import as_window, day_events
from flows.truth.grammar.lexicon import Mention, mentions
from flows.truth.grammar.numbers import Kind, Quantity, find_quantities, normalise
from flows.truth.grammar.periods import (
    ONE_DAY,
    RELATIVE,
    WORD_WINDOW,
    Day,
    Period,
    parse_day,
    parse_period,
    parse_relative,
    parse_window,
)
from flows.truth.grammar.report_years import report_in_year
from flows.truth.grammar.sentences import NUMERAL, ends_of, sentence_ends

#: Stands for a character inside a word; no pattern of numbers matches it.
_BLANK = "\ue000"
#: A blank behind a unit parts the statements of a headline: 下跌6.30% 主力资金净流出.
_CLAUSE_END = re.compile(r"[，。！？!?\n；;|]|,(?!\d{3})|——|(?<=[%元股倍])\s(?=[一-鿿])")


@dataclass(frozen=True, slots=True)
class When:
    """A period, window or date with its place."""

    start: int
    end: int
    period: Period | None = None
    window: str = ""
    day: Day | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything :mod:`truth` needs to know of one text."""

    text: str
    plain: str
    quantities: tuple[Quantity, ...]
    mentions: tuple[Mention, ...]
    companies: tuple[CompanyMention, ...]
    periods: tuple[When, ...]
    windows: tuple[When, ...]
    days: tuple[When, ...]
    clause_ends: tuple[int, ...] = field(default=())
    sentence_ends: tuple[int, ...] = field(default=())

    def clause(self, position: int) -> tuple[int, int]:
        """Bounds of the clause around *position*."""
        return _around(self.clause_ends, position, len(self.plain))

    def sentence(self, position: int) -> tuple[int, int]:
        """Bounds of the sentence around *position*."""
        return _around(self.sentence_ends, position, len(self.plain))


def _around(ends: tuple[int, ...], position: int, length: int) -> tuple[int, int]:
    following = bisect_right(ends, position)
    start = ends[following - 1] + 1 if following else 0
    return start, ends[following] if following < len(ends) else length


def _mask(plain: str, found: list[Mention]) -> str:
    """*plain* with the digits inside concept words (MA20, RSI(14), 20日跌幅) blanked."""
    pieces, position = [], 0
    for mention in found:
        pieces.append(plain[position : mention.start])
        pieces.append(NUMERAL.sub(_BLANK, plain[mention.start : mention.end]))
        position = mention.end
    pieces.append(plain[position:])
    return "".join(pieces)


def read(text: str, names: Mapping[str, str]) -> Reading:
    """*text* read with the company *names* (written name → symbol)."""
    return _read(text, tuple(sorted(names.items())))


@lru_cache(maxsize=4_096)
def _read(text: str, names: tuple[tuple[str, str], ...]) -> Reading:
    plain = normalise(text)
    found = mentions(plain)
    masked = _mask(plain, found)
    written = [_restored(q, text) for q in find_quantities(masked)]
    found = sorted([*found, *day_events(plain, found, written)], key=lambda m: m.start)
    numbers = [(q.start, q.end) for q in written if q.is_quantity]
    quantities = tuple(as_window(q, plain, found, numbers) for q in written)
    inside = [(q.start, q.end) for q in quantities if q.is_quantity]
    return Reading(
        text, plain, quantities, tuple(found), _companies(plain, names, found),
        tuple(_periods(plain, quantities)), tuple(_windows(plain, quantities)), tuple(_days(quantities)),
        ends_of(_CLAUSE_END, plain, inside), sentence_ends(plain, inside),
    )  # fmt: skip


def _companies(plain: str, names: tuple[tuple[str, str], ...], found: list[Mention]) -> tuple[CompanyMention, ...]:
    """Company words outside concept words: 上市公司 in 归属于上市公司股东的净利润 names nobody."""
    inside = [(m.start, m.end) for m in found]
    return tuple(c for c in find_companies(plain, names) if not any(a <= c.start and c.end <= b for a, b in inside))


def _restored(quantity: Quantity, text: str) -> Quantity:
    return replace(quantity, text=text[quantity.start : quantity.end]) if _BLANK in quantity.text else quantity


#: 三季报后, 2025年年报披露以来: when something was said, not what it is of.
_AFTERWARDS = re.compile(r"(?:报告?)?(?:披露|发布|公布|出炉|落地)?(?:之后|以后|后(?!续)|以来|窗口期?)|季(?!度|报)")


#: 以2024Q3为基期: what serves as the base is no period besides.
_SERVES_AS = frozenset({"为", "作为", "作", "当作", "当", "是", "做"})


def _periods(plain: str, quantities: tuple[Quantity, ...]) -> list[When]:
    found = []
    for q in quantities:
        period = parse_period(normalise(q.text)) if q.kind is Kind.PERIOD else None
        if period is not None and not _AFTERWARDS.match(plain, q.end):
            period, end = report_in_year(plain, q.start, q.end, period)
            found.append(When(q.start, end, period=period))
    taken = [(w.start, w.end) for w in found]
    for match in RELATIVE.finditer(plain):
        period = parse_relative(match, plain[match.end() :])
        is_named = match[0] == "基期" and any(plain[b : match.start()].strip() in _SERVES_AS for _, b in taken)
        if not is_named and not any(a < match.end() and match.start() < b for a, b in taken):
            found.append(When(match.start(), match.end(), period=period))
    return sorted(_merged(found, plain), key=lambda w: w.start)


def _merged(found: list[When], plain: str) -> list[When]:
    """去年 + 三季报 and 2025年 + 三季报 are one period."""
    ordered = sorted(found, key=lambda w: w.start)
    merged: list[When] = []
    for when in ordered:
        last = merged[-1] if merged else None
        joined = _joined(last, when, plain) if last is not None else None
        if last is not None and joined is not None:
            merged[-1] = When(last.start, when.end, period=joined)
        else:
            merged.append(when)
    return merged


def _joined(last: When, when: When, plain: str) -> Period | None:
    """The one period that a year and a part of a year right behind it are; None if they are two."""
    year, part = last.period, when.period
    if plain[last.end : when.start].strip(" 的") or year is None or part is None:
        return None
    if (
        part.relative == "latest"
        and year.year is not None
        and year.quarter == 4
        and not plain[last.start : last.end].strip("年0123456789")
    ):
        return Period(year.year, None, relative="latest")
    says_year = year.relative in {"last_year", "this_year"} or year.year is not None
    if not says_year or part.year is not None or part.relative or part.quarter is None:
        return None
    return Period(year.year, part.quarter, part.is_single, year.relative)


def _windows(plain: str, quantities: tuple[Quantity, ...]) -> list[When]:
    found = [
        When(q.start, q.end, window=window)
        for q in quantities
        if q.kind is Kind.WINDOW and (window := parse_window(normalise(q.text)))
    ]
    years = [m.span() for m in RELATIVE.finditer(plain) if m.lastgroup in {"prior_year", "next_year"}]
    found = [w for w in found if not any(a <= w.start < b for a, b in years)]
    found += [When(m.start(), m.end(), window="1d") for m in ONE_DAY.finditer(plain)]
    words = {"w1": "5d", "m1": "20d", "q1": "60d", "y1": "ytd", "m6": "6m"}
    found += [When(m.start(), m.end(), window=words[m.lastgroup or "w1"]) for m in WORD_WINDOW.finditer(plain)]
    return sorted(found, key=lambda w: w.start)


def _days(quantities: tuple[Quantity, ...]) -> list[When]:
    return [
        When(q.start, q.end, day=day)
        for q in quantities
        if q.kind is Kind.DATE and (day := parse_day(normalise(q.text))) is not None
    ]
