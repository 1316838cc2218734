"""baostock: raw bars, multiples, factors, calendar, instruments and forecasts of Shanghai and Shenzhen.

Every function is ``fetch_<kind>(request) -> Envelope`` of one :class:`Baostock`, which lasts for one run.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.errors import CalendarUnknown
from flows.sources.asking import Asker, Fetcher, Question, Shape
from flows.sources.baostock_line import line, rows_of
from flows.sources.faults import broken, not_supported
from flows.sources.shapes import baostock as shapes

_MARKETS = ("SH", "SZ")
#: Factors are cumulative: a later start would leave out events.
_FIRST_DAY = "1990-01-01"
_UNADJUSTED = "3"
_REMEMBERED = 16


@dataclass
class Baostock:
    """baostock for one run; bars and multiples of one stock come from the same answer.

    *lock* is a file by which processes beside the same data take turns.
    """

    asker: Asker
    lock: Path | None = None
    _k_lines: OrderedDict[tuple[str, str, str], pl.DataFrame] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {
            "daily_bars": self.fetch_daily_bars,
            "valuations": self.fetch_valuations,
            "adjust_factors": self.fetch_adjust_factors,
            "trade_dates": self.fetch_trade_dates,
            "instruments": self.fetch_instruments,
            "earnings_forecasts": self.fetch_earnings_forecasts,
        }

    def forget(self) -> None:
        """Ask for bars and multiples anew from now on."""
        with self._lock:
            self._k_lines.clear()

    def fetch_daily_bars(self, request: Request) -> Envelope:
        """Unadjusted bars with trading status, ST flag and the exchange's previous close."""
        return self._of_stock(request, "query_history_k_data_plus", self._k_line, shapes.daily_bars)

    def fetch_valuations(self, request: Request) -> Envelope:
        """PE, PB, PS, PCF (TTM) as published."""
        return self._of_stock(request, "query_history_k_data_plus", self._k_line, shapes.valuations)

    def fetch_adjust_factors(self, request: Request) -> Envelope:
        """Cumulative backward factors since 1990."""

        def ask(code: str) -> pl.DataFrame:
            return self._query(
                "query_adjust_factor", code=code, start_date=_FIRST_DAY, end_date=request.end.isoformat()
            )

        return self._of_stock(request, "query_adjust_factor", lambda _, code: ask(code), shapes.adjust_factors)

    def fetch_trade_dates(self, request: Request) -> Envelope:
        """Every calendar day with its session flag."""

        def ask() -> pl.DataFrame:
            return self._query(
                "query_trade_dates", start_date=request.start.isoformat(), end_date=request.end.isoformat()
            )

        return self.asker.ask(request, Question("query_trade_dates", lambda: [ask()], shapes.trade_dates))

    def fetch_instruments(self, request: Request) -> Envelope:
        """Names, listing dates and industries: of one stock, or of the whole market if no symbol is given."""
        if request.symbol is not None:
            return self._of_stock(request, "query_stock_basic", lambda _, code: self._basics(code), shapes.instruments)
        return self.asker.ask(request, Question("query_stock_basic", lambda: [self._basics("")], shapes.instruments))

    def fetch_earnings_forecasts(self, request: Request) -> Envelope:
        """业绩预告 by publication date."""

        def ask(_: Request, code: str) -> pl.DataFrame:
            return self._query(
                "query_forecast_report",
                code=code,
                start_date=request.start.isoformat(),
                end_date=request.end.isoformat(),
            )

        return self._of_stock(request, "query_forecast_report", ask, shapes.earnings_forecasts)

    def _of_stock(
        self, request: Request, source: str, ask: Callable[[Request, str], pl.DataFrame], shape: Shape
    ) -> Envelope:
        symbol = request.symbol or ""
        if symbol[-2:] not in _MARKETS:
            return self.asker.refusal(
                request, source, not_supported(f"baostock 没有 {symbol or '该代码'} 所在市场的数据")
            )
        code = shapes.vendor_code(request)
        return self.asker.ask(request, Question(source, lambda: [ask(request, code)], shape))

    def _k_line(self, request: Request, code: str) -> pl.DataFrame:
        key = (code, request.start.isoformat(), request.end.isoformat())
        with self._lock:
            known = self._k_lines.get(key)
        if known is not None:
            return known
        fields = ",".join(shapes.K_LINE_FIELDS)
        frame = self._query(
            "query_history_k_data_plus", code, fields, key[1], key[2], frequency="d", adjustflag=_UNADJUSTED
        )
        self._without_holes(frame)
        with self._lock:
            self._k_lines[key] = frame
            while len(self._k_lines) > _REMEMBERED:
                self._k_lines.popitem(last=False)
        return frame

    def _without_holes(self, frame: pl.DataFrame) -> None:
        """A half-loaded answer shows as missing sessions: baostock prints a row for suspended days too."""
        if frame.is_empty() or "date" not in frame.columns:
            return  # what else is wrong is the shape's to say
        days = frame["date"].str.to_date(strict=False).drop_nulls()
        if days.is_empty():
            return
        try:
            due = set(self.asker.calendar.sessions(days.min(), days.max()))  # type: ignore[arg-type]
        except CalendarUnknown:
            return
        missing = sorted(due - set(days))
        if missing:
            raise broken(f"日线中间缺少 {len(missing)} 个交易日（如 {missing[0]}），数据不完整，不采用")

    def _query(self, function: str, *arguments: str, **named: str) -> pl.DataFrame:
        with line(self.lock) as library:
            rows: pl.DataFrame = rows_of(getattr(library, function)(*arguments, **named))
        return rows

    def _basics(self, code: str) -> pl.DataFrame:
        with line(self.lock) as library:
            basics = rows_of(library.query_stock_basic(code=code))
            industries = rows_of(library.query_stock_industry(code=code))
        industries = industries.select("code", "industry", "industryClassification", "updateDate")
        return basics.join(industries, on="code", how="left")
