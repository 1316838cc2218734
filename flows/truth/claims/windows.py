"""Over which window a number is: said by its own word, in its clause, by a question, a list's head or a record."""

from __future__ import annotations

import re

from flows.contracts.units import Unit
from flows.truth.claims.naming import without_common
from flows.truth.claims.qualifiers import is_contrast, trailing
from flows.truth.claims.statement import Place, has_number
from flows.truth.grammar.lexicon import Mention, concepts

_MOVED = re.compile(r"同比|环比|增速|增幅|增长率|变动|变化|涨幅|跌幅|涨跌|增长")


def window_of(place: Place, mention: Mention | None) -> str:
    """Window of the number: said by the word itself, in its clause, or set by the clause before."""
    if mention is not None and mention.window and mention.window != "yoy":
        return mention.window
    own = place.own(place.reading.windows)
    if mention is not None:
        own = [w for w in own if not mention.start <= w.start < mention.end] or own
    if own:
        return own[-1].window
    return (
        (_topic_window(place, mention) or _window_around(place) or _window_behind(place))
        if _has_windows(place, mention)
        else ""
    )


def _has_windows(place: Place, mention: Mention | None) -> bool:
    """Whether the quantity is one of a window: a move, or one that facts tell apart by window."""
    q = place.quantity
    if q.unit == Unit.PCT and (q.direction or _MOVED.search(place.head)):
        return True
    return mention is not None and bool(concepts()[mention.concept].windows - {"yoy"})


def _topic_window(place: Place, mention: Mention | None) -> str:
    """以近20日计，股价下跌6.8%: a clause with a window and no number of its own sets the window of the next."""
    carried = place.carried(place.reading.windows)
    if not carried:
        return ""
    last = carried[-1]
    adjacent = place.reading.clause(last.start)[1] >= place.clause[0] - 1 or _only_names(place, last.end)
    is_told = adjacent or _ASKED.search(place.reading.plain, last.end, place.clause[0])
    if is_told and not has_number(place.reading, last.start):
        return last.window
    return last.window if _spans(place, mention, last.end, last.window) else ""


def _spans(place: Place, mention: Mention | None, end: int, window: str) -> bool:
    """近20日，某公司股票收于涨停者，共2天: the only window of its kind, with no number between, is that of the next."""
    between = (q for q in place.reading.quantities if q.is_quantity and end <= q.start < place.quantity.start)
    if mention is None or any(True for _ in between):
        return False
    return window[-1:] in {known[-1:] for known in concepts()[mention.concept].windows - {"yoy", "ytd"}}


#: 近5日走势如何？答：股价下跌8.6%: an answer takes the window of its question.
_ASKED = re.compile(r"[?？]")


def _window_around(place: Place) -> str:
    """窗口：近三年；指标：市盈率；分位：16%: the one window that the other fields or the head of a list name."""
    said = {w.window for w in place.framed(place.reading.windows)}
    return said.pop() if len(said) == 1 else ""


def _only_names(place: Place, start: int) -> bool:
    """某公司，近60日，涨停天数，3天: between a window and its number stand only names of quantities and companies."""
    reading, stop = place.reading, place.clause[0]
    names = [m for m in reading.mentions if start <= m.start and m.end <= stop]
    edges = [start, *(edge for m in names for edge in (m.start, m.end)), stop]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return all(not without_common(reading, first, last).strip("，？！?!天日次") for first, last in gaps)


def _window_behind(place: Place) -> str:
    """-12%：近5个交易日的涨跌幅; 以20%的波动率衡量，近60日起伏不大: the window stands behind the number."""
    reading, (_, stop) = place.reading, place.clause
    if any(place.quantity.end <= q.number_start < stop for q in reading.quantities if q.is_quantity):
        return ""
    spans = [(place.quantity.end, stop), *trailing(reading, stop)]
    said = [
        w for start, end in spans if not is_contrast(reading, start) for w in reading.windows if start <= w.start < end
    ]
    return said[0].window if said else ""
