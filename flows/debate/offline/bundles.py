"""Which facts a side argues with, in which order, and in which of its speeches.

A turn sees only part of the record, so the plan is made from the facts alone: the same facts are dealt
to the same speeches whatever was said, and no fact is argued twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from flows.debate.metrics import family, is_percentile
from flows.debate.offline.phrasebook import Lines, Topic
from flows.debate.offline.phrasebook_events import NOTED
from flows.debate.offline.phrasebook_market import MARKET_TOPICS
from flows.debate.offline.reading import Scene, Seen, amount_in
from flows.debate.offline.topics import is_quoted_body, measure_of, topic_of

FACTS_PER_BUNDLE = 2
#: A side argues this many bundles at most, whatever the number of its speeches, and this many in one of them.
BUNDLES_PER_SIDE = 12
BUNDLES_PER_SPEECH = 3

_TREND = next(topic for topic in MARKET_TOPICS if topic.key == "trend")
_AVERAGES = ("ma_60_cny", "ma_250_cny", "ma_20_cny")
#: Year-on-year changes smaller than this are no growth and no decline worth arguing about, percent.
MARGINAL_YOY = 1.0
_YOY = re.compile(r"同比(?:增长|增加|下降|减少)([\d.]+)%")
#: A positive level that fell by more than this share within a year is no support.
FALL = 0.2


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
    ]
    made = _bundled(own, is_for=is_for)
    if trend := _trend(scene.facts, is_for=is_for):
        made.append(trend)
    made.sort(key=lambda bundle: -_weight(bundle, scene.trade_date))
    return _alternating(made)


#: An unlock of this share of all stock within so many days outweighs most of the others.
_LARGE_PCT, _NEAR, _LARGE_BONUS = 10.0, timedelta(days=30), 4
_UNLOCK_DAY = re.compile(r"^(\d{4}-\d\d-\d\d)将解禁")


def _weight(bundle: Bundle, today: date) -> int:
    """The weight of a bundle's topic, more for a large unlock that is near."""
    days = [date.fromisoformat(found[1]) for fact in bundle.facts if (found := _UNLOCK_DAY.search(fact.sentence))]
    is_near = any(day - today <= _NEAR for day in days)
    is_large = any(_size(fact) >= _LARGE_PCT for fact in bundle.facts)
    return bundle.topic.weight + (_LARGE_BONUS if is_near and is_large else 0)


def _is_narrowing(fact: Seen) -> bool:
    """A loss that narrows is good news for nobody by itself; the bull may argue that it is less bad."""
    return fact.polarity == "0" and "亏损收窄" in fact.sentence and fact.kind == "数据"


def dealt(made: Sequence[Bundle], speech: int, speeches: int) -> list[Bundle]:
    """The bundles of one of a side's *speeches*; earlier speeches get the remainder."""
    size, rest = divmod(min(len(made), BUNDLES_PER_SIDE, speeches * BUNDLES_PER_SPEECH), speeches)
    start = speech * size + min(speech, rest)
    return list(made[start : start + size + (1 if speech < rest else 0)])


def is_contradicted(fact: Seen, facts: Sequence[Seen]) -> bool:
    """Whether other shown facts take back what a fact seems to say."""
    if fact.metric and is_percentile(fact.metric):
        return _other_windows_differ(fact, facts)
    if fact.metric == "operating_cash_flow_cny" and fact.polarity == "+":
        return _has_fallen(fact, facts)
    change = _YOY.search(fact.sentence) if fact.kind == "数据" else None
    return change is not None and float(change[1]) < MARGINAL_YOY


def _other_windows_differ(fact: Seen, facts: Sequence[Seen]) -> bool:
    """A low percentile of one window beside a high one of another says little about the own history.

    Only percentiles count: the multiple itself belongs to the same family, but its value is no place in a history.
    """
    own = family(fact.metric or "")
    percentiles = [f for f in facts if f.metric and is_percentile(f.metric) and family(f.metric) == own]
    others = [f.value for f in percentiles if f.value is not None]
    middle = 50.0
    return any((value > middle) is not ((fact.value or 0.0) > middle) for value in others)


def _has_fallen(fact: Seen, facts: Sequence[Seen]) -> bool:
    now = amount_in(fact.sentence)
    before = [amount_in(f.sentence) for f in facts if f.metric == fact.metric and f.as_of < fact.as_of]
    if any(re.search(r"现金流.*同比(?:下降|减少)", f.sentence) for f in facts):
        return True
    return now is not None and any(value is not None and now < value * (1 - FALL) for value in before)


def _bundled(facts: Iterable[Seen], *, is_for: bool) -> list[Bundle]:
    """One bundle for each topic, dimension and multiple; a filing's own sentences come first, then large changes."""
    placed = [(topic, fact) for fact in facts if (topic := topic_of(fact)) and topic.lines(is_for=is_for)]
    placed.sort(key=lambda item: _place(*item))
    made = []
    for _, group in groupby(placed, key=lambda item: _place(*item)):
        items = list(group)
        chosen = sorted((fact for _, fact in items), key=lambda fact: (not is_quoted_body(fact), -_size(fact)))
        made.append(Bundle(items[0][0], tuple(chosen[:FACTS_PER_BUNDLE]), is_for))
    return made


_SIZE = re.compile(r"(?:增长|增加|上升|下降|减少|上涨|下跌|总股本的?)([\d.]+)(?:%|个百分点)")


def _size(fact: Seen) -> float:
    """How large the change, or the share of all stock, is that a fact states; 0 if it states none."""
    found = _SIZE.search(fact.sentence) if fact.kind in {"数据", "公告"} else None
    return float(found[1]) if found else 0.0


def _place(topic: Topic, fact: Seen) -> tuple[str, str, str]:
    """Where a fact is argued; one company's report is quoted once, each report by itself."""
    if topic.key in {"news", "filing", "research", NOTED}:
        return topic.key, fact.dimension, fact.id
    return topic.key, fact.dimension, measure_of(fact) if topic.key == "percentile" else ""


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
    """Close and a moving average, if the close lies on this side of it."""
    by_metric = {fact.metric: fact for fact in facts if fact.metric}
    close = by_metric.get("close_cny")
    average = next((by_metric[name] for name in _AVERAGES if name in by_metric), None)
    if close is None or average is None or close.value is None or average.value is None:
        return None
    if close.as_of != average.as_of or close.value == average.value or (close.value > average.value) is not is_for:
        return None
    return Bundle(_TREND, (close, average), is_for)
