"""Which facts a side argues with, in which order, and in which of its speeches.

A turn sees only part of the record, so the plan is made from the facts alone: the same facts are dealt
to the same speeches whatever was said, and no fact is argued twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby

from flows.debate.offline.phrasebook import Lines, Topic
from flows.debate.offline.phrasebook_events import NOTED
from flows.debate.offline.phrasebook_market import MARKET_TOPICS
from flows.debate.offline.picking import (
    is_contradicted,
    is_retold,
    opposite_window,
    percentiles_of_one_window,
    size_of,
    without_titles,
)
from flows.debate.offline.reading import Scene, Seen
from flows.debate.offline.topics import is_quoted_body, topic_of

FACTS_PER_BUNDLE = 2
PERCENTILE, RETURNS = "percentile", "returns"
#: A side argues this many bundles at most, whatever the number of its speeches, and this many in one of them.
BUNDLES_PER_SIDE = 12
BUNDLES_PER_SPEECH = 3

_TREND = next(topic for topic in MARKET_TOPICS if topic.key == "trend")
_MIXED_RETURNS = next(topic for topic in MARKET_TOPICS if topic.key == "returns_mixed")
_AVERAGES = ("ma_60_cny", "ma_250_cny", "ma_20_cny")


@dataclass(frozen=True)
class Bundle:
    """Facts of one topic argued together; *is_for* tells the direction."""

    topic: Topic
    facts: tuple[Seen, ...]
    is_for: bool

    @property
    def lines(self) -> Lines:
        """The phrases of its direction."""
        found = self.topic.lines(is_for=self.is_for)
        if found is None:
            raise ValueError(f"nothing to say of {self.topic.key} in this direction")
        return found


def bundles(scene: Scene, *, is_for: bool) -> list[Bundle]:
    """Everything a side can argue, weightiest first, neighbouring bundles of different groups."""
    wanted = "+" if is_for else "-"
    own = [
        fact
        for fact in scene.facts
        if (fact.polarity == wanted or (is_for and _is_narrowing(fact)))
        and not fact.is_suspect
        and not is_contradicted(fact, scene.facts)
        and not is_retold(fact, scene.facts)
    ]
    made = [_with_other_windows(bundle, scene.facts) for bundle in _bundled(own, is_for=is_for)]
    if trend := _trend(scene.facts, is_for=is_for):
        made.append(trend)
    made.sort(key=lambda bundle: -_weight(bundle, scene.trade_date))
    return _alternating(made)


#: An unlock of this share of all stock within so many days, or a pledge of it, outweighs most of the others.
_LARGE_PCT, _NEAR, _LARGE_BONUS = 10.0, timedelta(days=30), 4
_UNLOCK_DAY = re.compile(r"^(\d{4}-\d\d-\d\d)将解禁")


def _weight(bundle: Bundle, today: date) -> int:
    """The weight of a bundle's topic, more for a large unlock that is near and for a large pledge."""
    days = [date.fromisoformat(found[1]) for fact in bundle.facts if (found := _UNLOCK_DAY.search(fact.sentence))]
    is_near = bundle.topic.key == "pledge" or any(day - today <= _NEAR for day in days)
    is_large = any(size_of(fact) >= _LARGE_PCT for fact in bundle.facts)
    return bundle.topic.weight + (_LARGE_BONUS if is_near and is_large else 0)


def _is_narrowing(fact: Seen) -> bool:
    """A loss that narrows is good news for nobody by itself; the bull may argue that it is less bad."""
    return fact.polarity == "0" and "亏损收窄" in fact.sentence and fact.kind == "数据"


def dealt(made: Sequence[Bundle], speech: int, speeches: int) -> list[Bundle]:
    """The bundles of one of a side's *speeches*; earlier speeches get the remainder."""
    size, rest = divmod(min(len(made), BUNDLES_PER_SIDE, speeches * BUNDLES_PER_SPEECH), speeches)
    start = speech * size + min(speech, rest)
    return list(made[start : start + size + (1 if speech < rest else 0)])


def _bundled(facts: Iterable[Seen], *, is_for: bool) -> list[Bundle]:
    """One bundle for each topic and dimension; a filing's own sentences come first, then large changes."""
    placed = [(topic, fact) for fact in facts if (topic := topic_of(fact)) and topic.lines(is_for=is_for)]
    placed.sort(key=lambda item: _place(*item))
    made = []
    for _, group in groupby(placed, key=lambda item: _place(*item)):
        items = list(group)
        topic, own = items[0][0], [fact for _, fact in items]
        chosen = percentiles_of_one_window(own) if topic.key == PERCENTILE else without_titles(_largest_first(own))
        made.append(Bundle(topic, tuple(chosen[:FACTS_PER_BUNDLE]), is_for))
    return made


def _largest_first(facts: Iterable[Seen]) -> list[Seen]:
    return sorted(facts, key=lambda fact: (not is_quoted_body(fact), -size_of(fact)))


def _with_other_windows(bundle: Bundle, facts: Sequence[Seen]) -> Bundle:
    """A return over one window, with the window in which the price went the other way, if there is one."""
    other = opposite_window(bundle.facts, facts) if bundle.topic.key == RETURNS else None
    return replace(bundle, topic=_MIXED_RETURNS, facts=(*bundle.facts, other)) if other else bundle


def _place(topic: Topic, fact: Seen) -> tuple[str, str, str]:
    """Where a fact is argued; one company's report is quoted once, each report by itself."""
    if topic.key in {"news", "filing", "research", NOTED}:
        return topic.key, fact.dimension, fact.id
    return topic.key, fact.dimension, ""


def _alternating(made: list[Bundle]) -> list[Bundle]:
    """Reorder so that neighbours differ in group where possible; the weightiest stays first."""
    rest = list(made)
    ordered: list[Bundle] = []
    while rest:
        last = ordered[-1].topic.group if ordered else None
        index = next((i for i, bundle in enumerate(rest) if bundle.topic.group != last), 0)
        ordered.append(rest.pop(index))
    return ordered


def _trend(facts: Sequence[Seen], *, is_for: bool) -> Bundle | None:
    """Close and a moving average, if the close lies on this side of every average shown."""
    by_metric = {fact.metric: fact for fact in facts if fact.metric}
    close = by_metric.get("close_cny")
    averages = [by_metric[name] for name in _AVERAGES if name in by_metric]
    if close is None or not averages or any(_lies_above(close, average) is not is_for for average in averages):
        return None
    return Bundle(_TREND, (close, averages[0]), is_for)


def _lies_above(close: Seen, average: Seen) -> bool | None:
    """Whether the close lies above an average of its day; None on it, or where a value is missing."""
    if close.value is None or average.value is None or close.as_of != average.as_of or close.value == average.value:
        return None
    return close.value > average.value
