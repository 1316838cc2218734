"""Names told in two parts: 每一股背后的净资产, 归到每一股上，…的收益, 股权质押一项，…的是比例."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: What may stand between the two parts: anything but the end of the sentence and a number with its unit.
_BETWEEN = r"(?:(?!\d[\d.,]*\s*(?:[万亿]|元|%|倍|股))[^。！？!?\n；;]){0,30}?"


@dataclass(frozen=True, slots=True)
class SplitName:
    """A concept whose name stands apart; the second part is where it is named."""

    concept: str
    pattern: re.Pattern[str]


def split_names(table: Mapping[str, Sequence[Sequence[str]]]) -> tuple[SplitName, ...]:
    """Patterns of *table*: concept → pairs of (first part, second part), both regular expressions."""
    return tuple(
        SplitName(concept, re.compile(rf"(?P<head>{head}){_BETWEEN}(?P<tail>{tail})"))
        for concept, pairs in table.items()
        for head, tail in pairs
    )


def split_spans(plain: str, names: Sequence[SplitName], known: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Span of the second part → concept, where neither part belongs to a longer name (*known*, every name found)."""
    found: dict[tuple[int, int], str] = {}
    for name in names:
        for match in name.pattern.finditer(plain):
            tail, head = match.span("tail"), match.span("head")
            overlapping = [k for k in known if k[0] < tail[1] and tail[0] < k[1]]
            if any(k[0] < head[1] and head[0] < k[1] for k in known) or any(k != tail for k in overlapping):
                continue
            found.setdefault(tail, name.concept)
    return found
