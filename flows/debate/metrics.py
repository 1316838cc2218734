"""Names of registered metrics as models write them, and when a metric's next value is due."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from flows.contracts.metrics import METRICS

#: Price and valuation metrics are settled this many days after the trade date (about 60 sessions).
MARKET_HORIZON = timedelta(days=90)

_REPORTED = frozenset(
    {
        "revenue_cny", "revenue_yoy_pct", "net_profit_cny", "net_profit_yoy_pct", "deducted_net_profit_cny",
        "eps_cny", "bvps_cny", "roe_pct", "gross_margin_pct", "net_margin_pct", "debt_ratio_pct",
        "operating_cash_flow_cny",
    }
)  # fmt: skip

#: Last day by which the next regular report must be out: 一季报/年报 04-30, 半年报 08-31, 三季报 10-31.
_REPORT_DEADLINES = ((4, 30), (8, 31), (10, 31))


@cache
def _names() -> dict[str, str]:
    names = {metric.name.lower(): metric.name for metric in METRICS.values()}
    for metric in METRICS.values():
        for alias in (metric.zh, *metric.aliases):
            names.setdefault(alias.lower(), metric.name)
    return names


def metric_named(text: str) -> str | None:
    """The registry name of a metric given by name, title or alias; None if it is none."""
    return _names().get(text.strip().strip("{}").lower())


def is_reported(metric: str) -> bool:
    """Whether a metric changes with periodic reports rather than with every session."""
    return metric in _REPORTED


def due_date(metric: str, trade_date: date) -> date:
    """When the metric's next value can be settled: the next report's deadline, or 90 days on."""
    if not is_reported(metric):
        return trade_date + MARKET_HORIZON
    deadlines = (date(year, m, d) for year in (trade_date.year, trade_date.year + 1) for m, d in _REPORT_DEADLINES)
    return next(day for day in deadlines if day > trade_date)
