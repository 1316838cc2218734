"""Whether one statement holds against one reference, and on which count it fails.

The counts are independent, so that a failure can say what is wrong: company, quantity, form, unit, period, direction,
value.
"""

from __future__ import annotations

from dataclasses import dataclass

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import RULE, Ledger, Reference
from flows.truth.grammar.companies import INDUSTRY, MARKET, SUBJECT
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL, SHARE, concepts
from flows.truth.grammar.units import written_fits
from flows.truth.judging.closeness import is_mirrored, value_holds
from flows.truth.judging.time_matching import period_fits

#: Failure counts in the order in which they excuse a near miss: the fewer and the later, the nearer.
COUNTS = ("company", "concept", "form", "unit", "period", "direction", "value")

COUNTS_ZH = {
    "company": "公司不符", "concept": "指标不符", "form": "口径不符", "unit": "单位不符", "period": "期间不符",
    "direction": "方向不符", "value": "数值不符",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    """Outcome of one comparison; *failed* is empty if the statement holds."""

    reference: Reference
    failed: tuple[str, ...]
    is_exact: bool = False


def compare(s: Statement, r: Reference, ledger: Ledger) -> Match | None:
    """*s* against *r*; None if they speak of different quantities altogether."""
    if not _concept_fits(s, r, ledger):
        return None
    failed = []
    if not company_fits(s, r):
        failed.append("company")
    if not form_fits(s, r):
        failed.append("form")
    if not _unit_fits(s, r):
        failed.append("unit")
    if not period_fits(s, r, ledger):
        failed.append("period")
    holds, exact = value_holds(s, r)
    if s.course * r.course < 0:
        failed.append("direction")
    elif not holds:
        failed.append("direction" if is_mirrored(s, r) else "value")
    return Match(r, tuple(failed), exact)


_FORECASTS = frozenset({("net_profit", "forecast_profit"), ("eps", "forecast_eps")})


def _is_ahead(r: Reference, ledger: Ledger) -> bool:
    """Whether a value told in a sentence is of a period that no report covers."""
    newest = ledger.latest(r.concept, r.company)
    return not r.is_own and r.period is not None and newest is not None and r.period.order > newest.order


def _concept_fits(s: Statement, r: Reference, ledger: Ledger) -> bool:
    if s.concept == r.concept != "":
        return s.is_forecast or not _is_ahead(r, ledger)
    if s.concept:
        return (s.concept, r.concept) in _FORECASTS and s.is_forecast
    return labels_meet(s.label, r.label) and not (r.concept and _known(r))


def _known(r: Reference) -> bool:
    return r.concept in concepts()


def labels_meet(one: str, other: str) -> bool:
    """Whether two free labels share a word of at least two characters at a telling place."""
    if len(one) < 2 or len(other) < 2:
        return False
    pairs = {one[i : i + 2] for i in range(len(one) - 1)}
    shared = sum(1 for i in range(len(other) - 1) if other[i : i + 2] in pairs)
    return shared >= max(1, min(len(pairs), len(other) - 1) // 2)


def company_fits(s: Statement, r: Reference) -> bool:
    """Whether both are of one company; an inherited company may also be the subject."""
    if r.company == RULE:
        return s.is_rule
    if r.company == MARKET and r.is_own:
        return s.company in {MARKET, SUBJECT}
    if (s.against or r.against) and s.against != r.against:
        return False
    if s.company == r.company:
        return not (s.statistic and r.statistic and s.statistic != r.statistic)
    return not s.is_company_said and r.company == SUBJECT and s.company in {INDUSTRY}


def form_fits(s: Statement, r: Reference) -> bool:
    """Level, change, percentile, share and difference are different quantities; so are 同比 and 环比."""
    if s.basis and r.basis and s.basis != r.basis:
        return False
    if s.form == r.form:
        return not (s.form in {CHANGE, DIFFERENCE} and s.basis and not r.basis and r.is_own and not r.window)
    if s.form == CHANGE and r.form == LEVEL:
        return r.unit == Unit.PCT and r.concept not in concepts()
    if s.form == LEVEL and r.form == CHANGE:
        return r.concept in {"daily_return_low", "daily_return_median", "daily_return_high", "drawdown"}
    return s.form == LEVEL and r.form == SHARE and s.quantity.unit == Unit.PCT


def _unit_fits(s: Statement, r: Reference) -> bool:
    q = s.quantity
    if written_fits(q.unit, r.unit, may_be_bare=s.bare_ok and not q.is_scaled):
        return not (q.is_scaled and not q.unit and r.unit == Unit.CNY_PER_SHARE)
    return q.unit == "" and q.is_scaled and r.unit in {Unit.CNY, Unit.SHARES, Unit.COUNT}
