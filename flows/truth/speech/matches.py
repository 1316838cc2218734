"""Which matches of the patterns put something into a role's mouth, and which only look as if."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flows.truth.grammar.lexicon import mentions
from flows.truth.speech.addressing import (
    holds_opinion,
    is_bound,
    is_called,
    is_idle_talk,
    is_joined,
    is_objected,
    is_own_word,
    is_weighed,
)
from flows.truth.speech.clauses import SHORTEST_STATEMENT, clauses, is_finding, is_numbered, is_of_speech, is_plain_fact
from flows.truth.speech.framing import of_the_debate
from flows.truth.speech.passages import FRAGMENTS
from flows.truth.speech.patterns import BUILDS, CUE, QUOTED, TAIL, THAT
from flows.truth.speech.roles import JUDGES, ROLE

_TO = re.compile(r"[向给对跟同替为]$")
_ASKED = re.compile(r"的(?:问题|质疑|疑问)$")
_ADMITS = re.compile(r"承认|认账|让步|退让")


def passed_on(plain: str) -> Iterator[re.Match[str]]:
    """Matches of the patterns that do pass something on; behind one that does not the search goes on at its role."""
    for pattern in BUILDS:
        at = 0
        while (m := pattern.search(plain, at)) is not None:
            passes_on = _passes_on(pattern, m)
            at = max(m.end() if passes_on else m.end("role"), at + 1)
            if passes_on:
                yield m


def _passes_on(pattern: re.Pattern[str], m: re.Match[str]) -> bool:
    """Whether a match puts something into the role's mouth: 请空方说明…, 裁判摘录：… and 对方说了半天 do not."""
    if (m["role"] in JUDGES and not _is_opinion(m)) or _weighs(pattern, m) or _is_own(pattern, m):
        return False
    if is_idle_talk(m.string, m.end("verb")) or (m["what"].strip() in {"", "的"} and _says_more(m)):
        return False
    if pattern is QUOTED and THAT.search(m["verb"]):
        return True
    is_told_to = is_bound(m.string, m.end("role")) and not _ADMITS.search(m["verb"])
    return not (is_told_to or is_called(m.string, m.span("role")))


def _weighs(pattern: re.Pattern[str], m: re.Match[str]) -> bool:
    """Whether a match only weighs what a side has: 多方那边“…”这一条站不住."""
    if pattern is CUE:
        return is_weighed(m["what"])
    return (pattern is TAIL and of_the_debate(m[0])) or (pattern is QUOTED and of_the_debate(m["verb"]))


def _is_own(pattern: re.Pattern[str], m: re.Match[str]) -> bool:
    """Whether what a match would pass on is the speaker's own, or is held against both sides."""
    first = next(iter(clauses(m["what"])), None)
    led = first.end() if first is not None and is_of_speech(first[0]) else 0
    if is_objected(m.string, m.end("role"), m.start("what") + led) or is_own_word(
        m.string, m.span("role"), m.start("what")
    ):
        return True
    is_bare = pattern is CUE and not m["verb"]
    if is_joined(m.string, m.span("role")) and is_bare:
        return True
    return is_plain_fact(m["what"]) and (is_joined(m.string, m.span("role")) or _is_aside(pattern, m))


def _is_aside(pattern: re.Pattern[str], m: re.Match[str]) -> bool:
    """Whether a role is only named on the way to a number: 空方提到的毛利率实际为31.2%, 要说服多方，看…."""
    if pattern is not CUE:
        return m["what"].startswith("的")
    is_given = _TO.search(m.string, max(0, m.start("role") - 1), m.start("role")) is not None
    is_topic = _ASKED.search(m["verb"]) is not None or bool(mentions(m["verb"]))
    return is_given or is_topic or (not m["verb"] and m.string[m.end("role")] in "，,")


def _is_opinion(m: re.Match[str]) -> bool:
    """Whether a judge is quoted with an opinion: 裁判认为估值偏高, not 裁判归纳多方意见 or 裁判意见：净利润为12亿元."""
    if ROLE.search(m["verb"]) or m.string[: m.start("role")].endswith("由"):
        return False
    return holds_opinion(m["verb"]) and not is_finding(m["what"]) and not is_numbered(m["what"])


def _says_more(m: re.Match[str]) -> bool:
    """论点“…”由多方提出: nothing stands behind the word of speaking, but its sentence does say something."""
    if ROLE.fullmatch(m["role"]) is None or m["role"] in {"对方", "对手"}:
        return False
    sentence = next((s[0] for s in FRAGMENTS.finditer(m.string) if s.start() <= m.start() < s.end()), "")
    return len(re.findall(r"[一-鿿]", sentence.replace(m[0], ""))) >= SHORTEST_STATEMENT
