"""Which falsifiers can be met at all and say something when they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flows.contracts.metrics import METRICS
from flows.contracts.transcripts import Falsifier
from flows.debate.metrics import is_percentile
from flows.debate.state import Record

#: Values of one single session: met or missed by chance.
_ONE_DAY = frozenset({"main_net_cny", "volume_ratio_5d", "turnover_pct", "popularity_rank"})
#: Metrics that are never above zero, and metrics that are never below.
_NEVER_POSITIVE = frozenset({"drawdown_52w_pct"})
_NEVER_NEGATIVE = frozenset(
    {"pledge_ratio_pct", "debt_ratio_pct", "volatility_60d_pct", "up_days_60d", "limit_down_days_60d", "close_cny"}
)
#: The worst days' quantile lies above zero only if the stock hardly ever falls: no test of an argument.
_TAILS = "daily_return_q"


def telling(record: Record, items: Iterable[Falsifier]) -> Iterator[Falsifier]:
    """The falsifiers that can happen and have not happened yet, one per side and metric."""
    seen: set[tuple[object, str | None]] = set()
    for item in items:
        if (item.side, item.metric) not in seen and can_falsify(record, item):
            seen.add((item.side, item.metric))
            yield item


def can_falsify(record: Record, item: Falsifier) -> bool:
    """Whether the condition is possible, not already true, and more than today's level of one measure."""
    metric, limit = item.metric, item.threshold
    if metric is None or limit is None or metric in _ONE_DAY or metric.startswith(_TAILS):
        return False
    if _is_impossible(metric, item.operator, limit):
        return False
    present = record.present_value(metric)
    if present is None:
        return True
    is_met = present < limit if item.operator == "<" else present > limit
    is_level_today = METRICS[metric].is_level and abs(present - limit) <= 0.005 * max(1.0, abs(present))
    return not is_met and not is_level_today


def _is_impossible(metric: str, operator: str | None, limit: float) -> bool:
    if operator == ">":
        return (metric in _NEVER_POSITIVE and limit >= 0) or (is_percentile(metric) and limit >= 100)
    return (metric in _NEVER_NEGATIVE or is_percentile(metric)) and limit <= 0
