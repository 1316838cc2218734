"""How a section's own date stands to the pack's (PRODUCT M3 alignment, D1, D4)."""

from __future__ import annotations

from datetime import date

from flows.contracts.envelope import DateStatus
from flows.evidence.reading import Scope, published


def expected_session(kind: str, scope: Scope) -> date | None:
    """The latest session whose rows of *kind* should be public at the cutoff; None without a calendar."""
    due = (day for day in reversed(scope.sessions) if published(kind, day, scope.sessions) <= scope.cutoff)
    return next(due, None)


def freshness_of(kind: str, day: date, scope: Scope) -> str:
    """Date status of a row of *kind* dated *day*, as in the envelope."""
    expected = expected_session(kind, scope)
    if expected is None:
        return DateStatus.UNKNOWN.value
    if day < expected:
        return DateStatus.STALE.value
    return (DateStatus.CURRENT if day == scope.as_of else DateStatus.LATEST_TRADING_DAY).value
