"""Percentiles told as shares of days: 近三年八成半的交易日都比现在贵, 比九成的交易日便宜, 比今天便宜的日子不到3%."""

from __future__ import annotations

import re
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.statement import Statement
from flows.truth.grammar.hedges import Rough
from flows.truth.grammar.lexicon import PERCENTILE, concepts
from flows.truth.grammar.reading import Reading

_DAYS = r"(?:交易日|日子|时间|时候|时段|天数)"
_NOW = r"(?:现在|今天|今日|目前|当前|眼下|此刻|当日)"
_DEAR, _CHEAP = r"(?:更|都|均|要|还|也)*(?:贵|高)", r"(?:更|都|均|要|还|也)*(?:便宜|低)"
#: 85%以上的交易日 …都比现在贵: the days stand on the other side of today.
_DAYS_BEHIND = re.compile(rf"\s*(?:以上|左右|上下|多)?的?{_DAYS}")
_ARE_DEARER = re.compile(
    rf"比{_NOW}(?:水平)?{_DEAR}|{_DAYS}(?:里|中|内)?{_DEAR}|在{_NOW}(?:水平)?之上|高于[^，。；\d]{{0,8}}?{_NOW}"
)
_ARE_CHEAPER = re.compile(
    rf"比{_NOW}(?:水平)?{_CHEAP}|{_DAYS}(?:里|中|内)?{_CHEAP}|在{_NOW}(?:水平)?之下|低于[^，。；\d]{{0,8}}?{_NOW}"
)
#: 市净率比近三年96%的交易日便宜: today is what stands dearer or cheaper.
_THAN = re.compile(r"(?:比|高于|低于)[^，。；比]{0,8}$")
_IS_DEARER, _IS_CHEAPER = re.compile(_DEAR), re.compile(_CHEAP)
#: 比今天便宜的交易日连3%都没有
_DAYS_BEFORE = re.compile(
    rf"(?:比{_NOW}(?:水平)?|[高低]于{_NOW}(?:水平)?)(?:更|还|要)?(?P<what>贵|高|便宜|低)?的{_DAYS}(?:占|有|只|连|还|不|约|近|超过|到|足|大概|是|了)*$"
)
_NOT_EVEN = re.compile(r"连[^，。；]{0,2}$")
_MIRRORED = {
    Rough.OVER: Rough.UNDER, Rough.UNDER: Rough.OVER, Rough.ABOVE: Rough.BELOW, Rough.BELOW: Rough.ABOVE,
    Rough.NEARLY: Rough.ABOUT,
}  # fmt: skip


def of_days(reading: Reading, s: Statement) -> Statement:
    """*s* as a percentile where its number is a share of days that were dearer or cheaper than today."""
    if s.quantity.unit != Unit.PCT or (s.concept and concepts()[s.concept].unit != Unit.MULTIPLE):
        return s
    side = _side(reading, s)
    if side == 0:
        return s
    if _NOT_EVEN.search(reading.plain[s.clause[0] : s.quantity.number_start]):
        s = replace(s, quantity=replace(s.quantity, rough=Rough.UNDER))
    quantity = replace(s.quantity, direction=0, direction_word="")
    told = replace(s, form=PERCENTILE, basis="", window=_years(reading, s), quantity=quantity)
    return _mirrored(told) if side > 0 else told


def _years(reading: Reading, s: Statement) -> str:
    """The window of years the sentence names last before the number, else behind it."""
    start, stop = reading.sentence(s.quantity.number_start)
    said = [w for w in reading.windows if start <= w.start < stop and w.window.endswith("y")]
    before = [w for w in said if w.start < s.quantity.number_start]
    return before[-1].window if before else (said[0].window if said else "")


def tells_days(plain: str, end: int) -> bool:
    """Whether the number that ends at *end* is a share of days."""
    return _DAYS_BEHIND.match(plain, end) is not None


def _side(reading: Reading, s: Statement) -> int:
    """+1 if the days told were dearer than today, -1 if cheaper, 0 if it tells no days."""
    plain, q = reading.plain, s.quantity
    head, stop = plain[s.clause[0] : q.number_start], reading.sentence(q.number_start)[1]
    if before := _DAYS_BEFORE.search(head):
        word = before["what"] or ("高" if "高于" in before[0] else "低")
        return 1 if word in "贵高" else -1
    if not _DAYS_BEHIND.match(plain, q.end):
        return 0
    behind = plain[q.end : stop]
    if _THAN.search(head):
        if head.rstrip().endswith(("高于", "低于")):
            return -1 if "高于" in head else 1
        return -1 if _first(_IS_DEARER, behind) < _first(_IS_CHEAPER, behind) else 1
    dearer, cheaper = _first(_ARE_DEARER, behind), _first(_ARE_CHEAPER, behind)
    return 0 if dearer == cheaper else (1 if dearer < cheaper else -1)


def _first(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.start() if found else len(text)


def _mirrored(s: Statement) -> Statement:
    """The share of the cheaper days where that of the dearer ones is told."""
    q = s.quantity
    value = float(f"{100 - q.value:.12g}")
    high = None if q.high is None else float(f"{100 - q.high:.12g}")
    return replace(
        s, is_complement=True, quantity=replace(q, value=value, high=high, rough=_MIRRORED.get(q.rough, q.rough))
    )
