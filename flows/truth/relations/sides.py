"""The two sides of a comparison in words, as the sentence names them: A高于B, 与B相比A高于对方, A和B：PB高于后者.

What stands right behind the word is measured against; the last of its kind named before the word is what is measured.
"""

from __future__ import annotations

import re

from flows.truth.claims.order import Name, kinds
from flows.truth.grammar.companies import INDUSTRY, SUBJECT, CompanyMention
from flows.truth.grammar.lexicon import Mention
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import When
from flows.truth.judging.pronouns import OTHER_SIDE, PRONOUN, Named, Two, referents
from flows.truth.judging.scenes import Scene
from flows.truth.relations.numberless import Claimed

#: 高于其2024Q3, 高于同为三季报的…: what may stand between the word and the name it is measured against.
_BETWEEN = re.compile(r"(?:[了过于的其在达到\s:(]|——?|同期的?|可比的?|同样|同为|公司|该公司)*")

#: 低于B的PB, 低于上年可比的2024Q3: what joins a name to the next that belongs to it.
_JOINS = re.compile(r"\s*(?:同期|可比)?的?\s*")


def named_sides(scene: Scene, claimed: Claimed) -> Two | None:
    """(what is measured, what it is measured against) as the words beside *claimed* say; None if they do not."""
    by_time = _by_time(scene, claimed)
    if by_time is not None:
        return by_time
    behind = _behind(scene, claimed)
    if behind is not None:
        ahead = _ahead(scene, claimed, behind)
        return None if ahead is None else (ahead, behind)
    return _by_one_pronoun(scene, claimed) or _by_other_side(scene, claimed)


_EARLIER = frozenset({"prior_year", "last_year", "previous", "earlier"})
#: 后一期不及前一期: two periods by their place in time.
_BY_TIME = re.compile(
    r"(?P<later>[后这新]一?[期年季度份次]+|(?:较晚|较近|较新|后面|新)的?[那这一]*期)"
    r"|(?P<earlier>[前上旧]一?[期年季度份次]+|(?:较早|较远|前面|旧|老)的?[那这一]*期)"
)


def _by_time(scene: Scene, claimed: Claimed) -> Two | None:
    """2024Q3为a，2025Q3为b，后一期低于前一期, 高于前次: the later of the two periods named, and the earlier."""
    plain, (start, stop) = scene.reading.plain, scene.clause
    object_, subjects = _BY_TIME.match(plain, claimed.end, stop), [*_BY_TIME.finditer(plain, start, claimed.start)]
    is_told = object_ is not None and subjects and subjects[-1].lastgroup != object_.lastgroup
    is_back = any(
        p.start == claimed.end and p.period is not None and p.period.relative in _EARLIER for p in scene.reading.periods
    )
    if not is_told and not is_back:
        return None
    named = _two_periods(scene, scene.sentence[0], claimed.start)
    if named is None and is_told and scene.sentence[0]:
        named = _two_periods(scene, scene.reading.sentence(max(0, scene.sentence[0] - 2))[0], claimed.start)
    if named is None:
        return None
    return named[::-1] if is_told and object_ is not None and object_.lastgroup == "later" else named


def _two_periods(scene: Scene, start: int, stop: int) -> Two | None:
    """(the later, the earlier) of the two full periods named in a stretch of text."""
    named = [p for p in scene.reading.periods if start <= p.start < stop]
    full = {p.period: p for p in named if p.period is not None and p.period.is_complete}
    if len(full) != 2:
        return None
    earlier, later = sorted(full.values(), key=lambda p: p.period.order if p.period else 0)
    return later, earlier


def _behind(scene: Scene, claimed: Claimed) -> Named | None:
    """The name right behind the word, the quantity itself left out where it is only said again (低于B的PB)."""
    reading, stop = scene.reading, scene.clause[1]
    if PRONOUN.match(reading.plain, claimed.end) or OTHER_SIDE.match(reading.plain, claimed.end):
        return None
    spans: list[Named] = [*reading.companies, *reading.periods, *reading.mentions]
    following = sorted((s for s in spans if claimed.end <= s.start < stop), key=lambda s: s.start)
    if not following or not _BETWEEN.fullmatch(reading.plain[claimed.end : following[0].start]):
        return None
    return _meant(scene, claimed, following)


def _meant(scene: Scene, claimed: Claimed, following: list[Named]) -> Named | None:
    """The first of *following*, the second where that only says the quantity again or begins its date (上年可比的Q)."""
    first = following[0]
    between = scene.reading.plain[first.end : following[1].start] if len(following) > 1 else "，"
    second = following[1] if _JOINS.fullmatch(between) else None
    if isinstance(first, When):
        return second if isinstance(second, When) else first
    if not isinstance(first, Mention):
        return first
    told = _mentions_before(scene, claimed)
    if told and (told[-1].concept, told[-1].window) == (first.concept, first.window):
        return second
    averages = [m for m in told if m.concept == first.concept and m.window]
    return averages[-1] if averages and not first.window else first


def _mentions_before(scene: Scene, claimed: Claimed) -> list[Mention]:
    """Quantities named before the word in its sentence; if there are none, those of the sentence before."""
    named, start = scene.reading.mentions, scene.sentence[0]
    told = [m for m in named if start <= m.start and m.end <= claimed.start]
    if told or not start:
        return told
    return [m for m in named if scene.reading.sentence(max(0, start - 2))[0] <= m.start < start]


def _ahead(scene: Scene, claimed: Claimed, behind: Named) -> Named | None:
    """The last name of the same kind before the word; whom or when the text is about where none is named."""
    reading, (start, _) = scene.reading, scene.sentence
    match behind:
        case CompanyMention(key=key):
            named = [c for c in reading.companies if start <= c.start and c.end <= claimed.start and c.key != key]
            named = [c for c in named if c.key != INDUSTRY] or named
            return named[-1] if named else CompanyMention(start, start, SUBJECT)
        case When(period=period):
            said = [p for p in reading.periods if start <= p.start and p.end <= claimed.start and p.period != period]
            return said[-1] if said else When(start, start, period=Period(relative="latest"))
        case Mention(concept=concept, window=window):
            told = [m for m in _mentions_before(scene, claimed) if (m.concept, m.window) != (concept, window)]
            return told[-1] if told else None


def _by_one_pronoun(scene: Scene, claimed: Claimed) -> Two | None:
    """A和B：PB超过后者: one of two pronouns behind the word leaves the other thing for the subject."""
    spoken = PRONOUN.match(scene.reading.plain, claimed.end)
    if spoken is None or PRONOUN.search(scene.reading.plain, scene.clause[0], claimed.start):
        return None
    two = referents(scene)
    if two is None:
        return None
    return two if spoken.lastgroup == "latter" else two[::-1]


def _by_other_side(scene: Scene, claimed: Claimed) -> Two | None:
    """20日均线那条线，收盘价高于它: of the two things named, the one in the word's own clause is the subject."""
    if OTHER_SIDE.match(scene.reading.plain, claimed.end) is None:
        return None
    twofold = [names for names in kinds(scene.reading, scene.sentence[0], claimed.start) if len(names) == 2]
    found = [two for names in twofold if (two := _one_inside(names, scene.clause[0])) is not None]
    return found[0] if len(found) == 1 else None


def _one_inside(names: list[Name], start: int) -> Two | None:
    inside = [name.span for name in names if name.span.start >= start]
    outside = [name.span for name in names if name.span.start < start]
    if any(name.is_base for name in names):
        inside = [name.span for name in names if not name.is_base]
        outside = [name.span for name in names if name.is_base]
    return (inside[0], outside[0]) if len(inside) == len(outside) == 1 else None
