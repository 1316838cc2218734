"""From single findings to what is blocked, why, and by which rows; reasons in Chinese, for account and report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from flows.quality.checks import RUN_SUBJECT, Blocks, Check, Suite
from flows.quality.measuring import NOT_MEASURED, sample_json
from flows.quality.titles import kind_title

_REASONS_SHOWN = 4
_ROWS_SHOWN = 1


@dataclass(frozen=True)
class Finding:
    """One expectation's result for one subject.

    Attributes:
        value: What was judged: the number of offending rows, or a measure.
        row_count: Rows behind a failure, at least one; 0 where it held.
        rows: Some of the rows behind it, the most recent first; empty where it held.
    """

    suite: Suite
    check: Check
    subject: str
    success: bool
    value: int
    row_count: int
    rows: Sequence[dict[str, Any]]

    @property
    def text(self) -> str:
        """What is wrong, naming the rows."""
        wrong = f"{kind_title(self.suite.kind)}：{self.check.zh}"
        if self.value == NOT_MEASURED:
            return f"{wrong}（无法检验）"
        notes = [str(row["note"]) for row in self.rows[:_ROWS_SHOWN] if row.get("note")]
        more = f" 等 {self.row_count} 处" if self.row_count > len(notes) else ""
        return f"{wrong}（{'；'.join(notes)}{more}）"

    def validation(self, batch_id: str, checked_at: datetime) -> dict[str, Any]:
        """The finding as a row of ``quality.validations``."""
        return {
            "batch_id": batch_id,
            "suite": self.suite.name,
            "expectation": self.check.measure,
            "subject": self.subject,
            "success": self.success,
            "unexpected_count": self.row_count,
            "sample": sample_json(self.rows),
            "checked_at": checked_at,
        }


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


def verdict(findings: Sequence[Finding], batch_id: str, checked_at: datetime) -> GateResult:
    """What *findings* block, each as far as its check says."""
    failed: dict[Blocks, list[Finding]] = defaultdict(list)
    for finding in findings:
        if not finding.success:
            failed[finding.check.blocks].append(finding)
    of_all = [finding for finding in failed[Blocks.KIND] if finding.subject == RUN_SUBJECT]
    of_one = [finding for finding in failed[Blocks.KIND] if finding.subject != RUN_SUBJECT]
    return GateResult(
        validations=tuple(finding.validation(batch_id, checked_at) for finding in findings),
        blocked=_by_subject(failed[Blocks.SYMBOL]),
        blocked_kinds=_by_kind(of_all),
        withheld={symbol: _by_kind(found) for symbol, found in _grouped(of_one).items()},
        quarantined=tuple(_quarantined(failed[Blocks.ROWS])),
        notices=_by_subject([*failed[Blocks.ROWS], *failed[Blocks.NOTHING]]),
        run_reason=_join(failed[Blocks.RUN]),
    )


def _grouped(failed: Iterable[Finding]) -> dict[str, list[Finding]]:
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in failed:
        groups[finding.subject].append(finding)
    return groups


def _by_subject(failed: Iterable[Finding]) -> dict[str, str]:
    return {subject: _join(found) for subject, found in _grouped(failed).items()}


def _by_kind(failed: Iterable[Finding]) -> dict[str, str]:
    kinds: dict[str, list[Finding]] = defaultdict(list)
    for finding in failed:
        kinds[finding.suite.kind].append(finding)
    return {kind: _join(found) for kind, found in kinds.items()}


def _join(failed: Sequence[Finding]) -> str:
    more = f"；另有 {len(failed) - _REASONS_SHOWN} 项检验未通过" if len(failed) > _REASONS_SHOWN else ""
    return "；".join(finding.text for finding in failed[:_REASONS_SHOWN]) + more


def _quarantined(failed: Iterable[Finding]) -> Iterable[Quarantined]:
    for finding in failed:
        id_column = finding.suite.table.grain[0]
        for row in finding.rows:
            yield Quarantined(finding.suite.kind, finding.subject, str(row[id_column]))
