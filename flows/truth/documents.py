"""Markdown, HTML and plain text cut into checkable pieces whose offsets lead back to the file.

A table cell becomes a small sentence: row label and column header name what its number is of, a unit in the header
is the cell's unit. Markup never counts as text, script and style never reach the checker.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from flows.truth.lexicon import mentions
from flows.truth.units import header_unit

_HTML = re.compile(r"<(?:!doctype|html|body|p|div|table|h[1-6]|ul|li|span|article|section)\b", re.IGNORECASE)
_DROP = re.compile(r"<(script|style|svg|template|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)\b[^>]*>")
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);")
_BLOCKS = frozenset({
    "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "br", "tr", "table", "section", "article", "blockquote",
    "dt", "dd", "dl", "figure", "figcaption", "details", "summary", "header", "footer", "nav", "main", "aside", "thead", "tbody",
})  # fmt: skip
_INLINE = re.compile(
    r"(?P<image>!\[[^\]]*\]\([^)]*\))|\[(?P<link>[^\]]+)\]\((?P<to>[^)\s]*)[^)]*\)|(?P<mark>\*\*|__|~~|`|\*(?=\S)|(?<=\S)\*)"
)
_TABLE_ROW = re.compile(r"^\s*\|.*\|?\s*$")
_RULE_ROW = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_HEADING = re.compile(r"^\s*(#{1,6})\s")
_NUMERIC = re.compile(r"^\s*[-+−]?[\d,]*\.?\d+\s*(?:%|倍|元|万|亿|亿元|万元|万股|亿股|股)?\s*$")
#: Headers of the table of confidence steps: its numbers are the debate's own arithmetic, not claims about a company.
_PROCESS = frozenset({"由", "至"})
_EMPTY_TITLES = frozenset({"数值", "值", "数据", "指标", "内容", "数据值", "本期", "项目", "名称"})
_BARE = re.compile(r"^\s*[-+−]?[\d,]*\.?\d+\s*$")


@dataclass(frozen=True, slots=True)
class Mapped:
    """Text without markup; ``at[i]`` is the offset of character *i* in the document."""

    text: str
    at: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Document offsets of a span of the text."""
        return self.at[start], self.at[end - 1] + 1

    def part(self, start: int, end: int) -> Mapped:
        """A slice, mapped the same way."""
        return Mapped(self.text[start:end], self.at[start:end])

    def stripped(self) -> Mapped:
        """Without surrounding blanks."""
        start = len(self.text) - len(self.text.lstrip())
        end = len(self.text.rstrip())
        return self.part(start, max(start, end))


@dataclass(frozen=True, slots=True)
class Piece:
    """One text to check: *before* and *after* give it meaning but are not checked themselves.

    Attributes:
        heading: Level of a heading, 0 for other text.
        is_process: Whether it belongs to the debate's own arithmetic.
        row: Cells with one number speak of one thing (a table row, or a table of label and value); -1 outside tables.
    """

    body: Mapped
    before: str = ""
    after: str = ""
    heading: int = 0
    in_table: bool = False
    is_process: bool = False
    row: int = -1

    @property
    def text(self) -> str:
        """What the checker reads."""
        return f"{self.before}{self.body.text}{self.after}"


def pieces(document: str) -> list[Piece]:
    """Checkable pieces of *document* in order."""
    if _HTML.search(document):
        return list(_html_pieces(document))
    return list(_markdown_pieces(document))


def is_html(document: str) -> bool:
    """Whether *document* is HTML rather than Markdown or plain text."""
    return bool(_HTML.search(document))


def _identity(document: str, start: int, end: int) -> Mapped:
    return Mapped(document[start:end], tuple(range(start, end)))


def _inline(line: Mapped) -> Mapped:
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


def _markdown_pieces(document: str) -> Iterator[Piece]:
    for sort, lines in groupby(_lines(document), key=lambda item: item[0]):
        kept = [line for _, line in lines]
        if sort == "row":
            yield from _table_pieces([_cells(row) for row in kept if not _RULE_ROW.match(row.text)])
        elif sort == "text":
            yield Piece(_inline(_joined(kept)))
        elif sort == "heading":
            yield from (Piece(_inline(line), heading=_level(line.text)) for line in kept)


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


def _joined(parts: list[Mapped]) -> Mapped:
    return Mapped("".join(x.text for x in parts), tuple(i for x in parts for i in x.at))


def _cells(row: Mapped) -> list[Mapped]:
    bars = [m.start() for m in re.finditer(r"(?<!\\)\|", row.text)]
    inner = [row.part(a + 1, b) for a, b in pairwise(bars)]
    if row.text[bars[-1] + 1 :].strip():
        inner.append(row.part(bars[-1] + 1, len(row.text)))
    if row.text[: bars[0]].strip():
        inner.insert(0, row.part(0, bars[0]))
    return [_inline(cell).stripped() for cell in inner]


def _table_pieces(rows: list[list[Mapped]]) -> Iterator[Piece]:
    if not rows:
        return
    header = [cell.text for cell in rows[0]]
    is_process = _PROCESS <= set(header)
    for cell in rows[0]:
        if cell.text:
            yield Piece(cell, in_table=True)
    topic = header[0] if any(map(mentions, header[:1])) else ""
    table = next((cell.at[0] for cell in rows[0] if cell.at), 0)
    for row in rows[1:]:
        group = table if len(header) == 2 else next((cell.at[0] for cell in row if cell.at), 0)
        label = row[0].text if row and not _NUMERIC.match(row[0].text) else ""
        for column, cell in enumerate(row):
            if cell.text:
                title = _column_title(header, column)
                named = topic if column and not mentions(label + title) else ""
                said = _qualifiers(row, column, header) if column else ""
                piece = _cell_piece(cell, named + said + (label if column else ""), title)
                yield replace(piece, is_process=is_process, row=group)


_QUALIFIER = re.compile(r"^(?:20\d{2}.{0,8}|近.{1,6}|[一二三]季报|中报|年报)$")


_CHANGES = frozenset({"变动", "变化", "增减", "增幅", "变动幅度", "增减幅", "差额", "差异", "变化幅度", "增长"})


def _column_title(header: list[str], column: int) -> str:
    """Header of a column; a column of changes between two period columns says from when to when."""
    title = header[column] if column < len(header) else ""
    periods = [text for text in header if _QUALIFIER.match(text)]
    if title in _CHANGES and len(periods) == 2:
        early, late = sorted(periods, key=lambda text: re.sub(r"\D", "", text)[:4])
        return f"{late}较{early}{title}"
    return title


_OWNERS = frozenset({"公司", "股票", "标的", "名称", "证券简称", "简称", "对象", "上市公司", "股票名称", "公司名称"})


def _qualifiers(row: list[Mapped], column: int, header: list[str]) -> str:
    """Periods and companies in other cells of the row (期间 | 2025Q3): they say of when and of whom its numbers are."""
    others = [(n, cell.text) for n, cell in enumerate(row) if n not in {0, column}]
    return "".join(text for n, text in others if _QUALIFIER.match(text) or (n < len(header) and header[n] in _OWNERS))


def _cell_piece(cell: Mapped, label: str, header: str) -> Piece:
    scale, unit = header_unit(header)
    if not scale and not unit:
        scale, unit = header_unit(label)
    after = f"{scale}{unit}" if _BARE.match(cell.text) else ""
    parts = [part for part in (_titled(label), _titled(header)) if part and part not in _EMPTY_TITLES]
    before = "的".join(parts)
    return Piece(cell, f"{before}: " if before else "", after, in_table=True)


def _titled(text: str) -> str:
    """A label without the unit in brackets at its end."""
    return re.sub(r"[(（\[][^)）\]]*[)）\]]\s*$", "", text) if any(header_unit(text)) else text


def _html_pieces(document: str) -> Iterator[Piece]:
    yield from _flow(document, _tokens(document))


def _tokens(document: str) -> Iterator[tuple[str, Mapped]]:
    """(tag, empty) or ("", text) in document order; dropped elements are skipped."""
    dropped = [(m.start(), m.end()) for m in _DROP.finditer(document)]
    position = 0
    for match in re.finditer(r"<[^>]*>", document):
        inside = next((d for d in dropped if d[0] <= match.start() < d[1]), None)
        if match.start() < position:
            continue
        if match.start() > position:
            yield "", _decoded(document, position, match.start())
        if inside is not None:
            position = inside[1]
            continue
        tag = _TAG.match(match[0])
        name = (("/" if match[0].startswith("</") else "") + tag[1].lower()) if tag else ""
        yield name or "?", Mapped("", ())
        position = match.end()
    if position < len(document):
        yield "", _decoded(document, position, len(document))


def _decoded(document: str, start: int, end: int) -> Mapped:
    text: list[str] = []
    at: list[int] = []
    position = start
    for match in _ENTITY.finditer(document, start, end):
        text.append(document[position : match.start()])
        at.extend(range(position, match.start()))
        char = html.unescape(match[0])
        text.append(char)
        at.extend([match.start()] * len(char))
        position = match.end()
    text.append(document[position:end])
    at.extend(range(position, end))
    return Mapped("".join(text), tuple(at))


class _Flow:
    """Collects inline text into blocks and cells into tables."""

    def __init__(self) -> None:
        self.parts: list[Mapped] = []
        self.rows: list[list[Mapped]] = []
        self.heading = 0

    def add(self, text: Mapped) -> None:
        """Append a run of text; runs of letters and digits that only a tag parts stay apart."""
        last = self.parts[-1].text[-1:] if self.parts else ""
        first = text.text[:1]
        if last.isascii() and last.isalnum() and first.isascii() and first.isalnum():
            self.parts.append(Mapped(" ", (text.at[0],)))
        self.parts.append(text)

    def take(self) -> Mapped:
        joined = _joined(self.parts)
        self.parts = []
        return joined.stripped()


def _flow(document: str, tokens: Iterator[tuple[str, Mapped]]) -> Iterator[Piece]:
    state = _Flow()
    depth = 0
    for tag, text in tokens:
        if not tag:
            state.add(text)
            continue
        name = tag.lstrip("/")
        if name in {"td", "th"} and depth:
            _cell(state, closes=tag.startswith("/"))
        elif name == "table":
            yield from _around_table(state, opens=tag == "table")
            depth = max(0, depth + (1 if tag == "table" else -1))
        elif name == "tr" and depth and tag == "tr":
            state.rows.append([])
        elif name in _BLOCKS and not depth:
            yield from _flush(state)
            state.heading = int(name[1]) if re.fullmatch(r"h[1-6]", tag) else 0
    yield from _flush(state)


def _cell(state: _Flow, *, closes: bool) -> None:
    cell = state.take()
    if closes and state.rows:
        state.rows[-1].append(cell)


def _around_table(state: _Flow, *, opens: bool) -> Iterator[Piece]:
    if opens:
        yield from _flush(state)
        state.rows = []
    else:
        state.parts = []
        yield from _table_pieces([row for row in state.rows if row])
        state.rows = []


def _flush(state: _Flow) -> Iterator[Piece]:
    body = state.take()
    if body.text:
        yield Piece(body, heading=state.heading)
