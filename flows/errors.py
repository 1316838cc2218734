"""One error class per reaction: retry, skip one symbol, stop before publishing, stop at once.

Every message says what happened and what to do about it, in Chinese, because a person reads it.
"""

from __future__ import annotations


class ZhengmingError(Exception):
    """Base of every error this package raises on purpose."""


class Transient(ZhengmingError):
    """The same call may work later: retry it with backoff."""


class NoData(ZhengmingError):
    """A required kind has no record for this symbol: skip the symbol, record why."""


class DataRejected(ZhengmingError):
    """Data is stale, broken or contradictory: stop before anything is published."""


class ModelAnswerInvalid(ZhengmingError):
    """A model's answer cannot be read as what was asked, after every allowed repair and retry."""


class BudgetSpent(ZhengmingError):
    """The token or cost budget is used up: stop buying, account for what is left."""


class ConfigurationError(ZhengmingError):
    """The user must change something before this can work: stop at once, exit code 3."""


class UsageError(ZhengmingError):
    """The request itself is wrong (unknown symbol, no session, bad date): exit code 2."""


class CalendarUnknown(ConfigurationError):
    """The date lies outside the known range of the exchange calendar."""


class StoreBusy(Transient):
    """Another process holds the DuckDB file or the run lock; the message names it."""
