"""Where a text says that a role of the debate said something: 空方承认…, 按多方的说法…, “…”（多方首轮）."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from flows.truth.grammar.numbers import normalise
from flows.truth.pages.documents import pieces
from flows.truth.pages.mapped import Piece
from flows.truth.speech.addressing import is_addressed, is_objected
from flows.truth.speech.clauses import SHORTEST_STATEMENT, clauses, is_frame, is_plain_fact, statement_in
from flows.truth.speech.framing import told
from flows.truth.speech.matches import passed_on
from flows.truth.speech.passages import FRAGMENTS, is_viewed, opened_quotes, said_around
from flows.truth.speech.patterns import NO_SPEECH
from flows.truth.speech.questions import passed_on_in_questions
from flows.truth.speech.records import line_of, recorded_in, rows_of
from flows.truth.speech.roles import JUDGES, ROLE, WHO

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
    section, above = "", None
    cut = pieces(text)
    rows = rows_of(cut, text)
    for piece in cut:
        said = piece
        if piece.in_table:
            role = rows.get(line_of(piece, text)) or rows.get(-1 - piece.row, "")
            inside = _of_cell(piece, role if piece.row >= 0 else "")
        elif label := _SIGN.fullmatch(piece.body.text):
            section, inside = label["role"], []
        elif above and (signed := _SIGNED.fullmatch(piece.body.text)):
            said, inside = above, _of_section(above.body.text, signed["role"])
        else:
            section = _labelled(piece.body.text) if piece.heading else section
            inside = _of_text(piece.body.text, section)
            section = "" if not piece.heading and inside else section
        above = None if piece.in_table else piece
        found += [_placed(a, said, text) for a in inside]
    return sorted(found, key=lambda a: a.start)


#: A line of its own: **多方首轮**, 空方论点如下：
_SIGN = re.compile(
    rf"\s*(?P<role>{WHO})的?(?:一方|首轮|第一轮|发言|论点|观点|主张|立论|陈述|立场|原话|说法|意见|如下)*[:：]?\s*"
)
#: ——多方首轮 below a quotation
_SIGNED = re.compile(
    rf"[\s>]*(?:——?|--?|[(（【])\s*(?:引自|出自|语出)?(?P<role>{WHO})(?:首轮|第一轮|发言|语|说)*[)）】]?\s*"
)


def _of_text(text: str, section: str) -> list[Attribution]:
    return _of_lists(text, section) or _of_prose(text) or _of_section(text, section)


def _of_section(text: str, role: str) -> list[Attribution]:
    """The one sentence under a heading or a line that is a role's: 多方论点."""
    said = text.strip(' \n\t>"“”').rstrip("。！")
    if not role or role in JUDGES or re.search(r"[。！？!?\n]", said) or not _is_statement(said) or is_plain_fact(said):
        return []
    start = text.index(said)
    return [Attribution(start, start + len(said), said, role, "观点", said)]


def _placed(a: Attribution, piece: Piece, text: str) -> Attribution:
    start, end = piece.body.span(a.start, a.end)
    return replace(a, start=start, end=end, text=text[start:end])


def _of_cell(piece: Piece, role: str) -> list[Attribution]:
    """A cell whose row or column is a role's: | 空方 | 资产负债率偏高 |; *role* has a cell of the row to itself."""
    roles = {m[0] for m in _ROLE.finditer(piece.before)}
    said = piece.body.text
    if not roles and role and not is_plain_fact(said):
        roles = {role}
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


def _is_statement(item: str) -> bool:
    """Long enough to say something, and about the company rather than about a role."""
    return not ROLE.search(item) and len(re.findall(r"[一-鿿]", item)) >= SHORTEST_STATEMENT


def _of_prose(text: str) -> list[Attribution]:
    plain = opened_quotes(normalise(text))
    found = [Attribution(r.start, r.end, text[r.start : r.end], r.role, "观点", r.what) for r in recorded_in(plain)]
    for m in (*passed_on_in_questions(plain), *passed_on(plain)):
        if not any(a.start < m.end() and m.start() < a.end for a in found):
            said = m["what"].strip('，,: “”"')
            found.append(Attribution(m.start(), m.end(), text[m.start() : m.end()], m["role"], m["verb"], said))
    for sentence in FRAGMENTS.finditer(plain):
        roles = [r for r in _ROLE.finditer(sentence[0]) if not _is_outside(sentence[0], r)]
        if len(roles) == 1 and not any(a.start < sentence.end() and sentence.start() < a.end for a in found):
            found.append(_of_sentence(text, sentence, roles[0]))
    return [_with_statement(a, plain, text) for a in found]


def _with_statement(a: Attribution, plain: str, text: str) -> Attribution:
    """An attribution whose words are what is passed on, wherever around its frame they stand."""
    if a.is_told and (own := statement_in(a.what)):
        return replace(a, what=own)
    if not a.is_told and statement_in(a.what):
        return a
    said = said_around(plain, a.start, a.end)
    if said is None:
        return replace(a, what="") if a.is_told and a.what and all(is_frame(c[0]) for c in clauses(a.what)) else a
    return replace(a, start=said.start, end=said.end, text=text[said.start : said.end], what=said.what, is_told=True)


def _is_outside(sentence: str, role: re.Match[str]) -> bool:
    """Whether a role only hears, records or weighs what its sentence says."""
    return role[0] in JUDGES or (is_addressed(sentence, role.span()) and not is_viewed(sentence))


def _of_sentence(text: str, sentence: re.Match[str], role: re.Match[str]) -> Attribution:
    """A sentence that names one role and has no word of speaking beside it."""
    said = told(sentence[0], role.span())
    if said and is_objected(sentence[0], role.end(), sentence[0].find(statement_in(said))):
        said = None
    what = sentence[0].replace(role[0], "").strip('，,: “”"') if said is None else said
    start, end = sentence.span()
    return Attribution(start, end, text[start:end], role[0], "", what, is_told=said is not None)


def pair_overlap(what: str, text: str) -> float:
    """Share of the attributed words' pairs that occur in *text*."""
    clean = [re.sub(r"[\s，。；、：:,.()（）“”\"]", "", normalise(t)) for t in (what, text)]
    pairs = [clean[0][i : i + 2] for i in range(len(clean[0]) - 1)]
    known = {clean[1][i : i + 2] for i in range(len(clean[1]) - 1)}
    return sum(pair in known for pair in pairs) / len(pairs) if pairs else 1.0
