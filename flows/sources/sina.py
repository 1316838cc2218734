"""Sina through akshare: daily bars, cumulative factors and the calendar.

akshare evaluates Sina's factor file as Python; so the raw answer must be plain JSON before it gets that far.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from flows.contracts.envelope import Envelope, Request
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.entity import only_company
from flows.sources.faults import broken, not_supported
from flows.sources.http import Exchange
from flows.sources.shapes import sina as shapes

_DAILY = "stock_zh_a_daily"
_CALENDAR = "tool_trade_date_hist_sina"
_MARKETS = ("SH", "SZ")
_PACKED_FILE = re.compile(r"/klc_(kl\.js|td_sh\.txt)$")
_FACTOR_FILE = re.compile(r"/(hfq|qfq)\.js$")


@dataclass
class Sina:
    """Sina for one run."""

    asker: Asker
    akshare: Akshare

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {
            "daily_bars": self.fetch_daily_bars,
            "adjust_factors": self.fetch_adjust_factors,
            "trade_dates": self.fetch_trade_dates,
        }

    def fetch_daily_bars(self, request: Request) -> Envelope:
        """Unadjusted bars in shares and CNY."""
        return self._of_stock(
            request, start_date=f"{request.start:%Y%m%d}", end_date=f"{request.end:%Y%m%d}", adjust=""
        )

    def fetch_adjust_factors(self, request: Request) -> Envelope:
        """Cumulative backward factors from the first listed day on."""
        return self._of_stock(request, adjust="hfq-factor")

    def fetch_trade_dates(self, request: Request) -> Envelope:
        """Every session since 1990; days in between are no sessions."""
        question = Question(_CALENDAR, lambda: [self.akshare.call(_CALENDAR)], shapes.trade_dates, inspect=whole)
        return self.asker.ask(request, question)

    def _of_stock(self, request: Request, **arguments: str) -> Envelope:
        symbol = request.symbol or ""
        if symbol[-2:] not in _MARKETS:
            return self.asker.refusal(request, _DAILY, not_supported(f"新浪不提供 {symbol or '该代码'} 的日线"))
        code = f"{symbol[-2:].lower()}{symbol[:6]}"
        shape = shapes.daily_bars if request.kind == "daily_bars" else shapes.adjust_factors
        question = Question(
            _DAILY, lambda: [self.akshare.call(_DAILY, symbol=code, **arguments)], shape, inspect=sound(symbol[:6])
        )
        return self.asker.ask(request, question)


def sound(code: str) -> Callable[[Exchange], None]:
    """An inspector for the company's files: of this company, whole, and nothing but data where it is evaluated."""
    is_ours = only_company(code)

    def inspect(exchange: Exchange) -> None:
        if exchange.status != 200 or exchange.is_html:
            return
        if _FACTOR_FILE.search(exchange.path):
            only_json(exchange)
        whole(exchange)
        is_ours(exchange)

    return inspect


def whole(exchange: Exchange) -> None:
    """Refuse a packed file whose text does not end: its decoder would return the rows up to the cut."""
    is_packed = exchange.status == 200 and _PACKED_FILE.search(exchange.path) is not None
    if is_packed and not exchange.is_html and not exchange.text.rstrip().rstrip(";").endswith('"'):
        raise broken("新浪数据文件没有收尾，数据被截断，不采用")


def only_json(exchange: Exchange) -> None:
    """Refuse a factor file whose value is anything but JSON, before the client library evaluates it."""
    _, _, value = exchange.text.partition("=")
    try:
        json.loads(value.split("\n")[0].rstrip().rstrip(";"))
    except ValueError as error:
        raise broken("新浪复权因子文件不是 JSON（可能被拦截或篡改），拒绝交给客户端执行") from error
