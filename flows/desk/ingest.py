"""Ask every source for every kind of every symbol, then append what came in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from flows.contracts.envelope import Envelope, Status
from flows.contracts.packs import Missing
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.desk.plan import Review
from flows.desk.sourcing import open_sources
from flows.errors import ConfigurationError, DataRejected, UsageError, ZhengmingError
from flows.settings import Settings
from flows.sources.chain import ChainResult
from flows.sources.registry import Desk
from flows.warehouse.database import append, open_reader, open_writer, record_fetches, transaction

#: Sessions fetched again before the newest stored row, so that late corrections are seen.
OVERLAP_DAYS = 20


@dataclass(frozen=True)
class Ingested:
    """What one run's fetching came to.

    Attributes:
        failed: Symbol → why it cannot be reviewed: a core kind could not be had.
        missing: Symbol → kinds without data, each with the status of the last vendor asked.
    """

    failed: dict[str, str] = field(default_factory=dict)
    missing: dict[str, tuple[Missing, ...]] = field(default_factory=dict)
    appended: int = 0


def ingest(
    review: Review, report: Callable[[str], None], clock: Callable[[], datetime], desk: Desk | None = None
) -> Ingested:  # fmt: skip
    """Fetch and store everything the review needs; a symbol whose core kinds failed is named, not dropped.

    *clock* is the wall clock: it says which of two fetches is the newer, never what is visible. *desk* takes the
    place of the sources the settings name.
    """
    settings = review.settings()
    desk = desk or open_sources(settings, review.now, clock)
    starts = _stored_from(settings, review.symbols)
    results: dict[str | None, Sequence[ChainResult]] = {None: desk.market(review.trade_date)}
    failed: dict[str, str] = {}
    for symbol in review.symbols:
        report(symbol)
        try:
            results[symbol] = _symbol(desk, symbol, review, starts)
        except (ConfigurationError, UsageError):
            raise
        except ZhengmingError as error:
            failed[symbol] = str(error)
    appended, rejected = _store(review, settings, results, desk.tried())
    missing = {symbol: _missing(found, rejected) for symbol, found in results.items() if symbol}
    return Ingested(failed | _core_rejections(results, rejected), missing, appended)


def _symbol(desk: Desk, symbol: str, review: Review, starts: Mapping[tuple[str, str], date]) -> Sequence[ChainResult]:
    since = {kind: day - timedelta(days=OVERLAP_DAYS) for (owner, kind), day in starts.items() if owner == symbol}
    return desk.symbol(symbol, review.trade_date, since)


def _stored_from(settings: Settings, symbols: Sequence[str]) -> dict[tuple[str, str], date]:
    """(symbol, kind) → newest stored date, for dated kinds whose stored history reaches back far enough."""
    if not settings.database.exists():
        return {}
    newest: dict[tuple[str, str], date] = {}
    with open_reader(settings.database) as con:
        for kind, rule in KIND_RULES.items():
            if rule.date_column is None or "symbol" not in RAW_TABLES[kind].grain:
                continue
            rows = con.execute(
                f"select symbol, max({rule.date_column}) from raw.{kind} where list_contains($symbols, symbol) "
                "group by symbol",
                {"symbols": list(symbols)},
            ).fetchall()
            newest |= {(symbol, kind): day for symbol, day in rows}
    return newest


def _store(
    review: Review,
    settings: Settings,
    results: Mapping[str | None, Sequence[ChainResult]],
    tried: Sequence[Envelope],
) -> tuple[int, dict[Envelope, str]]:
    """Append all rows and all envelopes, or nothing; a rejected frame is noted and leaves the rest alone."""
    rejected: dict[Envelope, str] = {}
    appended = 0
    with open_writer(settings.database) as con, transaction(con):
        for envelope in (result.envelope for found in results.values() for result in found):
            if envelope.data is None:
                continue
            try:
                appended += append(
                    con, envelope.kind, envelope.data, vendor=envelope.vendor, fetched_at=envelope.fetched_at,
                    batch_id=review.batch_id,
                )  # fmt: skip
            except DataRejected as error:
                rejected[envelope] = str(error)
        record_fetches(con, review.batch_id, tried)
    return appended, rejected


def _missing(found: Sequence[ChainResult], rejected: Mapping[Envelope, str]) -> tuple[Missing, ...]:
    return tuple(
        Missing(kind=e.kind, status=_status(e, rejected), message=rejected.get(e, e.message))
        for e in (result.envelope for result in found)
        if e.status is not Status.OK or e in rejected
    )


def _status(envelope: Envelope, rejected: Mapping[Envelope, str]) -> str:
    return "REJECTED" if envelope in rejected else str(envelope.status)


def _core_rejections(
    results: Mapping[str | None, Sequence[ChainResult]], rejected: Mapping[Envelope, str]
) -> dict[str, str]:
    return {
        symbol: f"{result.envelope.kind}：{rejected[result.envelope]}"
        for symbol, found in results.items()
        for result in found
        if symbol and KIND_RULES[result.envelope.kind].is_core and result.envelope in rejected
    }
