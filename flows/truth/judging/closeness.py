"""Whether a written value states the right one in the rounding it was written in."""

from __future__ import annotations

from dataclasses import replace

from flows.truth.claims.forms import is_loss
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Reference
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE
from flows.truth.grammar.numbers import Quantity, Rough


def tolerance(q: Quantity) -> float:
    """Half the rounding step; 约 makes trailing zeros insignificant, up to 5 %."""
    half = q.step / 2 * (1 + 1e-9) + abs(q.value) * 1e-12
    if q.rough is Rough.EXACT:
        return half
    return max(half, min(_coarse(q) / 2, 0.05 * abs(q.value)))


def _coarse(q: Quantity) -> float:
    """Step of the last significant digit, trailing zeros left out, at most a fifth of the number (超10亿)."""
    step = q.step
    while abs(q.value) > 0 and abs(q.value / (step * 10) - round(q.value / (step * 10))) < 1e-9:
        step *= 10
    return min(step, 0.2 * abs(q.value))


def _nearly(q: Quantity) -> float:
    """How far below a number 近 may reach: what rounds to it where it is coarse (近三成), else a twelfth (近20亿元)."""
    return q.step / 2 if q.step > 0.1 * abs(q.value) else 0.08 * abs(q.value)


def near(q: Quantity, said: float, right: float) -> bool:
    """Whether *said* states *right* in the rounding of *q*; 超 and 近 bound it on one side."""
    if q.rough is Rough.ABOVE:
        return right >= said
    if q.rough is Rough.BELOW:
        return right <= said
    below, above = _reach(q)
    return said * right >= 0 and -below <= abs(right) - abs(said) <= above


def _reach(q: Quantity) -> tuple[float, float]:
    """How far below and above the written number the right one may lie."""
    exact, far = q.step * 1e-6, max(q.step, _coarse(q))
    if q.rough is Rough.OVER:
        return exact, far
    if q.rough is Rough.UNDER:
        return far, exact
    if q.rough is Rough.NEARLY:
        return _nearly(q), q.step / 2
    return tolerance(q), tolerance(q)


def said_value(s: Statement) -> float:
    """The value with its sign: direction words count for changes and losses, not for levels."""
    q = s.quantity
    if s.concept == "drawdown" and not q.direction and not q.has_sign:
        return -abs(q.value)
    return q.signed(q.value) if s.form in {CHANGE, DIFFERENCE} or is_loss(q) else q.value


def value_holds(s: Statement, r: Reference) -> tuple[bool, bool]:
    """(holds within the rounding written, is exact)."""
    q = s.quantity
    said = said_value(s)
    if q.high is not None:
        high = q.signed(q.high) if s.form in {CHANGE, DIFFERENCE} or is_loss(q) else q.high
        if r.high is None:
            return (False, False)
        pair, right = sorted((said, high)), sorted((r.value, r.high))
        return all(near(q, a, b) for a, b in zip(pair, right, strict=True)), pair == right
    if r.high is not None:
        plain = replace(q, rough=Rough.EXACT)  # 至多6.86亿元 names the end itself
        ends = any(near(written, said, end) for written in (q, plain) for end in (r.value, r.high))
        return ends, ends
    if s.is_forecast and q.rough in {Rough.OVER, Rough.UNDER}:
        q = replace(q, rough=Rough.EXACT)  # 最少6.97亿元、最多8.71亿元 name the ends of what is expected
    return near(q, said, r.value), abs(said - r.value) <= 1e-9 * max(1.0, abs(r.value))


def is_mirrored(s: Statement, r: Reference) -> bool:
    """Whether only the sign is wrong."""
    return (
        r.high is None
        and s.quantity.high is None
        and near(s.quantity, abs(said_value(s)), abs(r.value))
        and said_value(s) * r.value < 0
    )
