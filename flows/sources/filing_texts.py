"""The text of a filing's PDF: sentences with figures and their pages, or an honest "cannot be read" (E12).

Nothing in a document is trusted: size, pages, reading time and output are bounded, and a document that is a
scan, encrypted, broken or too large yields one row that says so instead of text.
"""

from __future__ import annotations

import io
import re
import time
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from pypdf import PdfReader
from pypdf.errors import FileNotDecryptedError, LimitReachedError, PyPdfError

MAX_BYTES = 20 * 1024 * 1024
MAX_PAGES = 300
MAX_SENTENCES = 60
_READING_S = 30.0
#: Fewer characters than this per page on average: pictures of pages, not text.
_SCAN_CHARACTERS = 12
_SHORTEST, _LONGEST = 8, 240
_END = re.compile(r"(?<=[。；！？])")
_DIGIT = re.compile(r"[0-9零一二三四五六七八九十百千万亿]")
_CJK = re.compile(r"[\u4e00-\u9fff]")
#: What malformed files make the library raise besides its own errors.
_MALFORMED = (PyPdfError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, OSError)


@dataclass(frozen=True)
class Sentence:
    """One sentence with a figure and the page it begins on, from 1."""

    page: int
    text: str


@dataclass(frozen=True)
class Document:
    """What reading came to; *readability* is one of the contract's words."""

    readability: str
    sentences: tuple[Sentence, ...] = ()


def read_pdf(data: bytes) -> Document:
    """The sentences with figures in *data*, at most ``MAX_SENTENCES``; never raises for a bad file."""
    if len(data) > MAX_BYTES:
        return Document("too_large")
    if not data.lstrip()[:5].startswith(b"%PDF-"):
        return Document("broken")
    try:
        return _read(data)
    except FileNotDecryptedError:
        return Document("encrypted")
    except LimitReachedError:
        return Document("too_large")
    except _MALFORMED:
        return Document("broken")


def _read(data: bytes) -> Document:
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        return Document("encrypted")
    count = len(reader.pages)
    if count > MAX_PAGES:
        return Document("too_large")
    stop = time.monotonic() + _READING_S
    pages = []
    for page in reader.pages:
        if time.monotonic() > stop:
            return Document("too_large")
        pages.append(page.extract_text() or "")
    if sum(len(_CJK.findall(text)) + len(_DIGIT.findall(text)) for text in pages) < _SCAN_CHARACTERS * max(count, 1):
        return Document("scanned")
    return Document("readable", tuple(_sentences(pages))[:MAX_SENTENCES])


def _sentences(pages: list[str]) -> Iterator[Sentence]:
    """Sentences in reading order; one that runs over a page end belongs to the page it begins on."""
    held, held_page = "", 1
    for number, text in enumerate(pages, start=1):
        parts = _END.split(held + _joined(text))
        for i, part in enumerate(parts[:-1]):
            page = held_page if i == 0 and held else number
            if _says_figures(part):
                yield Sentence(page, part.strip())
        held_page = held_page if len(parts) == 1 and held else number
        held = parts[-1][-_LONGEST:]
    if _says_figures(held):
        yield Sentence(held_page, held.strip())


def _joined(text: str) -> str:
    """Lines of a page as running text: Chinese needs no space where a line was broken."""
    lines = [line.strip() for line in unicodedata.normalize("NFKC", text).splitlines()]
    return "".join(line for line in lines if line and not _is_page_mark(line))


def _is_page_mark(line: str) -> bool:
    return re.fullmatch(r"第?\s*\d+\s*(?:页|/\s*\d+)?(?:\s*共\s*\d+\s*页)?", line) is not None


def _says_figures(text: str) -> bool:
    """A sentence with a digit that is mostly words: table rows run together are left out."""
    stripped = text.strip()
    words = len(_CJK.findall(stripped))
    return (
        _SHORTEST <= len(stripped) <= _LONGEST
        and any(c.isdigit() for c in stripped)
        and words >= max(5, len(stripped) // 3)
    )
