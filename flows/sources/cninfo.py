"""cninfo through akshare: filings and dividend history.

Every function is ``fetch_<kind>(request) -> Envelope`` of one :class:`Cninfo`, which lasts for one run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.sources.akshare_client import Akshare, present
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.entity import only_company
from flows.sources.faults import SourceFault, invalid, not_supported
from flows.sources.http import Exchange, current
from flows.sources.shapes import cninfo as shapes
from flows.sources.verdicts import parsed

DISCLOSURE = "stock_zh_a_disclosure_report_cninfo"
_DIVIDENDS, _RIGHTS = "stock_dividend_cninfo", "stock_allotment_cninfo"
#: 100 pages of 30: no company files more in the longest window we ask for.
_MAX_PAGES = 102
_MOST_NAMED = 3
_CATEGORY = "公告类别"


@dataclass
class Cninfo:
    """cninfo for one run."""

    asker: Asker
    akshare: Akshare

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {"announcements": self.fetch_announcements, "corporate_actions": self.fetch_corporate_actions}

    def fetch_announcements(self, request: Request) -> Envelope:
        """Filings of the window, one per announcement id, with cninfo's category codes."""
        if request.symbol is None:
            return self.asker.refusal(request, DISCLOSURE, invalid("公告须指明股票代码"))
        question = Question(
            DISCLOSURE, lambda: [self.filings(request)], shapes.announcements, said=left_out, max_exchanges=_MAX_PAGES
        )
        return self.asker.ask(request, question)

    def fetch_corporate_actions(self, request: Request) -> Envelope:
        """Dividends, bonus shares and rights issues with their ex-dates."""
        if request.symbol is None:
            return self.asker.refusal(request, _DIVIDENDS, invalid("分红配股须指明股票代码"))
        code = request.symbol[:6]
        calls = (partial(self.akshare.call, _DIVIDENDS, symbol=code), partial(self.akshare.call, _RIGHTS, symbol=code))
        question = Question(
            _DIVIDENDS,
            lambda: present(calls),
            shapes.corporate_actions,
            join=one_row_per_day,
            inspect=only_company(code),
        )
        return self.asker.ask(request, question)

    def filings(self, request: Request) -> pl.DataFrame:
        """The filing list of the company with the category codes of the raw answer beside it."""
        code = (request.symbol or "")[:6]
        recording = current()
        seen = len(recording.exchanges)
        try:
            frame = self.akshare.call(
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
        categories = _field(recording.exchanges[seen:], "announcementType")
        ids = frame["公告链接"].str.extract(r"announcementId=(\d+)")
        return frame.with_columns(ids.replace_strict(categories, default=None, return_dtype=pl.String).alias(_CATEGORY))


def left_out(parts: Sequence[pl.DataFrame], request: Request) -> str:
    """Which filings under the company's code are somebody else's (fault S3); empty if none are."""
    strangers = [row for part in parts for row in shapes.quarantined(part, request).rows(named=True)]
    if not strangers:
        return ""
    named = "；".join(f"{row['announcement_id']} {row['name']}《{row['title']}》" for row in strangers[:_MOST_NAMED])
    more = f" 等 {len(strangers)} 份" if len(strangers) > _MOST_NAMED else ""
    return f"代码、名称与标题不一致，疑属其他公司，已隔离：{named}{more}"


def one_row_per_day(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Dividend and rights of one ex-date as one event; a rights price stands beside its ratio only."""
    rows = pl.concat(parts)
    return (
        rows.group_by("symbol", "ex_date")
        .agg(
            pl.col("cash_cny", "bonus_ratio", "rights_ratio").sum(),
            pl.col("rights_price_cny").drop_nulls().first(),
            pl.col("plan").drop_nulls().str.join("；"),
            pl.col("published_at").max(),
        )
        .select(rows.columns)
        .sort("ex_date")
    )


def _field(exchanges: Sequence[Exchange], name: str) -> Mapping[str, str]:
    """Announcement id → one field of the raw answers."""
    return {
        str(item["announcementId"]): str(item[name]).replace("||", ",")
        for exchange in exchanges
        if isinstance(answer := parsed(exchange), dict)
        for item in answer.get("announcements") or []
        if item.get(name)
    }
