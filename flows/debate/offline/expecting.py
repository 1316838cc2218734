"""What a side expects of a metric: a value that stands in the facts, never one in between.

Candidates are the value of the latest report, that of the same period a year before, the growth of the last
single quarter, the industry average, the company's own or the sell side's forecast, for the growth of profit
also that of revenue, and for the year's earnings per share what price and multiple make the last four
quarters. The for-side expects the one it hopes for, the other side the opposite one; with a single
candidate nobody expects anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
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
from flows.debate.offline.bundles import amount_in
from flows.debate.offline.reading import Heard, Scene, Seen

#: Of these a lower value is what the for-side hopes for.
_LOWER_IS_BETTER = frozenset({"debt_ratio_pct"})
#: Two values closer than this share of the larger are no disagreement.
_NEAR = 0.05

_POINTS = re.compile(r"同比(上升|下降)([\d.]+)个百分点")
_PREMIUM = re.compile(r"较(?:同)?行业(?:平均|均值)(高|低)([\d.]+)%")
_FORECAST = re.compile(r"业绩预告（.*净利润(?:亏损)?同比(增长|收窄|下降|扩大)([\d.]+)%")
_GROWTH = {
    "revenue_yoy_pct": re.compile(r"(?<!单季)营业收入同比(增长|下降)([\d.]+)%"),
    "net_profit_yoy_pct": re.compile(r"(?<!扣非)(?<!归母)净利润同比(增长|下降)([\d.]+)%"),
}
_QUARTER = {
    "revenue_yoy_pct": re.compile(r"季度单季营业收入同比(增长|下降)([\d.]+)%"),
    "net_profit_yoy_pct": re.compile(r"季度单季归母净利润同比(增长|下降)([\d.]+)%"),
}
_CONSENSUS = re.compile(r"年每股收益预测的均值较\d{4}年实际值(高|低)([\d.]+)%")
_EPS = re.compile(r"^(\S+?)预测(\d{4})年每股收益为(-?[\d.]+)元")


@dataclass(frozen=True)
class Known:
    """What a side knows of measures: its facts, and what an opponent has put before it."""

    scene: Scene
    claim: Heard | None = None

    def level(self, metric: str) -> float | None:
        """The latest value of a metric."""
        own = self.latest(metric)
        if own is not None:
            return own.value
        if self.claim and self.claim.metric == metric:
            return self.claim.present
        said = next((m for s in self.sentences if metric in _GROWTH and (m := _GROWTH[metric].search(s))), None)
        return _signed(said) if said else None

    def latest(self, metric: str) -> Seen | None:
        """The latest fact of a metric."""
        stated = (fact for fact in self.scene.facts if fact.metric == metric)
        return max(stated, key=lambda fact: fact.as_of, default=None)

    @property
    def sentences(self) -> list[str]:
        """Every sentence at hand: one's facts and what was quoted in the debate."""
        return [*(fact.sentence for fact in self.scene.facts), *(claim.basis for claim in self.scene.claims)]

    def signed(self, pattern: re.Pattern[str]) -> list[float]:
        """Every change a pattern of direction and size reads in the sentences at hand."""
        return [_signed(found) for sentence in self.sentences if (found := pattern.search(sentence))]

    def found(self, pattern: re.Pattern[str], words: str) -> re.Match[str] | None:
        """The first match of *pattern* right after *words*."""
        for sentence in self.sentences:
            start = sentence.find(words)
            if start >= 0 and (match := pattern.match(sentence, start + len(words))):
                return match
        return None


def expected(
    scene: Scene, facts: Sequence[Seen], group: str, *, is_for: bool, but: Collection[str] = ()
) -> dict[str, Any] | None:
    """What the side that argues with *facts* of a topic's *group* expects of the first metric they bear on.

    Metrics in *but* are expected something of elsewhere and left out, as are others of their families.
    """
    borne_on = [*(name for fact in facts for name in _metrics_of(fact)), *_OF_GROUP.get(group, ())]
    for metric in dict.fromkeys(borne_on):
        if not _is_taken(metric, but) and (found := expected_of(Known(scene), metric, is_for=is_for)):
            return found
    return None


def _is_taken(metric: str, but: Collection[str]) -> bool:
    return family(metric) in {family(other) for other in but}


def countered(scene: Scene, claim: Heard, *, is_for: bool, but: Collection[str] = ()) -> dict[str, Any] | None:
    """One's own expectation on the metric an opponent expects something of: one's ground, else that nothing moves."""
    if claim.metric is None or claim.due is None or claim.expected is None or _is_taken(claim.metric, but):
        return None
    own = expected_of(Known(scene, claim), claim.metric, is_for=is_for)
    if own is not None and not _is_near([float(own["value"]), claim.expected]):
        return {**own, "due": claim.due.isoformat()}
    if claim.present is None or is_cumulative(claim.metric) or _is_near([claim.present, claim.expected]):
        return None
    return {"metric": claim.metric, "value": claim.present, "due": claim.due.isoformat()}


def expected_of(known: Known, metric: str, *, is_for: bool) -> dict[str, Any] | None:
    """A side's value of *metric*, if what is known holds two that differ."""
    values = _CANDIDATES[metric](known) if metric in _CANDIDATES else []
    if len(values) < 2 or _is_near(values):
        return None
    wants_more = is_for is not (metric in _LOWER_IS_BETTER)
    value = max(values) if wants_more else min(values)
    return {"metric": metric, "value": round(value, 4), "due": _due(known, metric).isoformat()}


def _signed(found: re.Match[str]) -> float:
    """A change with its direction word as a signed number; a loss that narrows grows."""
    return float(found[2]) * (1 if found[1] in {"增长", "收窄", "高"} else -1)


def _is_near(values: Sequence[float]) -> bool:
    return max(values) - min(values) <= _NEAR * max(map(abs, values))


def _metrics_of(fact: Seen) -> list[str]:
    """Metrics whose next value decides what a fact is worth."""
    if fact.metric in _CANDIDATES:
        return [fact.metric] if fact.metric else []
    return [metric for metric, words in _NAMED.items() if re.search(words, fact.sentence)]


_NAMED = {
    "gross_margin_pct": r"毛利率同比",
    "debt_ratio_pct": r"资产负债率同比",
    "pe_ttm": r"市盈率\(TTM\)(?:较|处于)",
    "pb": r"市净率(?:较|处于)",
    "operating_cash_flow_cny": r"现金流.*(?:同比|之比)",
    "net_profit_yoy_pct": r"扣非净利润同比|单季归母净利润同比|业绩预告",
    "revenue_yoy_pct": r"单季营业收入同比",
    "eps_cny": r"卖方预测|卖方研报",
}
#: Group of a topic → metrics its facts bear on although they do not name them.
_OF_GROUP = {
    "result": ("net_profit_yoy_pct", "eps_cny"),
    "loss": ("net_profit_yoy_pct", "eps_cny"),
    "revenue": ("revenue_yoy_pct", "net_profit_yoy_pct"),
    "margin": ("gross_margin_pct", "net_profit_yoy_pct"),
    "cash": ("operating_cash_flow_cny",),
    "value": ("pe_ttm", "pb", "eps_cny", "net_profit_yoy_pct"),
    "dividend": ("eps_cny",),
    "order": ("revenue_yoy_pct", "net_profit_yoy_pct"),
}


def _change_of_ratio(metric: str, title: str) -> Callable[[Known], list[float]]:
    """A ratio now and, from its change in points, a year before."""

    def values(known: Known) -> list[float]:
        now, moved = known.level(metric), known.found(_POINTS, title)
        if now is None or moved is None:
            return []
        return [now, now - float(moved[2]) * (1 if moved[1] == "上升" else -1)]

    return values


def _against_peers(metric: str, title: str) -> Callable[[Known], list[float]]:
    """A multiple now and the industry average that its premium is measured from."""

    def values(known: Known) -> list[float]:
        now, apart = known.level(metric), known.found(_PREMIUM, title)
        if now is None or now <= 0 or apart is None:
            return []
        return [now, now / (1 + float(apart[2]) * (1 if apart[1] == "高" else -1) / 100)]

    return values


def _profit_growth(known: Known) -> list[float]:
    """Growth so far beside the company's forecast; without one and without a loss, the paces it may move to.

    These are the last single quarter's and the sell side's for the year, else that of revenue.
    """
    now = known.level("net_profit_yoy_pct")
    if now is None:
        return []
    if forecast := known.signed(_FORECAST):
        return [now, *forecast]
    if any("净利润同比" in sentence and "亏" in sentence for sentence in known.sentences):
        return []
    revenue = known.level("revenue_yoy_pct")
    beside = known.signed(_CONSENSUS)[:1] or [value for value in (revenue,) if value is not None]
    return [now, *known.signed(_QUARTER["net_profit_yoy_pct"])[:1], *beside]


def _revenue_growth(known: Known) -> list[float]:
    """Growth so far and that of the last single quarter."""
    now = known.level("revenue_yoy_pct")
    return [] if now is None else [now, *known.signed(_QUARTER["revenue_yoy_pct"])[:1]]


def _cash(known: Known) -> list[float]:
    """Cash flow of the latest cumulative period and of the same one a year before."""
    stated = [fact for fact in known.scene.facts if fact.metric == "operating_cash_flow_cny"]
    return [value for fact in stated if (value := amount_in(fact.sentence)) is not None]


def _earnings_per_share(known: Known) -> list[float]:
    """Each broker's last forecast for the year under way, and where there is a profit what price and multiple hold."""
    forecasts = _forecasts(known.scene)
    close, multiple = known.latest("close_cny"), known.latest("pe_ttm")
    if not forecasts or close is None or multiple is None or close.as_of != multiple.as_of:
        return forecasts
    if close.value is None or multiple.value is None or multiple.value <= 0:
        return forecasts
    return [*forecasts, close.value / multiple.value]


def _forecasts(scene: Scene) -> list[float]:
    """Each broker's newest forecast of the earnings per share of the year under way, CNY."""
    by_broker: dict[str, float] = {}
    for fact in sorted(scene.facts, key=lambda fact: fact.as_of):
        if (found := _EPS.search(fact.sentence)) and int(found[2]) == scene.trade_date.year:
            by_broker[found[1]] = float(found[3])
    return list(by_broker.values())


_CANDIDATES: dict[str, Callable[[Known], list[float]]] = {
    "net_profit_yoy_pct": _profit_growth,
    "revenue_yoy_pct": _revenue_growth,
    "gross_margin_pct": _change_of_ratio("gross_margin_pct", "毛利率"),
    "operating_cash_flow_cny": _cash,
    "debt_ratio_pct": _change_of_ratio("debt_ratio_pct", "资产负债率"),
    "pe_ttm": _against_peers("pe_ttm", "市盈率(TTM)"),
    "pb": _against_peers("pb", "市净率"),
    "eps_cny": _earnings_per_share,
}


def _due(known: Known, metric: str) -> date:
    """When the value can be known: a forecast of the year with its report, a cumulative level a year on."""
    day = known.scene.trade_date
    if metric == "eps_cny":
        return report_deadline(date(day.year, 12, 31))
    now = known.latest(metric)
    if is_cumulative(metric) and now is not None and is_period_end(now.as_of):
        return report_deadline(same_period_next_year(now.as_of))
    return due_date(metric, day, now.as_of if now else None)
