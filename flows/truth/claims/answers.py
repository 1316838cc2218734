"""Answers that are only a number, put where their question asks for it: 是行业平均的几倍？答：1.42倍."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.reading import Reading

#: What may stand between a question and the number that answers it.
_LEAD = re.compile(
    r"[?？]\s*(?:(?:答案?|回答|回复|答曰|答复|[Aa])\s*(?:是|为)?[:：，,]?\s*)?"
    r"(?:是|为|有|共|约|大约|大概|近|超过?|逾|不到|不足|仅|只有|数了[，,]|\s)*$"
)
_OPENING = re.compile(
    r"\s*(?:[-*•·]\s*)?(?:(?:问|提问|询问|追问|[Qq])\s*\d*\s*[:：]\s*|(?:请问|想问|问一下|敢问)[，,]?\s*)?"
)
_ASKED_FOR = re.compile(
    r"几何|(?:百分之)?(?:几|多少)个?(?:百分点|基点|倍|成|天|日|交易日|次|名|位|元|块钱|股(?!份)|点)?"
)
_YES_OR_NO = re.compile(r"吗|是否|有没有|是不是|能否|[还或]是")


@dataclass(frozen=True, slots=True)
class Statements:
    """A text whose questions are told as statements; *places* leads from a number in the text to its span in *text*."""

    text: str
    places: dict[int, tuple[int, int]]


def told_as_statements(reading: Reading) -> Statements | None:
    """*reading* with each answered question as a statement; None if it holds none."""
    pieces, places, position, length = [], {}, 0, 0
    for q in reading.quantities:
        found = _answered(reading, q)
        if found is None or found[0] < position:
            continue
        start, stop, head, tail = found
        before = reading.text[position:start] + head
        number = reading.text[q.start : q.end]
        places[q.start] = (length + len(before), length + len(before) + len(number))
        pieces.append(f"{before}{number}{tail}。")
        length += len(pieces[-1])
        position = stop
    if not places:
        return None
    return Statements("".join(pieces) + reading.text[position:], places)


def _answered(reading: Reading, q: Quantity) -> tuple[int, int, str, str] | None:
    """(start and end of the question with its answer, what stands before its number, what stands behind)."""
    plain, (start, stop) = reading.plain, reading.sentence(q.number_start)
    mark = max(plain.rfind("?", start, q.start), plain.rfind("？", start, q.start))
    if mark < 0 or not _LEAD.match(plain, mark, q.start) or plain[q.end : stop].strip(" 。.)"):
        return None
    opening = _OPENING.match(plain, start, mark)
    first = opening.end() if opening else start
    wanted = list(_ASKED_FOR.finditer(plain, first, mark))
    if len(wanted) != 1 or _YES_OR_NO.search(plain, first, mark):
        return None
    end = stop + 1 if plain[stop : stop + 1] == "。" else stop
    return first, end, reading.text[first : wanted[0].start()], reading.text[wanted[0].end() : mark]
