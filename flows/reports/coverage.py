"""The number check of a whole rendered report, as its reader has it before him (PRODUCT T1, T5).

The arguments, the conclusion, the facts and every other sentence of the debate were checked one by one against the
facts they cite, which is the stricter check; the templates put them in brackets, and there that check decides.
Everything else on the page (present values, tables, headings, notices) is checked here for the first time, and struck
through where it does not hold. Ids and dates of the report itself are asides: they claim nothing. Charts are outside
the check, and the reader is told so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from flows.contracts.checks import CheckVerdict
from flows.contracts.packs import Pack
from flows.truth.verify import VerifyResult, verify_document

#: Private-use characters round a sentence that was checked with the facts it cites, and round an aside.
SENTENCE = "\ue000", "\ue001"
ASIDE = "\ue002", "\ue003"
#: Where the line on coverage goes; it cannot be known before the page is complete.
PLACE = "\ue004"
_BRACKETS = "".join((*SENTENCE, *ASIDE))
OWN_MARKS = str.maketrans("", "", _BRACKETS + PLACE)

_STRUCK = re.compile(r"<del\b[^>]*>(?P<html>.*?)</del><ins>.*?</ins>|~~(?P<md>.+?)~~（[^）]*）", re.DOTALL)

Range = tuple[int, int]


@dataclass(frozen=True)
class Coverage:
    """How many numbers and comparisons of a page were checked, and how many passages are struck through.

    A passage is struck for a number, or for words put into a mouth that did not say them.
    """

    checked: int
    struck: int

    def __str__(self) -> str:
        """The line of the report that says so."""
        wrong = f"划去不符或不实的 {self.struck} 处，旁边写明正确值或理由" if self.struck else "没有发现不符"
        return f"数字核对：对照事实包核对本页文字里的数字与比较 {self.checked} 处，{wrong}。图不在核对之内。"


def with_coverage(rendered: str, pack: Pack) -> tuple[str, Coverage]:
    """*rendered* (Markdown or HTML) without our brackets, what does not hold struck through, coverage said."""
    page, ranges = _without_brackets(rendered)
    sentences = ranges[SENTENCE[0]]
    marks = [(match.start(), match.end(), match) for match in _STRUCK.finditer(page)]
    names = {pack.identity.name: pack.symbol} if pack.identity.name else {}
    facts = (*pack.facts, *pack.appendix)
    result = verify_document(_bare(page, marks, ranges[ASIDE[0]]), facts, subject=pack.symbol, names=names)
    checks = [check for check in result.checks if check.verdict is not CheckVerdict.NOT_A_QUANTITY]
    decided = [*((start, end) for start, end, _ in marks), *sentences]
    strays = [c for c in checks if c.verdict.is_failure and not _inside(c.start, decided)]
    coverage = Coverage(len(checks), len(marks) + len(strays))
    return VerifyResult(page, tuple(strays)).annotated.replace(PLACE, str(coverage)), coverage


def _without_brackets(rendered: str) -> tuple[str, dict[str, list[Range]]]:
    """The page without brackets, and by opening bracket where what they held stands in it."""
    kept: list[str] = []
    ranges: dict[str, list[Range]] = {SENTENCE[0]: [], ASIDE[0]: []}
    length = opened = 0
    for part in re.split(f"([{_BRACKETS}])", rendered):
        if part in ranges:
            opened = length
        elif part and part in _BRACKETS:
            ranges[_BRACKETS[_BRACKETS.index(part) - 1]].append((opened, length))
        else:
            kept.append(part)
            length += len(part)
    return "".join(kept), ranges


def _bare(page: str, marks: Iterable[tuple[int, int, re.Match[str]]], asides: Iterable[Range]) -> str:
    """*page* with asides and corrections blanked at equal length: the right value beside a wrong one is no claim."""
    corrections = [(match.end("html" if match["html"] is not None else "md"), end) for _, end, match in marks]
    for start, end in (*corrections, *asides):
        page = f"{page[:start]}{_blank(page[start:end])}{page[end:]}"
    return page


def _blank(words: str) -> str:
    """Blanks for words; tags, strike marks and line ends stay."""
    return re.sub(r"(<[^>]*>|~~|\n)|.", lambda match: match[1] or " ", words, flags=re.DOTALL)


def _inside(position: int, ranges: Iterable[Range]) -> bool:
    return any(start <= position < end for start, end in ranges)
