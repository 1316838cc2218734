"""The one answer every fetch from every source returns (PRODUCT M3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

import polars as pl


class Status(StrEnum):
    """What came of asking."""

    OK = "OK"
    NO_DATA = "NO_DATA"
    NOT_READY = "NOT_READY"
    NOT_SUPPORTED = "NOT_SUPPORTED"
    INVALID_ARGUMENTS = "INVALID_ARGUMENTS"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    RATE_LIMITED = "RATE_LIMITED"
    UPSTREAM_ERROR = "UPSTREAM_ERROR"


class DateStatus(StrEnum):
    """How the data's own date stands to the requested date."""

    CURRENT = "CURRENT"
    LATEST_TRADING_DAY = "LATEST_TRADING_DAY"
    STALE = "STALE"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    UNKNOWN = "UNKNOWN"


_SHANGHAI = ZoneInfo("Asia/Shanghai")
#: Statuses after which the same question may get another answer.
RETRYABLE = frozenset({Status.NOT_READY, Status.RATE_LIMITED, Status.UPSTREAM_ERROR})


@dataclass(frozen=True)
class Request:
    """One question to a source: a kind, a symbol (or the whole market), a closed date range.

    Attributes:
        kind: A key of ``contracts.raw.RAW_TABLES``.
        symbol: Canonical symbol such as ``600000.SH``; None for market-wide kinds.
        start: First date wanted, inclusive (exchange date).
        end: Last date wanted, inclusive; also the query date of the envelope.
        now: The run's frozen clock, aware; kept in Asia/Shanghai, so that its date is the exchange's. Nothing
            published after it may be returned.
    """

    kind: str
    symbol: str | None
    start: date
    end: date
    now: datetime

    def __post_init__(self) -> None:
        if self.now.tzinfo is None:
            raise ValueError("the clock of a request must carry a time zone")
        object.__setattr__(self, "now", self.now.astimezone(_SHANGHAI))


@dataclass(frozen=True)
class Envelope:
    """The answer to one :class:`Request`.

    ``data`` is a frame in the schema of the kind's raw contract without its system columns
    (``published_at`` included, ``vendor``/``fetched_at``/``batch_id`` not). OK with no rows and
    rows without OK are impossible by construction.
    """

    kind: str
    symbol: str | None
    status: Status
    vendor: str
    source: str
    query_date: date
    fetched_at: datetime
    actual_trade_date: date | None = None
    date_status: DateStatus = DateStatus.UNKNOWN
    attempts: int = 1
    message: str = ""
    data: pl.DataFrame | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        has_rows = self.data is not None and not self.data.is_empty()
        if (self.status is Status.OK) != has_rows:
            raise ValueError(f"{self.source}: status {self.status} with rows={has_rows}")
        if self.status is not Status.OK and not self.message:
            raise ValueError(f"{self.source}: status {self.status} without a message")
        if self.fetched_at.tzinfo is None:
            raise ValueError("fetched_at must carry a time zone")

    @property
    def retryable(self) -> bool:
        """Whether asking again later may help."""
        return self.status in RETRYABLE

    @property
    def rows(self) -> int:
        """Number of rows delivered."""
        return 0 if self.data is None else self.data.height
