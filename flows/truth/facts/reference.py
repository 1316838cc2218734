"""One value the facts stand for, in the shape of a statement."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flows.contracts.packs import Fact
from flows.truth.grammar.periods import Day, Period

RULE = "@rule"


@dataclass(frozen=True, slots=True)
class Reference:
    """One value a fact stands for, or that several give by definition.

    Attributes:
        step: Rounding the value itself carries (0 for a structured value).
        is_own: True for the fact's own value, False for a number of its sentence.
        days: Dates the value is of or was published on.
        course: Which way an event goes (增持 +1, 减持 -1).
        is_condition: Whether the sentence names the value as the threshold of a condition (若营业收入低于3亿元).
        formula: Over fact ids, of a value that no fact states (``E1 / E29``); *fact* is then the first of them.
        uses: Ids of the other facts the formula needs.
    """

    fact: Fact
    concept: str
    form: str
    basis: str
    window: str
    unit: str
    value: float
    high: float | None
    step: float
    company: str
    period: Period | None
    days: tuple[date | Day, ...]
    label: str = ""
    statistic: str = ""
    is_own: bool = True
    raw_unit: str = ""
    against: str = ""
    course: int = 0
    is_condition: bool = False
    formula: str = ""
    uses: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The fact's id, or the formula in brackets, as an operand of another formula."""
        return f"({self.formula})" if self.formula else self.fact.id

    def is_cited(self, cited: frozenset[str] | None) -> bool:
        """Whether every fact the value rests on is among the *cited* (None: all are)."""
        return cited is None or (self.fact.id in cited and all(i in cited for i in self.uses))
