"""Where a text says that a role of the debate said something: 空方承认…, 按多方的说法…, “…”（多方首轮）."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flows.truth.grammar.numbers import normalise
from flows.truth.pages.documents import pieces
from flows.truth.pages.mapped import Piece
from flows.truth.speech.addressing import JUDGES, holds_opinion, is_addressed, is_bound, is_called, is_idle_talk
from flows.truth.speech.framing import SHORTEST_STATEMENT, of_the_debate, told
from flows.truth.speech.questions import passed_on_in_questions
from flows.truth.speech.roles import WHO

_VERB = (
    r"承认|认可|同意|默认|让步|接受|认为|指出|提出|主张|坚持|强调|表示|声称|宣称|断言|称|说|质疑|反驳|回应|回避"
    r"|未能回应|没有回应|辩称|相信|预期|判断|所称|所说|提到|援引|引用|给出|押注|担心|担忧|看好|看空|写道|写下|讲|断定"
    r"|点出|抛出|提醒|列出|论证|论述|澄清|补充|重申"
)

_WHEN = (
    r"(?:在|于)?(?:首轮|第[一二三1-3]轮|上一轮|本轮|前一轮|此前|之前|刚才|已经|已|曾|曾经|早就|早已|一开始就|也|自己"
    r"|仍|一再|反复|多次|，|都|并|的|明确|公开|直接|主动|当场|发言中|发言里|陈述中|中|里)*"
)

_PATTERN = re.compile(
    rf"(?P<role>{WHO}|多头(?=(?:自己|也|已|曾|仍)*(?:{_VERB}))|空头(?=(?:自己|也|已|曾|仍)*(?:{_VERB})))"
    rf"{_WHEN}(?P<verb>{_VERB})(?:了|道|过|到|是)?[，,:：“\"「]*(?P<what>[^。；！？\n”\"」]*)"
)

#: 多方的论点是…, 按空方的说法，…, 用空方的话说，…
_NOUN_PATTERN = re.compile(
    rf"(?:(?P<lead>按|按照|据|依|照|用|以)(?:着)?)?(?P<role>{WHO})(?:在|于)?(?:首轮|第[一二三1-3]轮|上一轮|本轮"
    rf"|前一轮|此前)?的?(?:核心|主要|最强|第一条|原|一贯|基本)?(?P<verb>说法|论点|观点|看法|主张|判断|结论|立场|论据"
    rf"|理由|意见|话|表述|逻辑)"
    rf"(?:来说|来讲|说|讲)?(?:之一|其一|中的?一条)?(?:是|为|即|就是|在于|[，,:：])[，,:：“\"「]*(?P<what>[^。；！？\n”\"」]*)"
)

#: …——这是空方自己承认的
_POST_PATTERN = re.compile(
    rf"(?P<what>[^。；！？\n“”\"]{{6,80}}?)[”\"」]?(?:——|—|，|,)(?:这|此)?(?:一点|一?[条句段番]话?|话|正|也|恰恰)?(?:是|正是"
    rf"|由)?(?P<role>{WHO})(?:自己|也|曾|已|亲口|首轮|此前)*(?P<verb>{_VERB})(?:过|了)?的"
)

_CUE = (
    r"[说称讲言写谈指认论点提示调张持述答辩诉证断识罗]|观点|看来|看法|立场|理由|依据|论据|判断|结论|原话|原文|表态"
    r"|回应|退让|让步|意见|逻辑|主线|承认|认账"
)

_NO_SPEECH = (
    r"(?!力量|占优|占据|排列|市场|趋势|氛围|情绪|预期|期望|目标|得分|证伪|信心|(?:与|和|、)(?:空方|多方|反方"
    r"|正方))"
)

#: 在多方看来，…; 连空方都不得不承认…; 多方给出的理由：…; 多方：“…”
_CUE_PATTERN = re.compile(
    rf"(?!对方|对手)(?P<role>{WHO}){_NO_SPEECH}(?P<verb>(?:[^。；！？\n，,:：“\"「]{{0,14}}?"
    rf"(?:{_CUE})[^。；！？\n，,:：“\"「]{{0,6}})?)(?:——|—|[，,:：“\"「])+(?P<what>[^。；！？\n”\"」]{{4,}})"
)

#: “…”，多方如是说; …（多方首轮）
_TAIL_PATTERN = re.compile(
    rf"[“\"「]?(?P<what>[^。；！？\n“”\"「」]{{6,80}}?)[”\"」]?(?:——|—|，|,|\(|（)(?:引自|出自|来自|语出"
    rf"|见)?(?P<role>{WHO})(?P<verb>[^。；！？\n，,]{{0,8}}?(?:{_CUE}|首轮"
    rf"|发言)[^。；！？\n，,]{{0,4}})(?=[。；！？\n)）]|$)"
)

#: 空方那句“…”我不同意; 多方“…”的说法.
_QUOTED = re.compile(
    rf"(?!对方|对手)(?P<role>{WHO})(?P<verb>[^。；！？!?\n，,:：“”\"「]{{0,10}})[“\"「](?P<what>[^”\"」\n]{{6,}})[”\"」]"
)
#: Words that make a quotation behind a role one of that role, even where the role is spoken to.
_THAT = re.compile(r"[那这][句条段番个]|所谓|[说讲提写称][过的了]|主张|认为|断言|原话")

FRAGMENTS = re.compile(r"[^。！？!?；;\n]+")

_ROLE = re.compile(rf"(?!对方|对手)(?:{WHO}){_NO_SPEECH}")


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
    section = ""
    for piece in pieces(text):
        if piece.in_table:
            inside = _of_cell(piece)
        else:
            section = _labelled(piece.body.text) if piece.heading else section
            inside = _of_lists(piece.body.text, section) or _of_prose(piece.body.text)
            section = "" if not piece.heading and inside else section
        found += [_placed(a, piece, text) for a in inside]
    return sorted(found, key=lambda a: a.start)


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
    for pattern in (_POST_PATTERN, _NOUN_PATTERN, _PATTERN, _TAIL_PATTERN, _CUE_PATTERN, _QUOTED):
        at = 0
        while (m := pattern.search(plain, at)) is not None:
            passes_on = _passes_on(pattern, m)
            at = max(m.end() if passes_on else m.end("role"), at + 1)
            if passes_on:
                yield m


def _passes_on(pattern: re.Pattern[str], m: re.Match[str]) -> bool:
    """Whether a match puts something into the role's mouth: 请空方说明…, 裁判摘录：… and 对方说了半天 do not."""
    if (pattern is _TAIL_PATTERN and of_the_debate(m[0])) or (pattern is _QUOTED and of_the_debate(m["verb"])):
        return False
    if m["role"] in JUDGES and not (holds_opinion(m["verb"]) and not m.string[: m.start("role")].endswith("由")):
        return False
    if is_idle_talk(m.string, m.end("verb")) or (m["what"].strip() in {"", "的"} and _says_more(m)):
        return False
    if pattern is _QUOTED and _THAT.search(m["verb"]):
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
