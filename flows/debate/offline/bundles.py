"""Which facts a side argues with, in which order, and in which of its speeches.

A turn sees only part of the record, so the plan is made from the facts alone: the same facts are dealt
to the same speeches whatever was said, and no fact is argued twice while others are left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flows.debate.offline.phrasebook import Topic
from flows.debate.offline.phrasebook_market import MARKET_TOPICS
from flows.debate.offline.reading import Scene, Seen
from flows.debate.offline.topics import MARGINAL_YOY, YOY_METRICS, topic_of

FACTS_PER_BUNDLE = 2
BUNDLES_PER_TOPIC = 2
BUNDLES_PER_SPEECH = 3

_TREND = next(topic for topic in MARKET_TOPICS if topic.key == "trend")
_AVERAGES = ("ma_60_cny", "ma_250_cny", "ma_20_cny")

#: Neutral facts a side may fall back on when it has few of its own, and the values that allow it.
_FALLBACK_FOR: dict[str, tuple[float, float]] = {
    "net_profit_cny": (0, math.inf), "deducted_net_profit_cny": (0, math.inf), "pe_ttm": (0, 40), "pb": (0, 5),
    "pledge_ratio_pct": (0, 10), "debt_ratio_pct": (0, 50), "volatility_60d_pct": (0, 35), "rsi_14": (30, 45),
}  # fmt: skip
_FALLBACK_AGAINST: dict[str, tuple[float, float]] = {
    "daily_return_q05_60d_pct": (-100, -2), "volatility_60d_pct": (35, math.inf), "drawdown_52w_pct": (-100, -10),
    "debt_ratio_pct": (55, 100), "pledge_ratio_pct": (10, 100), "volume_ratio_5d": (0, 0.9), "rsi_14": (55, 70),
}  # fmt: skip


@dataclass(frozen=True)
class Bundle:
    """Facts of one topic argued together; *is_for* tells the direction."""

    topic: Topic
    facts: tuple[Seen, ...]
    is_for: bool


def bundles(scene: Scene, *, is_for: bool) -> list[Bundle]:
    """Everything a side can argue, strongest first, neighbouring bundles of different dimensions."""
    wanted = "+" if is_for else "-"
    own = [f for f in scene.facts if f.polarity == wanted and not f.is_suspect and not _is_marginal(f)]
    made = _bundled(own, is_for=is_for)
    if trend := _trend(scene.facts, is_for=is_for):
        made.append(trend)
    made.sort(key=lambda bundle: -bundle.topic.weight)
    return _alternating(made) + _bundled(_fallbacks(scene.facts, is_for=is_for), is_for=is_for)


def _is_marginal(fact: Seen) -> bool:
    """A change too small to call growth or decline."""
    return fact.metric in YOY_METRICS and fact.value is not None and abs(fact.value) < MARGINAL_YOY


def dealt(made: Sequence[Bundle], speech: int, speeches: int) -> list[Bundle]:
    """The bundles of one of a side's *speeches*; earlier speeches get the remainder."""
    size, rest = divmod(min(len(made), speeches * BUNDLES_PER_SPEECH), speeches)
    start = speech * size + min(speech, rest)
    return list(made[start : start + size + (1 if speech < rest else 0)])


def _bundled(facts: Iterable[Seen], *, is_for: bool) -> list[Bundle]:
    by_topic: dict[str, list[Seen]] = {}
    topics: dict[str, Topic] = {}
    for fact in facts:
        topic = topic_of(fact)
        topics[topic.key] = topic
        by_topic.setdefault(f"{topic.key}/{fact.dimension}", []).append(fact)
    made = []
    for key, group in by_topic.items():
        for start in range(0, min(len(group), FACTS_PER_BUNDLE * BUNDLES_PER_TOPIC), FACTS_PER_BUNDLE):
            part = tuple(group[start : start + FACTS_PER_BUNDLE])
            made.append(Bundle(topics[key.split("/")[0]], part, is_for))
    return made


def _alternating(made: list[Bundle]) -> list[Bundle]:
    """Reorder so that neighbours differ in topic where possible; the strongest stays first."""
    rest = list(made)
    ordered: list[Bundle] = []
    while rest:
        last = ordered[-1].topic.key if ordered else None
        index = next((i for i, bundle in enumerate(rest) if bundle.topic.key != last), 0)
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


def _fallbacks(facts: Sequence[Seen], *, is_for: bool) -> list[Seen]:
    allowed = _FALLBACK_FOR if is_for else _FALLBACK_AGAINST
    neutral = [fact for fact in facts if fact.polarity == "0" and fact.metric in allowed]
    return [fact for fact in neutral if _is_within(fact, allowed)]


def _is_within(fact: Seen, allowed: dict[str, tuple[float, float]]) -> bool:
    """Whether the value allows the fallback; an amount is shown scaled, and neutral only if it is no loss."""
    if fact.value is None:
        return True
    low, high = allowed[fact.metric or ""]
    return low < fact.value <= high
