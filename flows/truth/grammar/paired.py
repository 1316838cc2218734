"""Sentences that set two told things against each other by pronouns alone: 甲为a。乙为b。前者高于后者."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

#: 前者高于后者, - 结论：后者不及前者, 第二条低于第一条: a sentence that names both sides by their order, and no number.
_SIDE = r"(?:前者|后者|[前后]一(?:个|项|条|行|家)|第[一二](?:条|项|行|家|个|组))"
_BOTH_SIDES = re.compile(
    rf"[ \t]*(?:[-*•·]|\d{{1,2}}[.、)])?[^。！？!?\n\d]{{0,16}}?{_SIDE}[^。！？!?\n\d]{{1,24}}?{_SIDE}"
    r"[^。！？!?\n\d]{0,12}(?=[。！？!?\n]|$)"
)


def paired_up(plain: str, ends: Sequence[int], inside: Sequence[tuple[int, int]]) -> set[int]:
    """Ends that part such a sentence from the two numbers told before it; *inside* are quantities."""
    joined: set[int] = set()
    for n, end in enumerate(ends):
        if not _BOTH_SIDES.match(plain, end + 1):
            continue
        first = n if _numbers(inside, ends[n - 1] + 1 if n else 0, end) >= _TWO else n - 1
        if first >= 0 and _numbers(inside, ends[first - 1] + 1 if first else 0, end) >= _TWO:
            joined |= set(ends[first : n + 1])
    return joined


_TWO = 2


def _numbers(inside: Sequence[tuple[int, int]], start: int, stop: int) -> int:
    starts = [a for a, _ in inside]
    return bisect_left(starts, stop) - bisect_left(starts, start)
