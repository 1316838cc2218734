"""How a failed check is shown (PRODUCT T5): struck through, with the right value beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.units import UNIT_ZH, Unit


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text; *verdict* is None where nothing was checked, *expected_text* what is right where it is wrong."""

    text: str
    verdict: CheckVerdict | None = None
    expected_text: str = ""
    fact_id: str | None = None
    reason: str = ""

    @property
    def is_struck(self) -> bool:
        """Whether it is shown struck through."""
        return self.verdict is not None and self.verdict.is_failure


def write_value(value: float, unit: str | None) -> str:
    """*value* as a Chinese reader writes it: ``1.23亿元``, ``-6.8%``, ``18.5倍``, ``第35名``."""
    if unit == Unit.RANK:
        return f"第{value:.0f}名"
    word = UNIT_ZH[Unit(unit)] if unit in set(Unit) else (unit or "")
    if unit in {Unit.CNY, Unit.SHARES}:
        for size, scale in ((1e12, "万亿"), (1e8, "亿"), (1e4, "万")):
            if abs(value) >= size:
                return f"{_trim(value / size)}{scale}{word}"
    return f"{_trim(value)}{word}"


def _trim(value: float) -> str:
    text = f"{value:.4f}" if abs(value) < 1 else f"{value:.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def correction(check: Check) -> str:
    """What stands beside a failing span: the right value with its fact, or 无据."""
    if check.verdict is CheckVerdict.MISMATCH and check.expected is not None:
        source = f"，{check.fact_id}" if check.fact_id else ""
        return f"应为{write_value(check.expected, check.unit)}{source}"
    return "无据" if check.verdict is CheckVerdict.UNSUPPORTED else "不符"


def segments(text: str, checks: Sequence[Check]) -> tuple[Segment, ...]:
    """*text* cut at the spans of *checks*; of overlapping failures the longer stands."""
    parts: list[Segment] = []
    position = 0
    for check in sorted(checks, key=lambda c: (c.start, not c.verdict.is_failure, -c.end)):
        if check.start < position or check.end > len(text) or check.verdict is CheckVerdict.NOT_A_QUANTITY:
            continue
        if check.start > position:
            parts.append(Segment(text[position : check.start]))
        right = correction(check) if check.verdict.is_failure else ""
        parts.append(Segment(text[check.start : check.end], check.verdict, right, check.fact_id, check.reason))
        position = check.end
    if position < len(text):
        parts.append(Segment(text[position:]))
    return tuple(parts)


def to_markdown(parts: Sequence[Segment]) -> str:
    """Segments as Markdown: ``~~下降6.8%~~（应为…）``."""
    return "".join(f"~~{part.text}~~（{part.expected_text}）" if part.is_struck else part.text for part in parts)
