"""Whether one statement holds against one reference, and on which count it fails.

The counts are independent, so that a failure can say what is wrong: company, quantity, form, unit, period, direction, value.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flows.contracts.units import Unit
from flows.truth.companies import INDUSTRY, MARKET, SUBJECT
from flows.truth.forms import is_loss
from flows.truth.ledger import RULE, Ledger, Reference
from flows.truth.lexicon import CHANGE, DIFFERENCE, LEVEL, SHARE, concepts
from flows.truth.numbers import Quantity, Rough
from flows.truth.periods import Day, Period, quarter_end
from flows.truth.statement import Statement
from flows.truth.units import written_fits

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
        failed.append("direction" if _is_mirrored(s, r) else "value")
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


def period_fits(s: Statement, r: Reference, ledger: Ledger) -> bool:
    """Window, date and reporting period; unsaid means the latest."""
    if s.window and r.window and s.window != r.window:
        return False
    if s.window and not r.window and s.form == CHANGE and r.is_own:
        return False
    if s.day is not None and s.day.day is not None and not _day_fits(s.day.day, r):
        return False
    if s.day is not None and r.period is None:
        return True
    said = ledger.resolved(s.period)
    if said is None or (r.period is None and not s.is_period_said):
        return _is_latest(r, ledger)
    if said.relative:
        return _relative_fits(said, r, ledger, s.base)
    if r.period is None:
        this_year = said.year == r.fact.as_of.year and said.quarter == 4 and not said.is_single
        return not r.is_own or ((this_year or said.year is None) and _is_latest(r, ledger))
    return _equal(said, r, ledger) or (not s.is_period_said and not s.is_period_carried and _is_latest(r, ledger))


def _equal(said: Period, r: Reference, ledger: Ledger) -> bool:
    """Whether *r* is of the period said; a quarter without a year is that of the latest year known."""
    assert r.period is not None
    if said.year is not None and said.year != r.period.year:
        return False
    if said.quarter is not None and r.period.quarter is not None and said.quarter != r.period.quarter:
        return False
    if said.year is None and r.is_own and any(_is_later(o, r) for o in _peers(r, ledger)):
        return False
    flows = r.concept not in concepts() or concepts()[r.concept].is_flow
    return said.is_single == r.period.is_single or not flows


def _is_later(other: Reference, r: Reference) -> bool:
    """Whether *other* is of the same quarter of a later year."""
    if other.period is None or r.period is None or other.period.quarter != r.period.quarter:
        return False
    return other.period.order > r.period.order


def _peers(r: Reference, ledger: Ledger) -> list[Reference]:
    """Own values of the same series as *r*."""
    found = ledger.by_concept.get(r.concept, ())
    return [o for o in found if o.is_own and o.company == r.company and _one_series(o, r)]


def _is_latest(r: Reference, ledger: Ledger) -> bool:
    if not r.is_own:
        return True
    peers = _peers(r, ledger)
    if r.period is not None:
        return all(o.period is None or o.period.order <= r.period.order for o in peers)
    return all(o.fact.as_of <= r.fact.as_of for o in peers)


def _one_series(one: Reference, other: Reference) -> bool:
    return (one.form, one.basis, one.window, one.fact.field) == (
        other.form,
        other.basis,
        other.window,
        other.fact.field,
    )


def _relative_fits(said: Period, r: Reference, ledger: Ledger, base: Period | None) -> bool:
    if r.period is None or not r.is_own:
        return not r.is_own or (said.relative in {"latest", "earlier"} and _is_latest(r, ledger))
    newest = ledger.latest(r.concept, r.company)
    latest = base if base is not None and said.relative != "latest" else newest
    if latest is None or newest is None:
        return False
    if said.relative == "latest":
        return r.period == latest
    if said.relative == "earlier":
        return r.period.order < latest.order
    if said.relative == "next_year":
        return base is not None and r.period == base.shifted(1)
    if said.relative == "prior_year":
        return r.period == latest.shifted(-1)
    known = sorted(
        {o.period.order for o in ledger.by_concept[r.concept] if o.period and o.company == r.company and o.is_own}
    )
    return r.period.order in [order for order in known if order < latest.order][-1:]


def _day_fits(day: Day, r: Reference) -> bool:
    end = quarter_end(r.period) if r.period is not None else None
    for known in (*r.days, *((end,) if end else ())):
        if isinstance(known, Day):
            if known.meets(day):
                return True
        elif day.is_day(known):
            return True
    return False


def tolerance(q: Quantity) -> float:
    """Half the rounding step; 约 makes trailing zeros insignificant, up to 5 %."""
    half = q.step / 2 * (1 + 1e-9) + abs(q.value) * 1e-12
    if q.rough is Rough.EXACT:
        return half
    return max(half, min(_coarse(q) / 2, 0.05 * abs(q.value)))


def _coarse(q: Quantity) -> float:
    """Step of the last significant digit, trailing zeros left out, at most a fifth of the number (超10亿)."""
    step = q.step
    while abs(q.value) > 0 and abs(q.value / (step * 10) - round(q.value / (step * 10))) < 1e-9:
        step *= 10
    return min(step, 0.2 * abs(q.value))


def _nearly(q: Quantity) -> float:
    """How far below a number 近 may reach: what rounds to it where it is coarse (近三成), else a twelfth (近20亿元)."""
    return q.step / 2 if q.step > 0.1 * abs(q.value) else 0.08 * abs(q.value)


def near(q: Quantity, said: float, right: float) -> bool:
    """Whether *said* states *right* in the rounding of *q*; 超 and 近 bound it on one side."""
    gap = abs(right) - abs(said)
    if q.rough is Rough.ABOVE:
        return right >= said
    if q.rough is Rough.BELOW:
        return right <= said
    if said * right < 0:
        return False
    wide = tolerance(q)
    if q.rough is Rough.OVER:
        return -q.step * 1e-6 <= gap <= max(q.step, _coarse(q))
    if q.rough is Rough.UNDER:
        return -max(q.step, _coarse(q)) <= gap <= q.step * 1e-6
    if q.rough is Rough.NEARLY:
        return -_nearly(q) <= gap <= q.step / 2
    return abs(gap) <= wide


def said_value(s: Statement) -> float:
    """The value with its sign: direction words count for changes and losses, not for levels."""
    q = s.quantity
    if s.concept == "drawdown" and not q.direction and not q.has_sign:
        return -abs(q.value)
    return q.signed(q.value) if s.form in {CHANGE, DIFFERENCE} or is_loss(q) else q.value


def value_holds(s: Statement, r: Reference) -> tuple[bool, bool]:
    """(holds within the rounding written, is exact)."""
    q = s.quantity
    said = said_value(s)
    if q.high is not None:
        high = q.signed(q.high) if s.form in {CHANGE, DIFFERENCE} or is_loss(q) else q.high
        if r.high is None:
            return (False, False)
        pair, right = sorted((said, high)), sorted((r.value, r.high))
        return all(near(q, a, b) for a, b in zip(pair, right, strict=True)), pair == right
    if r.high is not None:
        ends = near(q, said, r.value) or near(q, said, r.high)
        return ends, ends
    return near(q, said, r.value), abs(said - r.value) <= 1e-9 * max(1.0, abs(r.value))


def _is_mirrored(s: Statement, r: Reference) -> bool:
    return (
        r.high is None
        and s.quantity.high is None
        and near(s.quantity, abs(said_value(s)), abs(r.value))
        and said_value(s) * r.value < 0
    )


def is_one_day(value: date | Day) -> bool:
    """Whether a reference's day is an exact date."""
    return isinstance(value, date)
