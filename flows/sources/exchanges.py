"""The exchanges' own pages through akshare: company lists and margin trading, each exchange for its stocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.errors import CalendarUnknown, DataRejected
from flows.market.sessions import SHANGHAI, due_session
from flows.sources.akshare_client import Akshare, present
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.faults import broken, invalid
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
#: Later than any listing: the list as such is looked at, whatever the run's clock.
_ALWAYS = datetime(2999, 1, 1, tzinfo=SHANGHAI)


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

        return self.asker.ask(request, Question("stock_info_name_code", ask, listed))

    def fetch_margins(self, request: Request) -> Envelope:
        """Margin balances of the last sessions whose figures are out."""
        function = _MARGINS.get((request.symbol or "")[-2:])
        if function is None:
            return self.asker.refusal(request, "stock_margin_detail", invalid("融资融券须指明沪深北股票代码"))

        def ask() -> list[pl.DataFrame]:
            return present([partial(self._margins, function, day) for day in self._sessions(request)])

        return self.asker.ask(request, Question(function, ask, shapes.margins))

    def _margins(self, function: str, day: date) -> pl.DataFrame:
        frame = self.akshare.shared(function, date=f"{day:%Y%m%d}")
        balanced(frame)
        codes = frame["标的证券代码" if "标的证券代码" in frame.columns else "证券代码"].cast(pl.String)
        if not codes.str.contains(r"^\d{6}$").all():
            raise broken(f"融资融券明细的代码列不是证券代码（列可能错位），例如 {codes.head(3).to_list()}")
        is_dated = "信用交易日期" in frame.columns
        return frame if is_dated else frame.with_columns(pl.lit(f"{day:%Y-%m-%d}").alias(ASKED))

    def _sessions(self, request: Request) -> list[date]:
        calendar = self.asker.calendar
        try:
            due = due_session("margins", request.now, calendar)
            return calendar.sessions(request.start, min(request.end, due))[-_MARGIN_SESSIONS:]
        except CalendarUnknown as error:
            raise invalid(str(error)) from error


def listed(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Companies of one exchange's list; a list without a single stock is no list (columns out of place)."""
    companies = shapes.instruments(frame, replace(request, symbol=None, now=max(request.now, _ALWAYS)))
    if companies.is_empty() or not companies["symbol"].str.contains(r"^\d{6}\.").all():
        raise DataRejected("交易所股票列表的代码列不是股票代码（列可能错位），不采用")
    return shapes.instruments(frame, request)


def balanced(frame: pl.DataFrame) -> None:
    """Reject margin rows whose two balances do not add up to the printed sum (Shenzhen and Beijing print it)."""
    parts = ("融资余额", "融券余额", "融资融券余额")
    if not set(parts) <= set(frame.columns):
        return
    financing, lending, both = (pl.col(name).cast(pl.Float64) for name in parts)
    wrong = frame.filter(((financing + lending - both).abs() > 1 + 1e-6 * both).fill_null(value=False))
    if not wrong.is_empty():
        sample = wrong.select("证券代码", *parts).head(3).rows()
        raise DataRejected(
            f"融资余额加融券余额不等于融资融券余额（单位或列可能有变），共 {wrong.height} 行，例如 {sample}"
        )
