"""HTML cut into pieces; script and style never reach the checker."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from flows.truth.pages.mapped import Mapped, Piece, joined
from flows.truth.pages.tables import table_pieces

_DROP = re.compile(r"<(script|style|svg|template|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)

_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)\b[^>]*>")

_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);")

_BLOCKS = frozenset({
    "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "br", "tr", "table", "section", "article",
    "blockquote",
    "dt", "dd", "dl", "figure", "figcaption", "details", "summary", "header", "footer", "nav", "main", "aside",
    "thead", "tbody",
})  # fmt: skip


def html_pieces(document: str) -> Iterator[Piece]:
    """Pieces of an HTML document in order."""
    yield from _flow(document, _tokens(document))


def _tokens(document: str) -> Iterator[tuple[str, Mapped]]:
    """(tag, empty) or ("", text) in document order; dropped elements are skipped."""
    dropped = [(m.start(), m.end()) for m in _DROP.finditer(document)]
    position = following = 0
    for match in re.finditer(r"<[^>]*>", document):
        while following < len(dropped) and dropped[following][1] <= match.start():
            following += 1
        inside = next((d for d in dropped[following : following + 1] if d[0] <= match.start()), None)
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
        """The text collected so far, and begin anew."""
        block = joined(self.parts)
        self.parts = []
        return block.stripped()


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
        yield from table_pieces([row for row in state.rows if row])
        state.rows = []


def _flush(state: _Flow) -> Iterator[Piece]:
    body = state.take()
    if body.text:
        yield Piece(body, heading=state.heading)
