"""Facts of periodic reports and of distributions; what changed between reports stands in ``facts_comparisons``.

Flow figures are cumulative from the start of the year, as Chinese reports state them, and are said so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, measured, origin_of
from flows.evidence.facts_comparisons import comparison_facts, inflow_side, year_before
from flows.evidence.phrasing import period_end, period_name, period_words, say
from flows.evidence.reading import Row, Scope

_FLOWS = (
    "revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "eps_cny", "roe_pct", "gross_margin_pct",
    "net_margin_pct", "operating_cash_flow_cny",
)  # fmt: skip
_STOCKS = ("bvps_cny", "debt_ratio_pct")
_A_YEAR_AGO = (
    "revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "gross_margin_pct", "operating_cash_flow_cny",
)  # fmt: skip
#: Reports are due by law on these days: period end (month, day) → deadline (month, day, years later).
_DEADLINES = {(3, 31): (4, 30, 0), (6, 30): (8, 31, 0), (9, 30): (10, 31, 0), (12, 31): (4, 30, 1)}


def indicator_facts(scope: Scope) -> list[Fact]:
    """Main indicators of the newest visible report, what changed, and the same period a year before."""
    reports = {row["report_period"]: row for row in scope.visible("financial_indicators")}
    if not reports:
        return []
    latest = reports[max(reports)]
    origin = _origin(latest, scope)
    year_ago = reports.get(year_before(latest["report_period"]))
    facts = [
        _level_fact(field, latest, origin, scope, **_denied(field, latest, year_ago))
        for field in (*_FLOWS, *_STOCKS)
        if latest[field] is not None
    ]
    facts += comparison_facts(reports, origin, scope.symbol)
    if year_ago is not None:
        before = replace(_origin(year_ago, scope), freshness="NOT_APPLICABLE")
        facts += [
            _level_fact(field, year_ago, before, scope, polarity=Polarity.NEUTRAL)
            for field in _A_YEAR_AGO
            if year_ago[field] is not None
        ]
    return facts


def _level_fact(field: str, row: Row, origin: Origin, scope: Scope, **more: Polarity) -> Fact:
    period = row["report_period"]
    metric = METRICS[field]
    name = period_end(period) if field in _STOCKS else period_words(period)
    words = f"{name}{metric.zh}为{say(row[field], metric.unit)}"
    return measured(field, row[field], words, origin, subject=scope.symbol, period=period_name(period), **more)


def _denied(field: str, latest: Row, year_ago: Row | None) -> dict[str, Polarity]:
    """An inflow that shrank by a fifth is no good news at any level."""
    if field != "operating_cash_flow_cny" or year_ago is None:
        return {}
    return {"polarity": inflow_side(latest[field], year_ago[field])}


def _origin(row: Row, scope: Scope) -> Origin:
    """A figure is of the last day of its period and is said with the day of its notice."""
    freshness = "STALE" if row["report_period"] < overdue_period(scope.as_of) else "NOT_APPLICABLE"
    return origin_of(
        row, "财务指标", row["report_period"],
        freshness=freshness, industry=scope.identity.industry, said=f"{row['notice_date'].isoformat()}披露",
    )  # fmt: skip


@dataclass(frozen=True)
class AnnualRevenue:
    """Revenue of the last full year reported, CNY."""

    year: int
    value_cny: float


def annual_revenue(scope: Scope) -> AnnualRevenue | None:
    """Revenue of the last visible annual report; None if there is none."""
    annual = {
        row["report_period"].year: row["revenue_cny"]
        for row in scope.visible("financial_indicators")
        if row["report_period"].month == 12 and row["revenue_cny"] is not None
    }
    return AnnualRevenue(max(annual), annual[max(annual)]) if annual else None


def overdue_period(as_of: date) -> date:
    """The newest reporting period whose legal deadline has passed by *as_of*."""
    candidates = [date(year, *end) for year in (as_of.year - 1, as_of.year) for end in _DEADLINES]
    return max(period for period in candidates if _deadline(period) < as_of)


def _deadline(period: date) -> date:
    month, day, later = _DEADLINES[(period.month, period.day)]
    return date(period.year + later, month, day)


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
            text = f"除权除息，{words}" if day <= scope.as_of else f"将于{day.isoformat()}除权除息，{words}"
            yield measured(f"corporate_actions.{column}", row[column], text, origin, subject=scope.symbol)
