"""Finds the topic of a fact or a claim, and fills a phrase with what the fact says it is about."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from flows.debate.draining import clip
from flows.debate.offline.phrasebook import RESULT_TOPICS, Lines, Topic
from flows.debate.offline.phrasebook_events import EVENT_TOPICS, NOTED, OTHER
from flows.debate.offline.phrasebook_grave import GRAVE_TOPICS
from flows.debate.offline.phrasebook_market import MARKET_TOPICS
from flows.debate.offline.phrasebook_values import VALUE_TOPICS
from flows.debate.offline.reading import Heard, Seen

TOPICS: tuple[Topic, ...] = (*RESULT_TOPICS, *MARKET_TOPICS, *EVENT_TOPICS)
_BY_KEY = {topic.key: topic for topic in (*TOPICS, OTHER)}
#: Kinds of fact that are argued as what was written, never as what happened.
_TOLD = {"新闻": "news", "用户": "other"}
_SELL_SIDE = frozenset({"sell_side_loss", "sell_side_eps", "research"})

_BODY = re.compile(r"^公告《.*?》第\d+页：(.+)$")
_TITLE = re.compile(r"《(.+?)》|：(.+)$")
_MEASURE = re.compile(
    r"市盈率\(TTM\)|市净率|市销率\(TTM\)|第.季度单季(?:归母净利润|营业收入)|扣非净利润|归母净利润|净利润|营业收入|"
    r"每股收益|净资产收益率|净利率|毛利率|\d+日均线"
)
_DAY = re.compile(r"（\d{4}-\d\d-\d\d）$")
_WINDOW = re.compile(r"近\d+(?:年|日|周)|当日")
TITLE_LIMIT = 26

_ItemT = TypeVar("_ItemT")


def topic_of(fact: Seen) -> Topic | None:
    """The topic of a fact: what a filing's own sentence is about before what its title is about; None if none."""
    if fact.kind == "知识":
        return None
    if fact.kind in _TOLD:
        return _BY_KEY[_TOLD[fact.kind]]
    known = [t for t in TOPICS if (t.key in _SELL_SIDE) is (fact.kind == "研报")]
    body = _BODY.match(fact.sentence)
    texts = (body[1], fact.sentence) if body else (fact.sentence,)
    found = next((t for text in texts for t in known if _fits(t, fact, text)), None)
    return _BY_KEY[NOTED] if found and _is_only_noted(found, fact) else found


def _is_only_noted(topic: Topic, fact: Seen) -> bool:
    """Whether a filing bears on the proposition in the direction its topic has no phrases for.

    A grave matter is never argued as good news, and what has no phrases at all is no argument.
    """
    if fact.kind != "公告" or fact.polarity not in {"+", "-"} or topic in GRAVE_TOPICS or "《" not in fact.sentence:
        return False
    return topic.lines(is_for=fact.polarity == "+") is None and bool(topic.good or topic.bad)


def _fits(topic: Topic, fact: Seen, text: str) -> bool:
    return (not topic.metrics or fact.metric in topic.metrics) and bool(re.search(topic.fits, text))


def is_quoted_body(fact: Seen) -> bool:
    """Whether a fact is a sentence out of a filing rather than its title."""
    return bool(_BODY.match(fact.sentence))


def measure_of(fact: Seen) -> str:
    """The multiple or measure a fact's sentence names first, empty if none."""
    found = _MEASURE.search(fact.sentence)
    return found.group() if found else ""


def spoken(phrase: str, facts: Sequence[Seen]) -> str:
    """A phrase with the measure, window and title of its facts, and the windows of rises and falls."""
    sentences = [fact.sentence for fact in facts]
    title = _TITLE.search(sentences[0])
    return phrase.format(
        measure="、".join(_distinct(_MEASURE, sentences)),
        window="、".join(_distinct(_WINDOW, sentences)),
        up="、".join(_distinct(_WINDOW, (sentence for sentence in sentences if "上涨" in sentence))),
        down="、".join(_distinct(_WINDOW, (sentence for sentence in sentences if "下跌" in sentence))),
        title=clip(_DAY.sub("", title[1] or title[2]).rstrip("。"), TITLE_LIMIT) if title else "",
    )


def _distinct(pattern: re.Pattern[str], sentences: Iterable[str]) -> list[str]:
    firsts = (found.group() for sentence in sentences if (found := pattern.search(sentence)))
    return list(dict.fromkeys(firsts))


def topic_of_claim(claim: Heard, facts: Sequence[Seen]) -> tuple[Topic, Lines] | None:
    """Topic and direction of what an opponent argues: by its own phrase, else by a shown fact it cites."""
    for phrase, topic, lines in _PHRASES:
        if _is_said(phrase, claim.conclusion):
            return topic, lines
    cited = next((fact for fact in facts if fact.id in claim.facts), None)
    topic_cited = topic_of(cited) if cited else None
    if cited is None or topic_cited is None:
        return None
    found = topic_cited.lines(is_for=cited.polarity == "+") or topic_cited.good or topic_cited.bad
    return (topic_cited, found) if found else None


#: Every conclusion with its topic and direction; those without a placeholder first, since they say it exactly.
_PHRASES: tuple[tuple[str, Topic, Lines], ...] = tuple(
    sorted(
        (
            (phrase, topic, lines)
            for topic in (*VALUE_TOPICS, *TOPICS)
            for lines in (topic.good, topic.bad)
            if lines
            for phrase in lines.conclusions
        ),
        key=lambda item: "{" in item[0],
    )
)


def _is_said(phrase: str, conclusion: str) -> bool:
    pattern = re.sub(r"\\\{\w+\\\}", r"[^，。；]*?", re.escape(phrase))
    return bool(re.match(pattern, conclusion))


def pick_unused(options: Sequence[str], used: set[str], *seed: str) -> str:
    """One of the options not used yet where any is left, the same for the same seed; it counts as used now."""
    chosen = pick([option for option in options if option not in used] or list(options), *seed)
    used.add(chosen)
    return chosen


def pick(options: Sequence[_ItemT], *seed: str) -> _ItemT:
    """One of the options, the same for the same seed."""
    return options[int(hashlib.sha256("/".join(seed).encode()).hexdigest()[:8], 16) % len(options)]
