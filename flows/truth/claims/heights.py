"""How far a price lies below a high its sentence measures from: 自近52周最高点算起，股价累计下跌12%."""

from __future__ import annotations

import re
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.statement import Place
from flows.truth.grammar.lexicon import CHANGE, Mention

_HIGHS = frozenset({"drawdown", "high", "day_high"})
_FROM_HERE = re.compile(r"[自从较比与跟和距离拿以]|相对|参照")


def fallen_from(place: Place, mention: Mention) -> Mention | None:
    """The drawdown, where a fall of the price is measured from a high named before it with no number in between."""
    q, reading = place.quantity, place.reading
    if mention.concept != "price" or q.unit != Unit.PCT or q.direction >= 0 or q.is_target:
        return None
    before = [m for m in reading.mentions if place.sentence[0] <= m.start < q.number_start and m.concept in _HIGHS]
    if not before or mention.start < before[-1].start:
        return None
    high = before[-1]
    clause = reading.clause(high.start)
    window = high.window or next((w.window for w in reversed(reading.windows) if clause[0] <= w.start < high.end), "")
    is_told = any(high.end <= o.number_start < q.start for o in reading.quantities if o.is_quantity)
    if is_told or (high.concept != "drawdown" and not _FROM_HERE.search(reading.plain, clause[0], high.start)):
        return None
    if high.concept == "day_high" and not window:
        return None
    return replace(high, concept="drawdown", form=CHANGE, window=window)
