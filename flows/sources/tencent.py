"""Tencent through akshare: daily bars of Shanghai and Shenzhen."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Asker, Fetcher, Question
from flows.sources.faults import not_supported
from flows.sources.shapes import bars
from flows.sources.shapes.common import days, finish, numbers, require_values, stamp, take, unique_rows, wanted

_HIST = "stock_zh_a_hist_tx"
_WHERE = f"akshare.{_HIST}"
_COLUMNS = ("date", "open", "close", "high", "low", "volume", "turnover", "amount")
_PRICES = {"open": "open_cny", "high": "high_cny", "low": "low_cny", "close": "close_cny"}


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

        return self.asker.ask(request, Question(_HIST, ask, daily_bars))


def daily_bars(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """The raw contract of an answer; its volume is lots or shares by symbol, so the rows prove which (P7).

    The client library multiplies by 100 except for ``sz000…``, whose volume stays in lots.
    """
    rows = take(frame, _WHERE, _COLUMNS)
    rows = numbers(days(rows, _WHERE, "date"), _WHERE, *_COLUMNS[1:])
    require_values(rows, _WHERE, *_COLUMNS[:6])
    rows = unique_rows(rows, _WHERE, ["date"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("date").alias("trade_date"),
        *(pl.col(theirs).alias(ours) for theirs, ours in _PRICES.items()),
        pl.col("volume").alias("volume_shares"),
        pl.col("amount").alias("amount_cny"),
        (pl.col("turnover") * 100).alias("turnover_pct"),
        (pl.col("volume") > 0).alias("is_trading"),
    )
    bars.check_prices(rows, _WHERE)
    rows = bars.volume_in_shares(rows, _WHERE)
    return finish(stamp(rows, "daily_bars"), "daily_bars", request, "trade_date")
