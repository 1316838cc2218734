"""Which facts of a pack a role is given: the common part first, then its own, within what its prompt may cost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from flows.contracts.packs import Fact, FactKind, Pack, Polarity
from flows.contracts.transcripts import Side
from flows.debate.metrics import family, is_percentile
from flows.debate.protocol import Role
from flows.debate.severity import severity

#: Most characters of given facts; long filing sentences must not crowd out the figures, nor cost a prompt its budget.
FACT_CHARACTERS = 1_800

#: A filing's own sentences say more than its title and come first.
_TITLE, _SENTENCE = "announcements.title", "filing_texts.sentence"

#: What an expected value of a result or multiple rests on: without these a side cannot answer the other's number.
_GROUNDS = frozenset(
    {
        "net_profit_yoy_pct", "revenue_yoy_pct", "gross_margin_pct", "operating_cash_flow_cny",
        "financial_indicators.gross_margin_yoy_pp", "financial_indicators.quarter_net_profit_yoy_pct",
        "financial_indicators.quarter_revenue_yoy_pct", "roe_pct", "financial_indicators.roe_yoy_pp",
        "research_reports.eps_year_0_cny", "research_reports.eps_consensus_growth_pct",
        "earnings_forecasts.change_low_pct", "earnings_forecasts.change_high_pct",
    }
)  # fmt: skip

_OWN = {Side.FOR: Polarity.POSITIVE, Side.AGAINST: Polarity.NEGATIVE}


def given_facts(pack: Pack, role: Role) -> tuple[Fact, ...]:
    """Facts of *pack* for *role*, in pack order.

    A pack without an entry for the role gives it every fact. ``max_facts`` is filled with the common
    measured facts and user material, then, for a side, with the grounds of expected values whatever their
    polarity, then with facts of the role's own polarity (what says a thing over again after all others), then with
    the rest, one dimension after the other in the order the pack lists them for the role, so that none disappears.
    """
    by_id = {fact.id: fact for fact in pack.facts}
    common = set(pack.roles.get("common", ()))
    listed = dict.fromkeys(fid for key in ("common", *role.facts) for fid in pack.roles.get(key, ()))
    if listed and role.side:
        listed |= dict.fromkeys(fact.id for fact in pack.facts if fact.field in _GROUNDS)
    facts = [by_id[fid] for fid in listed if fid in by_id] or list(pack.facts)
    if role.max_facts is not None:
        facts = _within(_ranked(_gravest_first(facts, pack, role), role, common), role.max_facts)
    given = {fact.id for fact in facts}
    return tuple(fact for fact in pack.facts if fact.id in given)


def _gravest_first(facts: Iterable[Fact], pack: Pack, role: Role) -> list[Fact]:
    """Sentences before titles and three years before other windows; for a role on the adverse by gravity.

    That is the gravest of every matter first, then the second of each.
    """
    written = sorted(facts, key=lambda fact: (fact.field == _TITLE, _is_other_window(fact)))
    if not _is_on_the_adverse(role):
        return written
    seen: Counter[int] = Counter()
    ranked: list[tuple[int, int, Fact]] = []
    for fact in written:
        rank = severity(fact, pack)
        seen[rank] += 1
        ranked.append((seen[rank], rank, fact))
    return [fact for _, _, fact in sorted(ranked, key=lambda place: place[:2])]


def _is_on_the_adverse(role: Role) -> bool:
    return role.side is Side.AGAINST or role.minds_risks


def _is_other_window(fact: Fact) -> bool:
    """Whether a percentile is of another window than three years, which holds a cycle and is rarely short of data."""
    return is_percentile(fact.field) and not fact.field.endswith("_3y")


def _ranked(facts: Iterable[Fact], role: Role, common: set[str]) -> list[Fact]:
    """Tier by tier; inside a tier the gravest first for a role on the adverse, else one dimension after the other."""
    own = _OWN.get(role.side) if role.side else None
    matters: set[str] = set()
    seen: Counter[tuple[int, str]] = Counter()
    ranked: list[tuple[int, int, Fact]] = []
    for fact in facts:
        matter = _matter(fact)
        tier = _tier(fact, own, common, is_repeated=matter in matters and fact.field != _SENTENCE)
        matters.add(matter)
        group = "" if _is_on_the_adverse(role) else fact.dimension
        seen[tier, group] += 1
        ranked.append((tier, seen[tier, group], fact))
    return [fact for _, _, fact in sorted(ranked, key=lambda place: place[:2])]


_DOCUMENT = re.compile(r"《(.+?)》")


def _matter(fact: Fact) -> str:
    """What other facts may say over again: a multiple's place in its history, a document."""
    if is_percentile(fact.field):
        return family(fact.field)
    document = _DOCUMENT.search(fact.sentence) if fact.kind is FactKind.ANNOUNCEMENT else None
    return document[1] if document else fact.id


def _tier(fact: Fact, own: Polarity | None, common: set[str], *, is_repeated: bool) -> int:
    is_common = fact.id in common and fact.kind is not FactKind.KNOWLEDGE
    if is_common or fact.kind is FactKind.USER:
        return 0
    if own and fact.field in _GROUNDS:
        return 1
    is_telling = fact.polarity is own if own else fact.polarity is not Polarity.NEUTRAL
    return 4 if not is_telling else 3 if is_repeated else 2


def _within(ranked: Iterable[Fact], most: int) -> list[Fact]:
    """The first *most* facts that fit, a long one that does not fit making room for shorter ones after it."""
    kept: list[Fact] = []
    left = FACT_CHARACTERS
    for fact in ranked:
        if len(kept) < most and len(fact.sentence) <= left:
            kept.append(fact)
            left -= len(fact.sentence)
    return kept
