"""Clauses without a number that say of whom and of when the number before them is: 24.6%；来源：某公司."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flows.truth.claims.naming import without_common
from flows.truth.claims.statement import has_number
from flows.truth.grammar.reading import Reading
from flows.truth.grammar.sentences import TAKEN_UP

#: What opens a clause that only says of whom or of when the number before it was.
_OPENING = re.compile(r"\s*(?:正|这|也)?(?:是|对)?")
_CONTRAST = re.compile(r"(?:但|而|不过|然而|却|且|同时)")


def trailing(reading: Reading, end: int) -> Iterator[tuple[int, int]]:
    """Bounds of the numberless clauses behind offset *end*, the end of a clause.

    Only the first behind a comma may say something of its own; a further one is made of companies, periods, windows
    and words that tell nothing (2.5亿元。期间：2024Q4。主体：某公司).
    """
    position = end
    may_tell = reading.plain[end : end + 1] in {"，", ",", "—"} or bool(TAKEN_UP.match(reading.plain, end + 1))
    while position < len(reading.plain):
        start = _opened(reading, position)
        stop = reading.clause(start)[1]
        if start >= stop or has_number(reading, start) or not (may_tell or _adds_nothing(reading, start, stop)):
            return
        yield start, stop
        position, may_tell = stop, False


def is_contrast(reading: Reading, start: int) -> bool:
    """Whether a clause opens with 但, 而 or the like: it speaks of something else."""
    return _CONTRAST.match(reading.plain, start) is not None


def _opened(reading: Reading, position: int) -> int:
    """Where the clause behind the punctuation at *position* begins to say something."""
    after = position
    while after < len(reading.plain) and reading.plain[after] in "，,；;。！!？?—|\n ":
        after += 1
    lead = _OPENING.match(reading.plain, after)
    return lead.end() if lead else after


def _adds_nothing(reading: Reading, start: int, stop: int) -> bool:
    return not without_common(reading, start, stop)
