"""Where an expected value stands in the pack, and which report settles it.

A side may expect what it likes; a reader must see whether the number comes from somewhere. Grounds are the
value of today or of the latest report, that of the same period a year before (stated, or from its change
in points), the last single quarter's growth, the industry average, the company's own forecast, a sell-side
forecast, what price and multiple make the earnings of four quarters, or the growth of another measure. A
value found in none of them is said to have no source.
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
from flows.debate.ownership import is_own_measure
from flows.debate.state import Record
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
_QUARTER_OF = {
    "net_profit_yoy_pct": "financial_indicators.quarter_net_profit_yoy_pct",
    "revenue_yoy_pct": "financial_indicators.quarter_revenue_yoy_pct",
}
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
    return round(one, 2) == round(other, 2) or abs(one - other) <= _SAME * abs(other)


def _grounds(pack: Pack, metric: str) -> Iterator[Ground]:
    own = sorted((f for f in pack.facts if f.field == metric and is_own_measure(f, pack)), key=lambda f: f.as_of)
    if own and isinstance(own[-1].value, int | float):
        now = own[-1]
        yield Ground(own[-1].value, f"{_NOW[is_reported(metric)]}（{now.id}）")
        for fact in own[:-1]:
            if isinstance(fact.value, int | float):
                yield Ground(fact.value, f"上年同期值（{fact.id}）")
        yield from _derived(pack, metric, own[-1], own[-1].value)
    yield from _earned(pack, metric)
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
        if fact.field == _QUARTER_OF.get(metric) and fact.as_of == now.as_of:
            yield Ground(fact.value, f"最近单季的同比（{fact.id}），即全年向单季靠拢")
        if fact.field == _PREMIUM_OF.get(metric):
            yield Ground(level / (1 + fact.value / 100), f"行业平均（由{now.id}、{fact.id}推出）")


def _earned(pack: Pack, metric: str) -> Iterator[Ground]:
    """Earnings per share of the last four quarters, from the price and its multiple of them."""
    if metric == "eps_cny" and (earned := trailing_earnings(pack)):
        yield earned


def trailing_earnings(pack: Pack) -> Ground | None:
    """Earnings per share of the last four quarters, CNY; None without a price and a positive multiple of one day."""
    close, multiple = own_latest(pack, "close_cny"), own_latest(pack, "pe_ttm")
    if close is None or multiple is None or close.as_of != multiple.as_of or number_of(multiple) <= 0:
        return None
    words = f"近四个季度的每股收益（由收盘价{close.id}除以市盈率{multiple.id}推出）"
    return Ground(number_of(close) / number_of(multiple), words)


def own_latest(pack: Pack, metric: str) -> Fact | None:
    """The newest fact that gives a registered metric of the pack's own company."""
    own = [fact for fact in pack.facts if fact.field == metric and is_own_measure(fact, pack)]
    return max(own, key=lambda fact: fact.as_of, default=None)


def number_of(fact: Fact) -> float:
    """The number a fact carries. Raises TypeError if it carries none."""
    if not isinstance(fact.value, int | float):
        raise TypeError(f"{fact.id} carries no number")
    return float(fact.value)


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
        if fact.field == "research_reports.eps_consensus_growth_pct" and isinstance(fact.value, int | float):
            yield Ground(fact.value, f"卖方预测均值的每股收益增幅（{fact.id}），即股本不变")
        if fact.field == "revenue_yoy_pct" and isinstance(fact.value, int | float):
            yield Ground(fact.value, f"{METRICS[fact.field].zh}（{fact.id}），即利润与收入同步")


def is_lasting(metric: str) -> bool:
    """Whether today's value still says something about the value in three months: a window of the past does not."""
    return not metric.startswith(_WINDOWED)


def settling_period(pack: Pack, metric: str, due: date | None) -> date | None:
    """The end of the reporting period whose report settles a metric; None for what is settled every session.

    The next report after the latest value, or for a cumulative measure the same period a year on, whichever
    is the last to be out by *due*; earnings per share due with the annual reports are those of the year.
    """
    own = [fact.as_of for fact in pack.facts if fact.field == metric and is_own_measure(fact, pack)]
    if not is_reported(metric) or not own or not is_period_end(max(own)):
        return None
    if metric == "eps_cny" and due is not None and due == report_deadline(date(due.year - 1, 12, 31)):
        return date(due.year - 1, 12, 31)
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


#: What is settled where a side expects a multiple after all: in so short a time the price moves it.
_OF_THE_MARKET = "到期之前它主要随股价变动，了结的是市场愿付的倍数，不是经营；根源在于与同业的估值差距会不会收敛。"
_ROOTS = {
    "net_profit_yoy_pct": "根源在于利润的变动能否延续到报告期末。",
    "revenue_yoy_pct": "根源在于最近一个季度的销售势头能否延续。",
    "gross_margin_pct": "根源在于售价与成本的价差能否维持。",
    "operating_cash_flow_cny": "根源在于回款与备货更像最近一期还是上年同期。",
    "debt_ratio_pct": "根源在于债务能否压降。",
    "roe_pct": "根源在于同样的净资产能否保持这样的产出。",
    "pe_ttm": _OF_THE_MARKET,
    "pb": _OF_THE_MARKET,
    "ps_ttm": _OF_THE_MARKET,
    "eps_cny": "根源在于全年利润能兑现多少。",
}


def root_of(metric: str) -> str:
    """The assumption two expectations of a metric part over."""
    return _ROOTS.get(metric, f"根源在于{METRICS[metric].zh}会不会回到另一个参照值。")
