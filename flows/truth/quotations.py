"""A fact's sentence quoted word for word carries the fact's own numbers, rules and comparisons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from flows.contracts.packs import Fact
from flows.truth.ledger import Ledger
from flows.truth.lexicon import field_concept

#: Shorter runs of a sentence are coincidence, not quotation.
SHORTEST = 10
_SOURCE = re.compile(r"（[^（）]*(?:（[^（）]*）[^（）]*)*）[。.]?$")
_OPENS = re.compile(r"[\s，。；：:、;,.“\"「《（(|>*\-\]】\u200b]")
_LABEL = re.compile(r"^(?:知识|公告|新闻|研报|用户)[:：]")


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
    known = field_concept()
    for fact in ledger.facts:
        if (cited is None or fact.id in cited) and fact.field not in known:
            core = spoken(fact)
            at = text.find(core) if len(core) >= SHORTEST else -1
            while at >= 0:
                if at == 0 or _OPENS.match(text[at - 1]):
                    found.append(Quotation(at, at + len(core), fact.id))
                at = text.find(core, at + len(core))
    return found


def spoken(fact: Fact) -> str:
    """The sentence without its label (知识：) and the source note in brackets at its end."""
    body = _SOURCE.sub("", fact.sentence.strip())
    return _LABEL.sub("", body).rstrip("。.")
