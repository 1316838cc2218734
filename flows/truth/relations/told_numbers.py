"""Comparisons whose two sides are numbers of the text: a；b，高于前述水平, A a，低于对方的b, 前者低于后者.

Each number is checked as a number; what is left to decide is which of the two is the greater.
"""

from __future__ import annotations

from collections.abc import Sequence

from flows.contracts.checks import CheckVerdict
from flows.truth.claims.forms import MOVES
from flows.truth.claims.owners import is_compared
from flows.truth.claims.statement import Statement
from flows.truth.claims.timing import is_held_against
from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.units import same_measure
from flows.truth.judging.pronouns import OTHER_SIDE, is_turned, referents
from flows.truth.judging.scenes import Scene
from flows.truth.relations.findings import Finding
from flows.truth.relations.numberless import Claimed


def by_numbers(scene: Scene, claimed: Claimed, found: Sequence[Statement], sign: int) -> Finding | None:
    """What the two numbers that *claimed* sets side by side say of it; None if it sets none side by side."""
    if claimed.kind != "compare":
        return None
    sides = _pronouns(scene, claimed) or _before_and_behind(scene, claimed, found) or taken_up(scene, claimed, found)
    if sides is None:
        return None
    one, other = sides
    gap = one.signed(one.value) - other.signed(other.value)
    if gap == 0:
        return None
    if gap * sign > 0:
        return Finding(CheckVerdict.SUPPORTED, "句中两数如此")
    return Finding(CheckVerdict.MISMATCH, f"{one.text}并不{claimed.match['word']}{other.text}")


def _pronouns(scene: Scene, claimed: Claimed) -> tuple[Quantity, Quantity] | None:
    """前者低于后者, 甲低于乙: two numbers told before, if no names of two things say what the pronouns are."""
    if referents(scene) is not None:
        return None
    turned = is_turned(scene.reading.plain[slice(*scene.clause)])
    found = [q for q in scene.reading.quantities if q.is_quantity and scene.sentence[0] <= q.start < claimed.start]
    if turned is None or len(found) != 2 or not same_measure(found[0].unit, found[1].unit):
        return None
    return (found[1], found[0]) if turned else (found[0], found[1])


def _before_and_behind(scene: Scene, claimed: Claimed, found: Sequence[Statement]) -> tuple[Quantity, Quantity] | None:
    """a，高于…的b: the one number behind the word against the last one before it, of one quantity."""
    behind = [s for s in found if claimed.end <= s.quantity.start < scene.clause[1]]
    if len(behind) != 1:
        return None
    before = [s for s in _levels(found, scene.sentence[0], claimed.start) if _alike(s, behind[0])]
    if not before or _names_another(scene, before[-1].quantity.end, claimed.start):
        return None
    return before[-1].quantity, behind[0].quantity


def taken_up(scene: Scene, claimed: Claimed, found: Sequence[Statement]) -> tuple[Quantity, Quantity] | None:
    """a；公司呢？b，高于前述水平: a word for the other side is the other of the two numbers told last."""
    if OTHER_SIDE.match(scene.reading.plain, claimed.end) is None:
        return None
    start = scene.sentence[0]
    before = _levels(found, start, claimed.start)
    if len(before) == 1 and start:
        before = _levels(found, scene.reading.sentence(max(0, start - 2))[0], claimed.start)
    if len(before) != 2 or not _alike(*before) or _names_another(scene, before[1].quantity.end, claimed.start):
        return None
    first, last = (s.quantity for s in before)
    return (first, last) if _is_aside(scene, first, last) else (last, first)


def _is_aside(scene: Scene, first: Quantity, last: Quantity) -> bool:
    """A a（B为b），低于对方: a number in brackets is of the other."""
    plain = scene.reading.plain
    _, opened, named = plain[first.end : last.start].rpartition("(")
    return bool(opened and named.strip()) and plain[last.end : last.end + 1] == ")"


def _levels(found: Sequence[Statement], start: int, stop: int) -> list[Statement]:
    return [s for s in found if start <= s.quantity.start < stop and s.form not in MOVES and not s.quantity.direction]


def _alike(one: Statement, other: Statement) -> bool:
    """Whether two numbers measure one thing, or two that are told in one unit with no word for one of them."""
    if not same_measure(one.quantity.unit, other.quantity.unit) or one.quantity.high is not None:
        return False
    return one.form == other.form and other.form not in MOVES


def _names_another(scene: Scene, start: int, stop: int) -> bool:
    """Whether something else is named between a number and the word, so that the word is about that."""
    reading = scene.reading
    return (
        any(start <= c.start < stop and not is_compared(reading, c) for c in reading.companies)
        or any(start <= p.start < stop and not is_held_against(reading, p) for p in reading.periods)
        or any(start <= m.start < stop for m in reading.mentions)
    )
