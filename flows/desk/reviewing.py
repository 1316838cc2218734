"""Between the steps of a review: which debates to hold, which are known already, and the final books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeGuard

from flows.contracts.packs import Pack
from flows.contracts.transcripts import TOPIC, RunStatus, Transcript
from flows.desk import packing
from flows.desk.calendar import stored_calendar
from flows.desk.debating import Brief
from flows.desk.ingest import Ingested
from flows.desk.plan import Review, Topic, debate_id
from flows.desk.publish import Account, Finished, account, publish, publish_day
from flows.desk.reading import stored_names
from flows.desk.remembering import known_debate, previous_debate, with_re_expression
from flows.desk.telling import NEEDED_KINDS
from flows.desk.topics import pinned
from flows.errors import DataRejected
from flows.settings import Settings
from flows.warehouse.database import Connection, open_reader


@dataclass(frozen=True)
class Order:
    """One debate to hold."""

    brief: Brief
    pack: Pack

    @property
    def debate_id(self) -> str:
        """The debate's id."""
        return self.brief.debate_id


@dataclass(frozen=True)
class Prepared:
    """What is to be debated and what is settled without a debate."""

    orders: list[Order] = field(default_factory=list)
    accounts: list[Account] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    started_at: datetime | None = None


def prepare(review: Review, ingested: Ingested, at: datetime, report: Callable[[str], None]) -> Prepared:
    """Rebuild, gate, freeze and sort: what must be debated, what is cached, what cannot be debated.

    A run that the gate stops, or that got nothing to check, still names every symbol with its reason.
    """
    if len(ingested.failed) == len(review.symbols):
        return _settled(review, ingested.failed, {}, at)
    calendar = stored_calendar(review.settings())
    packing.rebuild(review.settings().database, calendar, review.now)
    report("重算复权价与估值分位")
    try:
        gated = packing.gate(review, calendar, at)
    except DataRejected as error:
        stopped = dict.fromkeys(review.symbols, f"数据校验未通过，全部停止：{error}")
        return _settled(review, stopped | ingested.failed, {}, at)
    report("数据校验")
    packed = packing.pack(review, ingested, gated)
    report("冻结事实")
    prepared = _settled(review, ingested.failed, packed.gated, at)
    with open_reader(review.settings().database, cutoff=review.now) as con:
        for pack in packed.packs.values():
            _order(con, review, with_re_expression(con, pack), prepared)
    return prepared


def _settled(review: Review, failed: Mapping[str, str], gated: Mapping[str, str], at: datetime) -> Prepared:
    names = {symbol: name for name, symbol in stored_names(review.settings()).items()}
    accounts = [
        Account(symbol=symbol, name=names.get(symbol, symbol), protocol=protocol, outcome=outcome, reason=reason)
        for outcome, reasons in (("failed", failed), ("gated", gated))
        for symbol, reason in reasons.items()
        for protocol in review.protocols
    ]
    return Prepared(accounts=accounts, names=names, started_at=at)


def _order(con: Connection, review: Review, pack: Pack, prepared: Prepared) -> None:
    """One order per protocol, but for what is known already."""
    settings = review.settings()
    topic = review.topic.text if review.topic else None
    for protocol in review.protocols:
        known = known_debate(con, pack, protocol, settings, topic=topic, at=prepared.started_at or review.now)
        if known:
            prepared.accounts.append(_cached(prepared, pack.symbol, protocol, known.debate_id, settings))
        elif review.topic:
            prepared.orders.append(Order(_topical(review, review.topic, pack, protocol, prepared), pack))
        else:
            prepared.orders.append(Order(_standing(con, review, pack, protocol), pack))


def _standing(con: Connection, review: Review, pack: Pack, protocol: str) -> Brief:
    """The stock's standing proposition, following its last debate."""
    return Brief(
        debate_id=debate_id(pack.symbol, review.trade_date, protocol, review.settings(), pack.pack_version),
        protocol=protocol,
        run_id=review.batch_id,
        previous=previous_debate(con, pack.symbol, protocol, review.trade_date),
    )


def _topical(review: Review, topic: Topic, pack: Pack, protocol: str, prepared: Prepared) -> Brief:
    """The topic's proposition; the proposer's one call stands in the first debate's books."""
    made = pinned(topic, pack)
    return Brief(
        debate_id=debate_id(
            pack.symbol, review.trade_date, protocol, review.settings(), pack.pack_version, made.text
        ),
        protocol=protocol,
        run_id=review.batch_id,
        proposition=made,
        notes={TOPIC: topic.text, NEEDED_KINDS: list(topic.kinds)},
        opening=None if prepared.orders else topic.call,
    )  # fmt: skip


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
    finished = [Finished(order.pack, result) for order, result in results if _has_begun(result)]
    files = publish(review, finished, at)
    accounts = [*prepared.accounts]
    accounts += [_account(prepared, order, result, files) for order, result in results]
    accounts.sort(key=lambda a: (review.symbols.index(a.symbol), a.protocol))
    status = "failed" if any(a.outcome == "failed" for a in accounts) else "complete"
    account(review, accounts, at, status, prepared.started_at or at)
    if review.topic is None:
        publish_day(review, accounts, at)
    return accounts


def _has_begun(result: Transcript | BaseException) -> TypeGuard[Transcript]:
    """Whether anything was said or bought; what failed later is stored as it stands."""
    return isinstance(result, Transcript) and bool(result.turns or result.llm_calls)


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
        protocol=order.brief.protocol,
        outcome="debated" if is_done else "failed",
        reason=reason,
        debate_id=order.debate_id if report else None,
        report=str(report.html) if report else None,
    )
