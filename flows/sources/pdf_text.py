"""Sentences with figures of a filing's PDF, or why it cannot be read (PRODUCT E12).

A document is either read or said to be unreadable: a scan is not guessed at, a broken or locked file is not
half quoted, and more pages than a reader would follow are refused before any is parsed.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from pypdf import PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, LimitReachedError, PyPdfError, WrongPasswordError

Readability = Literal["readable", "scanned", "broken", "encrypted", "too_large"]

MAX_BYTES = 20 * 1024 * 1024
MAX_PAGES = 300
MAX_SENTENCES = 40
DEADLINE_S = 20.0
_SENTENCE_CHARS = (8, 300)
#: Fewer characters than this per page on average, and the pages are pictures.
_SCANNED_CHARS_PER_PAGE = 20
#: What parsing a damaged file raises beside pypdf's own errors.
_DAMAGE = (PyPdfError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, OSError)
_END = re.compile(r"(?<=[。；！？])")
_FIGURE = re.compile(
    r"\d[\d,.]*\s*(?:万|亿|元|%|％|‰|股|倍|个百分点|吨|千瓦|兆瓦|MW|GW|KW|kWh|美元|港元|天|个月|年|家|项|台|套|件|人)"
    r"|百分之|[一二三四五六七八九十百千]+(?:万|亿)元"
)
_CJK = re.compile(r"[\u4e00-\u9fff]")
_PAGE_MARK = re.compile(r"(?:第\s*)?\d+\s*(?:页|/\s*\d+)?(?:\s*共\s*\d+\s*页)?")
_LATIN_EDGE = re.compile(r"(?<=[A-Za-z0-9])\n(?=[A-Za-z])|(?<=[A-Za-z])\n(?=[A-Za-z0-9])")


@dataclass(frozen=True)
class Sentence:
    """One sentence with figures and the page it starts on, from 1."""

    page: int
    text: str


@dataclass(frozen=True)
class Reading:
    """What came of reading one document; sentences only where it is readable."""

    readability: Readability
    pages: int | None = None
    sentences: tuple[Sentence, ...] = ()


def read_pdf(body: bytes, *, deadline_s: float = DEADLINE_S, ticks: Callable[[], float] = time.monotonic) -> Reading:
    """Read *body*; never raises for what the document is like.

    A file that needs a password is ``encrypted``; one that only forbids copying opens with the empty password.
    Reading that takes longer than *deadline_s* counts as ``too_large``.
    """
    if len(body) > MAX_BYTES:
        return Reading("too_large")
    try:
        return _read(body, deadline_s, ticks)
    except (WrongPasswordError, FileNotDecryptedError, DependencyError):
        return Reading("encrypted")
    except LimitReachedError:
        return Reading("too_large")
    except _DAMAGE:
        return Reading("broken")


def _read(body: bytes, deadline_s: float, ticks: Callable[[], float]) -> Reading:
    reader = PdfReader(io.BytesIO(body))
    if reader.is_encrypted and not reader.decrypt(""):
        return Reading("encrypted")
    pages = len(reader.pages)
    if pages == 0:
        return Reading("broken", 0)
    texts = _texts(reader, deadline_s, ticks) if pages <= MAX_PAGES else None
    if texts is None:
        return Reading("too_large", pages)
    if sum(len("".join(text.split())) for text in texts) < _SCANNED_CHARS_PER_PAGE * pages:
        return Reading("scanned", pages)
    return Reading("readable", pages, tuple(_figures(texts))[:MAX_SENTENCES])


def _texts(reader: PdfReader, deadline_s: float, ticks: Callable[[], float]) -> list[str] | None:
    """The text of every page, or None once the deadline has passed."""
    started, texts = ticks(), []
    for page in reader.pages:
        texts.append(page.extract_text())
        if ticks() - started > deadline_s:
            return None
    return texts


def _figures(texts: list[str]) -> Iterator[Sentence]:
    """Sentences that carry a figure with a unit; table rows without words are left out."""
    seen: set[str] = set()
    shortest, longest = _SENTENCE_CHARS
    for page, text in _sentences(texts):
        if text in seen or not shortest <= len(text) <= longest:
            continue
        if _FIGURE.search(text) and len(_CJK.findall(text)) * 3 >= len(text):
            seen.add(text)
            yield Sentence(page, text)


def _sentences(texts: list[str]) -> Iterator[tuple[int, str]]:
    """(page, sentence); a sentence cut by a page break belongs to the page it starts on."""
    held, held_page = "", 1
    for page, text in enumerate(texts, start=1):
        start = held_page if held else page
        parts = _END.split(held + _running(text))
        for number, part in enumerate(parts[:-1]):
            yield (start if number == 0 else page), part.strip()
        held_page = start if len(parts) == 1 else page
        held = parts[-1]
    yield held_page, held.strip()


def _running(text: str) -> str:
    """Lines of a page as running text: Chinese takes no space where a line was broken, Latin words do."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    kept = "\n".join(line for line in lines if line and not _PAGE_MARK.fullmatch(line))
    return _LATIN_EDGE.sub(" ", kept).replace("\n", "")
