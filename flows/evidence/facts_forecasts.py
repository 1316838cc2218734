"""Facts of earnings forecasts (业绩预告): what the company itself expects of the newest unreported period."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, measured, origin_of, quote, quoted
from flows.evidence.phrasing import directed, period_name, period_words, say
from flows.evidence.reading import Row, Scope
from flows.evidence.rules import rule_for, without_plus
from flows.evidence.text_sides import text_side

#: Side of a forecast by its type. A loss that narrows and a profit that goes on are no change for the better.
FORECAST_SIDES: dict[str, Polarity] = {
    **dict.fromkeys(("预增", "略增", "扭亏"), Polarity.POSITIVE),
    **dict.fromkeys(("预减", "略减", "首亏", "续亏", "增亏"), Polarity.NEGATIVE),
    **dict.fromkeys(("减亏", "续盈", "不确定"), Polarity.NEUTRAL),
}
_LOSSES = frozenset({"首亏", "续亏", "增亏", "减亏"})


def forecast_facts(scope: Scope) -> list[Fact]:
    """Earnings forecasts of the newest period not yet reported; the last notice per metric stands."""
    reported = max((row["report_period"] for row in scope.visible("financial_indicators")), default=date.min)
    rows = [row for row in scope.visible("earnings_forecasts") if row["report_period"] > reported]
    if not rows:
        return []
    newest = max(row["report_period"] for row in rows)
    notices: dict[str, list[Row]] = {}
    for row in rows:
        if row["report_period"] == newest:
            notices.setdefault(row["metric"], []).append(row)
    return [fact for of_metric in notices.values() for fact in _forecast(of_metric, scope)]


def _forecast(notices: list[Row], scope: Scope) -> Iterator[Fact]:
    """Facts of the last of *notices* (one metric, in order of publication) and how it revised the one before."""
    row = notices[-1]
    origin = origin_of(row, "业绩预告", row["notice_date"])
    common: dict[str, Any] = {
        "subject": scope.symbol, "period": period_name(row["report_period"]), "dimension": Dimension.FUNDAMENTALS,
        "kind": FactKind.ANNOUNCEMENT,
    }  # fmt: skip
    name = f"{period_words(row['report_period'])}业绩预告"
    title = f"{name}（{row['forecast_type'] or '类型未说明'}）：预计{quote(row['metric'], 40).text}"
    yield from _values(row, title, origin, common)
    yield from _changes(row, title, origin, common)
    yield from _revision(notices, title, origin, common)
    reason = quote(row["reason"], 160)
    if reason.text:
        side = _reason_side(row["forecast_type"], "" if reason.is_suspect else reason.text)
        words = f"{name}所述原因：{reason.text.rstrip('。；')}"
        yield quoted("earnings_forecasts.reason", words, reason, origin, polarity=side, **common)


def _reason_side(forecast_type: str | None, reason: str) -> Polarity:
    """A reason speaks for the side of its forecast where its own words do."""
    side = text_side(reason)
    return side if side is FORECAST_SIDES.get(forecast_type or "") else Polarity.NEUTRAL


def _values(row: Row, title: str, origin: Origin, common: dict[str, Any]) -> Iterator[Fact]:
    """The profit expected; a loss is said as a loss and is one whatever the forecast's type."""
    kind = FORECAST_SIDES.get(row["forecast_type"] or "", Polarity.NEUTRAL)
    for end, value, place in _ends(row["value_low_cny"], row["value_high_cny"]):
        field = f"earnings_forecasts.value_{end}_cny"
        side = rule_for(field).polarity(value)
        amount = f"亏损{say(-value, Unit.CNY)}" if value < 0 else f"为{say(value, Unit.CNY)}"
        more = {"polarity": kind if side is Polarity.NEUTRAL else side}
        yield measured(field, value, f"{title}{amount}{place}", origin, **common, **more)


def _changes(row: Row, title: str, origin: Origin, common: dict[str, Any]) -> Iterator[Fact]:
    """The change expected; of a loss it is a narrowing or a widening, and a narrowing favours nobody."""
    low, high = row["change_low_pct"], row["change_high_pct"]
    is_open = low is not None and high is not None and low < 0 < high
    for end, value, place in _ends(low, high):
        field = f"earnings_forecasts.change_{end}_pct"
        side = Polarity.NEUTRAL if is_open else rule_for(field).polarity(value)
        more = {"polarity": without_plus(side) if is_loss(row) else side}
        yield measured(field, value, f"{title}{_change_words(row, value)}{place}", origin, **common, **more)


def _revision(notices: list[Row], title: str, origin: Origin, common: dict[str, Any]) -> Iterator[Fact]:
    """By how much the middle of the range moved against the notice before, CNY."""
    if len(notices) < 2:
        return
    before, now = (_middle(row) for row in notices[-2:])
    if before is None or now is None or before == now:
        return
    field = "earnings_forecasts.revision_cny"
    side = rule_for(field).polarity(now - before)
    moved = directed(now - before, Unit.CNY, "上修", "下修")
    words = f"{title}较{notices[-2]['notice_date'].isoformat()}公告的预告{moved}（按区间中值）"
    more = {"polarity": without_plus(side) if is_loss(notices[-1]) else side}
    yield measured(field, now - before, words, origin, **common, **more)


def _middle(row: Row) -> float | None:
    ends = [value for value in (row["value_low_cny"], row["value_high_cny"]) if value is not None]
    return sum(ends) / len(ends) if ends else None


def _change_words(row: Row, value: float) -> str:
    prior = row["prior_value_cny"]
    if is_loss(row) and row["forecast_type"] != "首亏" and (prior is None or prior < 0):
        return directed(value, Unit.PCT, "亏损同比收窄", "亏损同比扩大", "亏损同比持平")
    note = "（由盈转亏）" if is_loss(row) else "（扭亏为盈，百分比以上年亏损为基数）" if prior and prior < 0 else ""
    return directed(value, Unit.PCT, "同比增长", "同比下降", "同比持平") + note


def is_loss(row: Row) -> bool:
    """Whether the period is expected to end in a loss."""
    ends = [value for value in (row["value_low_cny"], row["value_high_cny"]) if value is not None]
    return max(ends) < 0 if ends else row["forecast_type"] in _LOSSES


def _ends(low: float | None, high: float | None) -> Iterator[tuple[str, float, str]]:
    """(column part, value, place in the range) of what is given; a single value has no place."""
    if low is not None and high is not None and low != high:
        yield "low", low, "（区间下限）"
        yield "high", high, "（区间上限）"
    elif low is not None:
        yield "low", low, ""
    elif high is not None:
        yield "high", high, ""
