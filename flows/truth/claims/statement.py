"""What one number claims, and the place in the text from which that is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from flows.truth.grammar.companies import SUBJECT, CompanyMention
from flows.truth.grammar.lexicon import LEVEL, Mention
from flows.truth.grammar.lists import frame_of, may_frame
from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading, When

Span = TypeVar("Span", Mention, CompanyMention, When)


@dataclass(frozen=True, slots=True)
class Statement:
    """One quantity with what it is said of.

    Attributes:
        concept: Concept name, empty if no known word names it.
        label: What is left of the clause before the number once known words are taken out.
        basis: ``yoy``, ``qoq`` or empty; a window for window changes stands in *window*.
        company: Canonical key; ``@subject`` if none is named.
        is_company_said, is_period_said: False where inherited from another clause.
        bare_ok: Whether a missing unit may be read from the label (table cell, ``量比 1.17``).
        is_rule: Whether the sentence speaks of a rule and of no company.
        against: The company or aggregate a difference is measured against.
        base: The last full period said before, from which 上一期 counts.
        is_complement: Whether the text gives what is left of 100 % (85%的日子都更贵); *quantity* is then turned round.
        course: +1 for an event that adds (增持), -1 for one that takes away (减持), 0 where none is said.
    """

    quantity: Quantity
    concept: str = ""
    label: str = ""
    form: str = LEVEL
    basis: str = ""
    company: str = SUBJECT
    statistic: str = ""
    is_company_said: bool = False
    period: Period | None = None
    is_period_said: bool = False
    is_period_carried: bool = False
    window: str = ""
    day: When | None = None
    clause: tuple[int, int] = (0, 0)
    bare_ok: bool = False
    mention: Mention | None = None
    is_forecast: bool = False
    is_rule: bool = False
    against: str = ""
    base: Period | None = None
    course: int = 0
    is_complement: bool = False


@dataclass(frozen=True)
class Place:
    """A number in its clause and sentence."""

    reading: Reading
    quantity: Quantity

    @cached_property
    def clause(self) -> tuple[int, int]:
        """Bounds of the clause."""
        return self.reading.clause(self.quantity.number_start)

    @cached_property
    def sentence(self) -> tuple[int, int]:
        """Bounds of the sentence."""
        return self.reading.sentence(self.quantity.number_start)

    @property
    def head(self) -> str:
        """The clause before the number."""
        return self.reading.plain[self.clause[0] : self.quantity.number_start]

    @property
    def after(self) -> str:
        """The few characters after the number."""
        return self.reading.plain[self.quantity.end : self.quantity.end + 10]

    @cached_property
    def frame(self) -> tuple[tuple[int, int], ...]:
        """Lines above and below the list the number stands in, which hold for each of its items."""
        if not may_frame(self.reading.plain):
            return ()
        numbers = [(q.start, q.end) for q in self.reading.quantities if q.is_quantity]
        return frame_of(self.reading.plain, self.quantity.number_start, numbers)

    def framed(self, spans: Iterable[Span]) -> list[Span]:
        """Those of *spans* that stand in the frame of the number's list."""
        return [s for s in spans if any(start <= s.start and s.end <= stop for start, stop in self.frame)]

    def own(self, spans: Iterable[Span]) -> list[Span]:
        """Those of *spans* that stand in the clause before the number."""
        return [s for s in spans if self.clause[0] <= s.start and s.end <= self.quantity.number_start]

    def carried(self, spans: Iterable[Span]) -> list[Span]:
        """Those of *spans* that stand in the sentence before the clause."""
        return [s for s in spans if self.sentence[0] <= s.start < self.clause[0]]

    def behind(self, spans: Sequence[Span]) -> Span | None:
        """The first span after the number in its clause, before any other number: 6.8%的降幅出现在…净利润上."""
        end, stop = self.quantity.end, self.clause[1]
        following = min(
            (q.number_start for q in self.reading.quantities if q.is_quantity and q.number_start >= end), default=stop
        )
        return next((span for span in spans if end <= span.start < min(stop, following)), None)


def has_number(reading: Reading, at: int) -> bool:
    """Whether the clause around *at* holds a quantity."""
    start, stop = reading.clause(at)
    return any(start <= q.number_start < stop and q.is_quantity for q in reading.quantities)
