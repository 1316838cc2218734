"""East Money through akshare 1.19.5, one function per kind."""

from flows.sources.shapes.eastmoney.capital import (
    attention,
    fund_flows,
    holder_trades,
    pledges,
    suspensions,
    top_list,
    unlocks,
)
from flows.sources.shapes.eastmoney.company import (
    corporate_actions,
    earnings_forecasts,
    financial_indicators,
    peers,
    research_reports,
)
from flows.sources.shapes.eastmoney.macro import macro
from flows.sources.shapes.eastmoney.prices import daily_bars, news, valuations

__all__ = [
    "attention", "corporate_actions", "daily_bars", "earnings_forecasts", "financial_indicators", "fund_flows",
    "holder_trades", "macro", "news", "peers", "pledges", "research_reports", "suspensions", "top_list", "unlocks",
    "valuations",
]  # fmt: skip
