"""A fact as a footnote: its sentence, and where and when it was published (PRODUCT R2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.contracts.packs import Fact, Pack
from flows.evidence.untrusted import safe_url
from flows.reports.segments import Line, marked
from flows.reports.words import FLAG_ZH
from flows.truth.binding import check_with, ledger_of


@dataclass(frozen=True)
class Footnote:
    """One fact and its source.

    Attributes:
        sentence: Without its source; checked against the fact's own value where it has one, a quotation otherwise.
        when: The date of the source in words, e.g. ``2026-10-23披露``.
        url: An http or https address that is safe inside Markdown and HTML; None if there is none.
        original: Wording before neutralisation, where it differed.
    """

    fact_id: str
    sentence: Line
    kind: str
    dimension: str
    source: str
    when: str
    url: str | None
    original: str | None
    flags: tuple[str, ...]


def footnote(fact: Fact, pack: Pack) -> Footnote:
    """*fact* of *pack* with its source taken out of the sentence, so that it is said once."""
    tail = re.search(rf"（([^（）]*)，{re.escape(fact.source)}）。?$", fact.sentence)
    end = tail.start() if tail else len(fact.sentence.removesuffix("。"))
    is_measured = isinstance(fact.value, int | float)
    checks = check_with(ledger_of(pack), fact.sentence, (fact.id,)) if is_measured else ()
    return Footnote(
        fact.id,
        marked(fact.sentence[:end], checks),
        fact.kind.value,
        fact.dimension.value,
        fact.source,
        tail[1] if tail else fact.as_of.isoformat(),
        _link(fact.url),
        fact.original,
        tuple(FLAG_ZH.get(flag, flag) for flag in fact.flags),
    )


def _link(url: str | None) -> str | None:
    safe = safe_url(url)
    return safe.replace("(", "%28").replace(")", "%29") if safe else None
