"""A fact's sentence quoted word for word carries the fact's own numbers, rules and comparisons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flows.truth.ledger import Ledger

_OPENS = re.compile(r"[\s，。；：:、;,.“\"「《（(|>*\-\]】\u200b]")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A span of the text that is a fact's sentence."""

    start: int
    end: int
    fact_id: str


def quotations(text: str, ledger: Ledger, cited: frozenset[str] | None) -> Sequence[Quotation]:
    """Spans of *text* that repeat the sentence of a cited fact, with or without its label and source note.

    Facts with a value of a known quantity are left to binding: their sentences are short, and words before them (another
    company, another period) would change what they say.
    """
    found = []
    for core, fact_id in ledger.sentences:
        if cited is None or fact_id in cited:
            at = text.find(core)
            while at >= 0:
                if at == 0 or _OPENS.match(text[at - 1]):
                    found.append(Quotation(at, at + len(core), fact_id))
                at = text.find(core, at + len(core))
    return found
