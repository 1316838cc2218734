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

#: Month in which a reporting period ends → deadline (month, day, years later) of the *next* report.
_NEXT_REPORT = {3: (8, 31, 0), 6: (10, 31, 0), 9: (4, 30, 1), 12: (4, 30, 1)}


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


def is_percentile(metric: str) -> bool:
    """Whether a metric is a valuation percentile."""
    return "_pct_" in metric and metric.endswith("y")


def family(metric: str) -> str:
    """What a metric is one window of: all percentiles of one multiple are one family."""
    return metric.split("_pct_", maxsplit=1)[0] if is_percentile(metric) else metric


def is_reported(metric: str) -> bool:
    """Whether a metric changes with periodic reports rather than with every session."""
    return metric in _REPORTED


def due_date(metric: str, trade_date: date, period_end: date | None = None) -> date:
    """When the metric's next value can be settled.

    Reported metrics: the legal deadline of the report after *period_end*, the last day of the period
    the present value is of (一季报 and 年报 04-30, 半年报 08-31, 三季报 10-31). Others, and reported ones of
    unknown period: 90 days after *trade_date*.
    """
    if not is_reported(metric) or period_end is None or period_end.month not in _NEXT_REPORT:
        return trade_date + MARKET_HORIZON
    month, day, later = _NEXT_REPORT[period_end.month]
    deadline = date(period_end.year + later, month, day)
    return deadline if deadline > trade_date else trade_date + MARKET_HORIZON
