"""The clause and sentence in which values meet, and what they name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from flows.truth.claims.timing import is_held_against
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.lexicon import Mention
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading, When

#: Words after which the other side of a comparison stands.
COMPARATOR = re.compile(
    r"较(?!为|大|小|高|低|多|少|强|弱|好|快|慢|长|短)|(?<![同环占对])比(?!例|重|率|价|亚|如|特)|相比|高于|低于|超过"
    r"|超出|优于|好于|不及|逊于|弱于|强于|大于|小于|多于|少于"
    r"|快于|慢于|相对于|相当于|对照|比照|参照|跑赢|跑输|领先|落后|距离?|占|除以|(?<!就)(?<![便即正都还不只也])是"
    r"|(?<=[一-鿿A-Za-z)])(?<!元)\s*[/÷]\s*(?=[一-鿿A-Za-z])|(?:为|等于|=)(?=[^，。；]{0,16}的\s*[\d一二三四五六七八九十.]+\s*倍)"
)

_DIVISION = re.compile(r"除以|占|(?<![同环])比(?=[^，。；？]{2,16}[，,])")


@dataclass(frozen=True, slots=True)
class Scene:
    """The clause and sentence in which two values meet."""

    reading: Reading
    ledger: Ledger
    cited: frozenset[str] | None
    clause: tuple[int, int]
    sentence: tuple[int, int]
    at: int

    @property
    def marker(self) -> int:
        """Offset of the comparator word before the number; the clause's end if there is none."""
        plain, end = self.reading.plain, min(self.clause[1], self.at + 12)
        found = COMPARATOR.search(plain, self.clause[0], end) or _DIVISION.search(plain, self.sentence[0], end)
        return found.start() if found else self.sentence[1]

    def references(self, test: Callable[[Reference], bool]) -> list[Reference]:
        """Cited references that pass *test*, own values before numbers of sentences."""
        found = [r for r in self.ledger.references if r.is_cited(self.cited) and r.high is None and test(r)]
        return sorted(found, key=lambda r: not r.is_own)


def scene_of(reading: Reading, ledger: Ledger, cited: frozenset[str] | None, clause: tuple[int, int], at: int) -> Scene:
    """The scene around offset *at*."""
    return Scene(reading, ledger, cited, clause, reading.sentence(at), at)


def mentions_in(scene: Scene) -> list[Mention]:
    """Concept words of the sentence up to the end of the clause, else those behind it.

    这条均线 is the average named before it.
    """
    inside = [m for m in scene.reading.mentions if scene.sentence[0] <= m.start < scene.sentence[1]]
    if any(m.start < scene.clause[1] for m in inside):
        inside = [m for m in inside if m.start < scene.clause[1]]
    found: list[Mention] = []
    for mention in inside:
        found.append(_pointing_back(mention, found))
    return found


def _pointing_back(mention: Mention, before: list[Mention]) -> Mention:
    if mention.concept != "ma" or mention.window:
        return mention
    named = next((m for m in reversed(before) if m.concept == "ma" and m.window), mention)
    return replace(mention, window=named.window)


def companies_in(scene: Scene) -> list[CompanyMention]:
    """Company words of the sentence up to the end of the clause; if there are none, those after it."""
    inside = [c for c in scene.reading.companies if scene.sentence[0] <= c.start < scene.sentence[1]]
    return [c for c in inside if c.start < scene.clause[1]] if any(c.start < scene.at for c in inside) else inside


def periods_in(scene: Scene) -> list[When]:
    """Periods of the sentence up to the end of the clause; if there are none, those after it (in brackets, say)."""
    inside = [p for p in scene.reading.periods if scene.sentence[0] <= p.start < scene.sentence[1]]
    return [p for p in inside if p.start < scene.clause[1]] if any(p.start < scene.at for p in inside) else inside


#: 从x降低d，来到y（2024Q3对2025Q3): the way begins at the first of the two.
_IS_WAY = re.compile(r"[从由]\s*(?:\d|[一二三四五六七八九十])")


def begins_way(plain: str, start: int, stop: int) -> bool:
    """Whether a stretch of text tells a way from one value to another."""
    return _IS_WAY.search(plain, start, stop) is not None


def resolve(scene: Scene, period: Period | None, concept: str, company: str) -> Period | None:
    """*period* made absolute for *concept* of *company*: 上年同期, 上一期, 最新 as the facts know them."""
    ledger = scene.ledger
    known = ledger.resolved(period)
    if known is None or not known.relative:
        return known
    said = None if known.relative == "latest" else _said(scene, before_itself=known.relative == "same")
    base = said or ledger.latest(concept, company)
    if base is None:
        return None
    if known.relative in {"prior_year", "last_year"}:
        return base.shifted(-1)
    if known.relative == "next_year":
        return base.shifted(1)
    if known.relative in {"previous", "earlier"}:
        return previous(ledger, concept, company, base)
    return base


def _said(scene: Scene, *, before_itself: bool) -> Period | None:
    """The latest full period of the sentence; of 本期 the last that stands before it and is no base."""
    periods = periods_in(scene)
    full = [p for p in periods if p.period is not None and p.period.is_complete]
    if before_itself:
        at = next((p.start for p in periods if p.period is not None and p.period.relative == "same"), 0)
        full = [p for p in full if p.start < at and not is_held_against(scene.reading, p)][-1:]
    return max((p.period for p in full if p.period is not None), key=lambda p: p.order, default=None)


def previous(ledger: Ledger, concept: str, company: str, base: Period) -> Period | None:
    """The period before *base* that any fact has for *concept*."""
    known = {
        r.period.order: r.period
        for r in ledger.by_concept.get(concept, ())
        if r.company == company and r.period is not None and r.period.is_complete and r.period.order < base.order
    }
    return known[max(known)] if known else None
