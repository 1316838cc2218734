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

#: Reported metrics that add up within the year: only the same period of another year compares with them.
_CUMULATIVE = frozenset(
    {
        "revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "eps_cny", "roe_pct",
        "operating_cash_flow_cny",
    }
)  # fmt: skip

_MULTIPLES = frozenset({"pe_ttm", "pb", "ps_ttm", "pcf_ttm"})

#: End of a reporting period (month, day) → deadline of its report (month, day, years later), and its name.
_REPORTS = {
    (3, 31): (4, 30, 0, "一季报"),
    (6, 30): (8, 31, 0, "半年报"),
    (9, 30): (10, 31, 0, "三季报"),
    (12, 31): (4, 30, 1, "年报"),
}
_ENDS = tuple(_REPORTS)


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
    """What a metric says over again: the windows of one percentile; the multiples, which all follow the price."""
    if metric in _MULTIPLES:
        return "multiple"
    return metric.split("_pct_", maxsplit=1)[0] if is_percentile(metric) else metric


def is_reported(metric: str) -> bool:
    """Whether a metric changes with periodic reports rather than with every session."""
    return metric in _REPORTED


def is_cumulative(metric: str) -> bool:
    """Whether a reported metric adds up within the year, so that 9 and 12 months do not compare."""
    return metric in _CUMULATIVE


def next_period(period_end: date) -> date:
    """The end of the reporting period after the one that ends on *period_end*."""
    place = _ENDS.index((period_end.month, period_end.day)) + 1
    return date(period_end.year + place // len(_ENDS), *_ENDS[place % len(_ENDS)])


def same_period_next_year(period_end: date) -> date:
    """The end of the same reporting period a year later."""
    return period_end.replace(year=period_end.year + 1)


def report_deadline(period_end: date) -> date:
    """The legal deadline of the report on a period (一季报 and 年报 04-30, 半年报 08-31, 三季报 10-31)."""
    month, day, later, _ = _REPORTS[(period_end.month, period_end.day)]
    return date(period_end.year + later, month, day)


def report_name(period_end: date) -> str:
    """The report on a period in words: ``2026年年报``."""
    return f"{period_end.year}年{_REPORTS[(period_end.month, period_end.day)][3]}"


def is_period_end(day: date | None) -> bool:
    """Whether a day ends a reporting period."""
    return day is not None and (day.month, day.day) in _REPORTS


def due_date(metric: str, trade_date: date, period_end: date | None = None) -> date:
    """When the metric's next value can be settled.

    Reported metrics: the legal deadline of the report after *period_end*, the last day of the period
    the present value is of. Others, and reported ones of unknown period: 90 days after *trade_date*.
    """
    if not is_reported(metric) or period_end is None or not is_period_end(period_end):
        return trade_date + MARKET_HORIZON
    deadline = report_deadline(next_period(period_end))
    return deadline if deadline > trade_date else trade_date + MARKET_HORIZON
