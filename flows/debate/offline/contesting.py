"""An argument about a number itself: one side's value of a metric against the value the other side expects.

Where a side has no argument of its own that bears on the metric, it says on which of the values at hand it stands
and why, instead of hanging its value on an argument about something else. Both values are quoted from the facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flows.contracts.metrics import METRICS
from flows.debate.offline.expecting import expected_of, hoped_for, is_near
from flows.debate.offline.phrasebook_values import NAMES, STANDS_ON, VALUE_GROUPS, reason_for
from flows.debate.offline.quoting import SOURCES, basis, quotable
from flows.debate.offline.reading import Scene, Seen
from flows.debate.offline.references import Known, Reference, references

_OF_THE_YEAR = frozenset({"net_profit_yoy_pct", "revenue_yoy_pct"})
_DECEMBER = 12


@dataclass(frozen=True)
class Contest:
    """Two values of one metric, one's own and the one the other side stands on."""

    metric: str
    mine: Reference
    theirs: Reference

    @property
    def conclusion(self) -> str:
        """Which of the two one stands on."""
        return STANDS_ON.format(zh=METRICS[self.metric].zh, mine=NAMES[self.mine.kind], theirs=NAMES[self.theirs.kind])

    @property
    def reasoning(self) -> str:
        """Why one stands on one's own value."""
        reason = reason_for(self.mine.kind, self.theirs.kind, is_higher=self.mine.value > self.theirs.value)
        return f"回应对面的{METRICS[self.metric].zh}预期：{reason}"


def contest(known: Known, metric: str, expected: float, *, is_for: bool) -> Contest | None:
    """One's own value of *metric* against the *expected* one; None without two values of different kinds.

    After the report on a full year no quarter of it is left to argue about, and growth is not contested.
    """
    latest = known.latest(metric)
    if metric in _OF_THE_YEAR and latest is not None and latest.as_of.month == _DECEMBER:
        return None
    among = references(known, metric)
    mine = hoped_for(among, metric, is_for=is_for)
    theirs = next((one for one in among if is_near([one.value, expected], metric)), None)
    if mine is None or theirs is None or mine.kind == theirs.kind or is_near([mine.value, theirs.value], metric):
        return None
    return Contest(metric, mine, theirs)


def contested(known: Known, metric: str, expected: float, *, is_for: bool) -> dict[str, Any] | None:
    """The argument of a contest, with one's own value as its expectation; None where there is none."""
    found = contest(known, metric, expected, is_for=is_for)
    cited = _cited(known.scene, found) if found else []
    if found is None or not cited:
        return None
    facts = quotable(cited)
    return {
        "dimension": "风险" if VALUE_GROUPS[metric] == "debt" else "基本面",
        "conclusion": found.conclusion,
        "basis": basis(facts),
        "reasoning": found.reasoning,
        "facts": [fact.id for fact in facts],
        "source": SOURCES[facts[0].kind],
        "to": None,
        "expect": expected_of(known, metric, is_for=is_for),
    }


def _cited(scene: Scene, found: Contest) -> Sequence[Seen]:
    """The facts of both values, one's own first; empty unless each of them is shown."""
    ids = dict.fromkeys((*found.mine.facts, *found.theirs.facts))
    facts = [fact for fid in ids if (fact := scene.fact(fid))]
    return facts if len(facts) == len(ids) else []
