"""What a side expects of a metric, and of which metric an argument may expect anything.

An argument expects something only of the number it stands on or of one that its topic determines: a share is
cheap by earnings as long as the earnings hold, by book as long as the book earns its return. The price itself,
and with it a multiple, is nobody's expectation: in three months it moves with the market, and what it settles is
no question of fact. The for-side expects the best of the values there are (:mod:`references`), the other side the
worst; with a single value nobody expects anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from flows.debate.metrics import (
    due_date,
    family,
    is_cumulative,
    is_period_end,
    report_deadline,
    same_period_next_year,
)
from flows.debate.offline.bundles import Bundle
from flows.debate.offline.reading import Heard, Scene, Seen
from flows.debate.offline.references import Known, Reference, has_references, references

#: Of these a lower value is what the for-side hopes for.
_LOWER_IS_BETTER = frozenset({"debt_ratio_pct"})
#: Two values closer than this share of the larger are no disagreement; of ratios, closer than so many points.
_NEAR = 0.05
_NEAR_POINTS = {"gross_margin_pct": 0.5, "roe_pct": 0.5, "debt_ratio_pct": 2.0}

#: Metric → words of a fact's sentence that make the fact one about it.
_NAMED = {
    "gross_margin_pct": r"毛利率同比",
    "roe_pct": r"净资产收益率同比",
    "debt_ratio_pct": r"资产负债率同比|资产负债率将",
    "operating_cash_flow_cny": r"现金流.*(?:同比|之比|较上年同期)",
    "net_profit_yoy_pct": r"扣非净利润同比|单季归母净利润同比|业绩预告",
    "revenue_yoy_pct": r"单季营业收入同比",
    "eps_cny": r"卖方预测|卖方研报|市盈率\(TTM\)(?:较|处于)",
}
#: Words of a fact's sentence → the metric that decides what the multiple it gives is worth.
_DETERMINED = (
    (r"市盈率\(TTM\)(?:较|处于)", "net_profit_yoy_pct"),
    (r"市净率(?:较|处于)", "roe_pct"),
    (r"市销率\(TTM\)(?:较|处于)", "revenue_yoy_pct"),
)
#: Key of a topic → the metric that decides what its matter is worth.
_OF_TOPIC = {
    "loss_change": "net_profit_yoy_pct",
    "turnaround": "net_profit_yoy_pct",
    "forecast": "net_profit_yoy_pct",
    "contract": "revenue_yoy_pct",
    "contract_end": "revenue_yoy_pct",
    "price_cut": "gross_margin_pct",
}


def metrics_of(bundle: Bundle) -> list[str]:
    """Metrics an argument from *bundle* may expect something of, the one its facts give first."""
    named = [name for fact in bundle.facts for name in _stated(fact)]
    determined = [name for fact in bundle.facts for words, name in _DETERMINED if re.search(words, fact.sentence)]
    of_topic = _OF_TOPIC.get(bundle.topic.key)
    return list(dict.fromkeys([*named, *determined, *([of_topic] if of_topic else [])]))


def _stated(fact: Seen) -> list[str]:
    if fact.metric is not None and has_references(fact.metric):
        return [fact.metric]
    return [metric for metric, words in _NAMED.items() if re.search(words, fact.sentence)]


def expected(scene: Scene, bundle: Bundle, *, but: Collection[str] = ()) -> dict[str, Any] | None:
    """What the side that argues with *bundle* expects of the first metric it may expect something of.

    Metrics in *but* are expected something of elsewhere and left out, as are others of their families.
    """
    for metric in metrics_of(bundle):
        if not is_taken(metric, but) and (found := expected_of(Known(scene), metric, is_for=bundle.is_for)):
            return found
    return None


def is_taken(metric: str, but: Collection[str]) -> bool:
    """Whether a metric or another of its family stands in *but*."""
    return family(metric) in {family(other) for other in but}


def countered(scene: Scene, claim: Heard, *, is_for: bool, but: Collection[str] = ()) -> dict[str, Any] | None:
    """One's own expectation on the metric an opponent expects something of: one's ground, else that nothing moves."""
    if claim.metric is None or claim.due is None or claim.expected is None or is_taken(claim.metric, but):
        return None
    own = expected_of(Known(scene, claim), claim.metric, is_for=is_for)
    if own is not None and not is_near([float(own["value"]), claim.expected], claim.metric):
        return {**own, "due": claim.due.isoformat()}
    if claim.present is None or is_cumulative(claim.metric) or is_near([claim.present, claim.expected], claim.metric):
        return None
    return {"metric": claim.metric, "value": claim.present, "due": claim.due.isoformat()}


def expected_of(known: Known, metric: str, *, is_for: bool) -> dict[str, Any] | None:
    """A side's value of *metric*, if what is known holds two that differ."""
    found = hoped_for(references(known, metric), metric, is_for=is_for)
    if found is None:
        return None
    return {"metric": metric, "value": round(found.value, 4), "due": _due(known, metric).isoformat()}


def hoped_for(among: Sequence[Reference], metric: str, *, is_for: bool) -> Reference | None:
    """The one of several values that a side takes; None where they are as good as one."""
    if len(among) < 2 or is_near([one.value for one in among], metric):
        return None
    wants_more = is_for is not (metric in _LOWER_IS_BETTER)
    return (max if wants_more else min)(among, key=lambda one: one.value)


def is_near(values: Sequence[float], metric: str) -> bool:
    """Whether values of a metric are too close for a disagreement."""
    return max(values) - min(values) <= _NEAR_POINTS.get(metric, _NEAR * max(map(abs, values)))


def _due(known: Known, metric: str) -> date:
    """When the value can be known: a forecast of the year with its report, a cumulative level a year on."""
    day = known.scene.trade_date
    if metric == "eps_cny":
        return report_deadline(date(day.year, 12, 31))
    now = known.latest(metric)
    if is_cumulative(metric) and now is not None and is_period_end(now.as_of):
        return report_deadline(same_period_next_year(now.as_of))
    return due_date(metric, day, now.as_of if now else None)
