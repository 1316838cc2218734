"""Where the words a sentence passes on stand when not behind its verb: “…。”这是多方的原话; 空方怎么说的？….

A sentence that is all frame points at its own other clauses, at the sentence before it (这, 以上, 如此, a bare
answer or signature) or at the one behind it (a question, 如下, a line of its own).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.truth.speech.clauses import clauses, is_plain_fact, statement_in
from flows.truth.speech.framing import of_the_debate
from flows.truth.speech.roles import JUDGES, ROLE, WHO

FRAGMENTS = re.compile(r"[^。！？!?；;\n]+")
_QUOTE_ENDS = re.compile(r"[。．](?=[”」』])")
#: 这是空方的意思; 说这话的是多方; 空方如此表态; ——多方首轮; 是多方的。
_BACK = re.compile(
    r"[这此]|以上|上述|上面|前述|前面|如上|那样|[(（【\[]|(?:发言|提出|主张)[人方者]|来源|出处|归属|署名"
)
_ANSWER = re.compile(
    rf"^\W*(?:答[案曰]?|A|——|—)?\W*(?:正?是|出自|来自|引自|语出)?(?:{WHO})(?:一方|辩手)?(?:首轮|发言|语|之口)*(?:[的说讲提过了]{{0,3}})\W*$"
)
#: 多方的原话如下。; 先听空方的。
_ON = re.compile(r"如下|下面|以下|下述|听|请看|来看|看看")
_ASKS = re.compile(
    r"(?:说|讲|主张|认为|提|写|称|论点|观点|看法|意见|立场|理由|论据|依据|结论|判断|陈述|立论|发言|高见|答案|回答|凭|看好|看空)"
)
_WHAT = re.compile(r"什么|啥|哪|怎么|怎样|如何|何|呢\W*$")
#: 多方怎么看某公司？…: asked of the company, with nothing before it and one sentence behind it, it is answered.
_VIEWED = re.compile(
    rf"^[\s>*#-]*(?:Q[:：]|问[:：])?(?:{WHO})(?:是|又|到底|究竟)?(?:怎么|怎样|如何|咋)(?:看待?|评价|评估|判断)(?![这那此])[^，,。：:]{{2,12}}$"
)
#: 空方这么说，但…; 这话我不同意: what stands behind is the speaker's own.
_TURNS = re.compile(r"但|然而|可是|不过|事实上|其实|实际上|不同意|不认同|站不住|不成立|反驳|回应")


@dataclass(frozen=True, slots=True)
class Said:
    """A statement and the span it takes together with the sentence that names its speaker."""

    what: str
    start: int
    end: int


def opened_quotes(plain: str) -> str:
    """*plain* with the stop inside the end of a quotation blanked, so that “…。”——多方 is one sentence."""
    return _QUOTE_ENDS.sub(" ", plain)


def is_viewed(sentence: str) -> bool:
    """Whether *sentence* asks how a role sees the company, as one asks of a third: 多方怎么看某公司."""
    return _VIEWED.search(sentence) is not None


def said_around(plain: str, start: int, end: int) -> Said | None:
    """The statement which the frame sentence over *start* to *end* points at; None if it points at none."""
    sentences = [m for m in FRAGMENTS.finditer(plain) if m[0].strip()]
    at = [i for i, m in enumerate(sentences) if m.start() < end and start < m.end()]
    if not at:
        return None
    first, last = sentences[at[0]].start(), sentences[at[-1]].end()
    frame = plain[first:last]
    if _sides(frame) > 1 or _TURNS.search(frame) or _is_weighing(frame):
        return None
    if own := statement_in(ROLE.sub("", frame)):
        return Said(own, first, last)
    before = sentences[at[0] - 1] if at[0] else None
    behind = sentences[at[-1] + 1] if at[-1] + 1 < len(sentences) else None
    for other in _pointed_at(plain, frame, last, before, behind):
        if other is not None and not ROLE.search(other[0]) and (said := statement_in(other[0])):
            return Said(said, min(first, other.start()), max(last, other.end()))
    return None


def _pointed_at(
    plain: str, frame: str, end: int, before: re.Match[str] | None, behind: re.Match[str] | None
) -> list[re.Match[str] | None]:
    """The neighbours a frame sentence may point at, the likelier first."""
    mark = plain[end : end + 1]
    if mark in {"?", "？"}:
        return [behind] if behind and _is_answered(plain, frame, end, behind) else []
    if _ON.search(frame) or mark == "\n":
        return [behind]
    if _ANSWER.search(frame) or _BACK.search(frame):
        return [before, behind]
    return []


def _is_answered(plain: str, frame: str, end: int, behind: re.Match[str]) -> bool:
    """Whether a question about what a role says or thinks is answered by the sentence behind it."""
    if is_plain_fact(behind[0]):
        return False
    if _VIEWED.search(frame):
        return not plain[behind.end() :].strip("。！!… \n") and not plain[: end - len(frame)].strip()
    return bool(_ASKS.search(frame) and _WHAT.search(frame))


def _is_weighing(frame: str) -> bool:
    """Whether the clause of the role weighs the debate: 现金流下滑支持空方的判断."""
    return any(ROLE.search(c[0]) and of_the_debate(c[0]) for c in clauses(frame)) and not _WHAT.search(frame)


def _sides(text: str) -> int:
    return len({m[0] for m in ROLE.finditer(text)} - JUDGES)
