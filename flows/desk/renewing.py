"""An earlier pack with what has become public since: old ids stay, new facts come after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flows.contracts.packs import Fact, Missing, Pack, pack_version
from flows.desk import packing
from flows.desk.calendar import stored_calendar
from flows.desk.ingest import ingest
from flows.desk.plan import PROTOCOLS, Review
from flows.errors import DataRejected
from flows.warehouse.database import open_reader

_STANDING = sorted({protocol for held in PROTOCOLS.values() for protocol in held})


@dataclass(frozen=True)
class Renewed:
    """Today's pack of one stock, or why there is none."""

    pack: Pack | None
    reason: str = ""


def todays_pack(review: Review, at: datetime, report: Callable[[str], None]) -> Renewed:
    """The pack of the review's one stock and session: frozen already, else fetched, gated and frozen now."""
    [symbol] = review.symbols
    if known := _frozen(review, symbol):
        return Renewed(known)
    ingested = ingest(review, report, lambda: at)
    if symbol in ingested.failed:
        return Renewed(None, ingested.failed[symbol])
    calendar = stored_calendar(review.settings())
    packing.rebuild(review.settings().database, calendar, review.now)
    report("重算复权价与估值分位")
    try:
        packed = packing.pack(review, ingested, packing.gate(review, calendar, at))
    except DataRejected as error:
        return Renewed(None, str(error))
    report("数据校验")
    return Renewed(packed.packs.get(symbol), packed.gated.get(symbol, ""))


def _frozen(review: Review, symbol: str) -> Pack | None:
    with open_reader(review.settings().database) as con:
        rows = con.execute(
            "select packs.body from debates.packs inner join debates.runs on packs.symbol = runs.symbol "
            "and packs.pack_version = runs.pack_version where runs.symbol = $symbol "
            "and runs.trade_date = $day and list_contains($protocols, runs.protocol) "
            "order by runs.finished_at desc limit 1",
            {"symbol": symbol, "day": review.trade_date, "protocols": _STANDING},
        ).fetchall()
    return Pack.model_validate_json(rows[0][0]) if rows else None


def extended(old: Pack, todays: Renewed) -> Pack:
    """*old* with the facts that only today's pack has, under new ids, given to the roles today's pack gives them to.

    A value that today's pack states anew (the multiple, the close, the balance of a later day) leaves the old one in
    the appendix, where its id still leads: two values of one measure side by side would be argued as if both held
    now. Dates are then today's; the fact-base version is that of the whole. Without anything new *old* itself.
    """
    new = todays.pack
    if new is None:
        said = f"今天的事实没有取得（{todays.reason or '原因不明'}），本场只用原有事实。"
        return old.model_copy(update={"notices": (*old.notices, said)})
    known = {_content(fact) for fact in (*old.facts, *old.appendix)}
    first = 1 + max(int(fact.id[1:]) for fact in (*old.facts, *old.appendix))
    added = [fact for fact in new.facts if _content(fact) not in known]
    more = [fact for fact in new.appendix if _content(fact) not in known]
    ids = {fact.id: f"E{first + place}" for place, fact in enumerate((*added, *more))}
    if not ids or new.cutoff < old.cutoff:
        return old
    gone = _restated(old, new)
    facts = (*(fact for fact in old.facts if fact.id not in gone), *_renumbered(added, ids))
    appendix = (*old.appendix, *(fact for fact in old.facts if fact.id in gone), *_renumbered(more, ids))
    missing = tuple(_still_missing(old, new))
    return new.model_copy(
        update={
            "pack_version": pack_version(facts, appendix, missing),
            "facts": facts,
            "appendix": appendix,
            "missing": missing,
            "completeness": max(old.completeness, new.completeness, key=lambda found: found.score),
            "roles": _roles(old.roles, new.roles, ids, gone),
            "notices": (*new.notices, _what_is_new(old, new, [ids[fact.id] for fact in added], len(gone))),
        }
    )


def _restated(old: Pack, new: Pack) -> set[str]:
    """Ids of old values of which today's pack has a later one; events, of which there may be several, never are."""
    before, after = _measures(old.facts), _measures(new.facts)
    return {
        earlier[0].id
        for measure, earlier in before.items()
        if len(earlier) == 1 and len(after.get(measure, ())) == 1 and after[measure][0].as_of > earlier[0].as_of
    }


def _measures(facts: Iterable[Fact]) -> dict[tuple[str, str, str], list[Fact]]:
    found: dict[tuple[str, str, str], list[Fact]] = {}
    for fact in facts:
        if isinstance(fact.value, int | float):
            found.setdefault((fact.field, fact.subject, fact.period), []).append(fact)
    return found


def _content(fact: Fact) -> str:
    """What a fact says; that it grew old is not a new fact."""
    return fact.model_dump_json(exclude={"id", "freshness"})


def _renumbered(facts: Iterable[Fact], ids: Mapping[str, str]) -> list[Fact]:
    return [fact.model_copy(update={"id": ids[fact.id]}) for fact in facts]


def _roles(
    old: Mapping[str, tuple[str, ...]], new: Mapping[str, tuple[str, ...]], ids: Mapping[str, str], gone: set[str]
) -> dict[str, tuple[str, ...]]:
    def given(role: str) -> tuple[str, ...]:
        kept = [fact_id for fact_id in old.get(role, ()) if fact_id not in gone]
        return (*kept, *(ids[fact_id] for fact_id in new.get(role, ()) if fact_id in ids))

    return {role: given(role) for role in {**old, **new}}


def _still_missing(old: Pack, new: Pack) -> Iterable[Missing]:
    """Today's sentinels, but for "no record today" of a kind of which the old pack holds records."""
    missing_before = {item.kind for item in old.missing}
    return (item for item in new.missing if item.status != "NO_DATA" or item.kind in missing_before)


def _what_is_new(old: Pack, new: Pack, named: Sequence[str], restated: int) -> str:
    span = f"（{named[0]} 至 {named[-1]}）" if named else ""
    replaced = f"，其中 {restated} 项指标以新值为准、旧值移入附录" if restated else ""
    return (
        f"本场以 {old.trade_date} 的事实基准版本 {old.pack_version} 为底，"
        f"补入截至 {new.trade_date} 新增的 {len(named)} 条事实{span}{replaced}。"
    )
