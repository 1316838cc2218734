"""Text taken out of a document, with the offset of every character, and the pieces a checker reads."""

from __future__ import annotations

from dataclasses import dataclass


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


def joined(parts: list[Mapped]) -> Mapped:
    """Runs of text as one."""
    return Mapped("".join(x.text for x in parts), tuple(i for x in parts for i in x.at))
