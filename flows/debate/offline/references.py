"""The values a metric may come to stand at, each with what it is called and the facts it stands in.

No value lies between two others: every one is a number of the facts at hand, or follows from two of them. For the
growth of profit and revenue these are the latest cumulative growth and that of the last single quarter, for profit
also the company's own forecast, else what the sell side expects of the year or the growth of revenue; for a ratio
and for cash the latest value and that of the same period a year before; for the year's earnings per share each
broker's forecast and what price and multiple make the last four quarters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flows.debate.metrics import is_period_end, same_period_next_year
from flows.debate.offline.reading import Heard, Scene, Seen, amount_in

_POINTS = r"同比(上升|下降)([\d.]+)个百分点"
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
_QUOTED = re.compile(r"([^。]+?)（(E\d+)）")


@dataclass(frozen=True)
class Reference:
    """One value a metric may come to stand at.

    Attributes:
        kind: ``latest``, ``quarter``, ``year_before``, ``revenue``, ``consensus``, ``forecast``, ``broker`` or
            ``trailing``.
        facts: Ids of the facts it stands in or follows from.
    """

    kind: str
    value: float
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Known:
    """What a side knows of measures: its facts, and what an opponent has put before it."""

    scene: Scene
    claim: Heard | None = None

    def latest(self, metric: str) -> Seen | None:
        """The latest fact of a metric."""
        stated = (fact for fact in self.scene.facts if fact.metric == metric)
        return max(stated, key=lambda fact: fact.as_of, default=None)

    def level(self, metric: str) -> Reference | None:
        """The latest value of a metric: of a fact, else as quoted in the debate."""
        own = self.latest(metric)
        if own is not None:
            return Reference("latest", own.value, (own.id,)) if own.value is not None else None
        return next(self.signed(_GROWTH[metric], "latest"), None) if metric in _GROWTH else None

    @property
    def sentences(self) -> Iterator[tuple[str, str]]:
        """Every sentence at hand with its fact: one's facts and what was quoted in the debate."""
        yield from ((fact.sentence, fact.id) for fact in self.scene.facts)
        for claim in self.scene.claims:
            yield from ((found[1], found[2]) for found in _QUOTED.finditer(claim.basis))

    def signed(self, pattern: re.Pattern[str], kind: str) -> Iterator[Reference]:
        """Every change a pattern of direction and size reads in the sentences at hand."""
        for sentence, fact_id in self.sentences:
            if found := pattern.search(sentence):
                size = float(found[2]) * (1 if found[1] in {"增长", "收窄", "高", "上升"} else -1)
                yield Reference(kind, size, (fact_id,))


def references(known: Known, metric: str) -> list[Reference]:
    """All values a metric may come to stand at; empty for a metric nobody expects anything of."""
    return _OF[metric](known) if metric in _OF else []


def has_references(metric: str | None) -> bool:
    """Whether a side ever expects anything of a metric."""
    return metric in _OF


def _against_last_year(metric: str, title: str) -> Callable[[Known], list[Reference]]:
    """A ratio now and a year before: as it was reported then, else from its change in points."""
    moved = re.compile(title + _POINTS)

    def values(known: Known) -> list[Reference]:
        now = known.level(metric)
        if now is None:
            return []
        if before := _year_before(known, metric):
            return [now, before]
        changes = known.signed(moved, "year_before")
        return [now, *(Reference(c.kind, now.value - c.value, (*now.facts, *c.facts)) for c in list(changes)[:1])]

    return values


def _year_before(known: Known, metric: str) -> Reference | None:
    """The value reported for the same period a year before the latest one."""
    now = known.latest(metric)
    if now is None:
        return None
    stated = (f for f in known.scene.facts if f.metric == metric and f.value is not None and is_period_end(f.as_of))
    before = next((f for f in stated if same_period_next_year(f.as_of) == now.as_of), None)
    return Reference("year_before", before.value, (before.id,)) if before and before.value is not None else None


def _profit_growth(known: Known) -> list[Reference]:
    """Growth so far beside the company's forecast; without one and without a loss, the paces it may move to."""
    now = known.level("net_profit_yoy_pct")
    if now is None:
        return []
    if forecast := list(known.signed(_FORECAST, "forecast")):
        return [now, *forecast]
    if any("净利润同比" in sentence and "亏" in sentence for sentence, _ in known.sentences):
        return []
    beside = list(known.signed(_CONSENSUS, "consensus"))[:1] or _revenue_as_pace(known)
    return [now, *list(known.signed(_QUARTER["net_profit_yoy_pct"], "quarter"))[:1], *beside]


def _revenue_as_pace(known: Known) -> list[Reference]:
    revenue = known.level("revenue_yoy_pct")
    return [Reference("revenue", revenue.value, revenue.facts)] if revenue else []


def _revenue_growth(known: Known) -> list[Reference]:
    """Growth so far and that of the last single quarter."""
    now = known.level("revenue_yoy_pct")
    return [] if now is None else [now, *list(known.signed(_QUARTER["revenue_yoy_pct"], "quarter"))[:1]]


def _cash(known: Known) -> list[Reference]:
    """Cash flow of the latest cumulative period and of the same one a year before, as the sentences state it."""
    metric = "operating_cash_flow_cny"
    stated = sorted((f for f in known.scene.facts if f.metric == metric), key=lambda fact: fact.as_of, reverse=True)
    amounts = [(fact.id, value) for fact in stated if (value := amount_in(fact.sentence)) is not None][:2]
    return [
        Reference(kind, value, (fid,)) for kind, (fid, value) in zip(("latest", "year_before"), amounts, strict=False)
    ]


def _earnings_per_share(known: Known) -> list[Reference]:
    """Each broker's newest forecast for the year under way, and where there is a profit the last four quarters."""
    found = _forecasts(known.scene)
    close, multiple = known.latest("close_cny"), known.latest("pe_ttm")
    if not found or close is None or multiple is None or close.as_of != multiple.as_of:
        return found
    if close.value is None or multiple.value is None or multiple.value <= 0:
        return found
    return [*found, Reference("trailing", close.value / multiple.value, (multiple.id, close.id))]


def _forecasts(scene: Scene) -> list[Reference]:
    by_broker: dict[str, Reference] = {}
    for fact in sorted(scene.facts, key=lambda fact: fact.as_of):
        if (found := _EPS.search(fact.sentence)) and int(found[2]) == scene.trade_date.year:
            by_broker[found[1]] = Reference("broker", float(found[3]), (fact.id,))
    return list(by_broker.values())


_OF: dict[str, Callable[[Known], list[Reference]]] = {
    "net_profit_yoy_pct": _profit_growth,
    "revenue_yoy_pct": _revenue_growth,
    "gross_margin_pct": _against_last_year("gross_margin_pct", "毛利率"),
    "operating_cash_flow_cny": _cash,
    "debt_ratio_pct": _against_last_year("debt_ratio_pct", "资产负债率"),
    "roe_pct": _against_last_year("roe_pct", "净资产收益率"),
    "eps_cny": _earnings_per_share,
}
