"""Records that name their speaker in one field or cell and his words in another: 发言人：多方 above 观点：…."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flows.truth.pages.mapped import Piece
from flows.truth.speech.clauses import statement_in
from flows.truth.speech.roles import JUDGES, WHO

_SPEAKER = re.compile(
    r"(?:发言|说话|主张|提出|陈述|持有|立论|论点|观点|所属|归属|辩论|被引|转述)?(?:人|方|者|角色|立场|主体|对象)|来源|出处|立场|角色|归属|署名|出自|阵营|作者"
    r"|谁(?:说的|的话|讲的)?|speaker|role|side"
)
_WORDS = re.compile(
    r"(?:发言|主要|核心|首轮|论点|观点|陈述|原始)?(?:内容|原话|原文|要点|主张|陈述|正文|摘要|摘录|表述|发言|论断|立论|说法|论点|观点|看法|判断|结论|论据|理由|意见|话|文本|命题)"
    r"|claim|text|content|quote"
)
_ROLE = re.compile(rf"\W*(?P<role>{WHO})(?:一方|方面|辩手|首轮|\W)*")
_CHUNK = re.compile(r"(?:(?![，,。]\s*[^\s，,。；;:：=|]{1,6}\s*[:：=])[^\n；;|])+")
_FIELD = re.compile(r"[\s>*\-•\d.、，,。]*(?P<name>[^\s:：=，,。]{1,8})\s*[:：=]\s*[“\"「]?(?P<value>[^”\"」]+)")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A statement of a record, where it stands and whose it is."""

    role: str
    what: str
    start: int
    end: int


def recorded_in(plain: str) -> Iterator[Recorded]:
    """Statements of the records written out in *plain*, field by field, the speaker before or behind them."""
    held: list[tuple[int, int, str]] = []
    role, is_first = "", False
    for chunk in _CHUNK.finditer(plain):
        field = _FIELD.fullmatch(chunk[0])
        if field is None:
            held, role = [], ""
            continue
        named = _ROLE.fullmatch(field["value"]) if _SPEAKER.fullmatch(field["name"]) else None
        if named is not None:
            is_first = not held
            role = named["role"]
        elif _WORDS.fullmatch(field["name"]) and statement_in(field["value"]):
            held.append((chunk.start() + field.start("value"), chunk.start() + field.end("value"), field["value"]))
        if held and role:
            yield from (Recorded(role, statement_in(value), start, end) for start, end, value in held)
            held, role = [], role if is_first else ""


def rows_of(pieces: Iterable[Piece], text: str) -> dict[int, str]:
    """The one role a table row has to itself in a cell, by offset of the row's line, or by group for a record."""
    lines: dict[int, set[str]] = defaultdict(set)
    groups: dict[int, set[str]] = defaultdict(set)
    for piece in pieces:
        named = _ROLE.fullmatch(piece.body.text) if piece.in_table and piece.row >= 0 else None
        if named is not None:
            lines[line_of(piece, text)].add(named["role"])
            groups[-1 - piece.row].add(named["role"])
    return {
        at: next(iter(roles)) for at, roles in {**groups, **lines}.items() if len(roles - JUDGES) == len(roles) == 1
    }


def line_of(piece: Piece, text: str) -> int:
    """Offset at which the line of a cell begins."""
    return text.rfind("\n", 0, piece.body.at[0]) + 1
