"""East Money through akshare: prices, multiples, news and most of what is filed or counted about a stock.

Every function is ``fetch_<kind>(request) -> Envelope`` of one :class:`EastMoney`, which lasts for one run.
Answers about the whole market (forecasts, top list, pledges, halts) are asked once per run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

import polars as pl

from flows.contracts.envelope import Envelope, Request
from flows.sources.akshare_client import Akshare, present
from flows.sources.asking import Asker, Fetcher, Question, Shape
from flows.sources.consistency import consistent_forecasts, consistent_indicators
from flows.sources.dates_asked import last_sessions_of_weeks, quarter_ends
from flows.sources.entity import only_company
from flows.sources.faults import SourceFault, invalid, no_data, not_supported
from flows.sources.shapes import eastmoney as shapes
from flows.sources.shapes.common import ASKED

Parts = Sequence[pl.DataFrame]
_MACRO = ("macro_china_pmi", "macro_china_cpi", "macro_china_lpr")
_MARKET_OF_FLOW = {"SH": "sh", "SZ": "sz"}
#: A pledge's history in weeks would cost a whole-market answer per week; the ends of the window show the change.
_PLEDGE_WEEKS_TRIED = 3


@dataclass
class EastMoney:
    """East Money for one run."""

    asker: Asker
    akshare: Akshare

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return {
            "daily_bars": self.fetch_daily_bars,
            "valuations": self.fetch_valuations,
            "news": self.fetch_news,
            "corporate_actions": self.fetch_corporate_actions,
            "earnings_forecasts": self.fetch_earnings_forecasts,
            "financial_indicators": self.fetch_financial_indicators,
            "research_reports": self.fetch_research_reports,
            "pledges": self.fetch_pledges,
            "holder_trades": self.fetch_holder_trades,
            "unlocks": self.fetch_unlocks,
            "top_list": self.fetch_top_list,
            "fund_flows": self.fetch_fund_flows,
            "attention": self.fetch_attention,
            "suspensions": self.fetch_suspensions,
            "peers": self.fetch_peers,
            "macro": self.fetch_macro,
        }

    def fetch_daily_bars(self, request: Request) -> Envelope:
        """Unadjusted bars; suspended days have no row, the previous close is not given."""

        def ask(code: str) -> Parts:
            return [
                self.akshare.call(
                    "stock_zh_a_hist",
                    symbol=code,
                    period="daily",
                    start_date=f"{request.start:%Y%m%d}",
                    end_date=f"{request.end:%Y%m%d}",
                    adjust="",
                )
            ]

        return self._of_stock(request, "stock_zh_a_hist", ask, shapes.daily_bars)

    def fetch_valuations(self, request: Request) -> Envelope:
        """Multiples and market value; the newest 5,000 sessions."""
        return self._simple(request, "stock_value_em", shapes.valuations)

    def fetch_news(self, request: Request) -> Envelope:
        """The newest ten items of a keyword search for the code; older ones come only from earlier runs."""
        return self._simple(request, "stock_news_em", shapes.news)

    def fetch_corporate_actions(self, request: Request) -> Envelope:
        """Dividend and bonus plans that were carried out."""
        return self._simple(request, "stock_fhps_detail_em", shapes.corporate_actions)

    def fetch_research_reports(self, request: Request) -> Envelope:
        """Sell-side reports with rating and EPS forecasts."""
        return self._simple(request, "stock_research_report_em", shapes.research_reports)

    def fetch_unlocks(self, request: Request) -> Envelope:
        """Batches of restricted shares, past and to come."""
        return self._simple(request, "stock_restricted_release_queue_em", shapes.unlocks)

    def fetch_financial_indicators(self, request: Request) -> Envelope:
        """Main indicators per report with notice and update dates."""

        def ask(code: str) -> Parts:
            symbol = f"{code}.{_exchange(request)}"
            return [self.akshare.call("stock_financial_analysis_indicator_em", symbol=symbol, indicator="按报告期")]

        return self._of_stock(request, "stock_financial_analysis_indicator_em", ask, consistent_indicators)

    def fetch_attention(self, request: Request) -> Envelope:
        """Popularity rank per day."""

        def ask(code: str) -> Parts:
            return [self.akshare.call("stock_hot_rank_detail_em", symbol=f"{_exchange(request)}{code}")]

        return self._of_stock(request, "stock_hot_rank_detail_em", ask, shapes.attention)

    def fetch_fund_flows(self, request: Request) -> Envelope:
        """Net flow by order size over about 100 sessions; Beijing is not served."""
        market = _MARKET_OF_FLOW.get(_exchange(request))
        source = "stock_individual_fund_flow"
        if market is None:
            return self.asker.refusal(request, source, not_supported("东方财富资金流没有北交所股票"))
        return self._of_stock(
            request, source, lambda code: [self.akshare.call(source, stock=code, market=market)], shapes.fund_flows
        )

    def fetch_holder_trades(self, request: Request) -> Envelope:
        """Increases and reductions; the whole-market report is narrowed to the company on the wire."""
        narrow = {"filter": f'(SECURITY_CODE="{(request.symbol or "")[:6]}")'}

        def ask(_: str) -> Parts:
            return [self.akshare.call("stock_ggcg_em", symbol="全部")]

        return self._of_stock(request, "stock_ggcg_em", ask, shapes.holder_trades, narrow=narrow)

    def fetch_earnings_forecasts(self, request: Request) -> Envelope:
        """业绩预告 of every quarter whose forecasts may have been published in the window."""

        def ask() -> Parts:
            quarters = quarter_ends(request)
            return present([partial(self._forecasts, quarter) for quarter in quarters])

        return self._of_market(request, "stock_yjyg_em", ask, consistent_forecasts)

    def _forecasts(self, quarter: date) -> pl.DataFrame:
        frame = self.akshare.shared("stock_yjyg_em", date=f"{quarter:%Y%m%d}")
        return frame.with_columns(pl.lit(f"{quarter:%Y-%m-%d}").alias(ASKED))

    def fetch_pledges(self, request: Request) -> Envelope:
        """The pledge ratio of the latest weekly date and of the first one in the window."""

        def ask() -> Parts:
            weeks = last_sessions_of_weeks(self.asker.calendar, request)
            newest = self._first_week(weeks[::-1][:_PLEDGE_WEEKS_TRIED])
            oldest = self._first_week(weeks[:1])
            parts = [part for part in (oldest, newest) if part is not None]
            if newest is None:
                raise no_data("最近几周没有质押统计")
            return parts[-1:] if len(weeks) == 1 else parts

        return self._of_market(request, "stock_gpzy_pledge_ratio_em", ask, shapes.pledges)

    def fetch_top_list(self, request: Request) -> Envelope:
        """龙虎榜 rows of the window, one per reason."""

        def ask() -> Parts:
            return [
                self.akshare.shared(
                    "stock_lhb_detail_em", start_date=f"{request.start:%Y%m%d}", end_date=f"{request.end:%Y%m%d}"
                )
            ]

        def covered(parts: Parts) -> date | None:
            latest = parts[0]["上榜日"].max()
            return latest if isinstance(latest, date) else None

        return self._of_market(request, "stock_lhb_detail_em", ask, shapes.top_list, covered)

    def fetch_suspensions(self, request: Request) -> Envelope:
        """Trading halts known on the last day of the window."""
        return self._of_market(
            request,
            "stock_tfp_em",
            lambda: [self.akshare.shared("stock_tfp_em", date=f"{request.end:%Y%m%d}")],
            shapes.suspensions,
        )

    def fetch_peers(self, request: Request) -> Envelope:
        """Companies of the same industry group with their multiples of now."""

        def ask() -> Parts:
            code = (request.symbol or "")[:6]
            peers = self.akshare.call("stock_zh_valuation_comparison_em", symbol=f"{_exchange(request)}{code}")
            industry = self._industry(code)
            return [peers.with_columns(pl.lit(industry).alias("行业")) if industry else peers]

        source = "stock_zh_valuation_comparison_em"
        if (refusal := self._unasked(request, source)) is not None:
            return refusal
        return self.asker.ask(request, Question(source, ask, shapes.peers, is_of_now=True))

    def fetch_macro(self, request: Request) -> Envelope:
        """PMI, CPI and LPR; one that cannot be had fails the answer, so that a gap is never taken for silence."""
        calls = [partial(self.akshare.shared, name) for name in _MACRO]
        return self.asker.ask(request, Question("macro_china", lambda: present(calls), shapes.macro))

    def _simple(self, request: Request, function: str, shape: Shape) -> Envelope:
        return self._of_stock(request, function, lambda code: [self.akshare.call(function, symbol=code)], shape)

    def _of_stock(
        self,
        request: Request,
        source: str,
        ask: Callable[[str], Parts],
        shape: Shape,
        narrow: Mapping[str, str] | None = None,
    ) -> Envelope:
        """A question whose every answer is about one company."""
        if (refusal := self._unasked(request, source)) is not None:
            return refusal
        code = (request.symbol or "")[:6]
        question = Question(source, lambda: ask(code), shape, narrow=narrow or {}, inspect=only_company(code))
        return self.asker.ask(request, question)

    def _of_market(
        self,
        request: Request,
        source: str,
        ask: Callable[[], Parts],
        shape: Shape,
        covered: Callable[[Parts], date | None] = lambda parts: None,
    ) -> Envelope:
        """A question whose answers name several companies; the shape picks or checks the asked one."""
        if (refusal := self._unasked(request, source)) is not None:
            return refusal
        return self.asker.ask(request, Question(source, ask, shape, covered=covered))

    def _unasked(self, request: Request, source: str) -> Envelope | None:
        if request.symbol is not None and _exchange(request) in {"SH", "SZ", "BJ"}:
            return None
        return self.asker.refusal(request, source, invalid(f"{request.kind} 须指明沪深北股票代码"))

    def _industry(self, code: str) -> str | None:
        """The vendor's industry of the company; the comparison stands without it."""
        try:
            facts = self.akshare.call("stock_individual_info_em", symbol=code)
        except SourceFault:
            return None
        found = facts.filter(pl.col("item") == "行业")["value"].to_list()
        return str(found[0]) if found and found[0] else None

    def _first_week(self, weeks: Sequence[date]) -> pl.DataFrame | None:
        for week in weeks:
            try:
                return self.akshare.shared("stock_gpzy_pledge_ratio_em", date=f"{week:%Y%m%d}")
            except SourceFault as fault:
                if not fault.is_no_data:
                    raise
        return None


def _exchange(request: Request) -> str:
    return (request.symbol or "")[-2:]
