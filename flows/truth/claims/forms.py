"""In which form a number states its quantity: level, change, percentile, share, ratio or difference; on which basis."""

from __future__ import annotations

import re
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.results import is_apart, is_of_two, opens
from flows.truth.claims.statement import Place, Statement
from flows.truth.grammar.lexicon import (
    CHANGE,
    DIFFERENCE,
    LEVEL,
    PERCENTILE,
    RATIO,
    SHARE,
    Mention,
    concepts,
)
from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.reading import Reading
from flows.truth.grammar.wording import alternatives

#: Forms in which a number says how far something moved or lies from something else.
MOVES = frozenset({CHANGE, DIFFERENCE, RATIO})
_BASES = (
    ("yoy", re.compile(r"同比|(?:较|比|与)(?:上年|去年)(?:同期)?|年增")),
    ("qoq", re.compile(r"环比|较上(?:一)?季度?|较上月|较三季度末|较上季末")),
    ("ytd", re.compile(r"较年初|比年初|较上年末|较期初")),
)
_PERCENTILE = re.compile(r"分位|百分位")
#: 比近三年里14%的交易日都贵
_DEARER_THAN = re.compile(r"(?:交易日|时间|日子|时候|时段)(?:里|中|内)?(?:都|均|要|更)?(?:贵|高)")
#: 高过近3年中23.7%的时间
_ABOVE_DAYS, _DAYS = (
    re.compile(r"(?:高过|高于|贵过|贵于|超过)[^，。；]{0,12}$"),
    re.compile(r"(?:交易日|时间|日子|时候|时段)"),
)
_SHARE = re.compile(r"占(?!用|领|据|优)|比重|占比|相当于|之比|比值|除以|相除|商[为是]|比例|折(?:合|成|算)?(?:为|约)?$")
#: 37.25%——净利润与营收之比
_SHARE_BEHIND = re.compile(
    r"\s*(?:——|[—,，:：]|是|为|即)+[^，。；\d]{0,12}?[^，。；]{2,30}?(?:之比|比值|占比|比重|的比例)(?=[，。；]|$)"
)
#: 净利润/营收为10%, 以净利润比营收, 营收中有10%
_QUOTIENT = re.compile(r"[一-鿿A-Za-z)]\s*[/÷]\s*[一-鿿A-Za-z]|[中里内](?:有|的)?(?:大约|约|近)?\s*$")
_AS_QUOTIENT = re.compile(r"以[^，。；]{2,20}比[^，。；]{2,16}[，,]")
_GROWTH = re.compile(r"同比(?!基数)|环比|增速|增幅|增长率|变动|变化|涨幅|跌幅|涨跌|增长")
_YEARLY = re.compile(r"同比(?!基数)|环比|增速")
_DIFFERENCE_WORDS = frozenset(alternatives("forms.difference").split("|"))
_LOSS_WORDS = frozenset(alternatives("forms.loss").split("|"))


def form_of(place: Place, mention: Mention | None, gap: str) -> tuple[str, str]:
    """(form, basis) of the number at *place*; *gap* is the text between the word that names it and the number."""
    form, basis = _form(place, mention, gap)
    if form in {CHANGE, LEVEL} and _is_quotient(place):
        return SHARE, basis
    return form, basis


def _is_quotient(place: Place) -> bool:
    q = place.quantity
    start = place.sentence[0]
    return (
        q.unit == Unit.PCT and not q.direction and bool(_AS_QUOTIENT.search(place.reading.plain, start, q.number_start))
    )


def _form(place: Place, mention: Mention | None, gap: str) -> tuple[str, str]:
    q, said = place.quantity, mention.form if mention else ""
    level = concepts()[mention.concept].unit if mention and mention.concept in concepts() else ""
    basis = _basis(place) or (mention.window if mention is not None and mention.window == "yoy" else "")
    if _is_percentile(place, said, level, gap):
        return PERCENTILE, ""
    if q.unit == Unit.PP:
        return (LEVEL if q.is_target else DIFFERENCE), basis
    if q.unit == Unit.PCT:
        return _percent_form(place, said, level, gap), basis
    if q.unit == Unit.MULTIPLE and (level not in {Unit.MULTIPLE, ""} or is_of_two(place)):
        return RATIO, basis
    if not q.is_target and (is_apart(place, gap) or _moves_by(q)):
        return DIFFERENCE, basis
    return (CHANGE if not q.unit and said == CHANGE else LEVEL), basis


def _basis(place: Place) -> str:
    """Said before the number in its clause, in the topic before that (同比看，…) or behind it (…的同比)."""
    return _said_in(place.head[-24:]) or _said_in(_topic(place)) or _basis_behind(place)


def _said_in(text: str) -> str:
    return next((basis for basis, pattern in _BASES if pattern.search(text)), "")


_TOPIC = re.compile(
    r"(?:同比|环比|年初)(?:来?看|来说|来讲|而言|口径|算|计算|方面|角度|数据)?(?:来看|之?下|上)?\s*[，,:：]?\s*$"
)
_NAMED_BEHIND = re.compile(
    r"\s*(?:——|[—,，:：]|是|为|即)+[^，。；\d]{0,12}?[^，。；]{2,30}?的(?P<basis>同比|环比)(?=[，。；]|$|变|增|数)"
)


def _topic(place: Place) -> str:
    """同比看，净利率增加2个百分点: a clause of nothing but the basis."""
    start = place.clause[0]
    opened = place.reading.clause(max(0, start - 2))
    topic = place.reading.plain[opened[0] : start] if start and opened[0] >= place.sentence[0] else ""
    return topic if len(topic) < 10 and _TOPIC.search(topic) else ""


def _basis_behind(place: Place) -> str:
    found = _NAMED_BEHIND.match(place.reading.plain, place.quantity.end) if opens(place) else None
    return _said_in(found["basis"]) if found else ""


def _is_percentile(place: Place, said: str, level: str, gap: str) -> bool:
    after, unit = place.after.lstrip(" 的"), place.quantity.unit
    if unit == Unit.PCT and level == Unit.MULTIPLE and _is_headed_percentile(place):
        return True
    if unit not in {Unit.PCT, ""}:
        return False
    return (
        said == PERCENTILE
        or bool(_PERCENTILE.search(gap) or _PERCENTILE.match(after) or _DEARER_THAN.match(after))
        or (_DAYS.match(after) is not None and _ABOVE_DAYS.search(place.head) is not None)
    )


def _is_headed_percentile(place: Place) -> bool:
    """近一年分位：PE 10.5%，PB 6.0%: what the sentence is headed with holds for each multiple that does not move.

    21.6%——市净率在近3年中的分位, PB分位怎么说？近3年，21.6%: nor can the only percentage of such a sentence be else.
    """
    reading, q = place.reading, place.quantity
    if q.direction or q.has_sign or _AGAINST.search(place.head[-8:]):
        return False
    said = reading.plain[place.sentence[0] : q.start]
    if _HEADED.search(said) or any(_PERCENTILE.search(reading.plain, *span) for span in place.frame):
        return True
    start, stop = place.sentence
    shares = [o for o in reading.quantities if o.is_quantity and o.unit == Unit.PCT and start <= o.start < stop]
    return len(shares) == 1 and _PERCENTILE.search(reading.plain, start, stop) is not None


#: PE为行业平均的85%，分位30%: a share of another's multiple.
_AGAINST = re.compile(r"(?:平均|均值|中位数|公司|同业|同行|前者|后者|其|它|之)的$")
_HEADED = re.compile(r"分位数?[:：]|[从由]低到高")


def _percent_form(place: Place, said: str, level: str, gap: str) -> str:
    q = place.quantity
    if said == CHANGE:
        return CHANGE
    if q.is_target and level == Unit.PCT:
        return LEVEL
    if not q.direction and level != Unit.PCT and _is_share(place):
        return SHARE
    moves = q.direction and not q.is_target
    if level == Unit.PCT and not moves and _REACHED.search(place.head):
        return LEVEL
    if level == Unit.PCT:
        return CHANGE if moves or _YEARLY.search(gap, gap.rfind(":") + 1) else LEVEL
    return CHANGE if level or q.direction or _GROWTH.search(place.head[-12:]) else LEVEL


def _is_share(place: Place) -> bool:
    if _SHARE.search(place.head[-24:]) or _QUOTIENT.search(place.head):
        return True
    return opens(place) and bool(_SHARE_BEHIND.match(place.reading.plain, place.quantity.end))


#: 同比增加0.76个百分点至28.17%: the number behind a move is what it led to.
_REACHED = re.compile(r"\d\s*(?:个?百分点|个?基点|pct|%)[，,]?(?:至|到|达到?|为)\s*$")


def _moves_by(q: Quantity) -> bool:
    """增加1亿元, 下跌0.5元: the number is the distance moved."""
    return bool(q.direction_word) and not is_loss(q) and _stem(q.direction_word) in _DIFFERENCE_WORDS


def _stem(word: str) -> str:
    return next((word[:n] for n in (3, 2, 1) if word[:n] in _DIFFERENCE_WORDS or word[:n] in _LOSS_WORDS), word)


def is_loss(q: Quantity) -> bool:
    """Whether the wording itself makes a level negative (亏损1亿元, 净流出1亿元, 亏损收窄至1亿元)."""
    return (q.of_loss and q.is_target) or (q.direction < 0 and _stem(q.direction_word) in _LOSS_WORDS)


def as_of_mention(reading: Reading, s: Statement, mention: Mention) -> Statement:
    """*s* read as a statement of another quantity its sentence names."""
    form, basis = form_of(Place(reading, s.quantity), mention, "")
    window = mention.window if mention.window != "yoy" else ""
    return replace(
        s, concept=mention.concept, mention=mention, form=form, basis=basis, window=window or s.window, bare_ok=False
    )
