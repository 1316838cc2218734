"""Whether a statement and a reference are of one window, day and reporting period; unsaid means the latest."""

from __future__ import annotations

from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.lexicon import CHANGE, concepts
from flows.truth.grammar.periods import Day, Period, quarter_end


def period_fits(s: Statement, r: Reference, ledger: Ledger) -> bool:
    """Window, date and reporting period; unsaid means the latest."""
    if not _window_fits(s, r) or (s.day is not None and s.day.day is not None and not _day_fits(s.day.day, r)):
        return False
    if s.day is not None and r.period is None:
        return True
    said = ledger.resolved(s.period)
    if said is None or (r.period is None and not s.is_period_said):
        return _is_latest(r, ledger)
    if said.relative:
        return _relative_fits(said, r, ledger, s.base)
    if r.period is None:
        return not r.is_own or (_is_this_year(said, r) and _is_latest(r, ledger))
    return _equal(said, r.period, r, ledger) or (
        not s.is_period_said and not s.is_period_carried and _is_latest(r, ledger)
    )


def _window_fits(s: Statement, r: Reference) -> bool:
    if s.window and r.window:
        return s.window == r.window
    return not (s.window and s.form == CHANGE and r.is_own)


def _is_this_year(said: Period, r: Reference) -> bool:
    """Whether a value without a period may be of the period said: the year it is of, or no year at all."""
    return said.year is None or (said.year == r.fact.as_of.year and said.quarter == 4 and not said.is_single)


def _equal(said: Period, period: Period, r: Reference, ledger: Ledger) -> bool:
    """Whether *r*, of *period*, is of the period said; a quarter without a year is that of the latest year known."""
    if said.year is not None and said.year != period.year:
        return False
    if said.quarter is not None and period.quarter is not None and said.quarter != period.quarter:
        return False
    if said.year is None and r.is_own and any(_is_later(o, r) for o in peers(r, ledger)):
        return False
    flows = r.concept not in concepts() or concepts()[r.concept].is_flow
    return said.is_single == period.is_single or not flows


def _is_later(other: Reference, r: Reference) -> bool:
    """Whether *other* is of the same quarter of a later year."""
    if other.period is None or r.period is None or other.period.quarter != r.period.quarter:
        return False
    return other.period.order > r.period.order


def peers(r: Reference, ledger: Ledger) -> list[Reference]:
    """Own values of the same series as *r*."""
    found = ledger.by_concept.get(r.concept, ())
    return [o for o in found if o.is_own and o.company == r.company and _one_series(o, r)]


def _is_latest(r: Reference, ledger: Ledger) -> bool:
    if not r.is_own:
        return True
    series = peers(r, ledger)
    if r.period is not None:
        return all(o.period is None or o.period.order <= r.period.order for o in series)
    return all(o.fact.as_of <= r.fact.as_of for o in series)


def _one_series(one: Reference, other: Reference) -> bool:
    return one.fact.field == other.fact.field and (one.form, one.basis, one.window) == (
        other.form,
        other.basis,
        other.window,
    )


def _relative_fits(said: Period, r: Reference, ledger: Ledger, base: Period | None) -> bool:
    if r.period is None or not r.is_own:
        return not r.is_own or (said.relative in {"latest", "earlier"} and _is_latest(r, ledger))
    newest = ledger.latest(r.concept, r.company)
    latest = base if base is not None and said.relative != "latest" else newest
    if latest is None or newest is None or said.year not in {None, newest.year}:
        return False
    if said.relative == "earlier":
        return r.period.order < latest.order
    if said.relative in _SHIFTS:
        years = _SHIFTS[said.relative]
        return (years <= 0 or base is not None) and r.period == latest.shifted(years)
    known = [o.period.order for o in ledger.by_concept[r.concept] if o.period and o.company == r.company and o.is_own]
    return r.period.order == max((order for order in known if order < latest.order), default=None)


#: Years from the period a relative one counts from; one that follows needs a period said.
_SHIFTS = {"latest": 0, "prior_year": -1, "next_year": 1}


def _day_fits(day: Day, r: Reference) -> bool:
    end = quarter_end(r.period) if r.period is not None else None
    known = (*r.days, *((end,) if end else ()))
    return any(one.meets(day) if isinstance(one, Day) else day.is_day(one) for one in known)
