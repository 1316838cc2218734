"""Comparisons whose two sides are numbers of the text: a；b，高于前述水平, A a，低于对方的b, 前者低于后者.

Each number is checked as a number; what is left to decide is which of the two is the greater.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from flows.contracts.checks import CheckVerdict
from flows.truth.claims.forms import MOVES
from flows.truth.claims.owners import is_compared
from flows.truth.claims.statement import Statement
from flows.truth.claims.timing import is_held_against
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.lexicon import Mention
from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.reading import When
from flows.truth.grammar.units import same_measure
from flows.truth.judging.pronouns import OTHER_SIDE, Named, is_turned, referents
from flows.truth.judging.scenes import Scene
from flows.truth.relations.findings import Finding
from flows.truth.relations.numberless import Claimed

_TWO = 2


def by_numbers(scene: Scene, claimed: Claimed, found: Sequence[Statement], sign: int) -> Finding | None:
    """What the two numbers that *claimed* sets side by side say of it; None if it sets none side by side."""
    if claimed.kind != "compare":
        return None
    sides = (
        _pronouns(scene, claimed, found) or _before_and_behind(scene, claimed, found) or taken_up(scene, claimed, found)
    )
    if sides is None:
        return None
    one, other = sides
    gap = one.signed(one.value) - other.signed(other.value)
    if gap == 0:
        return None
    if gap * sign > 0:
        return Finding(CheckVerdict.SUPPORTED, "句中两数如此")
    return Finding(CheckVerdict.MISMATCH, f"{one.text}并不{claimed.match['word']}{other.text}")


def _pronouns(scene: Scene, claimed: Claimed, found: Sequence[Statement]) -> tuple[Quantity, Quantity] | None:
    """前者低于后者, 甲低于乙: the numbers of the two things the pronouns stand for, else the two told before."""
    turned = is_turned(scene.reading.plain[slice(*scene.clause)])
    if turned is None:
        return None
    told = _levels(found, scene.sentence[0], claimed.start)
    if len(told) != _TWO or not same_measure(told[0].quantity.unit, told[1].quantity.unit):
        return None
    named = referents(scene)
    if named is not None:
        told = [s for name in named for s in told if is_of(s, name)]
    if len(told) != _TWO:
        return None
    former, latter = (s.quantity for s in told)
    return (latter, former) if turned else (former, latter)


def is_of(s: Statement, name: Named) -> bool:
    """Whether a number is told of *name*."""
    match name:
        case CompanyMention(key=key):
            return s.company == key
        case When(period=period):
            return s.period == period
        case Mention(concept=concept, window=window):
            return s.concept == concept and window in {"", s.window}


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
        return _called(scene, claimed, found)
    start = scene.sentence[0]
    before = _levels(found, start, claimed.start)
    if len(before) == 1 and start:
        before = _levels(found, scene.reading.sentence(max(0, start - 2))[0], claimed.start)
    if len(before) != _TWO or not _alike(*before) or _names_another(scene, before[1].quantity.end, claimed.start):
        return None
    first, last = (s.quantity for s in before)
    is_first = _is_aside(scene, first, last) or _is_set_beside(scene, first, last)
    return (first, last) if is_first else (last, first)


_CALLS = re.compile(r"(?:就|也|才)?(?:是|为|算作?|作为?|当作?|看作|视为|即|叫做?)(?:了|个|一个|一种)?")
_CALLED = re.compile(r"(?:是|为|定在|取|就是|即|:|=)+")
_NOUN = re.compile(r"(?:这个|该|这一|上述)?(?P<noun>[一-鿿]{2,6})")


def _called(scene: Scene, claimed: Claimed, found: Sequence[Statement]) -> tuple[Quantity, Quantity] | None:
    """假设B的a是公允水平，A的b就高于公允水平: what one of two numbers was called stands behind the word."""
    plain, start = scene.reading.plain, scene.sentence[0]
    noun = _NOUN.match(plain, claimed.end, scene.clause[1])
    told = _levels(found, start, claimed.start)
    if noun is None or len(told) != _TWO or not _alike(*told):
        return None
    at = plain.find(noun["noun"], start, claimed.start)
    if at < 0:
        return None
    for s, other in ((told[0], told[1]), (told[1], told[0])):
        q = s.quantity
        is_behind = q.end <= at and _CALLS.fullmatch(plain[q.end : at].strip())
        is_ahead = at < q.start and _CALLED.fullmatch(plain[at + len(noun["noun"]) : q.start].strip())
        if is_behind or is_ahead:
            return other.quantity, q
    return None


def _is_aside(scene: Scene, first: Quantity, last: Quantity) -> bool:
    """A a（B为b），低于对方: a number in brackets is of the other."""
    plain = scene.reading.plain
    _, opened, named = plain[first.end : last.start].rpartition("(")
    return bool(opened and named.strip()) and plain[last.end : last.end + 1] == ")"


#: 把A（a）放到B（b）旁边, 拿A的a跟B的b比: what is brought is measured, what it is brought to measures it.
_BROUGHT, _TO_WHAT = re.compile(r"[^，。；:]{0,6}?(?:把|将|拿|用)"), re.compile(r"[放摆搁挂贴对跟和与同比]")


def _is_set_beside(scene: Scene, first: Quantity, last: Quantity) -> bool:
    plain, start = scene.reading.plain, scene.reading.clause(first.number_start)[0]
    return bool(_BROUGHT.match(plain, start) and _TO_WHAT.search(plain, first.end, last.start))


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
