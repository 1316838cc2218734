"""Which facts are worth arguing with, and which of a topic's facts stand for it.

A fact that other shown facts take back is no argument, nor is a report that only tells over again what a filing or
the books say. Of many windows one is shown, and where another tells the opposite it is shown beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from flows.debate.metrics import family, is_percentile
from flows.debate.offline.reading import Seen, amount_in
from flows.debate.offline.topics import measure_of

#: Year-on-year changes smaller than this are no growth and no decline worth arguing about, percent.
MARGINAL_YOY = 1.0
_YOY = re.compile(r"同比(?:增长|增加|下降|减少)([\d.]+)%")
#: A positive level that fell by more than this share within a year is no support.
FALL = 0.2


def is_contradicted(fact: Seen, facts: Sequence[Seen]) -> bool:
    """Whether other shown facts take back what a fact seems to say."""
    if fact.metric and is_percentile(fact.metric):
        return _other_windows_differ(fact, facts)
    if fact.metric == "operating_cash_flow_cny" and fact.polarity == "+":
        return _has_fallen(fact, facts)
    change = _YOY.search(fact.sentence) if fact.kind == "数据" else None
    return change is not None and float(change[1]) < MARGINAL_YOY


def _other_windows_differ(fact: Seen, facts: Sequence[Seen]) -> bool:
    """A low percentile of one window beside a high one of another says little about the own history.

    Only percentiles count: the multiple itself belongs to the same family, but its value is no place in a history.
    """
    own = family(fact.metric or "")
    percentiles = [f for f in facts if f.metric and is_percentile(f.metric) and family(f.metric) == own]
    others = [f.value for f in percentiles if f.value is not None]
    middle = 50.0
    return any((value > middle) is not ((fact.value or 0.0) > middle) for value in others)


def _has_fallen(fact: Seen, facts: Sequence[Seen]) -> bool:
    now = amount_in(fact.sentence)
    before = [amount_in(f.sentence) for f in facts if f.metric == fact.metric and f.as_of < fact.as_of]
    if any(re.search(r"现金流.*同比(?:下降|减少)", f.sentence) for f in facts):
        return True
    return now is not None and any(value is not None and now < value * (1 - FALL) for value in before)


_SIZE = re.compile(r"(?:增长|增加|上升|下降|减少|上涨|下跌|总股本的?)([\d.]+)(?:%|个百分点)")


def size_of(fact: Seen) -> float:
    """How large the change, or the share of all stock, is that a fact states; 0 if it states none."""
    found = _SIZE.search(fact.sentence) if fact.kind in {"数据", "公告"} else None
    return float(found[1]) if found else 0.0


_FIGURE = re.compile(r"-?\d+(?:\.\d+)?(?:%|倍|万亿元|亿元|万元|元|亿|万)")
#: Kind of a fact → kinds that have told it already where they hold all its figures.
_TOLD_BY = {"新闻": frozenset({"数据", "公告"}), "公告": frozenset({"数据"})}


def is_retold(fact: Seen, facts: Sequence[Seen]) -> bool:
    """Whether the figures of a report, or of a sentence of a filing, all stand in better evidence already."""
    figures = _FIGURE.findall(fact.sentence) if fact.kind in _TOLD_BY else []
    told = [other.sentence for other in facts if other.kind in _TOLD_BY.get(fact.kind, ()) and other.id != fact.id]
    return bool(figures) and all(any(_stands_in(figure, sentence) for sentence in told) for figure in figures)


def _stands_in(figure: str, sentence: str) -> bool:
    return re.search(rf"(?<![\d.]){re.escape(figure)}", sentence) is not None


_DOCUMENT = re.compile(r"《(.+?)》")


def without_titles(facts: Iterable[Seen]) -> list[Seen]:
    """Facts in their order, without the title of a document of which a sentence came before."""
    kept: list[Seen] = []
    quoted: set[str] = set()
    for fact in facts:
        document = _DOCUMENT.search(fact.sentence) if fact.kind == "公告" else None
        if document is None or document[1] not in quoted or "页：" in fact.sentence:
            kept.append(fact)
        if document:
            quoted.add(document[1])
    return kept


_YEARS = re.compile(r"近(\d+)年")
#: Windows of a percentile in the order they are shown; three years hold a cycle and are rarely short of data.
_PREFERRED = ("3", "5", "1", "10")


def percentiles_of_one_window(facts: Sequence[Seen]) -> list[Seen]:
    """The multiples' places in one window, that in which most of them lie; of one multiple its windows."""
    windows: dict[str, list[Seen]] = {}
    for fact in facts:
        found = _YEARS.search(fact.sentence)
        windows.setdefault(found[1] if found else "", []).append(fact)
    ranked = sorted(windows.values(), key=lambda own: (-len(own), _preference(own[0])))
    if len(ranked[0]) > 1:
        return ranked[0]
    measures = [measure_of(fact) for fact in facts]
    most = max(measures, key=lambda measure: (measures.count(measure), -measures.index(measure)))
    return [fact for fact in facts if measure_of(fact) == most]


def _preference(fact: Seen) -> int:
    found = _YEARS.search(fact.sentence)
    return _PREFERRED.index(found[1]) if found and found[1] in _PREFERRED else len(_PREFERRED)


_RETURN = re.compile(r"^return_(\d+)d_pct$")
#: A move smaller than this is none, percent.
_MOVE = 1.0


def opposite_window(cited: Sequence[Seen], facts: Sequence[Seen]) -> Seen | None:
    """The longest window of a return in which the price went the other way than in those cited."""
    went_up = (cited[0].value or 0.0) > 0
    returns = [fact for fact in facts if fact.metric and fact.value and _RETURN.search(fact.metric)]
    others = [fact for fact in returns if abs(fact.value or 0.0) >= _MOVE and ((fact.value or 0.0) > 0) is not went_up]
    return max(others, key=lambda fact: int(_RETURN.sub(r"\1", fact.metric or "")), default=None)
