"""Checked text cut into segments, so that Markdown, HTML and JSON strike through the same spans (PRODUCT T5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from flows.contracts.checks import Check
from flows.contracts.transcripts import Claim
from flows.contracts.units import Unit
from flows.evidence.phrasing import say
from flows.truth.consequences import Segment, segments

Line = tuple[Segment, ...]

_FLAT_BRACKETS = str.maketrans("（）", "〔〕")


def marked(text: str, checks: Sequence[Check]) -> Line:
    """*text* cut at the spans of *checks*, each failure with the right value or the reason beside it."""
    return tuple(_beside(part) for part in segments(text, checks))


def _beside(part: Segment) -> Segment:
    """The right value where a fact gives one, else why the span does not hold."""
    right = part.expected_text
    if part.is_struck and not right.startswith("应为"):
        right = part.reason or right
    return replace(part, expected_text=right.translate(_FLAT_BRACKETS))


def claim_parts(claim: Claim, checks: Sequence[Check]) -> dict[str, Line]:
    """Segments of 结论, 依据 and 推演; offsets of *checks* run through ``Claim.text``."""
    parts, start = {}, 0
    for name in ("conclusion", "basis", "reasoning"):
        text = getattr(claim, name)
        inside = [
            c.model_copy(update={"start": c.start - start, "end": c.end - start})
            for c in checks
            if c.start >= start and c.end <= start + len(text)
        ]
        parts[name] = marked(text, inside)
        start += len(text)
    return parts


def found_in(text: str, checks: Iterable[Check]) -> list[Check]:
    """The failed *checks* of a turn with offsets into *text*, which is what the turn shows of the checked words.

    A check whose words *text* does not hold belongs to another line.
    """
    return list(_found(text, checks))


def _found(text: str, checks: Iterable[Check]) -> Iterator[Check]:
    position = 0
    for check in sorted(checks, key=lambda c: c.start):
        at = text.find(check.text, position) if check.verdict.is_failure and check.text else -1
        if at >= 0:
            position = at + len(check.text)
            yield check.model_copy(update={"start": at, "end": position})


def plain(parts: Line) -> str:
    """The text of segments without markup."""
    return "".join(part.text for part in parts)


def quantity(value: float, unit: str | None) -> str:
    """A value written as the facts write it: 12.30亿元, 6.80%, 18.50倍."""
    return say(value, Unit(unit)) if unit in set(Unit) else f"{value:.2f}{unit or ''}"
