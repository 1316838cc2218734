"""Several numbers told together: A、B分别为x、y; 由x升至y; 前者为x，后者为y."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from flows.truth.claims.forms import as_of_mention
from flows.truth.claims.order import in_order
from flows.truth.claims.sides import of_side
from flows.truth.claims.statement import Span, Statement
from flows.truth.grammar.lexicon import LEVEL
from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading, When
from flows.truth.grammar.units import same_measure

_JOINER = re.compile(r"^\s*(?:、|和|及|与|以及|或|/)\s*$")
_BECOMES = re.compile(r"^(?:[^，。；、,;\d]{0,8}(?:到|至|为|成|变)了?|\s*(?:→|[-=—]+>|⇒))\s*$")
_ORDINAL_PARTY = re.compile(r"(?<!\()(?P<which>前者|后者)[^，。；,;\d]{0,6}$")
#: 2024Q3的5亿元: the period is the number's own.
_OWN_PERIOD = re.compile(r"^\s*(?:的|为|是|时|时的|：|:)?\s*(?:约|近)?$")
EARLIER = Period(relative="earlier")


def zipped(reading: Reading, found: Sequence[Statement]) -> list[Statement]:
    """``A、B分别为x、y``: the n-th number belongs to the n-th name, company or period."""
    result = list(found)
    index = 0
    while index < len(result):
        run = _run(reading, result, index)
        if len(run) >= 2:
            result[index : index + len(run)] = _assigned(reading, run)
        index += max(1, len(run))
    return result


def _run(reading: Reading, found: Sequence[Statement], index: int) -> list[Statement]:
    run = [found[index]]
    for following in found[index + 1 :]:
        if not _JOINER.match(reading.plain[run[-1].quantity.end : following.quantity.start]):
            break
        run.append(following)
    return run


def _assigned(reading: Reading, run: Sequence[Statement]) -> Iterator[Statement]:
    start = run[0].quantity.number_start
    floor = reading.sentence(start)[0]
    names = _last_joined(reading, [m for m in reading.mentions if floor <= m.start and m.end <= start], len(run))
    companies = _last_joined(reading, [c for c in reading.companies if floor <= c.start and c.end <= start], len(run))
    periods = _last_joined(reading, [p for p in reading.periods if floor <= p.start and p.end <= start], len(run))
    unit = next((s.quantity for s in reversed(run) if s.quantity.unit), None)
    for i, statement in enumerate(run):
        changed = statement
        if not statement.quantity.unit and unit is not None and i < len(run) - 1:
            changed = replace(changed, quantity=_lend_unit(statement.quantity, unit))
        if names:
            window = changed.window if names[i].window in {"", "yoy"} else names[i].window
            changed = replace(changed, concept=names[i].concept, mention=names[i], window=window)
        if companies:
            changed = replace(changed, company=companies[i].key, is_company_said=True)
        if periods:
            changed = replace(changed, period=periods[i].period, is_period_said=True)
        yield changed


def _lend_unit(q: Quantity, lender: Quantity) -> Quantity:
    """``18.5、1.8倍``: the last unit holds for the ones before it."""
    return replace(q, unit=lender.unit, unit_word=lender.unit_word)


def _last_joined(reading: Reading, spans: list[Span], length: int) -> list[Span]:
    """The last *length* spans if exactly so many are joined by 、 or 和."""
    if len(spans) < length:
        return []
    tail = spans[-length:]
    joined = all(_JOINER.match(reading.plain[a.end : b.start]) for a, b in pairwise(tail))
    longer = len(spans) > length and _JOINER.match(reading.plain[spans[-length - 1].end : tail[0].start])
    return tail if joined and not longer else []


def from_to(reading: Reading, found: Sequence[Statement]) -> list[Statement]:
    """Numbers without a period of their own in a sentence of several periods: 从2024Q3到2025Q3，…由5亿元变为6亿元.

    As many numbers as periods belong to them in order; 由A变为B with one period or none begins at an earlier one.
    """
    result = list(found)
    for i, (one, other) in enumerate(pairwise(found)):
        if _becomes(reading, one, other) and not _is_span(reading, one, other):
            result[i], result[i + 1] = _begun(reading, _lost(one, other), other)
    return [of_side(reading, _of_party(reading, s)) for s in in_order(reading, result)]


#: 从0.86亿元到1.07亿元, not 从0.86亿元增至1.07亿元
_UP_TO = re.compile(r"\s*(?:一直|直)?(?:到|至)\s*$")


def _is_span(reading: Reading, one: Statement, other: Statement) -> bool:
    """预告净利润从0.86亿元到1.07亿元: what is expected reaches from one end to the other, it does not move."""
    is_expected = one.is_forecast and other.is_forecast
    return is_expected and _UP_TO.match(reading.plain[one.quantity.end : other.quantity.number_start]) is not None


def _becomes(reading: Reading, one: Statement, other: Statement) -> bool:
    between = reading.plain[one.quantity.end : other.quantity.number_start]
    if not _BECOMES.match(between) or not same_measure(one.quantity.unit, other.quantity.unit):
        return False
    return not any(one.quantity.end <= p.start < other.quantity.start for p in reading.periods)


def _lost(one: Statement, other: Statement) -> Statement:
    """亏损由2.4亿元收窄至1.9亿元: what the loss began at is a loss too."""
    if not other.quantity.of_loss or one.quantity.direction:
        return one
    lost = replace(one.quantity, direction=-1, direction_word="亏损", of_loss=True)
    return replace(one, quantity=lost, concept=other.concept, mention=other.mention, form=other.form)


def _begun(reading: Reading, one: Statement, other: Statement) -> tuple[Statement, Statement]:
    start = reading.sentence(one.quantity.number_start)[0]
    said = [p for p in reading.periods if start <= p.start < one.quantity.start]
    own = [p for p in said if p.start >= one.clause[0] and _is_own(reading, p, one)]
    if own:
        rest = [p.period for p in said if p is not own[-1]]
        period = rest[-1] if rest else None
        return one, replace(other, period=period, is_period_said=bool(rest), is_period_carried=False)
    if len(said) == 2:
        first, second = (p.period for p in said)
        return replace(one, period=first, is_period_said=True), replace(other, period=second, is_period_said=True)
    if len(said) <= 1:
        base = said[0].period if said else None
        return replace(one, period=EARLIER, is_period_said=True, base=base), other
    return one, other


def _is_own(reading: Reading, period: When, s: Statement) -> bool:
    return bool(_OWN_PERIOD.match(reading.plain[period.end : s.quantity.start]))


def _of_party(reading: Reading, s: Statement) -> Statement:
    """前者为…，后者为…: the first or second of the two companies, periods or quantities named before."""
    match = _ORDINAL_PARTY.search(reading.plain[s.clause[0] : s.quantity.number_start])
    if match is None or s.form != LEVEL or reading.plain[s.clause[0] + match.end("which")] == "的":
        return s
    at = 0 if match["which"] == "前者" else 1
    start = reading.sentence(s.quantity.number_start)[0]
    companies = list(dict.fromkeys(c.key for c in reading.companies if start <= c.start < s.clause[0]))
    if len(companies) == 2:
        return replace(s, company=companies[at], is_company_said=True)
    periods = [p.period for p in reading.periods if start <= p.start < s.clause[0]]
    if len(periods) == 2:
        return replace(s, period=periods[at], is_period_said=True)
    named = list({m.concept: m for m in reading.mentions if start <= m.start < s.clause[0]}.values())
    return as_of_mention(reading, s, named[at]) if len(named) == 2 else s
