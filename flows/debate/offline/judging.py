"""The offline judge: counts evidence that held, and names disagreements that are really there.

It reads labels, marks and metrics of the anonymous arguments, never their order or length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from flows.debate.grounds import root_of
from flows.debate.offline.reading import Scene

MARGIN = 6.0
SEATS = 6
#: How directly a dimension bears on whether a price is carried.
_BEARING = {"基本面": 1.0, "估值": 0.9, "风险": 0.9, "行业": 0.8, "资金": 0.6, "政策": 0.5, "技术": 0.4}
#: Measures of the price itself, whatever dimension they stand in: they restate what is asked.
_OF_THE_PRICE = re.compile(r"^(?:drawdown|volatility|daily_return|return|limit_|up_days|rsi|close|ma_)")
#: An argument that only says on which of two known values it stands brings less than one that brings a matter.
_VALUE, _VALUE_WEIGHT = re.compile(r"应以.{2,20}为准，而不是"), 0.5

_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_LINE = re.compile(
    r"^(?P<label>[AB]\d+) \[(?P<dimension>[^·\]]+)·(?P<source>[^·\]]+)(?P<doubt>·待验证)?\](?P<body>.*?)"
    r"(?:｜指标 (?P<metrics>[^｜]+))?"
    rf"(?:｜预期 (?P<metric>\w+)=(?P<value>{_NUMBER})(?:（现{_NUMBER}）)?@(?P<due>\S+))?$"
)
#: From this product of weight and bearing on an argument is direct evidence.
_WEIGHTY = 0.8
_WEIGHTS = {"公告": 1.0, "历史数据": 1.0, "新闻": 0.6, "逻辑推演": 0.5, "知识": 0.3}


@dataclass(frozen=True)
class Shown:
    """One anonymous argument."""

    label: str
    dimension: str
    source: str
    is_doubted: bool
    body: str
    metrics: dict[str, float]
    expected: tuple[str, float, date] | None

    @property
    def weight(self) -> float:
        """Weight by source, halved if it did not survive questioning, and if it only picks a value."""
        picked = _VALUE_WEIGHT if _VALUE.search(self.body) else 1.0
        return _WEIGHTS.get(self.source, 0.0) * (0.5 if self.is_doubted else 1.0) * picked

    @property
    def bearing(self) -> float:
        """How directly it bears on the proposition: by dimension, the price's own measures least."""
        if self.metrics and all(_OF_THE_PRICE.search(name) for name in self.metrics):
            return _BEARING["技术"]
        return _BEARING.get(self.dimension, 0.5)

    @property
    def is_weighty(self) -> bool:
        """Whether it is hard evidence that bears directly and is not marked as unproven."""
        return self.weight * self.bearing >= _WEIGHTY


def verdict(scene: Scene) -> dict[str, Any]:
    """Read the arguments and rule."""
    shown = list(_shown(scene.record))
    sides = {letter: [s for s in shown if s.label.startswith(letter)] for letter in "AB"}
    scores = {letter: _score(items) for letter, items in sides.items()}
    gap = scores["A"] - scores["B"]
    winner = "未决" if abs(gap) < MARGIN else "A" if gap > 0 else "B"
    return {
        "winner": winner,
        "score_a": scores["A"],
        "score_b": scores["B"],
        "evidence": _evidence(sides),
        "logic": _logic(sides, winner),
        "cites": _cites(sides, winner),
        "disagreements": list(_disagreements(sides))[:3],
        "watch": list(_watch(sides))[:4],
        "falsifiers": [],
    }


def _shown(record: str) -> Iterator[Shown]:
    for line in record.splitlines():
        if found := _LINE.match(line):
            metrics = dict(part.split("=") for part in (found["metrics"] or "").split() if "=" in part)
            expected = None
            if found["metric"]:
                expected = (found["metric"], float(found["value"]), date.fromisoformat(found["due"]))
            yield Shown(
                found["label"], found["dimension"], found["source"], bool(found["doubt"]), found["body"],
                {name: float(value) for name, value in metrics.items()}, expected,
            )  # fmt: skip


def _score(items: list[Shown]) -> float:
    """Evidence that held, weighted by how directly it bears on the proposition, up to the seats of a side."""
    weights = sorted((item.weight * item.bearing for item in items), reverse=True)[:SEATS]
    return round(min(100.0, 100 * sum(weights) / SEATS), 1)


def _strongest(items: list[Shown]) -> list[Shown]:
    return sorted(items, key=lambda item: (-item.weight * item.bearing, not item.metrics))


def _evidence(sides: dict[str, list[Shown]]) -> str:
    """Which arguments of each side are hard evidence that bears directly, and which are marked as unproven."""
    return "；".join(f"{letter} 方{_sorted_out(items)}" for letter, items in sides.items()) + "。"


def _sorted_out(items: list[Shown]) -> str:
    weighty = [item.label for item in items if item.is_weighty]
    doubted = [item.label for item in items if item.is_doubted]
    parts = [f"直接依据是{'、'.join(weighty)}" if weighty else "没有直接依据"]
    return "，".join(parts + ([f"{'、'.join(doubted)}质询后待验证"] if doubted else []))


def _logic(sides: dict[str, list[Shown]], winner: str) -> str:
    """Why the verdict follows: the arguments that decided, or that neither side's outweigh the other's."""
    leading = {letter: [item.label for item in _strongest(items)[:2]] for letter, items in sides.items()}
    named = "；".join(f"{letter} 方以{'、'.join(labels)}最重" for letter, labels in leading.items() if labels)
    if winner == "未决":
        return f"两方的证据分量接近，谁也没有推翻谁：{named}。"
    return f"按来源、与命题的远近、是否经受质询计权，{winner} 方合计更重：{named}。"


def _cites(sides: dict[str, list[Shown]], winner: str) -> list[str]:
    order = "AB" if winner == "未决" else winner + ("B" if winner == "A" else "A")
    labels = [item.label for letter in order for item in _strongest(sides[letter])[:2]]
    return labels or ["A1"]


def _disagreements(sides: dict[str, list[Shown]]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for one in _strongest(sides["A"]):
        for other in _strongest(sides["B"]):
            if not one.expected or not other.expected or one.expected[0] != other.expected[0]:
                continue
            metric = one.expected[0]
            if one.expected[1] == other.expected[1] or metric in seen:
                continue
            seen.add(metric)
            yield {"metric": metric, "a": one.label, "b": other.label, "assumption": root_of(metric)}


def _watch(sides: dict[str, list[Shown]]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    ranked = [_strongest(items) for items in sides.values()]
    for pair in zip(*ranked, strict=False):
        for item in pair:
            metric = next((name for name in item.metrics if name not in seen), None)
            if metric:
                seen.add(metric)
                yield {
                    "metric": metric,
                    "label": item.label,
                    "why": f"{item.label} 以它为依据",
                }
