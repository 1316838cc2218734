"""Values that cannot be, whatever the facts: a high below the low, a negative amplitude, a percentile above 100."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.grammar.lexicon import LEVEL, PERCENTILE

#: Concept → (smallest, largest) possible level.
_BOUNDS: dict[str, tuple[float, float]] = {
    "amplitude": (0.0, float("inf")), "rsi": (0.0, 100.0), "turnover_rate": (0.0, 100.0), "pledge_ratio": (0.0, 100.0),
    "position": (0.0, 100.0), "volatility": (0.0, float("inf")), "volume_ratio": (0.0, float("inf")), "price": (0.0,
    float("inf")),
    "chip_profit": (0.0, 100.0), "market_cap": (0.0, float("inf")), "margin_balance": (0.0, float("inf")),
    "pb": (-1e4, 1e4),
}  # fmt: skip
_INSIDE = ("price", "open", "day_low")


def impossible(found: Sequence[Statement]) -> Iterator[tuple[Statement, str]]:
    """Statements of one sentence or table row that contradict arithmetic, with the reason in Chinese."""
    for s in found:
        reason = _out_of_bounds(s)
        if reason:
            yield s, reason
    yield from _bars(found)


def _out_of_bounds(s: Statement) -> str:
    value = s.quantity.value
    if s.form == PERCENTILE and not 0 <= value <= 100:
        return "分位必须在 0 与 100 之间"
    low, high = _BOUNDS.get(s.concept, (float("-inf"), float("inf")))
    if s.form == LEVEL and not s.quantity.direction and not low <= value <= high:
        return f"这一指标不可能{'为负' if value < low else f'超过 {high:g}'}"
    return ""


def _bars(found: Sequence[Statement]) -> Iterator[tuple[Statement, str]]:
    """High at least open, close and low; low at most open and close."""
    day = {
        s.concept: s
        for s in found
        if s.form == LEVEL
        and s.quantity.unit in {Unit.CNY, Unit.CNY_PER_SHARE, ""}
        and not s.quantity.direction
        and not s.period
    }
    high, low = day.get("day_high"), day.get("day_low")
    for name in _INSIDE:
        other = day.get(name)
        if high is not None and other is not None and high.quantity.value < other.quantity.value:
            yield high, f"最高价低于{_ZH[name]}"
            break
    for name in ("price", "open"):
        other = day.get(name)
        if low is not None and other is not None and low.quantity.value > other.quantity.value:
            yield low, f"最低价高于{_ZH[name]}"
            break


_ZH = {"price": "收盘价", "open": "开盘价", "day_low": "最低价"}
