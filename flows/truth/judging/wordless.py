"""Numbers under no word of their own: 从17.51亿元到17.17亿元, 瑶池饮品23.12倍, 10月15日336万股.

Such a number may be of any quantity, so its digits must tell it: three figures at least, in a unit, company, period
and day that fit, and no word of the sentence must still wait for a number.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import RULE, Ledger, Reference
from flows.truth.grammar.companies import INDUSTRY, SUBJECT
from flows.truth.grammar.lexicon import CHANGE, LEVEL, SHARE, Mention, concepts
from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.periods import Day, Period
from flows.truth.grammar.reading import Reading
from flows.truth.grammar.units import written_fits
from flows.truth.judging.closeness import near

#: Figures by which a number without a word can be told: of a quantity spoken of, and of any other.
_TELLING, _ALONE = 3, 4
#: Quantities a number's unit alone tells: a share price, a holder's shares, a multiple, a broker's forecast.
_BY_UNIT = frozenset({"price", "holder_change", "total_shares", "pe", "forecast_eps", "eps"})
_OF_SHARES = re.compile(r"占|股本|增持|买|持股")
#: Somebody or something the number is said of: a holder, a broker.
_PLACED = re.compile(r"股东|增持|减持|股本|集团|证券|机构|投资")
_SOME_TELLERS = re.compile(r"[两三四五几]家(?!公司)|机构|券商|卖方")
_BEHIND = frozenset({"", "的", "是", "为"})


def of_no_word(
    reading: Reading, s: Statement, ledger: Ledger, cited: frozenset[str] | None, spoken_of: Set[str]
) -> tuple[Statement, Reference] | None:
    """*s* as a statement of the one quantity its digits tell, with the reference that holds it.

    Of what the sentence speaks of (*spoken_of*), and of what its unit alone tells, three figures are enough; any other
    amount needs four.
    """
    if not is_wordless(reading, s):
        return None
    sentence = reading.plain[slice(*reading.sentence(s.quantity.number_start))]
    is_placed = bool(spoken_of) or s.is_company_said or s.day is not None or bool(_PLACED.search(sentence))
    fitting = [
        r
        for r in ledger.references
        if r.is_cited(cited)
        and _is_telling(s.quantity, r, spoken_of, is_placed=is_placed)
        and _fits(s, r, ledger, sentence)
    ]
    if not fitting:
        return None
    best = min(fitting, key=lambda r: (bool(r.formula), not r.is_own, -_recency(r)))
    period = best.period or s.period
    return replace(s, concept=best.concept, form=best.form, period=period), best


def _recency(r: Reference) -> int:
    return r.period.order if r.period is not None and r.period.is_complete else 0


def _is_telling(q: Quantity, r: Reference, spoken_of: Set[str], *, is_placed: bool) -> bool:
    if q.high is not None or q.value == 0 or not q.unit or q.step <= 0:
        return False
    if r.concept == "total_shares" and r.form == LEVEL:
        return q.is_scaled and abs(q.value - r.value) <= _WHOLE_SHARES * r.value
    if r.formula and r.concept not in spoken_of:
        return False
    is_amount = q.is_scaled and q.unit == Unit.CNY
    is_known = r.concept in spoken_of or (is_placed and r.concept in _BY_UNIT and not is_amount)
    figures = round(abs(q.value) / q.step)
    return figures >= 10 ** ((_TELLING if is_known else _ALONE) - 1) or (is_known and q.step <= 0.01)


#: 8亿股: how exactly a company's shares are told in whole hundred millions.
_WHOLE_SHARES = 0.005


def is_wordless(reading: Reading, s: Statement) -> bool:
    """Whether no word names the number: none beside it, and none of the sentence that still waits for one.

    What a company costs now (某公司现在54.49元) is named by that: only its share's price.
    """
    q = s.quantity
    if s.mention is None and s.concept == "price" and s.form == LEVEL:
        return False
    start, stop = reading.sentence(q.number_start)
    if s.mention is not None and s.mention.start < start:
        return False
    before = [o.end for o in reading.quantities if o.is_quantity and s.clause[0] <= o.start and o.end <= q.start]
    floor = max([s.clause[0], *before])
    for m in reading.mentions:
        if not start <= m.start < stop:
            continue
        if floor <= m.start and m.end <= q.number_start:
            return False
        if q.end <= m.start and reading.plain[q.end : m.start] in _BEHIND:
            return False
        if _could_name(m, q) and not _is_taken(reading, m, q):
            return False
    return True


def _could_name(m: Mention, q: Quantity) -> bool:
    unit = concepts()[m.concept].unit
    return written_fits(q.unit, unit) or (q.unit == Unit.PCT and m.form == CHANGE)


_LISTED = re.compile(r"\s*(?:、|和|与|及|以及)\s*")


def _is_taken(reading: Reading, m: Mention, q: Quantity) -> bool:
    """Whether another number of the clause is the word's: the first behind it, or the one right before it.

    In a list of words (A、B、C分别为x、y、z) no number is the first one's alone.
    """
    if any(_LISTED.fullmatch(reading.plain[min(m.end, o.end) : max(m.start, o.start)]) for o in reading.mentions):
        return False
    stop = reading.clause(m.start)[1]
    others = [o for o in reading.quantities if o.is_quantity and o is not q]
    behind = [o for o in reading.quantities if o.is_quantity and m.end <= o.number_start < stop]
    if behind and behind[0] is not q:
        return True
    return any(o.end <= m.start and reading.plain[o.end : m.start] in {"", "的"} for o in others)


def _fits(s: Statement, r: Reference, ledger: Ledger, sentence: str) -> bool:
    q = s.quantity
    if r.high is not None or r.company in {RULE, INDUSTRY} or r.is_condition:
        return False
    if r.company != (s.company if s.is_company_said else SUBJECT) or not written_fits(q.unit, r.unit):
        return False
    if r.form not in {LEVEL, SHARE} or (r.form == SHARE and not _OF_SHARES.search(sentence)):
        return False
    if q.unit == Unit.PCT and r.form != SHARE:
        return False
    if (q.is_scaled and r.unit == Unit.CNY_PER_SHARE) or not near(q, q.value, r.value):
        return False
    return _moves_alike(s, r) and _time_fits(s, r, ledger) and _is_of_teller(r, ledger, sentence)


def _moves_alike(s: Statement, r: Reference) -> bool:
    """再增248万股 is of a holder's purchase; no level is a move."""
    q = s.quantity
    if q.direction == 0 or q.is_target:
        return True
    return r.concept == "holder_change" and q.direction > 0 and r.value > 0 and r.course >= 0


def _time_fits(s: Statement, r: Reference, ledger: Ledger) -> bool:
    if s.window and r.window and s.window != r.window:
        return False
    if s.day is not None and s.day.day is not None:
        day = s.day.day
        if not any(one.meets(day) if isinstance(one, Day) else day.is_day(one) for one in r.days):
            return False
    said = ledger.resolved(s.period) if s.is_period_said or s.is_period_carried else None
    latest = ledger.latest(r.concept, r.company) if r.is_own else None
    if said is None or said.relative:
        return _relative_fits(said, s, r, latest)
    if r.period is None:
        return False
    if r.concept == "forecast_eps":
        return said.year in {None, r.period.year}
    return said.year in {None, r.period.year} and said.quarter in {None, r.period.quarter}


def _relative_fits(said: Period | None, s: Statement, r: Reference, latest: Period | None) -> bool:
    """Whether *r* is of 上年同期, of any time before, or of the latest."""
    if said is not None and said.relative == "prior_year" and r.period is not None:
        return any(now is not None and r.period == now.shifted(-1) for now in (s.base, latest))
    is_past = said is not None and said.relative in {"earlier", "last_year"}
    return r.period is None or latest is None or (r.period.order < latest.order) is is_past


def _is_of_teller(r: Reference, ledger: Ledger, sentence: str) -> bool:
    """A broker's forecast is only told where the sentence names the broker."""
    tellers = [name for name, ids in ledger.sources.items() if r.fact.id in ids]
    return not tellers or any(name in sentence for name in tellers) or bool(_SOME_TELLERS.search(sentence))
