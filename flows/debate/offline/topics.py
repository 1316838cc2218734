"""Finds the topic of a fact or a claim, and what the two sides would expect of its metric."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

from flows.debate.metrics import is_percentile
from flows.debate.offline.phrasebook import FUNDAMENTAL_TOPICS, Topic
from flows.debate.offline.phrasebook_events import EVENT_TOPICS, OTHER
from flows.debate.offline.phrasebook_market import MARKET_TOPICS
from flows.debate.offline.reading import Heard, Seen

TOPICS: tuple[Topic, ...] = (*FUNDAMENTAL_TOPICS, *MARKET_TOPICS, *EVENT_TOPICS)
_BY_METRIC = {metric: topic for topic in TOPICS for metric in topic.metrics}
_BY_KEY = {topic.key: topic for topic in (*TOPICS, OTHER)}
_KIND_TOPIC = {"公告": "filing", "新闻": "news", "研报": "research"}

_ItemT = TypeVar("_ItemT")


def topic_of(fact: Seen) -> Topic:
    """The topic of a fact: by metric, then by its words, then by its kind."""
    if fact.metric in _BY_METRIC:
        return _BY_METRIC[fact.metric]
    by_words = next((t for t in TOPICS if t.words and re.search(t.words, fact.sentence)), None)
    return by_words or _BY_KEY[_KIND_TOPIC.get(fact.kind, "other")]


def topic_of_claim(claim: Heard, facts: Sequence[Seen]) -> Topic:
    """The topic an opponent argues: by its own phrase, a shown fact it cites, its metric, or its wording."""
    said = claim.conclusion
    own = next((t for t in TOPICS if said.startswith((*t.good.conclusions, *t.bad.conclusions))), None)
    if own is not None:
        return own
    cited = next((fact for fact in facts if fact.id in claim.facts), None)
    if cited is not None:
        return topic_of(cited)
    if claim.metric in _BY_METRIC:
        return _BY_METRIC[claim.metric]
    text = said + claim.basis
    return next((t for t in TOPICS if (t.words and re.search(t.words, text)) or t.zh[:2] in text), OTHER)


def pick_unused(options: Sequence[str], more: Sequence[str], used: set[str], *seed: str) -> str:
    """One of the options not used yet, else one of *more*, the same for the same seed; it counts as used now."""
    left = [o for o in options if o not in used] or [o for o in more if o not in used] or list(options)
    chosen = pick(left, *seed)
    used.add(chosen)
    return chosen


def pick(options: Sequence[_ItemT], *seed: str) -> _ItemT:
    """One of the options, the same for the same seed."""
    return options[int(hashlib.sha256("/".join(seed).encode()).hexdigest()[:8], 16) % len(options)]


#: Levels that change with periodic reports but are cumulative within a year, so the next value is of
#: another period and no expectation is formed.
_CUMULATIVE = frozenset(
    {"revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "eps_cny", "roe_pct", "operating_cash_flow_cny"}
)


def expectation(metric: str | None, present: float | None, *, is_for: bool, due: date) -> dict[str, object] | None:
    """What a side expects of a metric: that it persists, or that half of its distance is given back.

    The side the present value favours expects persistence, the other one a half-way return to zero
    (changes) or to the middle (percentiles, RSI). No expectation where neither rule makes sense.
    """
    if metric is None or present is None or metric in _CUMULATIVE:
        return None
    rested = _half_way(metric, present)
    if rested is None or rested == present:
        return None
    is_good_now = _is_good(metric, present)
    value = present if is_good_now is is_for else rested
    return {"metric": metric, "value": round(value, 4), "due": due.isoformat()}


#: Year-on-year changes smaller than this are no growth and no decline worth arguing about, percent.
MARGINAL_YOY = 2.0
YOY_METRICS = frozenset({"revenue_yoy_pct", "net_profit_yoy_pct"})


def _half_way(metric: str, present: float) -> float | None:
    if is_percentile(metric) or metric == "rsi_14":
        return (present + 50) / 2
    if metric in YOY_METRICS:
        return present / 2 if abs(present) >= MARGINAL_YOY else None
    if metric in {"drawdown_52w_pct", "main_net_cny"} or metric.startswith("return_"):
        return present / 2
    return None


def _is_good(metric: str, present: float) -> bool:
    """Whether persistence of the present value is what the for-side hopes for.

    A low percentile supports the price now and would be paid more for later; a return to the middle is
    then the for-side's hope, persistence the other's doubt, and the reverse at a high percentile.
    """
    if is_percentile(metric):
        return present > 50
    if metric == "rsi_14":
        return present > 50
    return present > 0
