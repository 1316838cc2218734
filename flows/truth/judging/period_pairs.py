"""Which two periods a sentence puts side by side: those on both sides of 较, a year apart, a quarter apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.claims.timing import is_held_against
from flows.truth.grammar.lexicon import concepts
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import When
from flows.truth.judging.scenes import Scene, begins_way, previous, resolve


def period_pairs(s: Statement, scene: Scene, concept: str, company: str) -> Iterator[tuple[Period, Period]]:
    """Pairs (the period told of, the one it is measured from), most literal first."""
    said = [p for p in scene.reading.periods if scene.sentence[0] <= p.start < scene.sentence[1]]
    resolved = [(p, resolve(scene, p.period, concept, company)) for p in said]
    complete = [(when, p) for when, p in resolved if p is not None and p.is_complete]
    latest = scene.ledger.latest(concept, company)
    if s.basis == "yoy" and _is_gap_of_rates(s, concept) and len(complete) == 2:
        yield complete[0][1], complete[1][1]
    if s.basis == "yoy":
        yield from _years_apart(s, scene, complete, latest, (concept, company))
    elif s.basis == "qoq":
        own = [(when, p) for when, p in complete if when.period is None or when.period.relative != "previous"]
        quarter = next((p for when, p in reversed(own) if when.start < scene.at), latest)
        is_flow = concept in concepts() and concepts()[concept].is_flow
        if quarter is not None and (not is_flow or len(own) < len(complete)):
            yield quarter, _quarter_before(quarter)
    else:
        yield from _named_apart(s, scene, complete, latest, (concept, company))


def _is_gap_of_rates(s: Statement, concept: str) -> bool:
    """2025Q3收入增速减2024Q3，相差18个百分点: points between two values of an amount are between its two rates."""
    is_bare_gap = s.quantity.unit == Unit.PP and not s.quantity.direction
    return is_bare_gap and concept in concepts() and concepts()[concept].unit != Unit.PCT


_Said = Sequence[tuple[When, Period]]


def _years_apart(
    s: Statement, scene: Scene, complete: _Said, latest: Period | None, of: tuple[str, str]
) -> Iterator[tuple[Period, Period]]:
    """同比: the number's own period, else every one the sentence names, else the latest, and the year before it."""
    bases = [p for when, p in complete if when.period is None or when.period.relative != "prior_year"]
    own = resolve(scene, s.period, *of) if s.is_period_said or s.is_period_carried else None
    if own is not None and own.is_complete and s.period is not None and s.period.relative != "prior_year":
        bases = [own]
    for base in [*reversed(bases), *([latest] if latest and not bases else [])]:
        yield base, base.shifted(-1)


def _named_apart(
    s: Statement, scene: Scene, complete: _Said, latest: Period | None, of: tuple[str, str]
) -> Iterator[tuple[Period, Period]]:
    """Two periods on both sides of 较, the last and the first named, or the latest and the one before it."""
    bases = [p for when, p in complete if _is_base(scene, when)]
    if bases:
        yield from product([p for _, p in complete if p not in bases] or ([latest] if latest else []), bases[-1:])
        return
    left = [p for when, p in complete if when.start < scene.marker]
    right = [p for when, p in complete if when.start >= scene.marker]
    yield from product(left or ([latest] if latest else []), right)
    ordered = sorted({p.order: p for _, p in complete}.items())
    if len(ordered) >= 2 and not right:
        yield ordered[-1][1], ordered[0][1]
    if latest is not None and len(ordered) <= 1 and not s.basis and not right and _says_before(scene):
        now = ordered[0][1] if ordered else latest
        before = previous(scene.ledger, *of, now)
        if before is not None:
            yield now, before


def _is_base(scene: Scene, when: When) -> bool:
    """低于2024Q3, 低于上年可比的2024Q3, 2025Q3对2024Q3: what a period is held against."""
    if is_held_against(scene.reading, when) or _begins_way(scene, when):
        return True
    ahead = next((p for p in scene.reading.periods if 0 <= when.start - p.end <= len("可比的")), None)
    between = scene.reading.plain[ahead.end : when.start].strip() if ahead is not None else ""
    if between in {"对", "vs"}:
        return not begins_way(scene.reading.plain, scene.sentence[0], scene.at)
    return ahead is not None and between in {"的", "可比的", "同期的"} and is_held_against(scene.reading, ahead)


def _begins_way(scene: Scene, when: When) -> bool:
    after = next((p for p in scene.reading.periods if p.start >= when.end), None)
    if after is None or scene.reading.plain[when.end : after.start].strip() not in {"对", "vs"}:
        return False
    return begins_way(scene.reading.plain, scene.sentence[0], scene.at)


def _quarter_before(period: Period) -> Period:
    order = (period.year or 0) * 4 + (period.quarter or 1) - 2
    return Period(order // 4, order % 4 + 1)


_BEFORE = re.compile(
    r"彼时|当时|那时|基期|原来|先前|早先|上次|上回|早前|比较期|上一个|前一个|前一季|上一期|上期|此前|前一期|前值|前期"
    r"|上一报告期|上个报告期|一年前|原先|之前|上年|去年"
)


def _says_before(scene: Scene) -> bool:
    return _BEFORE.search(scene.reading.plain, scene.sentence[0], scene.clause[1]) is not None
