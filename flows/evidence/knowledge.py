"""Domain knowledge index (PRODUCT E13): short sourced notes, found by the words of a need.

A note is visible only while it is in force at the as-of date, so a debate about an old day argues under
the rules of that day. Notes are for reasoning: their facts are of kind 知识 and carry no company's number.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import date, datetime, time
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.contracts.units import Unit
from flows.market.sessions import SHANGHAI

_FOLDER = Path(__file__).with_name("knowledge_notes")


class Note(BaseModel):
    """One note.

    Attributes:
        version: Date on which the note was last compared with its source.
        valid_from: First day on which the rule applies.
        valid_to: Last day, None while in force.
        keywords: Words of a need that call for the note.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    title: str
    text: str
    source: str
    source_date: date
    version: date
    valid_from: date
    valid_to: date | None = None
    dimension: Dimension
    keywords: tuple[str, ...]

    def in_force(self, as_of: date) -> bool:
        """Whether the note was published and applied on *as_of*."""
        return (
            self.source_date <= as_of and self.valid_from <= as_of and (self.valid_to is None or as_of <= self.valid_to)
        )


@cache
def all_notes() -> tuple[Note, ...]:
    """Every note of the index, by file and place."""
    found: list[Note] = []
    for path in sorted(_FOLDER.glob("*.toml")):
        found += [Note(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["note"]]
    return tuple(found)


def find_notes(need: str, as_of: date, *, dimension: Dimension | None = None, limit: int = 5) -> list[Note]:
    """Notes in force on *as_of* whose keywords occur in *need*, most hits first; ties in index order.

    With *dimension* given, notes of that dimension come first among equals and also match without a hit.
    """
    scored = [(_hits(note, need), note.dimension is dimension, note) for note in all_notes() if note.in_force(as_of)]
    fitting = [entry for entry in scored if entry[0] or entry[1]]
    fitting.sort(key=lambda entry: (-entry[0], not entry[1]))
    return [note for _, _, note in fitting[:limit]]


def _hits(note: Note, need: str) -> int:
    return sum(need.count(word) > 0 for word in note.keywords)


def knowledge_facts(notes: Sequence[Note], as_of: date) -> list[Fact]:
    """The notes as facts of kind 知识; the value is the text, never a number."""
    return [_fact(note, as_of) for note in notes]


def _fact(note: Note, as_of: date) -> Fact:
    until = f"，适用至{note.valid_to.isoformat()}" if note.valid_to else ""
    return Fact(
        id="",
        sentence=f"知识：{note.text}（{note.source}，{note.valid_from.isoformat()}起适用{until}）。",
        field=f"knowledge.{note.id}",
        value=note.text,
        unit=Unit.TEXT,
        as_of=min(note.valid_from, as_of),
        published_at=datetime.combine(note.source_date, time(), SHANGHAI),
        source=f"{note.source}（核对版本 {note.version.isoformat()}）",
        polarity=Polarity.NEUTRAL,
        dimension=note.dimension,
        kind=FactKind.KNOWLEDGE,
        subject="规则",
        freshness="NOT_APPLICABLE",
    )
