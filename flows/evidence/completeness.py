"""How much of what a debate needs is there (PRODUCT E6); below the threshold nothing is spent.

A requirement is met in proportion to its facts. A kind that was asked and has no record (no pledge, no
reduction) is half an answer where absence means something; a kind that could not be asked is none.
Prices that lag behind the exchange with no halt to explain it are no basis at all: the score is then
held under the threshold whatever else there is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flows.contracts.packs import Completeness, Dimension, Fact, Missing

#: At least this many kinds of material are named when the pack is short.
MIN_TO_ADD = 3
#: At most this many, so that the message stays one a person acts on.
_MAX_TO_ADD = 6

#: Share of each dimension in the overall score, percent.
WEIGHTS: dict[Dimension, float] = {
    Dimension.FUNDAMENTALS: 30, Dimension.VALUATION: 20, Dimension.TECHNICAL: 15, Dimension.CAPITAL: 15,
    Dimension.RISK: 10, Dimension.INDUSTRY: 6, Dimension.POLICY: 4,
}  # fmt: skip


@dataclass(frozen=True)
class Requirement:
    """One need of one dimension.

    Attributes:
        kinds: Sections whose facts count towards it.
        facts: Facts that meet it fully.
        points: Its share of the dimension.
        absence_counts: Whether a known 没有记录 is half an answer.
        to_add: What to add, in words for a person.
    """

    dimension: Dimension
    kinds: tuple[str, ...]
    facts: int
    points: float
    to_add: str
    absence_counts: bool = False


REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(Dimension.FUNDAMENTALS, ("financial_indicators",), 10, 60,
                "最近一期定期报告及上年同期的财务指标（营业收入、归母净利润、扣非净利润、现金流）"),
    Requirement(Dimension.FUNDAMENTALS, ("announcements", "filing_texts", "earnings_forecasts"), 4, 40,
                "近一年公告原文或业绩预告"),
    Requirement(Dimension.VALUATION, ("valuations",), 5, 100, "至少三年的逐日估值（市盈率、市净率、市销率）"),
    Requirement(Dimension.TECHNICAL, ("daily_bars",), 15, 100, "至少一年的日线行情与复权因子"),
    Requirement(Dimension.CAPITAL, ("margins",), 1, 25, "融资融券余额", absence_counts=True),
    Requirement(Dimension.CAPITAL, ("fund_flows",), 1, 25, "资金流向"),
    Requirement(Dimension.CAPITAL, ("holder_trades",), 1, 25, "近180日股东增减持记录", absence_counts=True),
    Requirement(Dimension.CAPITAL, ("top_list", "unlocks"), 1, 25, "龙虎榜与限售解禁记录", absence_counts=True),
    Requirement(Dimension.RISK, ("pledges",), 1, 50, "股权质押比例", absence_counts=True),
    Requirement(Dimension.RISK, ("news",), 3, 50, "近7日提及本公司的新闻", absence_counts=True),
    Requirement(Dimension.INDUSTRY, ("peers",), 2, 100, "同行业可比公司估值"),
    Requirement(Dimension.POLICY, ("macro",), 2, 100, "宏观指标（PMI、CPI、LPR）"),
)  # fmt: skip
#: Facts that only say that something cannot be had.
_NO_EVIDENCE = frozenset({"valuation_percentiles.obs", "filing_texts.readability", "peers.obs"})
_ALWAYS_USEFUL = ("卖方研报摘要", "与命题直接相关的用户材料（笔记或链接）", "相关公告的正文")


def completeness(
    sections: Mapping[str, Sequence[Fact]], missing: Sequence[Missing], threshold: float, *, is_stale: bool = False
) -> Completeness:
    """Score 0–100 per dimension and overall, and what to add, most useful first."""
    none_known = {item.kind for item in missing if item.status == "NO_DATA"}
    met = [(requirement, _met(requirement, sections, none_known)) for requirement in REQUIREMENTS]
    by_dimension = _by_dimension(met)
    score = sum(by_dimension[dimension] * weight for dimension, weight in WEIGHTS.items()) / sum(WEIGHTS.values())
    if is_stale:
        score = max(0.0, min(score, threshold - 1))
    short = score < threshold
    return Completeness(
        score=math.floor(score * 10) / 10 if short else math.ceil(score * 10) / 10,
        threshold=threshold,
        by_dimension={str(dimension): round(value, 1) for dimension, value in by_dimension.items()},
        to_add=_to_add(met, is_stale=is_stale) if short else (),
    )


def _met(requirement: Requirement, sections: Mapping[str, Sequence[Fact]], none_known: set[str]) -> float:
    found = sum(fact.field not in _NO_EVIDENCE for kind in requirement.kinds for fact in sections.get(kind, ()))
    if found:
        return min(1.0, found / requirement.facts)
    known = requirement.absence_counts and all(kind in none_known for kind in requirement.kinds)
    return 0.5 if known else 0.0


def _by_dimension(met: Sequence[tuple[Requirement, float]]) -> dict[Dimension, float]:
    reached: dict[Dimension, float] = defaultdict(float)
    possible: dict[Dimension, float] = defaultdict(float)
    for requirement, share in met:
        reached[requirement.dimension] += requirement.points * share
        possible[requirement.dimension] += requirement.points
    return {dimension: 100 * reached[dimension] / possible[dimension] for dimension in WEIGHTS}


def _to_add(met: Sequence[tuple[Requirement, float]], *, is_stale: bool) -> tuple[str, ...]:
    """Unmet needs by lost score; topped up so that at least three kinds are named."""
    lost = [(WEIGHTS[r.dimension] * r.points * (1 - share), r.to_add) for r, share in met if share < 1]
    lost.sort(key=lambda item: -item[0])
    first = ["最新交易日的日线与估值（现有行情已过期）"] if is_stale else []
    named = first + [words for _, words in lost]
    return tuple(named[:_MAX_TO_ADD] + list(_ALWAYS_USEFUL[: max(0, MIN_TO_ADD - len(named))]))
