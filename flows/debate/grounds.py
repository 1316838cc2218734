"""Where an expected value stands in the pack, and which report settles it.

A side may expect what it likes; a reader must see whether the number comes from somewhere. Grounds are the
value of today or of the latest report, that of the same period a year before (stated, or from its change
in points), the industry average, the company's own forecast, a sell-side forecast, or the growth of another
measure. A value found in none of them is said to have no source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact, Pack
from flows.debate.metrics import (
    is_cumulative,
    is_period_end,
    is_reported,
    next_period,
    report_deadline,
    report_name,
    same_period_next_year,
)
from flows.debate.state import Record, is_own_measure
from flows.evidence.phrasing import period_name

#: Values within this share of each other are the same value.
_SAME = 0.005
#: A ratio → the field of its change in points against the year before.
CHANGE_OF = {
    "gross_margin_pct": "financial_indicators.gross_margin_yoy_pp",
    "roe_pct": "financial_indicators.roe_yoy_pp",
    "debt_ratio_pct": "financial_indicators.debt_ratio_yoy_pp",
}
_PREMIUM_OF = {"pe_ttm": "peers.pe_ttm_premium_pct", "pb": "peers.pb_premium_pct"}
_FORECAST_OF = {
    "net_profit_yoy_pct": "earnings_forecasts.change_",
    "net_profit_cny": "earnings_forecasts.value_",
    "eps_cny": "research_reports.eps_year_",
}
_FORECASTER = {"earnings_forecasts": "公司业绩预告", "research_reports": "卖方预测"}
#: A multiple's window of the past: what it holds in three months has nothing of today in it.
_WINDOWED = ("return_", "daily_return_", "up_days", "limit_", "main_net", "volume_ratio", "change_pct", "rsi_")


@dataclass(frozen=True)
class Ground:
    """One value the pack holds for a metric: its words with the fact it stands in."""

    value: float
    words: str


def ground_of(record: Record, metric: str, value: float) -> str | None:
    """Where the value stands in the pack, in words; None if nowhere."""
    found = (ground for ground in _grounds(record.pack, metric) if _is_same(ground.value, value))
    return next((ground.words for ground in found), None)


def _is_same(one: float, other: float) -> bool:
    return abs(one - other) <= _SAME * max(0.01, abs(other))


def _grounds(pack: Pack, metric: str) -> Iterator[Ground]:
    own = sorted((f for f in pack.facts if f.field == metric and is_own_measure(f, pack)), key=lambda f: f.as_of)
    if own and isinstance(own[-1].value, int | float):
        now = own[-1]
        yield Ground(own[-1].value, f"{_NOW[is_reported(metric)]}（{now.id}）")
        for fact in own[:-1]:
            if isinstance(fact.value, int | float):
                yield Ground(fact.value, f"上年同期值（{fact.id}）")
        yield from _derived(pack, metric, own[-1], own[-1].value)
    yield from _industry(pack, metric)
    yield from _forecasts(pack, metric)
    yield from _other_growth(pack, metric)


_NOW = {True: "最近一期的值", False: "现值"}


def _derived(pack: Pack, metric: str, now: Fact, level: float) -> Iterator[Ground]:
    """The value a year before from its change in points, the industry average from the premium over it."""
    for fact in pack.facts:
        if not isinstance(fact.value, int | float):
            continue
        if fact.field == CHANGE_OF.get(metric) and fact.as_of == now.as_of:
            yield Ground(level - fact.value, f"上年同期值（由{now.id}、{fact.id}推出）")
        if fact.field == _PREMIUM_OF.get(metric):
            yield Ground(level / (1 + fact.value / 100), f"行业平均（由{now.id}、{fact.id}推出）")


def _industry(pack: Pack, metric: str) -> Iterator[Ground]:
    for fact in pack.facts:
        if fact.field == metric and fact.subject == "行业平均" and isinstance(fact.value, int | float):
            yield Ground(fact.value, f"行业平均（{fact.id}）")


def _forecasts(pack: Pack, metric: str) -> Iterator[Ground]:
    prefix = _FORECAST_OF.get(metric)
    for fact in pack.facts:
        if prefix and fact.field.startswith(prefix) and isinstance(fact.value, int | float):
            yield Ground(fact.value, f"{_FORECASTER[fact.field.split('.')[0]]}（{fact.id}）")


def _other_growth(pack: Pack, metric: str) -> Iterator[Ground]:
    if metric != "net_profit_yoy_pct":
        return
    for fact in pack.facts:
        if fact.field == "revenue_yoy_pct" and isinstance(fact.value, int | float):
            yield Ground(fact.value, f"{METRICS[fact.field].zh}（{fact.id}），即利润与收入同步")


def is_lasting(metric: str) -> bool:
    """Whether today's value still says something about the value in three months: a window of the past does not."""
    return not metric.startswith(_WINDOWED)


def settling_period(pack: Pack, metric: str, due: date | None) -> date | None:
    """The end of the reporting period whose report settles a metric; None for what is settled every session.

    The next report after the latest value, or for a cumulative measure the same period a year on, whichever
    is the last to be out by *due*; a forecast of the year is settled by its annual report.
    """
    own = [fact.as_of for fact in pack.facts if fact.field == metric and is_own_measure(fact, pack)]
    if not is_reported(metric) or not own or not is_period_end(max(own)):
        return None
    upcoming, year_on = next_period(max(own)), same_period_next_year(max(own))
    if is_cumulative(metric) and due is not None and report_deadline(year_on) <= due:
        return year_on
    return upcoming


@dataclass(frozen=True)
class Settling:
    """When a metric is settled: the day, and for a reported one its period and report."""

    due: date
    period: str = ""
    report: str = ""


def settling(record: Record, metric: str, due: date) -> Settling:
    """The day the report that settles *metric* must be out, never before *due*."""
    end = settling_period(record.pack, metric, due)
    if end is None:
        return Settling(due)
    return Settling(max(due, report_deadline(end)), period_name(end), report_name(end))
