"""The quarter of a year of which a text only says that a report lies in it: 2025年这一期, as the facts know it."""

from __future__ import annotations

import re
from dataclasses import replace

from flows.contracts.packs import FactKind
from flows.truth.facts.ledger import Ledger
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading, When

_EXPECTED = re.compile(r"预告|预计|预增|预减|预盈|预亏|指引")


def dated(reading: Reading, ledger: Ledger) -> Reading:
    """*reading* with each such year made a period: the one its sentence says of that year, else that of the facts."""
    if not any(_is_open(when) for when in reading.periods):
        return reading
    periods = tuple(_closed(reading, when, ledger) if _is_open(when) else when for when in reading.periods)
    return replace(reading, periods=periods)


def _is_open(when: When) -> bool:
    period = when.period
    return period is not None and period.year is not None and period.quarter is None and bool(period.relative)


def _closed(reading: Reading, when: When, ledger: Ledger) -> When:
    year, way = (when.period.year or 0, when.period.relative) if when.period is not None else (0, "")
    start, stop = reading.sentence(when.start)
    said = [p.period for p in reading.periods if start <= p.start < stop and p.period and p.period.is_complete]
    own = [p for p in said if p.year == year]
    if own or (said and way == "booked"):
        return replace(when, period=(own or said)[0])
    if said and way == "same":
        return replace(when, period=Period(year, said[-1].quarter, said[-1].is_single))
    is_expected = _EXPECTED.search(reading.plain, start, stop) is not None
    found = _reported(ledger, year, is_expected=is_expected)
    return when if found is None else replace(when, period=found)


def _reported(ledger: Ledger, year: int, *, is_expected: bool) -> Period | None:
    """The newest report of a year; of a year before the newest one, the report of the same quarter if there is one."""
    known = [
        r.period
        for r in ledger.references
        if r.is_own and r.period is not None and r.period.is_complete
        and (is_expected or r.fact.kind is FactKind.DATA)
    ]  # fmt: skip
    newest = max(known, key=lambda p: p.order, default=None)
    inside = [p for p in known if p.year == year]
    alike = [p for p in inside if newest is not None and p.quarter == newest.quarter]
    return max(alike or inside, key=lambda p: p.order, default=None)
