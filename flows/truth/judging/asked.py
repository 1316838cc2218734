"""A number to be worked out with the words around it, and what a calculation makes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.truth.judging.terms import Term

#: Words after which a number is what is left.
REMAINS = re.compile(r"余下|其余|剩|扣掉|去掉|除去|刨去|另外的|减去|(?<!前)[四二]季度|下半年")
_UP = re.compile(r"高|多|溢价|扩大|涨|增|升|贵|放大|快|强|拓宽|超")
_DOWN = re.compile(r"低|少|缩|跌|降|没了|折价|收窄|下滑|回落|减|丢|便宜|慢|弱|放缓|不及")


@dataclass(frozen=True, slots=True)
class Asked:
    """A number to be worked out, with the words around it.

    Attributes:
        lead: What stands between the number before and this one.
        tail: What follows it in its clause, up to the next number.
        direction: +1 or -1 where a word says which way it goes, else 0.
        plain: The text itself, in which the terms stand.
        start: Where its sentence begins.
    """

    unit: str
    form: str
    lead: str
    tail: str
    direction: int
    plain: str
    start: int
    at: int

    @property
    def around(self) -> str:
        """Words on both sides."""
        return f"{self.lead}｜{self.tail}"


@dataclass(frozen=True, slots=True)
class Worked:
    """A calculated value, as the facts give it and as the written numbers do; *signed* if its sign is claimed."""

    value: float
    written: float
    formula: str
    first: Term
    signed: bool = False


#: 降幅要小0.73个百分点: a fall that is smaller stands higher.
_FALL_NARROWS = re.compile(r"(?:降|跌|减)幅[^，。；]{0,4}(?:(?P<less>小|收窄|缩小|缓)|大)")


def direction_in(words: str) -> int:
    """Which way the last word of moving or comparing points."""
    if (narrow := _FALL_NARROWS.search(words)) is not None:
        return 1 if narrow["less"] else -1
    up = max((m.start() for m in _UP.finditer(words)), default=-1)
    down = max((m.start() for m in _DOWN.finditer(words)), default=-1)
    return 0 if up == down else (1 if up > down else -1)
