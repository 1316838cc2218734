"""Coarse sentiment of one headline (PRODUCT E5): positive, negative or neutral, by lexicon and rules.

Rules, in order: longest phrase first; a negation shortly before turns a good phrase bad
and a bad phrase silent (not reducing is no praise) unless the burden is lifted (解除质押); a softener
right behind a phrase turns it (亏损收窄 good, 增速放缓 bad); good and bad in balance are neutral, and so
is a headline without any phrase of the lexicon. Strong phrases count twice, and so does what follows a
turning word (营收增长但净利下滑). Sentiment ranks evidence; it is never itself evidence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

from flows.contracts.packs import Polarity
from flows.evidence.wording import lexicon

_LIFTING = ("解除", "撤销", "免于", "驳回", "终止", "停止", "取消", "避免", "缓解")
_CLAUSE_END = re.compile(r"[，。；：！？,;:!?\s]")
_REACH_BEFORE = 6
_REACH_BEHIND = 4


@dataclass(frozen=True)
class Sentiment:
    """What a headline was read as and why.

    Attributes:
        score: Good minus bad phrases, after negation and softening.
        reasons: ``phrase`` + sign for each phrase that counted.
    """

    polarity: Polarity
    score: float
    reasons: tuple[str, ...] = ()


@cache
def _phrases() -> dict[str, int]:
    words = lexicon()["sentiment"]
    return {
        **dict.fromkeys(words["positive"], 1),
        **dict.fromkeys(words["negative"], -1),
        **dict.fromkeys(words["neutral"], 0),
    }


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(_phrases(), key=lambda word: (-len(word), word))))


def read_sentiment(headline: str) -> Sentiment:
    """Sentiment of *headline* for the company it is about; neutral unless a rule says otherwise."""
    score = 0.0
    reasons: list[str] = []
    matches = list(_pattern().finditer(headline))
    for match, following in zip_longest(matches, matches[1:]):
        if _only_negates(match, following):
            continue
        weight = _weigh(headline, match) * _emphasis(headline, match)
        if weight:
            score += weight
            reasons.append(f"{match.group()}{'+' if weight > 0 else '-'}")
    polarity = Polarity.POSITIVE if score > 0 else Polarity.NEGATIVE if score < 0 else Polarity.NEUTRAL
    return Sentiment(polarity, score, tuple(reasons))


def _only_negates(match: re.Match[str], following: re.Match[str] | None) -> bool:
    """Whether the phrase serves to turn the next one (终止减持) and says nothing itself."""
    is_negation = match.group() in lexicon()["sentiment"]["negations"]
    return (
        is_negation and following is not None and following.start() - match.end() < _REACH_BEFORE - len(match.group())
    )


def _emphasis(headline: str, match: re.Match[str]) -> float:
    words = lexicon()["sentiment"]
    strong = 2.0 if match.group() in words["strong"] else 1.0
    turned = 2.0 if any(word in headline[: match.start()] for word in words["turning"]) else 1.0
    return strong * turned


def _weigh(headline: str, match: re.Match[str]) -> float:
    sign = _phrases()[match.group()]
    if sign == 0:
        return 0.0
    words = lexicon()["sentiment"]
    turning = words["softeners"] if sign > 0 else (*words["softeners"], *words["relievers"])
    behind = _CLAUSE_END.split(headline[match.end() : match.end() + _REACH_BEHIND])[0]
    if any(word in behind for word in turning):
        return float(-sign)
    negation = _negation(headline[max(0, match.start() - _REACH_BEFORE) : match.start()])
    if negation is None:
        return float(sign)
    if sign > 0:
        return -1.0
    return 1.0 if negation in _LIFTING else 0.0


def _negation(before: str) -> str | None:
    """The longest negation inside *before*, unless punctuation stands between."""
    clause = _CLAUSE_END.split(before)[-1]
    found = [word for word in lexicon()["sentiment"]["negations"] if word in clause]
    return max(found, key=len) if found else None
