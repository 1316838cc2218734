"""Facts of reports and forecasts: the latest period, the same period a year before, what is announced.

Flow figures are cumulative from the start of the year, as Chinese reports state them, and are said so.
Changes against the year before are the vendor's where it gives them, else computed here from two
visible reports of one company; a change from a loss has no percentage and none is made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, measured, origin_of, quote, quoted
from flows.evidence.phrasing import directed, period_end, period_name, period_words, say
from flows.evidence.reading import Row, Scope

_FLOWS = (
    "revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "eps_cny", "roe_pct", "gross_margin_pct",
    "net_margin_pct", "operating_cash_flow_cny",
)  # fmt: skip
_STOCKS = ("bvps_cny", "debt_ratio_pct")
_GREW = ("同比增长", "同比下降", "同比持平")
_MOVED = ("同比上升", "同比下降", "同比持平")
_CHANGES = ("revenue_yoy_pct", "net_profit_yoy_pct")
_A_YEAR_AGO = (
    "revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "gross_margin_pct", "operating_cash_flow_cny",
)  # fmt: skip
_FORECAST_SIGN = {
    "预增": "+", "略增": "+", "扭亏": "+", "续盈": "+", "减亏": "+",
    "预减": "-", "略减": "-", "首亏": "-", "续亏": "-", "增亏": "-",
}  # fmt: skip
#: Reports are due by law on these days: period end (month, day) → deadline (month, day, years later).
_DEADLINES = {(3, 31): (4, 30, 0), (6, 30): (8, 31, 0), (9, 30): (10, 31, 0), (12, 31): (4, 30, 1)}


def indicator_facts(scope: Scope) -> list[Fact]:
    """Main indicators of the newest visible report and of the same period a year before."""
    by_period = {row["report_period"]: row for row in scope.visible("financial_indicators")}
    if not by_period:
        return []
    latest = by_period[max(by_period)]
    year_ago = by_period.get(_year_before(latest["report_period"]))
    facts = list(_report_facts(latest, _origin(latest, scope), scope, (*_FLOWS, *_STOCKS)))
    facts += _change_facts(latest, year_ago, scope)
    if year_ago is not None:
        before = replace(_origin(year_ago, scope), freshness="NOT_APPLICABLE")
        facts += _report_facts(year_ago, before, scope, _A_YEAR_AGO, polarity=Polarity.NEUTRAL)
        facts += _comparison_facts(latest, year_ago, scope)
    facts += _cash_fact(latest, scope)
    return facts


def _report_facts(row: Row, origin: Origin, scope: Scope, fields: tuple[str, ...], **more: Polarity) -> Iterator[Fact]:
    for field in fields:
        value = row[field]
        if value is not None:
            period = period_name(row["report_period"])
            words = _words(field, value, row["report_period"])
            yield measured(field, value, words, origin, subject=scope.symbol, period=period, **more)


def _origin(row: Row, scope: Scope) -> Origin:
    """A figure is of the last day of its period and is said with the day of its notice."""
    freshness = "STALE" if row["report_period"] < overdue_period(scope.as_of) else "NOT_APPLICABLE"
    return origin_of(
        row, "财务指标", row["report_period"],
        freshness=freshness, industry=scope.identity.industry, said=f"{row['notice_date'].isoformat()}披露",
    )  # fmt: skip


def _change_facts(latest: Row, year_ago: Row | None, scope: Scope) -> Iterator[Fact]:
    """The vendor's year-on-year changes; where a loss is involved the sentence says what the percentage is of."""
    origin = _origin(latest, scope)
    end = latest["report_period"]
    for field in _CHANGES:
        value = latest[field]
        if value is None:
            continue
        title = METRICS[field].zh.removesuffix("同比")
        note = _loss_note(latest["net_profit_cny"], year_ago) if field == "net_profit_yoy_pct" else ""
        words = f"{period_words(end)}{title}{directed(value, Unit.PCT, *_GREW)}{note}"
        yield measured(field, value, words, origin, subject=scope.symbol, period=period_name(end))


def _loss_note(now: float | None, year_ago: Row | None) -> str:
    before = year_ago["net_profit_cny"] if year_ago else None
    if now is None:
        return ""
    if now < 0:
        if before is None:
            return "（报告期为亏损）"
        if before >= 0:
            return "（由盈转亏）"
        return "（两期均为亏损，亏损收窄）" if now > before else "（两期均为亏损，亏损扩大）"
    return "（扭亏为盈，百分比以上年亏损为基数）" if before is not None and before < 0 else ""


def _words(field: str, value: float, report_period: date) -> str:
    metric = METRICS[field]
    name = period_end(report_period) if field in _STOCKS else period_words(report_period)
    return f"{name}{metric.zh}为{say(value, metric.unit)}"


def _comparison_facts(latest: Row, year_ago: Row, scope: Scope) -> Iterator[Fact]:
    """What changed against the same period a year before, computed from the two reports."""
    origin = _origin(latest, scope)
    period = period_name(latest["report_period"])
    points = {
        "gross_margin_pct": "gross_margin_yoy_pp",
        "roe_pct": "roe_yoy_pp",
        "debt_ratio_pct": "debt_ratio_yoy_pp",
    }
    for field, name in points.items():
        now, before = latest[field], year_ago[field]
        if now is not None and before is not None:
            change = round(now - before, 8)
            words = f"{period}{METRICS[field].zh}{directed(change, Unit.PP, *_MOVED)}"
            yield measured(f"financial_indicators.{name}", change, words, origin, subject=scope.symbol, period=period)
    now, before = latest["deducted_net_profit_cny"], year_ago["deducted_net_profit_cny"]
    if now is not None and before is not None and before > 0:
        change = round((now / before - 1) * 100, 8)
        words = f"{period_words(latest['report_period'])}扣非净利润{directed(change, Unit.PCT, *_GREW)}"
        field = "financial_indicators.deducted_yoy_pct"
        yield measured(field, change, words, origin, subject=scope.symbol, period=period)


def _cash_fact(latest: Row, scope: Scope) -> Iterator[Fact]:
    cash, profit = latest["operating_cash_flow_cny"], latest["net_profit_cny"]
    if cash is None or profit is None or profit <= 0:
        return
    ratio = say(cash / profit, Unit.MULTIPLE)
    words = f"{period_words(latest['report_period'])}经营活动现金流净额与归母净利润之比为{ratio}"
    yield measured(
        "financial_indicators.cash_to_profit", cash / profit, words, _origin(latest, scope),
        subject=scope.symbol, period=period_name(latest["report_period"]),
    )  # fmt: skip


def _year_before(report_period: date) -> date:
    return report_period.replace(year=report_period.year - 1)


def overdue_period(as_of: date) -> date:
    """The newest reporting period whose legal deadline has passed by *as_of*."""
    candidates = [date(year, *end) for year in (as_of.year - 1, as_of.year) for end in _DEADLINES]
    return max(period for period in candidates if _deadline(period) < as_of)


def _deadline(period: date) -> date:
    month, day, later = _DEADLINES[(period.month, period.day)]
    return date(period.year + later, month, day)


def forecast_facts(scope: Scope) -> list[Fact]:
    """Earnings forecasts of the newest period not yet reported; the last notice per metric stands."""
    reported = max((row["report_period"] for row in scope.visible("financial_indicators")), default=date.min)
    rows = [row for row in scope.visible("earnings_forecasts") if row["report_period"] > reported]
    if not rows:
        return []
    newest = max(row["report_period"] for row in rows)
    last = {row["metric"]: row for row in rows if row["report_period"] == newest}
    return [fact for row in last.values() for fact in _forecast(row, scope)]


def _forecast(row: Row, scope: Scope) -> Iterator[Fact]:
    origin = origin_of(row, "业绩预告", row["notice_date"])
    period = period_name(row["report_period"])
    sign = Polarity(_FORECAST_SIGN.get(row["forecast_type"] or "", "0"))
    common: dict[str, Any] = {
        "subject": scope.symbol, "period": period, "polarity": sign, "dimension": Dimension.FUNDAMENTALS,
        "kind": FactKind.ANNOUNCEMENT,
    }  # fmt: skip
    title = f"{period}业绩预告（{row['forecast_type'] or '类型未说明'}）预计{quote(row['metric'], 40).text}"
    yield from _range(row, "value", Unit.CNY, title, origin, common)
    yield from _range(row, "change", Unit.PCT, f"{title}同比变动", origin, common)
    reason = quote(row["reason"], 160)
    if reason.text:
        words = f"{period}业绩预告所述原因：{reason.text}"
        yield quoted("earnings_forecasts.reason", words, reason, origin, **_guarded(common, reason.is_suspect))


def _guarded(common: dict[str, Any], is_suspect: bool) -> dict[str, Any]:
    """A text that tries to instruct speaks for no side."""
    return {**common, "polarity": Polarity.NEUTRAL} if is_suspect else common


def _range(row: Row, column: str, unit: Unit, title: str, origin: Origin, common: dict[str, Any]) -> Iterator[Fact]:
    suffix = "cny" if unit is Unit.CNY else "pct"
    low, high = row[f"{column}_low_{suffix}"], row[f"{column}_high_{suffix}"]
    ends = [("low", low, "下限"), ("high", high, "上限")]
    if low is None or high is None or low == high:
        ends = [(name, value, "") for name, value, _ in ends if value is not None][:1]
    for name, value, word in ends:
        words = f"{title}{word}为{say(value, unit)}"
        yield measured(f"earnings_forecasts.{column}_{name}_{suffix}", value, words, origin, **common)


def dividend_facts(scope: Scope) -> list[Fact]:
    """Corporate actions with an ex-date in the year before as-of, or already announced for later."""
    return [
        fact
        for row in scope.visible("corporate_actions")
        if (scope.as_of - row["ex_date"]).days <= 365
        for fact in _action(row, scope)
    ]


def _action(row: Row, scope: Scope) -> Iterator[Fact]:
    day: date = row["ex_date"]
    origin = origin_of(row, "分红送配", min(day, scope.as_of))
    parts = (
        ("cash_cny", f"每股派发现金红利（税前）{say(row['cash_cny'], Unit.CNY_PER_SHARE)}"),
        ("bonus_ratio", f"每股送转{row['bonus_ratio']:.4g}股"),
        ("rights_ratio", f"每股配{row['rights_ratio']:.4g}股"),
    )
    for column, words in parts:
        if row[column] > 0:
            text = f"除权除息日{day.isoformat()}，{words}"
            yield measured(f"corporate_actions.{column}", row[column], text, origin, subject=scope.symbol)
