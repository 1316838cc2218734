"""The evidence pack (PRODUCT E1–E3): everything a debate on one stock and date may rely on, frozen.

Order of facts is fixed by section and, inside a section, by the section; ids follow that order. The
version hashes facts, appendix and sentinels only: two runs over the same visible rows get the same one,
whenever they ran.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType

from flows.contracts.packs import Fact, Identity, Missing, Pack, Polarity, pack_version
from flows.contracts.raw import KIND_RULES
from flows.errors import NoData
from flows.evidence import facts_capital as capital
from flows.evidence import facts_fundamentals as fundamentals
from flows.evidence.alignment import date_notices
from flows.evidence.completeness import completeness
from flows.evidence.facts_context import macro_facts, peer_facts
from flows.evidence.facts_disclosures import disclosure_facts, important
from flows.evidence.facts_forecasts import forecast_facts
from flows.evidence.facts_market import market_cap_facts, price_facts, valuation_facts
from flows.evidence.facts_media import mood_facts, news_facts
from flows.evidence.facts_research import research_facts
from flows.evidence.freshness import expected_session, freshness_of, read_calendar
from flows.evidence.identity import other_companies, own_names, resolve_identity
from flows.evidence.knowledge import all_notes, find_notes, knowledge_facts
from flows.evidence.missing import drop_failed, sentinels
from flows.evidence.reading import Connection, Scope, select
from flows.evidence.roles import assign_roles
from flows.evidence.rules import rule_for
from flows.evidence.snapshot import Snapshot, read_snapshot

#: How many facts of a section stand in the pack; the rest goes to the appendix. Sell-side is capped hardest.
CAPS = {
    "announcements": 14, "filing_texts": 12, "news": 10, "research_reports": 6, "holder_trades": 6,
    "top_list": 3, "unlocks": 4, "suspensions": 2, "corporate_actions": 2, "macro": 5,
}  # fmt: skip
_KNOWLEDGE_IN_PACK = 4
#: Sections that every stock has and that call for no explanation.
_PLAIN = frozenset({"daily_bars", "macro", "financial_indicators", "fund_flows", "research_reports"})
_BOARD_ZH = {"main": "主板", "star": "科创板", "chinext": "创业板", "bse": "北交所"}
#: Percentile windows that always stand in the pack; the others stay reachable in the appendix.
_SHOWN_WINDOWS = ("_pct_3y", "_pct_5y")
_ARCHIVE_DAYS = KIND_RULES["announcements"].look_back_days
_NEWS_ARCHIVE_DAYS = 90


@dataclass
class _Gathered:
    """Facts by kind while a pack is being put together."""

    sections: dict[str, list[Fact]] = field(default_factory=dict)
    appendix: list[Fact] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def build_pack(  # noqa: PLR0913  one keyword per thing a run knows about its stock
    con: Connection,
    symbol: str,
    as_of: date,
    cutoff: datetime,
    *,
    unavailable: Sequence[Missing],
    threshold: float,
    is_sample: bool,
    focus: str | None = None,
    excluded: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> Pack:
    """The pack of *symbol* as of *as_of*, nothing in it published after *cutoff* (aware).

    *focus* is the announcement a debate is about: it and its sentences come first and are common to all roles.
    *excluded* are rows (kind → ids) that the gate quarantined.
    *unavailable* are the kinds the run could not or did not get, by envelope status. A pack that is too
    thin is returned as well: its completeness says so and names what to add.
    """
    identity = resolve_identity(con, symbol, as_of, cutoff).model_copy(update={"is_sample": is_sample})
    snapshot = _snapshot(con, symbol, as_of, cutoff)
    scope = Scope(
        con, symbol, as_of, cutoff, snapshot.trade_date if snapshot else as_of, identity, read_calendar(con),
        own_names(con, identity, cutoff), other_companies(con, symbol, cutoff), focus, excluded,
    )  # fmt: skip
    gathered = _gather(scope, snapshot)
    drop_failed(gathered.sections, unavailable)
    knowledge, more_knowledge = _knowledge(gathered.sections, scope)
    body = [fact for section in gathered.sections.values() for fact in section]
    facts = _number(body + knowledge, first=1)
    appendix = _number(gathered.appendix + more_knowledge, first=len(facts) + 1)
    missing = sentinels(scope, gathered.sections, unavailable)
    is_stale = _is_stale(scope, snapshot)
    return Pack(
        pack_version=pack_version(facts, appendix, missing),
        symbol=symbol,
        identity=scope.identity,
        as_of=as_of,
        cutoff=cutoff,
        trade_date=scope.trade_date,
        completeness=completeness(gathered.sections, missing, threshold, is_stale=is_stale),
        facts=facts,
        appendix=appendix,
        missing=missing,
        roles=assign_roles(facts, symbol),
        notices=_notices(gathered, scope, is_stale=is_stale),
    )


def _snapshot(con: Connection, symbol: str, as_of: date, cutoff: datetime) -> Snapshot | None:
    try:
        return read_snapshot(con, symbol, as_of, cutoff)
    except NoData:
        return None


def _gather(scope: Scope, snapshot: Snapshot | None) -> _Gathered:
    """All sections in the order a reader meets them."""
    gathered = _Gathered()
    add = gathered.sections.__setitem__
    if snapshot is not None:
        add("daily_bars", price_facts(snapshot, freshness_of("daily_bars", scope.trade_date, scope)))
        fresh = freshness_of("valuations", scope.trade_date, scope)
        add("valuations", valuation_facts(snapshot, fresh) + market_cap_facts(scope))
    add("financial_indicators", fundamentals.indicator_facts(scope))
    add("earnings_forecasts", forecast_facts(scope))
    add("corporate_actions", fundamentals.dividend_facts(scope))
    _add_texts(gathered, scope)
    add("holder_trades", capital.holder_trade_facts(scope))
    add("pledges", capital.pledge_facts(scope))
    add("unlocks", capital.unlock_facts(scope))
    add("top_list", capital.top_list_facts(scope))
    add("margins", capital.margin_facts(scope))
    add("fund_flows", capital.fund_flow_facts(scope))
    add("attention", capital.attention_facts(scope))
    add("suspensions", capital.suspension_facts(scope))
    add("peers", peer_facts(scope, snapshot))
    add("macro", macro_facts(scope))
    add("research_reports", research_facts(scope))
    _cap(gathered)
    return gathered


def _add_texts(gathered: _Gathered, scope: Scope) -> None:
    """Filings and news, other companies' items kept out."""
    filings = disclosure_facts(scope, _ARCHIVE_DAYS)
    news = news_facts(scope, _NEWS_ARCHIVE_DAYS)
    gathered.sections["announcements"] = important(filings.titles)
    gathered.sections["filing_texts"] = filings.sentences + filings.unreadable
    gathered.sections["news"] = news.recent
    gathered.sections["sentiment"] = mood_facts(news.recent, scope)
    gathered.appendix += news.older
    if filings.quarantined:
        gathered.notices.append(f"有{filings.quarantined}份公告的代码、名称与标题不一致，疑属其他公司，已隔离不用。")
    if news.quarantined:
        gathered.notices.append(f"有{news.quarantined}条新闻不涉及本公司或其行业，已隔离不用。")


def _cap(gathered: _Gathered) -> None:
    multiples = gathered.sections.get("valuations", [])
    speaking = {_multiple(fact) for fact in multiples if _is_percentile(fact) and _is_extreme(fact)}
    gathered.sections["valuations"] = [fact for fact in multiples if _is_shown(fact, speaking)]
    gathered.appendix += [fact for fact in multiples if not _is_shown(fact, speaking)]
    for kind, limit in CAPS.items():
        section = gathered.sections.get(kind, [])
        gathered.sections[kind] = section[:limit]
        gathered.appendix += section[limit:]


def _is_shown(fact: Fact, speaking: Collection[str]) -> bool:
    """A multiple with one extreme window shows all of them: the extreme one alone would be picked."""
    return not _is_percentile(fact) or fact.field.endswith(_SHOWN_WINDOWS) or _multiple(fact) in speaking


def _is_extreme(fact: Fact) -> bool:
    return isinstance(fact.value, float) and rule_for(fact.field).polarity(fact.value) is not Polarity.NEUTRAL


def _is_percentile(fact: Fact) -> bool:
    return "_pct_" in fact.field


def _multiple(fact: Fact) -> str:
    return fact.field.partition("_pct_")[0]


def _knowledge(sections: Mapping[str, Sequence[Fact]], scope: Scope) -> tuple[list[Fact], list[Fact]]:
    """The notes this stock's board, treatment and events call for, and all others in force for the appendix."""
    need = [_BOARD_ZH.get(scope.identity.board or "", ""), "ST" if scope.identity.is_st else ""]
    need += [fact.sentence for kind in sections if kind not in _PLAIN for fact in sections[kind]]
    called = find_notes("\n".join(need), scope.as_of, limit=_KNOWLEDGE_IN_PACK)
    others = [note for note in all_notes() if note.in_force(scope.as_of) and note not in called]
    return knowledge_facts(called, scope.as_of), knowledge_facts(others, scope.as_of)


def _number(facts: Sequence[Fact], first: int) -> tuple[Fact, ...]:
    return tuple(fact.model_copy(update={"id": f"E{first + place}"}) for place, fact in enumerate(facts))


def _is_stale(scope: Scope, snapshot: Snapshot | None) -> bool:
    """Whether the last bar lags behind the exchange with no halt to explain it."""
    expected = expected_session("daily_bars", scope)
    if snapshot is None or expected is None or snapshot.trade_date >= expected:
        return False
    return not _halted_since(scope, snapshot.trade_date, expected)


def _halted_since(scope: Scope, last: date, expected: date) -> bool:
    halts = select(
        scope.con,
        "select 1 from staging.suspensions where symbol = $symbol and start_date <= $expected "
        "and coalesce(end_date, $expected) >= $expected and published_at <= $cutoff "
        "union all "
        "select 1 from staging.daily_bars where symbol = $symbol and trade_date = $expected "
        "and not is_trading and published_at <= $cutoff",
        {"symbol": scope.symbol, "expected": expected, "cutoff": scope.cutoff},
    )
    return bool(halts) and last < expected


def _notices(gathered: _Gathered, scope: Scope, *, is_stale: bool) -> tuple[str, ...]:
    notices = _identity_notices(scope.identity)
    if is_stale:
        notices.append(f"行情已过期：最后一根有效日线为{scope.trade_date}，其后没有停牌记录可解释。")
    return (*notices, *date_notices(gathered.sections, scope), *gathered.notices)


def _identity_notices(identity: Identity) -> list[str]:
    if identity.name is None:
        return [f"证券身份未能确认：以下只以代码{identity.symbol}指称，不推断公司名称与行业。"]
    return []
