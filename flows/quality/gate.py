"""The gate between data and debate (PRODUCT Q): run every check, say what is blocked and which rows are to blame.

A failure blocks exactly what it touches: some rows, one stock, one kind (of one stock or of all), or the run.
What could not be measured counts as failed; a suite without rows fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl

from flows.market.calendar import Calendar
from flows.quality.checks import RUN_SUBJECT, Blocks, Check, Suite, business_checks, checked_tables, is_core
from flows.quality.derived import derived_checks
from flows.quality.judge import Failures, judge, warm_up
from flows.quality.measuring import NOT_MEASURED, Measured, measure, sample_json
from flows.quality.scope import GateRun, scope, was_asked
from flows.quality.titles import kind_title
from flows.warehouse.database import Connection

__all__ = ["GateResult", "Quarantined", "load_suites", "run_gate", "warm_up"]

_REASONS_SHOWN = 4
_ROWS_SHOWN = 2


@dataclass(frozen=True)
class Quarantined:
    """One row that must not be used: kind, symbol and the row's id."""

    kind: str
    symbol: str
    row_id: str


@dataclass(frozen=True)
class GateResult:
    """What the gate found.

    Attributes:
        validations: Rows of ``quality.validations``: one per expectation and subject, samples deterministic.
        blocked: Symbol → why nothing may be said about it, Chinese.
        blocked_kinds: Kind → why it may not be used for any symbol.
        withheld: Symbol → kind → why that kind may not be used for it.
        quarantined: Single rows that must not be used.
        notices: Symbol (``*`` for all) → what a reader should know though nothing is blocked.
        run_reason: Why the whole run must stop; empty if it may go on.
    """

    validations: tuple[dict[str, Any], ...]
    blocked: dict[str, str] = field(default_factory=dict)
    blocked_kinds: dict[str, str] = field(default_factory=dict)
    withheld: dict[str, dict[str, str]] = field(default_factory=dict)
    quarantined: tuple[Quarantined, ...] = ()
    notices: dict[str, str] = field(default_factory=dict)
    run_reason: str = ""


@dataclass(frozen=True)
class _Failure:
    suite: Suite
    check: Check
    subject: str
    rows: Sequence[dict[str, Any]]
    count: int

    @property
    def text(self) -> str:
        if self.count == NOT_MEASURED:
            return f"{kind_title(self.suite.kind)}：{self.check.zh}（无法检验）"
        notes = [str(row["note"]) for row in self.rows[:_ROWS_SHOWN] if row.get("note")]
        more = f" 等 {len(self.rows)} 处" if len(self.rows) > len(notes) else ""
        return f"{kind_title(self.suite.kind)}：{self.check.zh}（{'；'.join(notes)}{more}）"


def load_suites() -> tuple[Suite, ...]:
    """One suite per checked table: what its contract implies, then its file in ``expectations/``."""
    return tuple(Suite(table, (*derived_checks(table), *business_checks(table))) for table in checked_tables())


def run_gate(
    con: Connection,
    *,
    batch_id: str,
    symbols: Iterable[str],
    session: date,
    checked_at: datetime,
    calendar: Calendar,
    data_docs: Path | None = None,
) -> GateResult:
    """Check everything the run over *symbols* and *session* will rely on, as visible at the connection's cutoff.

    Args:
        con: Open connection of ``warehouse.database`` with its cutoff set; only temporary tables are made.
        batch_id: The run, for the rows of ``quality.validations``.
        symbols: Watched symbols, canonical.
        session: The session whose data is expected.
        checked_at: The run's clock, aware.
        calendar: The exchange calendar.
        data_docs: Folder for Great Expectations' pages of this run, replaced on every run; None for none.

    An optional kind that has no rows and was never asked for has no suite in the result.

    Raises:
        DataRejected: A table that must be checked does not exist.
        ConfigurationError: An expectation file is unusable.
    """
    run = GateRun(batch_id, tuple(dict.fromkeys(symbols)), session, checked_at, calendar)
    if not run.symbols:
        raise ValueError("no symbols: a gate without subjects would pass everything")
    with scope(con, run):
        suites = [suite for suite in load_suites() if is_core(suite.table) or was_asked(con, suite.table)]
        measured = {suite: {check: measure(con, check, run) for check in suite.checks} for suite in suites}
    frames = {suite: _frame(suite, checks, run) for suite, checks in measured.items()}
    failures = judge(frames, run_name=batch_id, run_time=checked_at, data_docs=data_docs)
    return _result(run, measured, failures)


def _frame(suite: Suite, measured: dict[Check, Measured], run: GateRun) -> pl.DataFrame:
    subjects = [RUN_SUBJECT, *run.symbols]
    columns = {
        check.measure: pl.Series([measured[check].values.get(subject) for subject in subjects], dtype=pl.Int64)
        for check in suite.checks
    }
    return pl.DataFrame({"subject": subjects, **columns})


def _result(run: GateRun, measured: dict[Suite, dict[Check, Measured]], failures: Failures) -> GateResult:
    validations: list[dict[str, Any]] = []
    failed: list[_Failure] = []
    for suite, checks in measured.items():
        for check, found in checks.items():
            wrong = failures[suite.name, check.measure]
            for subject, value in found.values.items():
                rows = found.rows.get(subject, ()) if subject in wrong else ()
                validations.append(_validation(run, suite, check, subject, rows, success=subject not in wrong))
                failed += [_Failure(suite, check, subject, rows, value)] if subject in wrong else []
    return _verdict(tuple(validations), failed)


def _validation(
    run: GateRun, suite: Suite, check: Check, subject: str, rows: Sequence[dict[str, Any]], *, success: bool
) -> dict[str, Any]:
    return {
        "batch_id": run.batch_id,
        "suite": suite.name,
        "expectation": check.measure,
        "subject": subject,
        "success": success,
        "unexpected_count": len(rows) if rows or success else 1,
        "sample": sample_json(rows),
        "checked_at": run.checked_at,
    }


def _verdict(validations: tuple[dict[str, Any], ...], failed: list[_Failure]) -> GateResult:
    by_block: dict[Blocks, list[_Failure]] = defaultdict(list)
    for failure in failed:
        by_block[failure.check.blocks].append(failure)
    of_kind = by_block[Blocks.KIND]
    stocks = [failure for failure in of_kind if failure.subject != RUN_SUBJECT]
    return GateResult(
        validations=validations,
        blocked=_reasons(by_block[Blocks.SYMBOL]),
        blocked_kinds={
            kind: _join(f for f in of_kind if f.subject == RUN_SUBJECT and f.suite.kind == kind)
            for kind in dict.fromkeys(f.suite.kind for f in of_kind if f.subject == RUN_SUBJECT)
        },
        withheld={
            symbol: {
                kind: _join(f for f in stocks if f.subject == symbol and f.suite.kind == kind)
                for kind in dict.fromkeys(f.suite.kind for f in stocks if f.subject == symbol)
            }
            for symbol in dict.fromkeys(f.subject for f in stocks)
        },
        quarantined=tuple(_quarantined(by_block[Blocks.ROWS])),
        notices=_reasons([*by_block[Blocks.ROWS], *by_block[Blocks.NOTHING]]),
        run_reason=_join(by_block[Blocks.RUN]),
    )


def _reasons(failed: list[_Failure]) -> dict[str, str]:
    subjects = dict.fromkeys(failure.subject for failure in failed)
    return {subject: _join(f for f in failed if f.subject == subject) for subject in subjects}


def _join(failed: Iterable[_Failure]) -> str:
    texts = [failure.text for failure in failed]
    more = f"；另有 {len(texts) - _REASONS_SHOWN} 项检验未通过" if len(texts) > _REASONS_SHOWN else ""
    return "；".join(texts[:_REASONS_SHOWN]) + more


def _quarantined(failed: list[_Failure]) -> Iterable[Quarantined]:
    for failure in failed:
        id_column = failure.suite.table.grain[0]
        for row in failure.rows:
            yield Quarantined(failure.suite.kind, failure.subject, str(row[id_column]))
