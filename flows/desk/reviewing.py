"""Between the steps of a review: which debates to hold, which are known already, and the final books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from flows.contracts.packs import Pack
from flows.contracts.transcripts import RunStatus, Transcript
from flows.desk import packing
from flows.desk.ingest import Ingested
from flows.desk.plan import Review, debate_id
from flows.desk.publish import Account, Finished, account, publish
from flows.desk.reading import stored_names
from flows.market.sessions import load_calendar
from flows.settings import Settings
from flows.warehouse import store
from flows.warehouse.database import open_reader


@dataclass(frozen=True)
class Order:
    """One debate to hold."""

    debate_id: str
    protocol: str
    pack: Pack


@dataclass(frozen=True)
class Prepared:
    """What is to be debated and what is settled without a debate."""

    orders: list[Order] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    started_at: datetime | None = None


def prepare(review: Review, ingested: Ingested, at: datetime, report: Callable[[str], None]) -> Prepared:
    """Rebuild, gate, freeze and sort: what must be debated, what is cached, what cannot be debated."""
    calendar = load_calendar()
    packing.rebuild(review.settings().database, calendar, review.now)
    report("重算复权价与估值分位")
    gated = packing.gate(review, calendar, at)
    report("数据校验")
    packed = packing.pack(review, ingested, gated)
    report("冻结事实")
    names = {symbol: name for name, symbol in stored_names(review.settings()).items()}
    settled = [
        Account(symbol=symbol, name=names.get(symbol, symbol), protocol=protocol, outcome=outcome, reason=reason)
        for outcome, reasons in (("failed", ingested.failed), ("gated", packed.gated))
        for symbol, reason in reasons.items()
        for protocol in review.protocols
    ]
    prepared = Prepared(accounts=settled, names=names, started_at=at)
    _order(review, packed.packs, prepared, at)
    return prepared


def _order(review: Review, packs: Mapping[str, Pack], prepared: Prepared, at: datetime) -> None:
    settings = review.settings()
    with open_reader(settings.database) as con:
        for symbol, pack in packs.items():
            for protocol in review.protocols:
                known = store.find_cached_debate(
                    con, symbol, protocol, settings.model, pack.pack_version, at - timedelta(hours=settings.cache_hours)
                )
                if known:
                    prepared.accounts.append(_cached(prepared, symbol, protocol, known.debate_id, settings))
                    continue
                wanted = debate_id(symbol, review.trade_date, protocol, settings.model, pack.pack_version)
                prepared.orders.append(Order(wanted, protocol, pack))


def _cached(prepared: Prepared, symbol: str, protocol: str, known: str, settings: Settings) -> Account:
    return Account(
        symbol=symbol,
        name=prepared.names.get(symbol, symbol),
        protocol=protocol,
        outcome="cached",
        reason=f"{settings.cache_hours} 小时内事实未变，沿用上次结果",
        debate_id=known,
    )


def close(
    review: Review, prepared: Prepared, held: Mapping[str, Transcript | BaseException], at: datetime
) -> list[Account]:
    """Publish what was held, and account for every symbol and protocol of the review."""
    results = [(order, held[order.debate_id]) for order in prepared.orders]
    finished = [
        Finished(order.pack, result) for order, result in results if isinstance(result, Transcript) and result.claims
    ]
    files = publish(review, finished, at)
    accounts = [*prepared.accounts]
    accounts += [_account(prepared, order, result, files) for order, result in results]
    accounts.sort(key=lambda a: (review.symbols.index(a.symbol), a.protocol))
    status = "failed" if any(a.outcome == "failed" for a in accounts) else "complete"
    account(review, accounts, at, status, prepared.started_at or at)
    return accounts


def _account(prepared: Prepared, order: Order, result: Transcript | BaseException, files: Mapping[str, Any]) -> Account:
    is_done = isinstance(result, Transcript) and result.status is RunStatus.COMPLETE
    if is_done:
        reason = "完成"
    elif isinstance(result, Transcript):
        reason = result.reason or "辩论未完成"
    else:
        reason = str(result) or type(result).__name__
    report = files.get(order.debate_id)
    return Account(
        symbol=order.pack.symbol,
        name=prepared.names.get(order.pack.symbol, order.pack.symbol),
        protocol=order.protocol,
        outcome="debated" if is_done else "failed",
        reason=reason,
        debate_id=order.debate_id if isinstance(result, Transcript) else None,
        report=str(report.html) if report else None,
    )
