"""The gate between data and debate (PRODUCT Q): run every check, say what is blocked and which rows are to blame.

A failure blocks exactly what it touches: some rows, one stock, one kind (of one stock or of all), or the run.
What could not be measured counts as failed; a suite without rows fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path

import polars as pl

from flows.market.calendar import Calendar
from flows.quality.checks import RUN_SUBJECT, Check, Suite, business_checks, checked_tables, is_core
from flows.quality.derived import derived_checks
from flows.quality.judge import Page, judge, warm_up
from flows.quality.measuring import Measured, measure
from flows.quality.scope import GateRun, scope, was_asked
from flows.quality.vendor_adjusted import VendorAdjusted
from flows.quality.verdict import Finding, GateResult, Quarantined, verdict
from flows.warehouse.database import Connection

__all__ = ["GateResult", "Quarantined", "VendorAdjusted", "load_suites", "run_gate", "warm_up"]

_CONTRACTS_PAGE = "contracts"

#: Suite → check → what was measured.
_Measures = Mapping[Suite, Mapping[Check, Measured]]


def load_suites() -> tuple[Suite, ...]:
    """One suite per checked table: what its contract implies, then its file in ``expectations/``."""
    return tuple(Suite(table, derived_checks(table), business_checks(table)) for table in checked_tables())


def run_gate(
    con: Connection,
    *,
    batch_id: str,
    symbols: Iterable[str],
    session: date,
    checked_at: datetime,
    calendar: Calendar,
    data_docs: Path | None = None,
    vendor_adjusted: Sequence[VendorAdjusted] = (),
) -> GateResult:
    """Check everything the run over *symbols* and *session* will rely on, as visible at the connection's cutoff.

    An optional kind that has no rows and was never asked for has no suite in the result.

    Args:
        con: Open connection of ``warehouse.database`` with its cutoff set; only temporary tables are made.
        batch_id: The run, for the rows of ``quality.validations``.
        symbols: Watched symbols, canonical.
        session: The session whose data is expected.
        checked_at: The run's clock, aware.
        calendar: The exchange calendar.
        data_docs: Folder for Great Expectations' pages of this run, replaced on every run; None for none.
        vendor_adjusted: Vendors' own adjusted closes, to be reproduced by the vendor's own method.

    Raises:
        DataRejected: A table that must be checked does not exist, or a core table drifted from its contract.
        ConfigurationError: An expectation file is unusable.
        ValueError: No symbols.
    """
    watched = tuple(dict.fromkeys(symbols))
    run = GateRun(batch_id, watched, session, checked_at, calendar, tuple(vendor_adjusted))
    if not run.symbols:
        raise ValueError("no symbols: a gate without subjects would pass everything")
    with scope(con, run):
        suites = [suite for suite in load_suites() if is_core(suite.table) or was_asked(con, suite.table)]
        measured = {suite: {check: measure(con, check, run) for check in suite.checks} for suite in suites}
    failures = judge(_pages(measured, run), run_name=batch_id, run_time=checked_at, data_docs=data_docs)
    return verdict(list(_findings(measured, failures)), batch_id, checked_at)


def _pages(measured: _Measures, run: GateRun) -> list[Page]:
    """One page per table for its own expectations, and one for what every contract implies."""
    contracts = {check.measure: check for suite in measured for check in suite.derived}
    return [
        Page(_CONTRACTS_PAGE, tuple(contracts.values()), _frame(measured, contracts, run)),
        *(
            Page(suite.name, suite.business, _frame({suite: found}, {c.measure: c for c in suite.business}, run))
            for suite, found in measured.items()
            if suite.business
        ),
    ]


def _frame(measured: _Measures, columns: Iterable[str], run: GateRun) -> pl.DataFrame:
    """A row per suite and subject, a column per measure; null where a check is not for the subject."""
    subjects = [RUN_SUBJECT, *run.symbols]
    rows = [
        {"suite": suite.name, "subject": subject}
        | {check.measure: found.values.get(subject) for check, found in checks.items() if check.measure in columns}
        for suite, checks in measured.items()
        for subject in subjects
    ]
    return pl.DataFrame(rows, schema={"suite": pl.String, "subject": pl.String, **dict.fromkeys(columns, pl.Int64)})


def _findings(measured: _Measures, failures: frozenset[tuple[str, str, str]]) -> Iterator[Finding]:
    for suite, checks in measured.items():
        for check, found in checks.items():
            for subject, value in found.values.items():
                success = (suite.name, check.measure, subject) not in failures
                rows = () if success else found.rows.get(subject, ())
                count = 0 if success else max(found.counts.get(subject, 0), 1)
                yield Finding(suite, check, subject, success, value, count, rows)
