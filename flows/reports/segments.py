"""Checked text cut into segments, so that Markdown, HTML and JSON strike through the same spans (PRODUCT T5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flows.contracts.transcripts import Check, CheckVerdict, Claim
from flows.contracts.units import UNIT_ZH, Unit


@dataclass(frozen=True)
class Segment:
    """A run of text: plain (verdict empty), or a checked span with what is right where it is wrong."""

    text: str
    verdict: str = ""
    right: str = ""
    fact_id: str = ""
    reason: str = ""

    @property
    def is_struck(self) -> bool:
        """Whether the span is shown struck through."""
        return self.verdict in {CheckVerdict.UNSUPPORTED, CheckVerdict.MISMATCH}


def segments(text: str, checks: Sequence[Check]) -> tuple[Segment, ...]:
    """*text* cut at the spans of *checks* (offsets into *text*); overlapping later spans are dropped."""
    parts: list[Segment] = []
    position = 0
    for check in sorted(checks, key=lambda c: (c.start, -c.end)):
        if check.start < position or check.end > len(text) or check.verdict is CheckVerdict.NOT_A_QUANTITY:
            continue
        if check.start > position:
            parts.append(Segment(text[position : check.start]))
        parts.append(_checked(text[check.start : check.end], check))
        position = check.end
    if position < len(text):
        parts.append(Segment(text[position:]))
    return tuple(parts)


def _checked(text: str, check: Check) -> Segment:
    right = ""
    if check.verdict.is_failure:
        right = "无据" if check.expected is None else f"应为 {quantity(check.expected, check.unit)}"
    return Segment(text, check.verdict.value, right, check.fact_id or "", check.reason)


def claim_segments(claim: Claim, checks: Sequence[Check]) -> dict[str, tuple[Segment, ...]]:
    """Segments of 结论, 依据 and 推演; offsets of *checks* run through ``Claim.text``."""
    parts, start = {}, 0
    for name in ("conclusion", "basis", "reasoning"):
        text = getattr(claim, name)
        inside = [
            c.model_copy(update={"start": c.start - start, "end": c.end - start})
            for c in checks
            if c.start >= start and c.end <= start + len(text)
        ]
        parts[name] = segments(text, inside)
        start += len(text)
    return parts


def quantity(value: float, unit: str | None) -> str:
    """A value with its unit as a Chinese reader writes it: 12.3 亿元, 6.8%, 18.5 倍."""
    if unit in {Unit.CNY, Unit.SHARES}:
        return _large(value) + UNIT_ZH[Unit(unit)]
    zh = UNIT_ZH.get(Unit(unit), "") if unit in set(Unit) else (unit or "")
    space = "" if zh in {"%", ""} else " "
    return f"{_trim(value)}{space}{zh}"


def _large(value: float) -> str:
    for size, word in ((1e12, " 万亿"), (1e8, " 亿"), (1e4, " 万")):
        if abs(value) >= size:
            return _trim(value / size) + word
    return _trim(value) + " "


def _trim(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
