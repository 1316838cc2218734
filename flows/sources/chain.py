"""Explicit vendor chains: only the listed vendors are asked, in order, and everyone's answer is kept (M4).

Rules: rate limit → next; not configured → next; no record → remembered, next; stale → kept, the next may be
fresher; any other failure → next. A chain ends in the first fresh answer, else the freshest stale one, else
the remembered "no record", else the failure. A core kind that failed raises; an optional one is returned as it is.
"NO_DATA" of a core kind is a failure only where every reviewed stock must have rows (bars, multiples, identity).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from flows.contracts.envelope import DateStatus, Envelope, Request, Status
from flows.contracts.raw import KIND_RULES
from flows.errors import ConfigurationError, NoData, Transient, UsageError, ZhengmingError
from flows.sources.asking import Fetcher

_LOG = logging.getLogger(__name__)
#: Kinds of which every reviewed stock must have rows: there "no record" stops the stock too.
_NEVER_EMPTY = frozenset({"instruments", "trade_dates", "daily_bars", "valuations"})
#: What a chain without data ends in, most telling first: a fact, then what may pass, then what will not.
_TELLING = (
    Status.NO_DATA, Status.NOT_READY, Status.RATE_LIMITED, Status.UPSTREAM_ERROR, Status.PERMISSION_DENIED,
    Status.INVALID_ARGUMENTS, Status.NOT_SUPPORTED,
)  # fmt: skip


@dataclass(frozen=True)
class ChainResult:
    """What a chain came to.

    Attributes:
        envelope: The answer that counts.
        tried: Every vendor's answer in the order asked, *envelope* among them; all go to ``raw.fetches``.
    """

    envelope: Envelope
    tried: tuple[Envelope, ...]


class ChainFailed(ZhengmingError):
    """A core kind could not be had; carries what was tried."""

    result: ChainResult


class SourcesDown(ChainFailed, Transient):
    """Nobody could be asked, or the data is not out yet: the same chain may work later."""


class NothingRecorded(ChainFailed, NoData):
    """The vendors have no record of what a stock must have, or never carry it."""


class SourcesRefused(ChainFailed, ConfigurationError):
    """Every vendor refused us: token, right or blacklist must be settled first."""


class QuestionRefused(ChainFailed, UsageError):
    """No vendor understands the question."""


def fetch(request: Request, chain: Sequence[str], vendors: Mapping[str, Mapping[str, Fetcher]]) -> ChainResult:
    """Ask the vendors of *chain* in order; nobody else is ever asked.

    Raises:
        ChainFailed: A core kind failed; the class says how to react, ``result`` what was tried.
        ConfigurationError: The chain is empty or names an unknown vendor.
    """
    result = walk(request, chain, vendors)
    raise_failure(result)
    return result


def walk(request: Request, chain: Sequence[str], vendors: Mapping[str, Mapping[str, Fetcher]]) -> ChainResult:
    """Like :func:`fetch`, but a core failure is returned for the caller to store before it raises."""
    if not chain:
        raise ConfigurationError(f"{request.kind} 没有配置数据源：请在 chains 中列出至少一个")
    unknown = [vendor for vendor in chain if vendor not in vendors]
    if unknown:
        raise ConfigurationError(f"{request.kind} 的数据源 {unknown} 不存在；可用：{sorted(vendors)}")
    tried: list[Envelope] = []
    for vendor in chain:
        envelope = _ask(request, vendor, vendors[vendor])
        tried.append(envelope)
        if envelope.status is Status.OK and envelope.date_status is not DateStatus.STALE:
            break
        _LOG.log(_level(envelope), "%s %s %s: %s", request.kind, request.symbol, envelope.source, _told(envelope))
    return ChainResult(_best(tried), tuple(tried))


def raise_failure(result: ChainResult) -> None:
    """Raise if *result* is a failed core kind."""
    envelope = result.envelope
    if not KIND_RULES[envelope.kind].is_core or envelope.status is Status.OK:
        return
    if envelope.status is Status.NO_DATA and envelope.kind not in _NEVER_EMPTY:
        return
    failure = _failure(envelope.status)(_in_words(result))
    failure.result = result
    raise failure


def _failure(status: Status) -> type[ChainFailed]:
    if status is Status.PERMISSION_DENIED:
        return SourcesRefused
    if status is Status.INVALID_ARGUMENTS:
        return QuestionRefused
    return NothingRecorded if status in {Status.NO_DATA, Status.NOT_SUPPORTED} else SourcesDown


def _in_words(result: ChainResult) -> str:
    asked = "；".join(f"{e.vendor} {e.status}（{e.message or e.date_status}）" for e in result.tried)
    return f"{result.envelope.symbol or '全市场'} 的 {result.envelope.kind} 未取得，已按配置依次询问：{asked}"


def _level(envelope: Envelope) -> int:
    """Facts about the market are no warnings."""
    is_failure = envelope.status in {Status.UPSTREAM_ERROR, Status.RATE_LIMITED, Status.PERMISSION_DENIED}
    return logging.WARNING if is_failure else logging.INFO


def _told(envelope: Envelope) -> str:
    return f"{envelope.status} {envelope.message or envelope.date_status}"


def _ask(request: Request, vendor: str, fetchers: Mapping[str, Fetcher]) -> Envelope:
    fetcher = fetchers.get(request.kind)
    if fetcher is not None:
        return fetcher(request)
    return Envelope(
        kind=request.kind,
        symbol=request.symbol,
        status=Status.NOT_SUPPORTED,
        vendor=vendor,
        source=vendor,
        query_date=request.end,
        fetched_at=request.now,
        attempts=0,
        message=f"{vendor} 不提供 {request.kind}",
    )


def _best(tried: Sequence[Envelope]) -> Envelope:
    with_rows = [envelope for envelope in tried if envelope.status is Status.OK]
    if with_rows:
        return max(with_rows, key=lambda e: (e.date_status is not DateStatus.STALE, e.actual_trade_date or date.min))
    return min(tried, key=lambda envelope: _TELLING.index(envelope.status))
