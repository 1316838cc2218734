"""What a number claims: of which company and quantity, in which form, for which period.

A number is read with its clause; what the clause leaves out is inherited from the clauses before it in the sentence.
Inherited company and period are *soft*: they may be wrong about this clause, so they permit more than they demand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.apposition import named_behind
from flows.truth.claims.brackets import in_brackets
from flows.truth.claims.day_shares import of_days
from flows.truth.claims.forms import MOVES, form_of
from flows.truth.claims.heights import fallen_from
from flows.truth.claims.naming import (
    borrowed,
    label_of,
    labels_directly,
    mention_of,
    of_loss,
    of_range,
)
from flows.truth.claims.owners import company_of, compared_with
from flows.truth.claims.parties import paired
from flows.truth.claims.runs import from_to, zipped
from flows.truth.claims.statement import Place, Statement
from flows.truth.claims.timing import day_of, period_of, said_before
from flows.truth.claims.windows import window_of
from flows.truth.grammar.companies import SUBJECT
from flows.truth.grammar.lexicon import CHANGE, Mention
from flows.truth.grammar.numbers import Quantity, Rough
from flows.truth.grammar.reading import Reading
from flows.truth.grammar.units import same_measure
from flows.truth.grammar.wording import alternatives

_RULE = re.compile(alternatives("rules.words"))
_FORECAST = re.compile(alternatives("forecasts.words"))
_PRICE_MOVE = re.compile(alternatives("forms.price_moves"))
_TEN_SHARES = re.compile(r"每\s*(?:10|十)\s*股|(?<!\d)10(?=\s*[派转送])")
_ADDS, _TAKES = re.compile(alternatives("events.adds")), re.compile(alternatives("events.takes"))


def statements(reading: Reading, company: str = SUBJECT) -> list[Statement]:
    """One statement per quantity of *reading*, in order; *company* is meant where none is named."""
    found: list[Statement] = []
    for quantity in reading.quantities:
        if quantity.is_quantity:
            found.append(_statement(Place(reading, _owned(reading, quantity)), found))
    together = in_brackets(reading, paired(reading, from_to(reading, zipped(reading, found))))
    told = [of_days(reading, _per_ten(reading, s)) for s in together]
    if company == SUBJECT:
        return told
    return [replace(s, company=company, is_company_said=True) if s.company == SUBJECT else s for s in told]


_COMPARES = re.compile(r"(?:[高低大小多少]于|超过|不及)\s*$")


def _owned(reading: Reading, q: Quantity) -> Quantity:
    """高于11.17倍的行业平均, 7.19倍低于13.45倍: what is held against a name or a number is a value, not a bound."""
    word = _COMPARES.search(reading.plain, max(0, q.number_start - 4), q.number_start)
    if q.rough == Rough.EXACT or word is None:
        return q
    at = q.end + 1 if reading.plain[q.end : q.end + 1] == "的" else -1
    is_named = any(c.start == at for c in reading.companies) or any(p.start == at for p in reading.periods)
    is_told = any(
        other.end == word.start() and other.is_quantity and same_measure(other.unit, q.unit)
        for other in reading.quantities
    )
    return replace(q, rough=Rough.EXACT) if is_named or is_told else q


def _statement(place: Place, before: Sequence[Statement]) -> Statement:
    q = place.quantity
    behind = named_behind(place)
    own = behind.mention if behind else mention_of(place)
    label = "" if own else label_of(place.reading, place.clause[0], q)
    is_free = not label or _is_times_another(place) or _is_other_side(place)
    mention = _named(place, own, before, topics_only=not is_free)
    gap_start = own.end if own is not None and own.end <= q.number_start else place.clause[0]
    form, basis = form_of(place, mention, place.reading.plain[gap_start : q.number_start])
    basis = basis or _basis_before(place, before, mention, form)
    period, origin = period_of(place, form)
    company, company_said = company_of(place, form)
    if behind is not None and behind.company is not None and not place.own(place.reading.companies):
        company, company_said = behind.company, behind.company.key != SUBJECT
    if behind is not None and behind.when is not None and not place.own(place.reading.periods):
        period, origin = behind.when.period, "said"
    key = company.key if company else SUBJECT
    gap = place.reading.plain[gap_start : q.number_start]
    return Statement(
        q, mention.concept if mention else "", label, form, basis, key, company.statistic if company else "",
        company_said, period, origin == "said", origin == "carried", window_of(place, mention), day_of(place),
        place.clause,
        bare_ok=own is not None and labels_directly(gap), mention=None if _is_implied(mention, q) else mention,
        is_forecast=q.high is not None or bool(_FORECAST.search(place.reading.plain, *place.sentence)),
        is_rule=_states_rule(place) and not (company_said and key == SUBJECT),
        against=compared_with(place) if form in MOVES else "", base=said_before(place), course=_course(place, mention),
    )  # fmt: skip


def _is_times_another(place: Place) -> bool:
    """相对估值为行业平均的0.69倍——公司PB…: a multiple of another's value is of what its sentence goes on to name."""
    q, plain = place.quantity, place.reading.plain
    if q.unit != Unit.MULTIPLE or plain[q.number_start - 1 : q.number_start] != "的":
        return False
    ends = {span.end for span in place.reading.companies} | {span.end for span in place.reading.periods}
    return q.number_start - 1 in ends


_HOLDS_AGAINST = re.compile(r"(?:[高低大小多少优强弱逊]于|超过|不及|胜过|落后于?|领先于?)[^，。；\d]{0,12}$")


def _is_other_side(place: Place) -> bool:
    """…7.2倍，超过同组的某公司（5.1倍）: what is held against a name is of what the clause before it tells."""
    reading, start = place.reading, place.clause[0]
    last = place.own(reading.companies)[-1:]
    near = [c for c in last if reading.plain[c.end : place.quantity.start].strip() in {"(", "的"}]
    return bool(near) and _HOLDS_AGAINST.search(reading.plain[start : near[0].start]) is not None


#: ROE同比变了多少？答：降低2.11个百分点
_ASKED_YOY = re.compile(r"同比[^，。；？?]{0,8}[？?]")


def _basis_before(place: Place, before: Sequence[Statement], mention: Mention | None, form: str) -> str:
    """每股收益同比上升22%，金额上提高1.32元: the second move of one quantity is from where the first is."""
    if form in MOVES and _ASKED_YOY.search(place.reading.plain, place.sentence[0], place.clause[0]):
        return "yoy"
    last = before[-1] if before else None
    if last is None or form not in MOVES or last.form not in MOVES or last.quantity.start < place.sentence[0]:
        return ""
    is_alone = not place.own(place.reading.periods) and not compared_with(place)
    return last.basis if is_alone and mention is not None and mention.concept == last.concept else ""


def _named(place: Place, own: Mention | None, before: Sequence[Statement], *, topics_only: bool) -> Mention | None:
    """The word that names the number's quantity, adjusted to what the number can be."""
    q = place.quantity
    if own is None and _is_price_now(place):
        return Mention(q.start, q.start, "price")
    mention = own or borrowed(place, before, topics_only=topics_only)
    if mention is not None and (fallen := fallen_from(place, mention)) is not None:
        return fallen
    if q.of_loss:
        mention = of_loss(own, q)
    if before and _is_price_change(place, before[-1]):
        return Mention(q.start, q.start, "price", CHANGE, "1d")
    if mention is None or (mention.start >= place.clause[1] and q.unit == Unit.PCT):
        return _implied(place) or mention
    if mention.concept == "previous_close" and q.unit == Unit.PCT:
        return replace(mention, concept="price", form=CHANGE, window="1d")
    return of_range(mention, before[-1] if before else None, place)


_NOW = r"(?:现在|目前|如今|眼下|当下|此刻|今天|今日|当前|最新|现)"
#: 某公司现在23.17元, 眼下某公司23.17元一股
_NOW_AT = re.compile(rf"{_NOW}(?:已经?|只|才|都|就|是|为|来到|到了?|卖|要|报|停在|\s)*$")


#: No share costs more; 如今9,348,013,150元 is an amount.
_DEAREST = 1e5


def _is_price_now(place: Place) -> bool:
    """某公司现在23.17元/股: what a company costs now, with no word for the quantity, is its share's price."""
    q, reading = place.quantity, place.reading
    if q.unit not in {Unit.CNY, Unit.CNY_PER_SHARE} or q.is_scaled or q.direction or q.high is not None:
        return False
    if q.value > _DEAREST:
        return False
    start, stop = place.sentence
    named = [c for c in reading.companies if start <= c.start < stop]
    if len({c.key for c in named}) != 1 or any(place.clause[0] <= m.start < place.clause[1] for m in reading.mentions):
        return False
    last = [c for c in place.own(reading.companies) if not reading.plain[c.end : q.number_start].strip()]
    head = reading.plain[place.clause[0] : last[-1].start] if last else place.head
    return _NOW_AT.search(head) is not None


def _is_price_change(place: Place, previous: Statement) -> bool:
    """收54.49元（+0.42%）: a signed percentage in brackets behind a share price is the day's change."""
    q, plain = place.quantity, place.reading.plain
    behind = plain[previous.quantity.end : q.number_start].strip() == "(" and plain[q.end : q.end + 1] == ")"
    return behind and previous.concept == "price" and q.unit == Unit.PCT and q.has_sign


#: 同比下限: 38.46%
_YEARLY_END = re.compile(r"同比[^，。；\d]{0,4}(?:[上下]限|[上下]沿)[:：为是约\s]*$")


def _implied(place: Place) -> Mention | None:
    """A range in a forecast is of the profit, a percentage after 上涨 of the price, without any word for them."""
    q = place.quantity
    if q.high is not None and q.unit in {Unit.PCT, Unit.CNY} and _FORECAST.search(place.reading.plain, *place.sentence):
        return Mention(q.start, q.start, "forecast_profit")
    if q.unit == Unit.PCT and _YEARLY_END.search(place.head):
        return Mention(q.start, q.start, "forecast_profit")
    if q.unit == Unit.PCT and q.direction and _PRICE_MOVE.search(q.text):
        return Mention(q.start, q.start, "price")
    return None


def _is_implied(mention: Mention | None, q: Quantity) -> bool:
    """Whether no word of the text names the quantity; 亏损 does name the profit."""
    return mention is not None and mention.start == mention.end and not q.of_loss


def _states_rule(place: Place) -> bool:
    """Whether the sentence speaks of a rule; 限制 inside 涨跌幅限制 is the quantity's own name."""
    end = min(place.sentence[1], place.quantity.end + 12)
    found = _RULE.finditer(place.reading.plain, place.sentence[0], end)
    return any(not any(m.start <= f.start() and f.end() <= m.end for m in place.reading.mentions) for f in found)


def _course(place: Place, mention: Mention | None) -> int:
    """Which way a holder's trade goes: said by the word itself, else by the last such word before the number."""
    plain, texts = place.reading.plain, [place.head]
    if mention is not None and mention.concept == "holder_change":
        texts = [plain[mention.start : mention.end], place.head, plain[slice(*place.sentence)]]
    for text in texts:
        adds = max((m.start() for m in _ADDS.finditer(text)), default=-1)
        takes = max((m.start() for m in _TAKES.finditer(text)), default=-1)
        if adds != takes:
            return 1 if adds > takes else -1
    return 0


def _per_ten(reading: Reading, s: Statement) -> Statement:
    """每10股派3.5元 is 0.35元 per share."""
    q = s.quantity
    if s.concept not in {"dividend", "bonus"} or q.unit not in {Unit.CNY, Unit.SHARES} or q.is_scaled:
        return s
    if not _TEN_SHARES.search(reading.plain, s.clause[0], q.number_start):
        return s
    high = None if q.high is None else q.high / 10
    return replace(s, quantity=replace(q, value=q.value / 10, step=q.step / 10, high=high))
