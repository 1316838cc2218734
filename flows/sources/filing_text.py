"""Text of filings behind cninfo's links: list, choose by class, fetch, read (PRODUCT E12).

One question covers the newest filings of the listed classes. Size is judged from the list before anything is
fetched, address and host are ours (only the path comes from the list, and only in its known form), and each
document is either read or said to be unreadable.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.contracts.raw import RAW_TABLES
from flows.market.filing_classes import worth_reading
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.faults import invalid, no_data, outage
from flows.sources.http import Exchange, current
from flows.sources.pdf_text import MAX_BYTES, Reading, read_pdf
from flows.sources.shapes import cninfo as shapes
from flows.sources.shapes.common import finish
from flows.sources.verdicts import parsed, wire_fault

SOURCE = "filing_text"
BASE = "http://static.cninfo.com.cn"
_MAX_EXCHANGES = 110
_PATH = re.compile(r"finalpage/\d{4}-\d{2}-\d{2}/\d+\.pdf", re.IGNORECASE)
_AGENT = {"User-Agent": "Mozilla/5.0"}
_LOG = logging.getLogger(__name__)
_COLUMNS = ("announcement_id", "symbol", "sentence_no", "page", "readability", "sentence", "published_at")


@dataclass(frozen=True)
class _Document:
    path: str
    bytes_told: int


@dataclass
class FilingTexts:
    """The fetcher of ``filing_texts`` for one run.

    Attributes:
        asker: cninfo as this run asks it.
        filings: The list of a company's filings in cninfo's own columns, fetched inside the same recording.
        base: Where the documents lie.
    """

    asker: Asker
    filings: Callable[[Request], pl.DataFrame]
    base: str = BASE

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {"filing_texts": self.fetch_filing_texts}

    def fetch_filing_texts(self, request: Request) -> Envelope:
        """Sentences with figures of the newest filings of the listed classes, with page numbers."""
        if request.symbol is None:
            return self.asker.refusal(request, SOURCE, invalid("公告正文须指明股票代码"))
        question = Question(SOURCE, lambda: [self._read(request)], shape, max_exchanges=_MAX_EXCHANGES)
        return self.asker.ask(request, question)

    def _read(self, request: Request) -> pl.DataFrame:
        recording = current()
        seen = len(recording.exchanges)
        listed = shapes.announcements(self.filings(request), request)
        documents = _documents(recording.exchanges[seen:])
        rows = [
            row
            for filing in worth_reading(listed).rows(named=True)
            if (document := documents.get(filing["announcement_id"])) is not None
            for row in text_rows(filing, self._reading(document))
        ]
        if not rows:
            raise no_data("所问区间内没有可取正文的重点类别公告")
        return frame_of(rows)

    def _reading(self, document: _Document) -> Reading | None:
        if document.bytes_told > MAX_BYTES:
            return Reading("too_large")
        body = self._body(document.path)
        return read_pdf(body) if body is not None else None

    def _body(self, path: str) -> bytes | None:
        """The document; None if the server does not have it, a fault if it could not be asked."""
        import requests  # noqa: PLC0415  slow import

        try:
            requests.get(f"{self.base}/{path}", headers=_AGENT, timeout=current().remaining_s())
        except OSError as error:
            raise outage(f"公告正文取不到:{type(error).__name__}") from error
        answer = current().last
        if answer is None or answer.status == 404:
            _LOG.warning("filing text %s: not on the server", path)
            return None
        if (fault := wire_fault(answer)) is not None:
            raise fault
        return answer.body


def text_rows(filing: Mapping[str, Any], reading: Reading | None) -> Iterator[dict[str, object]]:
    """Rows of one filing: its sentences, or one status row; nothing for a document that is not there."""
    if reading is None:
        return
    key = {"announcement_id": filing["announcement_id"], "symbol": filing["symbol"],
           "readability": reading.readability, "published_at": filing["published_at"]}  # fmt: skip
    if not reading.sentences:
        yield {**key, "sentence_no": 0, "page": None, "sentence": None}
    for number, sentence in enumerate(reading.sentences, start=1):
        yield {**key, "sentence_no": number, "page": sentence.page, "sentence": sentence.text}


def frame_of(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """Rows as a frame in the contract's types."""
    types = RAW_TABLES["filing_texts"].schema
    return pl.DataFrame(list(rows), schema={name: types[name] for name in _COLUMNS})


def shape(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """The window of the request; the rows are already ours."""
    return finish(frame, "filing_texts", request, "published_at")


def _documents(exchanges: Sequence[Exchange]) -> dict[str, _Document]:
    """Announcement id → document of the raw lists; only PDF paths of the known form."""
    found: dict[str, _Document] = {}
    for exchange in exchanges:
        answer = parsed(exchange)
        for item in (answer.get("announcements") or []) if isinstance(answer, dict) else []:
            path = str(item.get("adjunctUrl") or "")
            if _PATH.fullmatch(path):
                found[str(item["announcementId"])] = _Document(path, _told(item.get("adjunctSize")))
    return found


def _told(kilobytes: object) -> int:
    return int(kilobytes) * 1024 if isinstance(kilobytes, int | float) else 0
