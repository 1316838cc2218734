"""Facts of sell-side reports: what they say, how forecasts were revised, and the consensus beside the last actual.

Sell-side is flagged as biased. A rating or a forecast level favours nobody, because nearly all of them are
good; only a change of one broker's own forecast, and the consensus against the last actual, are signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from statistics import fmean
from typing import Any

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, measured, origin_of, quote, quoted, short_name
from flows.evidence.phrasing import directed, say
from flows.evidence.reading import Row, Scope
from flows.evidence.rules import rule_for, without_plus
from flows.evidence.text_sides import text_side
from flows.market.sessions import SHANGHAI

_DAYS = 365
_FORECASTS = ("eps_year_0_cny", "eps_year_1_cny")
#: Brokers a consensus needs.
_MIN_BROKERS = 2
_UNNAMED = "机构未署名"


def research_facts(scope: Scope) -> list[Fact]:
    """Consensus and revisions, then the reports of a year, newest first, with their forecasts; the next year's last."""
    rows = list(reversed(scope.visible("research_reports", days=_DAYS)))
    reported = max((row["notice_date"] for row in scope.visible("financial_indicators")), default=date.min)
    said = [fact for row in rows for fact in _report(row, scope, is_overtaken=row["report_date"] < reported)]
    ordered = sorted(said, key=lambda fact: fact.field == f"research_reports.{_FORECASTS[1]}")
    return [*_consensus(rows, scope), *_revisions(rows, scope), *ordered]


def _common(scope: Scope, **more: Any) -> dict[str, Any]:
    return {
        "kind": FactKind.RESEARCH, "subject": scope.symbol, "dimension": Dimension.FUNDAMENTALS, "flags": ("biased",),
        **more,
    }  # fmt: skip


def _broker(row: Row) -> str:
    return short_name(row["organisation"], _UNNAMED)


def _report(row: Row, scope: Scope, *, is_overtaken: bool) -> Iterator[Fact]:
    """What a report says and forecasts; one that a newer periodic report has overtaken speaks for nobody."""
    title = quote(f"{row['title']}。{row['abstract'] or ''}".rstrip("。"), 160)
    broker, rating = _broker(row), short_name(row["rating"], "未给评级")
    origin = origin_of(row, "研报", row["report_date"])
    side = Polarity.NEUTRAL if title.is_suspect or is_overtaken else text_side(title.text)
    words = f"卖方研报（{broker}，评级原文“{rating}”，立场偏多需打折）：{title.text.rstrip('。；')}"
    yield quoted("research_reports.title", words, title, origin, **_common(scope, polarity=side))
    for year, column in _years(row):
        said = f"{broker}预测{year}年每股收益为{say(row[column], Unit.CNY_PER_SHARE)}（卖方预测，非实际值）"
        yield measured(f"research_reports.{column}", row[column], said, origin, **_common(scope, period=f"{year}E"))


def _years(row: Row) -> Iterator[tuple[int, str]]:
    """(year, column) of each forecast given."""
    for offset, column in enumerate(_FORECASTS):
        if row["forecast_year"] is not None and row[column] is not None:
            yield row["forecast_year"] + offset, column


def _by_broker(rows: list[Row], year: int) -> dict[str, list[tuple[float, Row]]]:
    """Forecasts of *year* by named broker, newest first."""
    found: dict[str, list[tuple[float, Row]]] = {}
    for row in rows:
        for of_year, column in _years(row):
            if of_year == year and _broker(row) != _UNNAMED:
                found.setdefault(_broker(row), []).append((row[column], row))
    return found


def _revisions(rows: list[Row], scope: Scope) -> Iterator[Fact]:
    """The last change of each broker's forecast for the current year, CNY per share."""
    year = scope.as_of.year
    for broker, forecasts in _by_broker(rows, year).items():
        if len(forecasts) < 2:
            continue
        (now, row), (before, _) = forecasts[:2]
        change = round(now - before, 8)
        moved = directed(change, Unit.CNY_PER_SHARE, "上调", "下调", "维持不变")
        words = f"{broker}对{year}年每股收益的预测较其上一次{moved}（卖方预测，非实际值）"
        field = "research_reports.eps_revision_cny"
        side = rule_for(field).polarity(change)
        more = _common(scope, period=f"{year}E", polarity=without_plus(side) if now < 0 else side)
        yield measured(field, change, words, origin_of(row, "研报", row["report_date"]), **more)


def _consensus(rows: list[Row], scope: Scope) -> Iterator[Fact]:
    """Mean of the brokers' latest forecasts for the current year against the last actual year, percent."""
    year = scope.as_of.year
    latest = {broker: forecasts[0] for broker, forecasts in _by_broker(rows, year).items()}
    actual = _actual_eps(scope, year - 1)
    if len(latest) < _MIN_BROKERS or actual is None or actual <= 0:
        return
    mean = fmean(value for value, _ in latest.values())
    change = round((mean / actual - 1) * 100, 8)
    newest = max((row for _, row in latest.values()), key=lambda row: row["published_at"])
    day = newest["published_at"].astimezone(SHANGHAI).date()
    words = (
        f"{len(latest)}家机构对{year}年每股收益预测的均值较{year - 1}年实际值"
        f"{directed(change, Unit.PCT, '高', '低', '持平')}（卖方预测，非实际值）"
    )
    origin = Origin(min(day, scope.as_of), newest["published_at"], f"{origin_of(newest, '研报', day).source}统计")
    field = "research_reports.eps_consensus_growth_pct"
    yield measured(field, change, words, origin, **_common(scope, period=f"{year}E"))


def _actual_eps(scope: Scope, year: int) -> float | None:
    """Earnings per share of a full year; None if unknown or if shares were split since, which would break it."""
    split = any(row["bonus_ratio"] > 0 and row["ex_date"].year > year for row in scope.visible("corporate_actions"))
    annual = {row["report_period"]: row["eps_cny"] for row in scope.visible("financial_indicators")}
    found = [eps for period, eps in annual.items() if (period.year, period.month) == (year, 12)]
    return None if split or not found else found[0]
