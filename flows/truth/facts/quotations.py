"""A fact's sentence quoted word for word carries the fact's own numbers, rules and comparisons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flows.truth.facts.ledger import Ledger

_OPENS = re.compile(r"[\s，。；：:、;,.“\"「《（(|>*\-\]】\u200b]")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A span of the text that is a fact's sentence."""

    start: int
    end: int
    fact_id: str


def quotations(text: str, ledger: Ledger, cited: frozenset[str] | None) -> Sequence[Quotation]:
    """Spans of *text* that repeat the sentence of a cited fact, with or without its label and source note.

    A fact with a value of a known quantity is quoted only right behind its own id: elsewhere its sentence is left to
    binding, for it is short, and words before it (another company, another period) would change what it says.
    """
    return [
        Quotation(at, at + len(core), fact_id)
        for core, fact_id, is_wording in ledger.sentences
        if cited is None or fact_id in cited
        if is_wording or fact_id in text
        for at in _places(text, core)
        if _is_labelled(text, at, fact_id) or (is_wording and (at == 0 or _OPENS.match(text, at - 1)))
    ]


def _places(text: str, core: str) -> Iterator[int]:
    at = text.find(core)
    while at >= 0:
        yield at
        at = text.find(core, at + len(core))


def _is_labelled(text: str, at: int, fact_id: str) -> bool:
    """Whether the fact's id stands right before the quotation: E12 收盘价为…."""
    return text[max(0, at - 12) : at].rstrip(" :：").endswith(fact_id)
