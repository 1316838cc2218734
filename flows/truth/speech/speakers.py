"""Where a text says that a role of the debate said something: 空方承认…, 按多方的说法…, “…”（多方首轮）."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flows.truth.grammar.numbers import normalise
from flows.truth.pages.documents import pieces
from flows.truth.pages.mapped import Piece
from flows.truth.speech.addressing import (
    JUDGES,
    holds_opinion,
    is_addressed,
    is_bound,
    is_called,
    is_idle_talk,
    is_own_word,
    is_weighed,
)
from flows.truth.speech.framing import SHORTEST_STATEMENT, of_the_debate, told
from flows.truth.speech.patterns import BUILDS, CUE, NO_SPEECH, QUOTED, TAIL, THAT
from flows.truth.speech.questions import passed_on_in_questions
from flows.truth.speech.roles import WHO

FRAGMENTS = re.compile(r"[^。！？!?；;\n]+")

_ROLE = re.compile(rf"(?!对方|对手)(?:{WHO}){NO_SPEECH}")


#: A list or section headed by a role: 多方观点：
_LABEL = re.compile(rf"^[\s\-*#>•\d.、)）]*(?P<role>{WHO})[^，。；:：\n|]{{0,8}}[:：]?\s*$")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.、)）])\s*(?P<what>\S.*)$")


@dataclass(frozen=True, slots=True)
class Attribution:
    """One 某方认为… of a text.

    Attributes:
        verb: The word of speaking; empty where only the sentence's build tells that something is passed on.
        is_told: Whether a statement is passed on at all, not the role merely named.
    """

    start: int
    end: int
    text: str
    role: str
    verb: str
    what: str
    is_told: bool = True


def find_attributions(text: str) -> list[Attribution]:
    """Every attribution to a role of the debate in *text*, emphasis and tables read as what they say."""
    found: list[Attribution] = []
    section, section_says = "", False
    for piece in pieces(text):
        if piece.in_table:
            inside = _of_cell(piece)
        else:
            section = _labelled(piece.body.text) if piece.heading else section
            section_says = _SAYS.search(piece.body.text) is not None if piece.heading else section_says
            inside = _of_lists(piece.body.text, section) or _of_prose(piece.body.text)
            inside = inside or _of_section(piece.body.text, section if section_says else "")
            section = "" if not piece.heading and inside else section
        found += [_placed(a, piece, text) for a in inside]
    return sorted(found, key=lambda a: a.start)


_SAYS = re.compile(r"论点|观点|主张|陈述|原话|说法|意见")


def _of_section(text: str, role: str) -> list[Attribution]:
    """The one sentence under a heading like 多方论点."""
    said = text.strip().rstrip("。！")
    if not role or role in JUDGES or re.search(r"[。！？!?\n]", said) or not _is_statement(said):
        return []
    start = text.index(said)
    return [Attribution(start, start + len(said), said, role, "观点", said)]


def _placed(a: Attribution, piece: Piece, text: str) -> Attribution:
    start, end = piece.body.span(a.start, a.end)
    return replace(a, start=start, end=end, text=text[start:end])


def _of_cell(piece: Piece) -> list[Attribution]:
    """A cell whose row or column is a role's: | 空方 | 资产负债率偏高 |."""
    roles = {m[0] for m in _ROLE.finditer(piece.before)}
    said = piece.body.text
    if len(roles) != 1 or roles <= JUDGES or not _is_statement(said):
        return []
    return [Attribution(0, len(said), said, roles.pop(), "观点", said)]


def _labelled(line: str) -> str:
    label = _LABEL.match(line)
    return label["role"] if label else ""


def _of_lists(text: str, section: str) -> list[Attribution]:
    """Items of a list that a role heads, in its own line or in the heading above."""
    found, role, at = [], section, 0
    for line in text.splitlines(keepends=True):
        item = _ITEM.match(line)
        role = _labelled(line) or (role if item else "")
        if item and role and role not in JUDGES and _is_statement(item["what"]):
            start, end = at + item.start("what"), at + item.end("what")
            found.append(Attribution(start, end, text[start:end], role, "观点", item["what"].strip()))
        at += len(line)
    return found


_WHO_NAMED = re.compile(WHO)


def _is_statement(item: str) -> bool:
    """Long enough to say something, and about the company rather than about a role."""
    return not _WHO_NAMED.search(item) and len(re.findall(r"[一-鿿]", item)) >= SHORTEST_STATEMENT


def _of_prose(text: str) -> list[Attribution]:
    plain = normalise(text)
    found: list[Attribution] = []
    for m in (*passed_on_in_questions(plain), *_matches(plain)):
        if not any(a.start < m.end() and m.start() < a.end for a in found):
            said = m["what"].strip('，,: “”"')
            found.append(Attribution(m.start(), m.end(), text[m.start() : m.end()], m["role"], m["verb"], said))
    for sentence in FRAGMENTS.finditer(plain):
        roles = [r for r in _ROLE.finditer(sentence[0]) if not _is_outside(sentence[0], r)]
        if len(roles) == 1 and not any(a.start < sentence.end() and sentence.start() < a.end for a in found):
            found.append(_of_sentence(text, sentence, roles[0]))
    return found


def _matches(plain: str) -> Iterator[re.Match[str]]:
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
    if (pattern is TAIL and of_the_debate(m[0])) or (pattern is QUOTED and of_the_debate(m["verb"])):
        return False
    if m["role"] in JUDGES and not (holds_opinion(m["verb"]) and not m.string[: m.start("role")].endswith("由")):
        return False
    if is_own_word(m.string, m.span("role"), m.start("what")) or (pattern is CUE and is_weighed(m["what"])):
        return False
    if is_idle_talk(m.string, m.end("verb")) or (m["what"].strip() in {"", "的"} and _says_more(m)):
        return False
    if pattern is QUOTED and THAT.search(m["verb"]):
        return True
    is_told_to = is_bound(m.string, m.end("role")) and not _ADMITS.search(m["verb"])
    return not (is_told_to or is_called(m.string, m.span("role")))


_ADMITS = re.compile(r"承认|认账|让步|退让")


def _says_more(m: re.Match[str]) -> bool:
    """论点“…”由多方提出: nothing stands behind the word of speaking, but its sentence does say something."""
    if _WHO_NAMED.fullmatch(m["role"]) is None or m["role"] in {"对方", "对手"}:
        return False
    sentence = next((s[0] for s in FRAGMENTS.finditer(m.string) if s.start() <= m.start() < s.end()), "")
    return len(re.findall(r"[一-鿿]", sentence.replace(m[0], ""))) >= SHORTEST_STATEMENT


def _is_outside(sentence: str, role: re.Match[str]) -> bool:
    """Whether a role only hears, records or weighs what its sentence says."""
    return role[0] in JUDGES or is_addressed(sentence, role.span())


def _of_sentence(text: str, sentence: re.Match[str], role: re.Match[str]) -> Attribution:
    """A sentence that names one role and has no word of speaking beside it."""
    said = told(sentence[0], role.span())
    what = sentence[0].replace(role[0], "").strip('，,: “”"') if said is None else said
    start, end = sentence.span()
    return Attribution(start, end, text[start:end], role[0], "", what, is_told=said is not None)


def pair_overlap(what: str, text: str) -> float:
    """Share of the attributed words' pairs that occur in *text*."""
    clean = [re.sub(r"[\s，。；、：:,.()（）“”\"]", "", normalise(t)) for t in (what, text)]
    pairs = [clean[0][i : i + 2] for i in range(len(clean[0]) - 1)]
    known = {clean[1][i : i + 2] for i in range(len(clean[1]) - 1)}
    return sum(pair in known for pair in pairs) / len(pairs) if pairs else 1.0
