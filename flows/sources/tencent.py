"""Tencent through akshare: daily bars of Shanghai and Shenzhen."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.faults import not_supported
from flows.sources.shapes import tencent as shapes

_HIST = "stock_zh_a_hist_tx"


@dataclass
class Tencent:
    """Tencent for one run."""

    asker: Asker
    akshare: Akshare

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {"daily_bars": self.fetch_daily_bars}

    def fetch_daily_bars(self, request: Request) -> Envelope:
        """Unadjusted bars; the dashed end date keeps akshare from asking every year up to now."""
        symbol = request.symbol or ""
        if symbol[-2:] not in {"SH", "SZ"}:
            return self.asker.refusal(request, _HIST, not_supported(f"腾讯不提供 {symbol or '该代码'} 的日线"))

        def ask() -> list[pl.DataFrame]:
            return [
                self.akshare.call(
                    _HIST,
                    symbol=f"{symbol[-2:].lower()}{symbol[:6]}",
                    start_date=f"{request.start}",
                    end_date=f"{request.end}",
                    adjust="",
                )
            ]

        return self.asker.ask(request, Question(_HIST, ask, shapes.daily_bars))
