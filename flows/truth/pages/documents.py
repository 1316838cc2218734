"""Markdown, HTML and plain text cut into checkable pieces whose offsets lead back to the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

from flows.truth.grammar.lexicon import mentions
from flows.truth.pages.html_pages import html_pieces
from flows.truth.pages.mapped import Mapped, Piece, joined
from flows.truth.pages.tables import one_quantity, table_pieces

_HTML = re.compile(r"<(?:!doctype|html|body|p|div|table|h[1-6]|ul|li|span|article|section)\b", re.IGNORECASE)

_INLINE = re.compile(
    r"(?P<image>!\[[^\]]*\]\([^)]*\))|\[(?P<link>[^\]]+)\]\((?P<to>[^)\s]*)[^)]*\)|(?P<mark>\*\*|__|~~|`|\*(?=\S)"
    r"|(?<=\S)\*)"
)

_TABLE_ROW = re.compile(r"^\s*\|.*\|?\s*$")

_RULE_ROW = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")

_HEADING = re.compile(r"^\s*(#{1,6})\s")


def pieces(document: str) -> list[Piece]:
    """Checkable pieces of *document* in order."""
    if _HTML.search(document):
        return list(html_pieces(document))
    return list(_markdown_pieces(document))


def is_html(document: str) -> bool:
    """Whether *document* is HTML rather than Markdown or plain text."""
    return bool(_HTML.search(document))


def _identity(document: str, start: int, end: int) -> Mapped:
    return Mapped(document[start:end], tuple(range(start, end)))


def inline(line: Mapped) -> Mapped:
    """Markdown emphasis, links and code marks removed."""
    text: list[str] = []
    at: list[int] = []
    position = 0
    for match in _INLINE.finditer(line.text):
        keep = match.span("link") if match["link"] is not None else (match.end(), match.end())
        for start, end in ((position, match.start()), keep):
            text.append(line.text[start:end])
            at.extend(line.at[start:end])
        position = match.end()
    text.append(line.text[position:])
    at.extend(line.at[position:])
    return Mapped("".join(text), tuple(at))


#: A line above a table that only says what it shows: 表1：某公司2025Q3主要指标.
_LONGEST_CAPTION = 40
_NO_CAPTION = re.compile(r"[。！？!?]|对比|比较|相比|行业|同业|可比|\d(?:[\d.,]*)\s*(?:[万亿]|元|%|倍|股|个百分点)")


def _caption(lines: list[Mapped]) -> str:
    """The last line above a table as its caption; empty if it says something of its own."""
    said = inline(lines[-1]).text.strip().lstrip("#").strip().rstrip("：:") if lines else ""
    return said if len(said) <= _LONGEST_CAPTION and not _NO_CAPTION.search(said) else ""


_BRACKETED = re.compile(r"[(（]([^()（）]+)[)）]")
#: 数据主体：某公司, 注：以上均为某公司口径。
_TELLS_WHOSE = re.compile(
    r"(?:[(（]?(?:注|备注|说明)[:：])?\s*(?:以上|上述|本表|上表|表中)?(?:数据|表格|表中)?(?:主体|标的|公司|证券|股票|对象|来源|口径|期间|报告期)?"
    r"(?:均|都|全)?(?:[:：]|为|是|取自|来自|属于|出自)+\s*(?P<whose>[^。；，]{2,30}?)(?:口径|数据)?[)）。]*"
)


def _source(blocks: list[tuple[str, list[Mapped]]]) -> str:
    """The line right below a table that says of whom and of when it is: （某公司，2024年半年报）, 标的：某公司."""
    below = next((lines for sort, lines in blocks if sort != "blank"), [])
    line = inline(below[0]).text.strip() if below else ""
    said = _BRACKETED.fullmatch(line)
    told = said[1] if said else (m["whose"] if (m := _TELLS_WHOSE.fullmatch(line)) else "")
    return told if len(told) <= _LONGEST_CAPTION and not _NO_CAPTION.search(told) else ""


def _markdown_pieces(document: str) -> Iterator[Piece]:
    above: list[Mapped] = []
    topic = ""
    blocks = [(sort, [line for _, line in run]) for sort, run in groupby(_lines(document), key=lambda item: item[0])]
    for i, (sort, kept) in enumerate(blocks):
        if sort == "row":
            rows = [_cells(row) for row in kept if not _RULE_ROW.match(row.text)]
            said = (_caption(above), _source(blocks[i + 1 : i + 3]))
            topic = one_quantity([[cell.text for cell in row] for row in rows])
            yield from table_pieces(rows, "，".join(filter(None, said)))
        elif sort == "text":
            body = inline(joined(kept))
            is_of_it = topic and _CONCLUDES.search(body.text) and not mentions(body.text)
            yield Piece(body, before=f"{topic}方面，" if is_of_it else "")
        elif sort == "heading":
            yield from (Piece(inline(line), heading=_level(line.text)) for line in kept)
        topic = topic if sort in {"row", "blank"} else ""
        above = above if sort == "blank" else [] if sort == "row" else kept


#: 可见某公司2025Q3低于2024Q3, 某公司高于行业平均。: what is concluded from a table is of its one quantity.
_CONCLUDES = re.compile(
    r"^\s*(?:由此|从中|据此|[据从由]?(?:上|本|该|此)?表(?:中|里|格)?)?(?:可见|可知|可以看出|看出|显示|显然|说明|因此|所以|即|来看)"
    r"|^\s*(?:结论|点评|小结|结果|总之|一句话)"
    r"|^[^，。；\n]{2,24}(?:[高低大小多少]于|超过|不及)[^，。；\n]{2,16}。?\s*$"
)


def _lines(document: str) -> Iterator[tuple[str, Mapped]]:
    position = 0
    for raw in document.splitlines(keepends=True):
        line = _identity(document, position, position + len(raw))
        position += len(raw)
        is_row = bool(_TABLE_ROW.match(raw)) and raw.count("|") >= 2
        yield ("row" if is_row else "heading" if _HEADING.match(raw) else "text" if raw.strip() else "blank"), line


def _level(line: str) -> int:
    match = _HEADING.match(line)
    return len(match[1]) if match else 0


def _cells(row: Mapped) -> list[Mapped]:
    bars = [m.start() for m in re.finditer(r"(?<!\\)\|", row.text)]
    inner = [row.part(a + 1, b) for a, b in pairwise(bars)]
    if row.text[bars[-1] + 1 :].strip():
        inner.append(row.part(bars[-1] + 1, len(row.text)))
    if row.text[: bars[0]].strip():
        inner.insert(0, row.part(0, bars[0]))
    return [inline(cell).stripped() for cell in inner]
