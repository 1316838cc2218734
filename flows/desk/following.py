"""Debates that follow a stored one: one claim on trial (PRODUCT D3), new material and a new judgement (D9).

Both are held on the stored pack, its ids kept, with what is new appended; both are stored as debates of their
own that name the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flows.contracts.packs import FactKind, Pack
from flows.contracts.transcripts import TOPIC, Claim, Proposition, Transcript
from flows.debate.informing import INFORM
from flows.debate.proposition import target_proposition
from flows.desk.debating import Brief, IncompleteDebate, debate_pack
from flows.desk.plan import Review, debate_id, new_batch_id
from flows.desk.publish import Account
from flows.desk.reading import StoredDebate
from flows.desk.renewing import Renewed, extended
from flows.desk.reviewing import Order, Prepared, close
from flows.desk.telling import TARGET
from flows.errors import UsageError
from flows.evidence.user_material import with_user_material
from flows.settings import Settings
from flows.warehouse import store
from flows.warehouse.database import Connection, open_reader, open_writer

TARGETED = "targeted"
_LISTED = 5


@dataclass(frozen=True)
class OnTrial:
    """One claim and the debate it was made in."""

    debate: StoredDebate
    claim: Claim

    @property
    def symbol(self) -> str:
        """The stock it was said about."""
        return self.debate.transcript.symbol


def find_claim(settings: Settings, name: str, within: str | None) -> OnTrial:
    """The claim called *name*, bare or as ``DEBATE_ID/CLAIM_ID``.

    Claim ids repeat from debate to debate; UsageError lists the debates a bare one may mean.
    """
    debate, _, claim_id = name.rpartition("/")
    with open_reader(settings.database) as con:
        found = within or debate or _only_debate(con, claim_id)
        transcript = store.load_transcript(con, found)
        pack = store.load_pack(con, transcript.pack_version, transcript.symbol)
    claim = next((claim for claim in transcript.claims if claim.claim_id == claim_id), None)
    if claim is None:
        known = "、".join(claim.claim_id for claim in transcript.claims) or "无"
        raise UsageError(f"辩论 {found} 里没有论点 {claim_id}；它的论点：{known}。")
    return OnTrial(StoredDebate(transcript, pack), claim)


def _only_debate(con: Connection, claim_id: str) -> str:
    rows = con.execute(
        "select claims.debate_id, claims.conclusion from debates.claims "
        "inner join debates.runs on claims.debate_id = runs.debate_id where claims.claim_id = $claim_id "
        "order by runs.trade_date desc, runs.finished_at desc, claims.debate_id",
        {"claim_id": claim_id},
    ).fetchall()
    if not rows:
        raise UsageError(
            f"没有论点 {claim_id}：论点编号形如 r1-bull-2，用 zhengming report 辩论编号 --layer full 查看。"
        )
    if len(rows) > 1:
        listed = "".join(f"\n  {debate}/{claim_id}  {conclusion}" for debate, conclusion in rows[:_LISTED])
        raise UsageError(
            f"论点 {claim_id} 在 {len(rows)} 场辩论里都有，请用 --debate 指明，或写成 辩论编号/论点编号：{listed}"
        )
    found: str = rows[0][0]
    return found


def target(review: Review, trial: OnTrial, todays: Renewed, clock: Callable[[], datetime]) -> list[Account]:
    """Try one claim on the facts of its debate and on what has become public since."""
    before = trial.debate
    about = f"{before.transcript.debate_id}/{trial.claim.claim_id}"
    pack = extended(before.pack, todays)
    settings = review.settings()
    brief = Brief(
        debate_id=debate_id(pack.symbol, pack.trade_date, TARGETED, settings, pack.pack_version, about),
        protocol=TARGETED,
        run_id=review.batch_id,
        proposition=target_proposition(pack, trial.claim, _argued(before.transcript)),
        target=trial.claim,
        previous=before.transcript,
        notes={
            TARGET: {"debate_id": before.transcript.debate_id, "claim_id": trial.claim.claim_id},
            **_topic(before.transcript),
        },
    )
    return _hold(review, Order(brief, pack), clock)


def _argued(transcript: Transcript) -> Proposition | None:
    """A topic's proposition; the standing one is made anew, with the day's dates."""
    return transcript.proposition if transcript.topic else None


def _topic(transcript: Transcript) -> dict[str, Any]:
    """What follows a debate on a topic is on that topic."""
    return {TOPIC: transcript.topic} if transcript.topic else {}


def order_to_inform(before: StoredDebate, *, now: datetime, options: Mapping[str, Any]) -> Review:
    """A run over one stored debate. Raises UsageError if the debate came to no conclusion."""
    transcript = before.transcript
    if transcript.conclusion is None:
        raise UsageError(f"辩论 {transcript.debate_id} 没有结论，不能改判：先重新辩论这只股票。")
    return Review(
        batch_id=new_batch_id(), flow=INFORM, symbols=(transcript.symbol,), as_of=before.pack.as_of,
        trade_date=transcript.trade_date, now=now, protocols=(INFORM,), options=dict(options),
    )  # fmt: skip


def with_material(before: StoredDebate, note: str, url: str | None, now: datetime) -> Pack:
    """The debate's pack with a person's note or link among its facts; UsageError if there is nothing to add."""
    return with_user_material(before.pack, note, url, at=now)


def add_material(
    review: Review, before: StoredDebate, wanted: Pack, clock: Callable[[], datetime]
) -> list[Account]:  # fmt: skip
    """Judge *before* again on *wanted*, its pack with new material."""
    pack = _frozen(review, wanted)
    brief = Brief(
        debate_id=debate_id(
            pack.symbol, pack.trade_date, INFORM, review.settings(), pack.pack_version, before.transcript.debate_id
        ),
        protocol=INFORM,
        run_id=review.batch_id,
        previous=before.transcript,
        notes=_topic(before.transcript),
    )  # fmt: skip
    return _hold(review, Order(brief, pack), clock)


def _frozen(review: Review, wanted: Pack) -> Pack:
    """The pack stored before the first call: the same material given again on the same day is the same pack."""
    database = review.settings().database
    with open_reader(database) as con:
        rows = con.execute(
            "select body from debates.packs where symbol = $symbol", {"symbol": wanted.symbol}
        ).fetchall()  # fmt: skip
    for known in (Pack.model_validate_json(body) for (body,) in rows):
        if _timeless(known) == _timeless(wanted):
            return known
    with open_writer(database) as con:
        store.save_pack(con, wanted, review.now)
    return wanted


def _timeless(pack: Pack) -> list[dict[str, Any]]:
    """The facts without the minute a user's note was given, which no sentence carries."""
    return [
        fact.model_dump(exclude={"published_at"} if fact.kind is FactKind.USER else None) for fact in pack.facts
    ]  # fmt: skip


def _hold(review: Review, order: Order, clock: Callable[[], datetime]) -> list[Account]:
    """Hold, publish and account for one debate; a complete one that is stored already is not held again."""
    settings = review.settings()
    names = {order.pack.symbol: order.pack.identity.name or order.pack.symbol}
    prepared = Prepared(orders=[order], names=names, started_at=clock())
    if _is_complete(settings, order.debate_id):
        known = Prepared(accounts=[_known(order, names)], names=names, started_at=clock())
        return close(review, known, {}, clock())
    held: Transcript | BaseException
    try:
        held = debate_pack(order.pack, order.brief, settings, clock)
    except IncompleteDebate as incomplete:
        held = incomplete.transcript
    return close(review, prepared, {order.debate_id: held}, clock())


def _is_complete(settings: Settings, wanted: str) -> bool:
    with open_reader(settings.database) as con:
        found = con.execute(
            "select 1 from debates.runs where debate_id = $id and status = 'complete'", {"id": wanted}
        ).fetchall()
    return bool(found)


def _known(order: Order, names: dict[str, str]) -> Account:
    return Account(
        symbol=order.pack.symbol, name=names[order.pack.symbol], protocol=order.brief.protocol, outcome="cached",
        reason="同一问题、同样的事实已有结果，沿用", debate_id=order.debate_id,
    )  # fmt: skip
