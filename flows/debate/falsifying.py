"""Which falsifiers can be met at all and say something when they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flows.contracts.transcripts import Falsifier, Side
from flows.debate.blind import side_names
from flows.debate.grounds import is_lasting
from flows.debate.metrics import is_cumulative, is_percentile
from flows.debate.state import Record

#: Metrics that are never above zero, and metrics that are never below.
_NEVER_POSITIVE = frozenset({"drawdown_52w_pct"})
_NEVER_NEGATIVE = frozenset({"pledge_ratio_pct", "debt_ratio_pct", "volatility_60d_pct", "close_cny"})


def telling(record: Record, items: Iterable[Falsifier]) -> Iterator[Falsifier]:
    """The falsifiers that can happen and have not happened yet, one per side and metric."""
    seen: set[tuple[object, str | None]] = set()
    for item in items:
        if (item.side, item.metric) not in seen and can_falsify(record, item):
            seen.add((item.side, item.metric))
            yield item


def can_falsify(record: Record, item: Falsifier) -> bool:
    """Whether the condition is possible, not already true, and more than today's level of one measure.

    A price's place in its own history refutes nothing, a short window of the past will have passed by the due
    date, and a measure that adds up within the year compares with the same period only, or with zero.
    """
    metric, limit = item.metric, item.threshold
    if metric is None or limit is None or is_percentile(metric) or not is_lasting(metric):
        return False
    if _is_impossible(metric, item.operator, limit) or _is_out_of_scope(record, item, metric, limit):
        return False
    present = record.present_value(metric)
    if present is not None and _is_of_the_year(record, item, metric, limit):
        return present > 0 and not (item.operator == ">" and present > limit)
    if present is None:
        return True
    is_met = present < limit if item.operator == "<" else present > limit
    return not is_met and abs(present - limit) > 0.005 * max(1.0, abs(present))


def _is_impossible(metric: str, operator: str | None, limit: float) -> bool:
    if operator == ">":
        return metric in _NEVER_POSITIVE and limit >= 0
    return metric in _NEVER_NEGATIVE and limit <= 0


def _is_out_of_scope(record: Record, item: Falsifier, metric: str, limit: float) -> bool:
    if not is_cumulative(metric) or limit == 0 or _is_of_the_year(record, item, metric, limit):
        return False
    quarters = {fact.period[4:] for fact in record.pack.facts if fact.field == metric and fact.period}
    return item.period[4:] not in quarters


def _is_of_the_year(record: Record, item: Falsifier, metric: str, limit: float) -> bool:
    """Whether earnings per share of a full year are meant, which no cumulative value of a part of it bears on."""
    if metric != "eps_cny" or not item.period.endswith("Q4"):
        return False
    parts = [f.value for f in record.pack.facts if f.field == metric and isinstance(f.value, int | float)]
    return limit != 0 and all(round(part, 2) != round(limit, 2) for part in parts)


def none_found(record: Record, side: Side) -> Falsifier:
    """The line that says a side cannot be proved wrong by any number at hand."""
    name = side_names(record.protocol)[side]
    return Falsifier(
        falsifier_id="",
        side=side,
        description=f"没有找到能用数据推翻{name}的条件，{name}的结论应从严看待",
        metric=None,
        operator=None,
        threshold=None,
        unit=None,
        due_date=None,
    )
