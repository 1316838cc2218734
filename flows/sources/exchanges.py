"""The exchanges' own pages through akshare: company lists and margin trading, each exchange for its stocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.errors import CalendarUnknown
from flows.market.sessions import due_session
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.faults import SourceFault, invalid, no_data
from flows.sources.shapes import exchanges as shapes
from flows.sources.shapes.common import ASKED

_LISTS = {
    "SH": (("stock_info_sh_name_code", "主板A股"), ("stock_info_sh_name_code", "科创板")),
    "SZ": (("stock_info_sz_name_code", "A股列表"),),
    "BJ": (("stock_info_bj_name_code", ""),),
}
_MARGINS = {"SH": "stock_margin_detail_sse", "SZ": "stock_margin_detail_szse", "BJ": "stock_margin_detail_bse"}
#: One whole-market answer per session: a month shows the trend, and later runs add to it.
_MARGIN_SESSIONS = 20


@dataclass
class Exchanges:
    """SSE, SZSE and BSE for one run."""

    asker: Asker
    akshare: Akshare

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {"instruments": self.fetch_instruments, "margins": self.fetch_margins}

    def fetch_instruments(self, request: Request) -> Envelope:
        """Listed companies of the symbol's exchange, or of all three."""
        exchange = (request.symbol or "")[-2:]
        lists = _LISTS.get(exchange) or tuple(entry for group in _LISTS.values() for entry in group)

        def ask() -> list[pl.DataFrame]:
            return [self.akshare.shared(function, **({"symbol": part} if part else {})) for function, part in lists]

        return self.asker.ask(request, Question("stock_info_name_code", ask, shapes.instruments))

    def fetch_margins(self, request: Request) -> Envelope:
        """Margin balances of the last sessions whose figures are out."""
        function = _MARGINS.get((request.symbol or "")[-2:])
        if function is None:
            return self.asker.refusal(request, "stock_margin_detail", invalid("融资融券须指明沪深北股票代码"))

        def ask() -> list[pl.DataFrame]:
            return [
                part for day in self._sessions(request) if (part := self._margins(function, day)) is not None
            ] or _none()

        return self.asker.ask(request, Question(function, ask, shapes.margins))

    def _margins(self, function: str, day: date) -> pl.DataFrame | None:
        try:
            frame = self.akshare.shared(function, date=f"{day:%Y%m%d}")
        except SourceFault as fault:
            if fault.is_no_data:
                return None
            raise
        is_dated = "信用交易日期" in frame.columns
        return frame if is_dated else frame.with_columns(pl.lit(f"{day:%Y-%m-%d}").alias(ASKED))

    def _sessions(self, request: Request) -> list[date]:
        calendar = self.asker.calendar
        try:
            due = due_session("margins", request.now, calendar)
            return calendar.sessions(request.start, min(request.end, due))[-_MARGIN_SESSIONS:]
        except CalendarUnknown as error:
            raise invalid(str(error)) from error


def _none() -> list[pl.DataFrame]:
    raise no_data("交易所在所问区间没有融资融券数据")
