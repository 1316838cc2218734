"""Titles of filings in 《》: one whose year or number differs from every known one, or that no fact knows, is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from flows.contracts.checks import Check, CheckVerdict
from flows.truth.grammar.reading import Reading

_TITLE = re.compile(r"《([^《》]{4,80})》")
_NUMERAL = re.compile(r"[0-9零〇一二三四五六七八九十百两]+")
#: Endings only a company's own papers have; laws, rules and books end otherwise.
_PAPER = re.compile(r"(?:公告|年度报告|季度报告|预告|快报|计划书|决议|问询函)$")


def misquoted_titles(reading: Reading, known: Mapping[str, str], claim_id: str) -> Iterator[Check]:
    """A failed check per title that none of the *known* titles (title → fact id) matches."""
    for match in _TITLE.finditer(reading.plain):
        title = _clean(match[1])
        if any(title in other or other in title for other in known):
            continue
        twin = next((other for other in known if _shape(other) == _shape(title)), None)
        if twin is not None:
            yield _check(reading, match, claim_id, CheckVerdict.MISMATCH, known[twin], f"标题应为《{twin}》")
        elif known and _PAPER.search(title):
            yield _check(reading, match, claim_id, CheckVerdict.UNSUPPORTED, None, "事实里没有这个标题的文件")


def titles_in(sentence: str) -> list[str]:
    """Titles a fact's sentence quotes, without blanks."""
    return [_clean(match[1]) for match in _TITLE.finditer(sentence)]


def _clean(title: str) -> str:
    return re.sub(r"\s", "", title)


def _shape(title: str) -> str:
    return _NUMERAL.sub("#", title)


def _check(
    reading: Reading, match: re.Match[str], claim_id: str, verdict: CheckVerdict, fact_id: str | None, reason: str
) -> Check:
    start, end = match.span(1)
    return Check(
        claim_id=claim_id,
        text=reading.text[start:end],
        start=start,
        end=end,
        verdict=verdict,
        fact_id=fact_id,
        reason=reason,
    )
