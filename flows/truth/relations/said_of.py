"""What a claim about one quantity's past is said of: which quantity turns, and in which reporting period."""

from __future__ import annotations

import re

from flows.truth.claims.timing import is_held_against
from flows.truth.grammar.lexicon import Mention
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import When
from flows.truth.judging.scenes import Scene

#: 营收下降而转亏: with a move or a contrast between them, a turn is no longer of the quantity before it.
_PARTS = re.compile(
    r"；|但|而|却|虽|仍|导致|拖累|使得?|令|因|由于|增长|下降|下滑|上升|减少|增加|回落|提升|走低|走高|萎缩|净?利"
)


def is_its_turn(scene: Scene, mention: Mention, start: int, end: int) -> bool:
    """Whether the turn from *start* to *end* is said of *mention*: 总市值较上年同期转亏, 转亏！某公司营业收入….

    Nothing may stand between them that moves, contrasts or is another number.
    """
    reading = scene.reading
    first, last = (mention.end, start) if mention.end <= start else (end, mention.start)
    inside = [m for m in reading.mentions if scene.sentence[0] <= m.start < scene.sentence[1]]
    is_same_clause = scene.clause[0] <= mention.start < scene.clause[1]
    if any(first <= q.number_start < last for q in reading.quantities if q.is_quantity):
        return False
    return (is_same_clause or len(inside) == 1) and not _PARTS.search(reading.plain, first, last)


_YEAR_ALONE = re.compile(r"20\d\d年?")


def period_said(scene: Scene, at: int) -> Period | None:
    """The reporting period a claim at *at* is said of, what it is compared with left out.

    Of 2025年这期 the quarter is left open. A year alone only frames a full period (2025年的净利润，期间为2025年一季报);
    of several the last before the claim.
    """
    inside = [w for w in scene.reading.periods if scene.sentence[0] <= w.start < scene.sentence[1]]
    said = [w for w in inside if w.period and w.period.year and not is_held_against(scene.reading, w)]
    full = [w for w in said if not _is_year(scene, w)] or said
    if len({w.period for w in full}) > 1:
        full = [w for w in full if scene.clause[0] <= w.start < at][-1:]
    return full[-1].period if full else None


def _is_year(scene: Scene, when: When) -> bool:
    return _YEAR_ALONE.fullmatch(scene.reading.plain[when.start : when.end]) is not None
