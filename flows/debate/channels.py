"""Evidence channels (PRODUCT D15): three read-only looks into the pack's frozen appendix.

What is found already has a number, so it can be cited as soon as it was shown. A role has one exchange
of at most two requests per turn. Servers with function calls get the three as tools; the same requests
can be written into the answer elsewhere, and both ways end in the same prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from flows.contracts.packs import Fact, FactKind, Pack
from flows.debate.answers import Lookup
from flows.debate.gateway_types import Tool, ToolUse

REQUESTS_PER_TURN = 2
FACTS_PER_REQUEST = 3

#: Tool name → kinds of appendix facts it reaches.
REACH: dict[str, frozenset[FactKind]] = {
    "news": frozenset({FactKind.NEWS, FactKind.RESEARCH}),
    "filings": frozenset({FactKind.ANNOUNCEMENT, FactKind.DATA}),
    "knowledge": frozenset({FactKind.KNOWLEDGE}),
}


class Query(BaseModel):
    """Arguments of an evidence channel."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=40, description="关键词，空格分开")


TOOLS: tuple[Tool, ...] = (
    Tool("news", "在资料包附录里查新闻与研报", Query),
    Tool("filings", "在资料包附录里查公告与数据", Query),
    Tool("knowledge", "在资料包附录里查规则、会计与行业常识", Query),
)


def offered(pack: Pack) -> tuple[Tool, ...]:
    """The channels that reach anything in this pack."""
    kinds = {fact.kind for fact in pack.appendix}
    return tuple(tool for tool in TOOLS if REACH[tool.name] & kinds)


def as_lookups(uses: Iterable[ToolUse]) -> tuple[Lookup, ...]:
    """Function calls as the structured requests they stand for."""
    return tuple(Lookup(tool=use.name, query=use.arguments.query) for use in uses if isinstance(use.arguments, Query))


def look_up(pack: Pack, lookups: Sequence[Lookup]) -> tuple[Fact, ...]:
    """Facts of the appendix that answer the requests, best first, within the budget of one turn."""
    found: dict[str, Fact] = {}
    for lookup in lookups[:REQUESTS_PER_TURN]:
        within = [fact for fact in pack.appendix if fact.kind in REACH[lookup.tool]]
        ranked = sorted(within, key=lambda fact: (-_hits(lookup.query, fact), -fact.as_of.toordinal()))
        for fact in ranked[:FACTS_PER_REQUEST]:
            if _hits(lookup.query, fact):
                found.setdefault(fact.id, fact)
    return tuple(found.values())


def _hits(query: str, fact: Fact) -> int:
    """How many of the query's words, or pairs of its characters, stand in the fact."""
    text = fact.sentence
    words = [word for word in re.split(r"[\s,，、]+", query) if word]
    pairs = {word[i : i + 2] for word in words for i in range(len(word) - 1)} or set(words)
    return sum(3 for word in words if word in text) + sum(pair in text for pair in pairs)
