"""What the sides and roles of a debate are called in its report."""

from __future__ import annotations

from flows.contracts.transcripts import Side
from flows.debate.blind import SIDE_NAMES, TRIAL_NAMES
from flows.reports.words import ROLE_ZH


def sides_of(protocol: str) -> dict[Side, str]:
    """Side → its word in a report on *protocol*; a claim on trial may be the bear's, so its sides are not 多 and 空."""
    return TRIAL_NAMES if protocol == "targeted" else SIDE_NAMES


def role_of(role: str, protocol: str) -> str:
    """The word for a role; the fresh roles of a trial or a rehearing are called by their side."""
    side = {"pro": Side.FOR, "con": Side.AGAINST}.get(role)
    return sides_of(protocol)[side] if side else ROLE_ZH.get(role, role)
