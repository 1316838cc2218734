"""What the sides and roles of a debate are called in its report."""

from __future__ import annotations

from flows.contracts.transcripts import Side
from flows.debate.blind import SIDE_NAMES, TRIAL_NAMES
from flows.debate.verdicts import verdict_words
from flows.reports.words import ROLE_ZH

_TRIAL = "targeted"


def sides_of(protocol: str) -> dict[Side, str]:
    """Side → its word in a report on *protocol*; a claim on trial may be the bear's, so its sides are not 多 and 空."""
    return TRIAL_NAMES if protocol == _TRIAL else SIDE_NAMES


def verdict_of(verdict: str, protocol: str) -> str:
    """The words for a verdict in a report on *protocol*; a code without words stays."""
    return verdict_words(is_trial=protocol == _TRIAL).get(verdict, verdict)


def role_of(role: str, protocol: str) -> str:
    """The word for a role; the fresh roles of a trial or a rehearing are called by their side."""
    side = {"pro": Side.FOR, "con": Side.AGAINST}.get(role)
    return sides_of(protocol)[side] if side else ROLE_ZH.get(role, role)
