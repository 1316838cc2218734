"""cninfo through akshare: filings, their documents, and dividend history.

Every function is ``fetch_<kind>(request) -> Envelope`` of one :class:`Cninfo`, which lasts for one run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import Envelope, Request
from flows.contracts.raw import RAW_TABLES
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.entity import only_company
from flows.sources.faults import SourceFault, broken, invalid, no_data, not_supported, outage
from flows.sources.filing_texts import MAX_BYTES, Document, read_pdf
from flows.sources.http import Exchange, current
from flows.sources.shapes import cninfo as shapes
from flows.sources.verdicts import parsed, wire_fault

DISCLOSURE = "stock_zh_a_disclosure_report_cninfo"
_DIVIDENDS = "stock_dividend_cninfo"
_DOCUMENTS = "static.cninfo.com.cn"
#: 100 pages of 30: no company files more in the longest window we ask for.
_MAX_PAGES = 102
_CATEGORY, _PATH, _KILOBYTES = "公告类别", "adjunctUrl", "adjunctSize"
_NEWEST = 6
_TEXT_SCHEMA = RAW_TABLES["filing_texts"].without([column.name for column in SYSTEM]).schema

#: Which filings' documents are read: rows of ``announcements`` in, some of them out.
Pick = Callable[[pl.DataFrame], pl.DataFrame]


def newest(filings: pl.DataFrame) -> pl.DataFrame:
    """The newest few filings; the default where nobody says which classes matter."""
    return filings.sort("published_at", "announcement_id", descending=True).head(_NEWEST)


@dataclass
class Cninfo:
    """cninfo for one run; a company's filing list is asked once and serves titles and documents."""

    asker: Asker
    akshare: Akshare
    pick: Pick = newest
    _lists: dict[str, tuple[Request, pl.DataFrame]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {
            "announcements": self.fetch_announcements,
            "filing_texts": self.fetch_filing_texts,
            "corporate_actions": self.fetch_corporate_actions,
        }

    def fetch_announcements(self, request: Request) -> Envelope:
        """Filings of the window, one per announcement id, with cninfo's category codes."""
        if request.symbol is None:
            return self.asker.refusal(request, DISCLOSURE, invalid("公告须指明股票代码"))
        question = Question(
            DISCLOSURE, lambda: [_as_akshare(self._listed(request))], shapes.announcements, max_exchanges=_MAX_PAGES
        )
        return self.asker.ask(request, question)

    def fetch_filing_texts(self, request: Request) -> Envelope:
        """Sentences with figures of the picked filings' documents, or rows that say why there are none."""
        if request.symbol is None:
            return self.asker.refusal(request, _DOCUMENTS, invalid("公告正文须指明股票代码"))
        question = Question(_DOCUMENTS, lambda: [self._texts(request)], _as_is, max_exchanges=_MAX_PAGES)
        return self.asker.ask(request, question)

    def fetch_corporate_actions(self, request: Request) -> Envelope:
        """Dividend and bonus plans with ex-dates."""
        if request.symbol is None:
            return self.asker.refusal(request, _DIVIDENDS, invalid("分红须指明股票代码"))
        code = request.symbol[:6]
        question = Question(
            _DIVIDENDS,
            lambda: [self.akshare.call(_DIVIDENDS, symbol=code)],
            shapes.corporate_actions,
            inspect=only_company(code),
        )
        return self.asker.ask(request, question)

    def _listed(self, request: Request) -> pl.DataFrame:
        """The filing list of the company with category, document path and size of the raw answer beside it."""
        code = (request.symbol or "")[:6]
        with self._lock:
            asked, known = self._lists.get(code, (None, None))
        if asked is not None and known is not None and asked.start <= request.start and asked.end >= request.end:
            return known
        recording = current()
        seen = len(recording.exchanges)
        frame = self._ask(code, request)
        items = _items(recording.exchanges[seen:])
        ids = frame["公告链接"].str.extract(r"announcementId=(\d+)")
        frame = frame.with_columns(
            ids.replace_strict({i: text for i, item in items.items() if (text := str(item.get(name) or ""))},
                               default=None, return_dtype=pl.String).alias(ours)
            for name, ours in (("announcementType", _CATEGORY), ("adjunctUrl", _PATH), ("adjunctSize", _KILOBYTES))
        ).with_columns(pl.col(_CATEGORY).str.replace_all("||", ",", literal=True))  # fmt: skip
        with self._lock:
            self._lists[code] = (request, frame)
        return frame

    def _ask(self, code: str, request: Request) -> pl.DataFrame:
        try:
            return self.akshare.call(
                DISCLOSURE,
                symbol=code,
                market="沪深京",
                start_date=f"{request.start:%Y%m%d}",
                end_date=f"{request.end:%Y%m%d}",
            )
        except SourceFault as fault:
            if isinstance(fault.__cause__, KeyError) and fault.__cause__.args == (code,):
                raise not_supported(f"巨潮资讯的股票列表里没有 {code}") from fault
            raise

    def _texts(self, request: Request) -> pl.DataFrame:
        listed = self._listed(request)
        filings = self.pick(shapes.announcements(_as_akshare(listed), replace(request, kind="announcements")))
        if filings.is_empty():
            raise no_data("区间内没有需要读取正文的公告")
        ids = listed["公告链接"].str.extract(r"announcementId=(\d+)")
        where = {i: (path, size) for i, path, size in zip(ids, listed[_PATH], listed[_KILOBYTES], strict=True)}
        rows = [
            row
            for filing in filings.iter_rows(named=True)
            for row in _rows_of(filing, *where[filing["announcement_id"]])
        ]
        return pl.DataFrame(rows, schema=_TEXT_SCHEMA, orient="row")


def _as_akshare(listed: pl.DataFrame) -> pl.DataFrame:
    return listed.drop(_PATH, _KILOBYTES)


def _as_is(frame: pl.DataFrame, _: Request) -> pl.DataFrame:
    return frame


def _items(exchanges: Sequence[Exchange]) -> Mapping[str, Mapping[str, Any]]:
    """Announcement id → its item in the raw answers."""
    return {
        str(item["announcementId"]): item
        for exchange in exchanges
        if isinstance(answer := parsed(exchange), dict)
        for item in answer.get("announcements") or []
    }


def _rows_of(filing: Mapping[str, Any], path: str | None, kilobytes: str | None) -> Iterator[tuple[Any, ...]]:
    """Contract rows of one filing's document; row 0 alone says that there is no text, and why."""
    too_large = (kilobytes or "").isdigit() and int(kilobytes or 0) * 1024 > MAX_BYTES
    document = Document("too_large") if too_large else read_pdf(_download(path))
    head, published = (filing["announcement_id"], filing["symbol"]), filing["published_at"]
    if not document.sentences:
        yield (*head, 0, None, document.readability, None, published)
    for number, sentence in enumerate(document.sentences, start=1):
        yield (*head, number, sentence.page, document.readability, sentence.text, published)


def _download(path: str | None) -> bytes:
    import requests  # noqa: PLC0415  slow

    if not path:
        raise broken("巨潮资讯没有给出公告文件的地址")
    try:
        requests.get(f"http://{_DOCUMENTS}/{path}", timeout=current().remaining_s())
    except requests.RequestException as error:
        raise outage(f"公告文件下载失败：{type(error).__name__}") from error
    exchange = current().exchanges[-1]
    if exchange.status == 404:
        return b""  # read as a broken file: the filing stands without its text
    if (fault := wire_fault(exchange)) is not None:
        raise fault
    return exchange.body
