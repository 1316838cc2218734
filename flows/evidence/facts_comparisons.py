"""What changed between reports: against the year before, and the last quarter by itself.

The vendor's year-on-year changes are taken where it gives them, else computed from two visible reports of
one company. A change from a loss has no percentage and none is made up; a loss that narrows is said and
favours nobody. Single quarters are differences of two cumulative figures of one year.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, measured
from flows.evidence.phrasing import directed, period_end, period_name, period_words, quarter_words, say
from flows.evidence.reading import Row
from flows.evidence.rules import rule_for, without_plus

_GREW = ("同比增长", "同比下降", "同比持平")
_MOVED = ("同比上升", "同比下降", "同比持平")
_POINTS = {"gross_margin_pct": "gross_margin_yoy_pp", "roe_pct": "roe_yoy_pp", "debt_ratio_pct": "debt_ratio_yoy_pp"}
_MEASURED = "financial_indicators"
#: An inflow smaller than a year before by more than this is no support at any level, percent.
_SHRUNK_PCT = 20.0


@dataclass(frozen=True)
class _Pair:
    """The newest report and the one of the same period a year before.

    Attributes:
        origin: Of the newest report.
    """

    now: Row
    before: Row | None
    origin: Origin
    symbol: str

    @property
    def period(self) -> date:
        """Last day of the period."""
        day: date = self.now["report_period"]
        return day

    def both(self, column: str) -> tuple[float, float] | None:
        """The value now and a year before; None unless both are known."""
        now, before = self.now[column], self.before[column] if self.before else None
        return None if now is None or before is None else (now, before)

    def fact(self, field: str, value: float, words: str, **more: Polarity | str) -> Fact:
        """A measured fact of this report."""
        shown = {"subject": self.symbol, "period": period_name(self.period)} | more
        return measured(field, value, words, self.origin, **shown)


def comparison_facts(reports: Mapping[date, Row], origin: Origin, symbol: str) -> list[Fact]:
    """Facts on the newest of *reports* (period end → row) beside the others; *origin* is the newest's."""
    latest = reports[max(reports)]
    pair = _Pair(latest, reports.get(year_before(latest["report_period"])), origin, symbol)
    return [
        *_growth_facts(pair),
        *_point_facts(pair),
        *_deducted_fact(pair),
        *_cash_facts(pair),
        *_quarter_facts(pair, reports),
    ]


def year_before(report_period: date) -> date:
    """The same period end a year earlier."""
    return report_period.replace(year=report_period.year - 1)


def growth(now: float, before: float) -> float:
    """Change in percent on a positive *before*, rounded below what anybody states."""
    return round((now / before - 1) * 100, 8)


def _growth_facts(pair: _Pair) -> Iterator[Fact]:
    """Revenue and profit; where a loss is involved the sentence says what the percentage is of."""
    for field, level in (("revenue_yoy_pct", "revenue_cny"), ("net_profit_yoy_pct", "net_profit_cny")):
        values = pair.both(level)
        value = pair.now[field]
        if value is None and values is not None and values[1] > 0:
            value = growth(*values)
        if value is None:
            continue
        note = _loss_note(pair) if field == "net_profit_yoy_pct" else ""
        title = METRICS[field].zh.removesuffix("同比")
        words = f"{period_words(pair.period)}{title}{directed(value, Unit.PCT, *_GREW)}{note}"
        yield pair.fact(field, value, words, polarity=_unless_lost(field, value, pair.now[level]))


def _unless_lost(field: str, change: float, level: float | None) -> Polarity:
    """Side of a change; what is still a loss after it is no good news."""
    side = rule_for(field).polarity(change)
    return without_plus(side) if level is not None and level < 0 else side


def _loss_note(pair: _Pair) -> str:
    now = pair.now["net_profit_cny"]
    before = pair.before["net_profit_cny"] if pair.before else None
    if now is None:
        return ""
    if now < 0:
        if before is None:
            return "（报告期为亏损）"
        if before >= 0:
            return "（由盈转亏）"
        return "（两期均为亏损，亏损收窄）" if now > before else "（两期均为亏损，亏损扩大）"
    return "（扭亏为盈，百分比以上年亏损为基数）" if before is not None and before < 0 else ""


def _point_facts(pair: _Pair) -> Iterator[Fact]:
    """Margins and ratios in percentage points."""
    for column, measure in _POINTS.items():
        if (values := pair.both(column)) is None:
            continue
        field, change = f"{_MEASURED}.{measure}", round(values[0] - values[1], 8)
        name = (period_end if column == "debt_ratio_pct" else period_words)(pair.period)
        words = f"{name}{METRICS[column].zh}{directed(change, Unit.PP, *_MOVED)}"
        yield pair.fact(field, change, words, polarity=_unless_lost(field, change, values[0]))


def _deducted_fact(pair: _Pair) -> Iterator[Fact]:
    values = pair.both("deducted_net_profit_cny")
    if values is not None and values[1] > 0:
        change = growth(*values)
        words = f"{period_words(pair.period)}扣非净利润{directed(change, Unit.PCT, *_GREW)}"
        yield pair.fact(f"{_MEASURED}.deducted_yoy_pct", change, words)


def inflow_side(now: float | None, before: float | None) -> Polarity:
    """Side of a cash flow by its sign, the plus withheld where it shrank by more than a fifth; CNY."""
    side = Polarity.NEUTRAL if now is None else rule_for("operating_cash_flow_cny").polarity(now)
    if now is None or before is None or before <= 0:
        return side
    return without_plus(side) if growth(now, before) < -_SHRUNK_PCT else side


def _cash_facts(pair: _Pair) -> Iterator[Fact]:
    """Cash flow against the year before (an amount where a percentage has no base) and against profit."""
    title = f"{period_words(pair.period)}经营活动现金流净额"
    if (values := pair.both("operating_cash_flow_cny")) is not None and values[1] != 0:
        yield _cash_change(pair, title, *values)
    cash, profit = pair.now["operating_cash_flow_cny"], pair.now["net_profit_cny"]
    if cash is not None and profit is not None and profit > 0:
        words = f"{title}与归母净利润之比为{say(cash / profit, Unit.MULTIPLE)}"
        yield pair.fact(f"{_MEASURED}.cash_to_profit", cash / profit, words)


def _cash_change(pair: _Pair, title: str, now: float, before: float) -> Fact:
    relative = round((now - before) / abs(before) * 100, 8)
    field = f"{_MEASURED}.operating_cash_flow_yoy_pct"
    side = _unless_lost(field, relative, now)
    if before > 0:
        note = "（由净流入转为净流出）" if now < 0 else ""
        words = f"{title}{directed(relative, Unit.PCT, *_GREW)}{note}"
        return pair.fact(field, relative, words, polarity=side)
    note = "由净流出转为净流入" if now >= 0 else "两期均为净流出"
    words = f"{title}较上年同期{directed(now - before, Unit.CNY, '增加', '减少')}（{note}）"
    return pair.fact(f"{_MEASURED}.operating_cash_flow_change_cny", now - before, words, polarity=side)


def _quarter_facts(pair: _Pair, reports: Mapping[date, Row]) -> Iterator[Fact]:
    """The last quarter by itself: profit, and both changes against the same quarter a year before."""
    for level in ("revenue_cny", "net_profit_cny"):
        now = _quarter(level, pair.period, reports)
        before = _quarter(level, year_before(pair.period), reports)
        if now is None:
            continue
        title = f"{quarter_words(pair.period)}{METRICS[level].zh}"
        name, period = level.removesuffix("_cny"), f"{period_name(pair.period)}单季"
        if level == "net_profit_cny":
            words = f"{title}为{say(now, Unit.CNY)}"
            yield pair.fact(f"{_MEASURED}.quarter_{name}_cny", now, words, period=period)
        if before is not None and before > 0:
            change = growth(now, before)
            words = f"{title}{directed(change, Unit.PCT, *_GREW)}{'（由盈转亏）' if now < 0 else ''}"
            yield pair.fact(f"{_MEASURED}.quarter_{name}_yoy_pct", change, words, period=period)


def _quarter(column: str, period: date, reports: Mapping[date, Row]) -> float | None:
    """The quarter that ends on *period* by itself; None for the first one, which the cumulative figure is."""
    first = {6: (3, 31), 9: (6, 30), 12: (9, 30)}.get(period.month)
    if first is None:
        return None
    whole, part = (reports.get(day) for day in (period, date(period.year, *first)))
    if whole is None or part is None or whole[column] is None or part[column] is None:
        return None
    quarter: float = whole[column] - part[column]
    return quarter
