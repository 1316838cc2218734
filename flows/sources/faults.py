"""Why a question got no data: one exception inside the room, turned into an envelope at its border.

Decision: vendor code raises half a dozen unrelated exception families for the same cause, so adapters
raise :class:`SourceFault` as soon as the cause is known and nothing above ``asking`` ever sees it.
"""

from __future__ import annotations

from dataclasses import dataclass

from flows.contracts.envelope import Status

#: Statuses after which a vendor is left alone for a while.
_SICK = frozenset({Status.RATE_LIMITED, Status.PERMISSION_DENIED})


@dataclass(eq=False)
class SourceFault(Exception):
    """An answer that is no data, with the status it deserves.

    Attributes:
        status: What the envelope will say.
        reason: In Chinese, for a person; never holds a secret.
        again: Whether the same call may work within the same run.
        retry_after_s: Seconds the vendor asked us to wait, if it did.
        is_outage: Whether the vendor itself was unreachable or refused (counts for the circuit breaker).
    """

    status: Status
    reason: str
    again: bool = False
    retry_after_s: float | None = None
    is_outage: bool = False

    def __post_init__(self) -> None:
        super().__init__(self.reason)
        self.is_outage = self.is_outage or self.status in _SICK

    @property
    def is_no_data(self) -> bool:
        """Whether the vendor says that there is no record (a fact, no failure)."""
        return self.status is Status.NO_DATA


def outage(reason: str) -> SourceFault:
    """The vendor could not be reached or broke off: ask again with backoff."""
    return SourceFault(Status.UPSTREAM_ERROR, reason, again=True, is_outage=True)


def broken(reason: str) -> SourceFault:
    """The vendor answered, but not with what was agreed; asking again at once would not help."""
    return SourceFault(Status.UPSTREAM_ERROR, reason)


def limited(reason: str, retry_after_s: float | None = None) -> SourceFault:
    """The vendor, or our own limit for it, refuses more questions for now."""
    return SourceFault(Status.RATE_LIMITED, reason, retry_after_s=retry_after_s)


def denied(reason: str) -> SourceFault:
    """The vendor refuses us: no token, no right, or blacklisted."""
    return SourceFault(Status.PERMISSION_DENIED, reason)


def no_data(reason: str) -> SourceFault:
    """The vendor says that there is no record."""
    return SourceFault(Status.NO_DATA, reason)


def not_supported(reason: str) -> SourceFault:
    """The vendor never has this."""
    return SourceFault(Status.NOT_SUPPORTED, reason)


def invalid(reason: str) -> SourceFault:
    """The question itself makes no sense for this vendor."""
    return SourceFault(Status.INVALID_ARGUMENTS, reason)
