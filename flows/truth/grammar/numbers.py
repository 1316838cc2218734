"""Every number of a text: what it says, in which unit, how exactly, and what is no quantity at all (PRODUCT T1).

Order matters: what is a date, a period, a window, a code, a list number or a score is taken out first
(``truth.tokens``), and only what is left is read as a quantity. Offsets always refer to the text as given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flows.contracts.units import Unit
from flows.truth.grammar.directions import Direction, after_direction, before_direction
from flows.truth.grammar.hedges import Rough, rough_of
from flows.truth.grammar.number_patterns import FOLD, QUANTITY
from flows.truth.grammar.numerals import read_number, share_scale
from flows.truth.grammar.parts import FIFTH, PART, is_part, neighbourhood, read_part, tenths
from flows.truth.grammar.tokens import MASTER, TOKENS, Kind
from flows.truth.grammar.units import UnitWord, read_unit

__all__ = ["Kind", "Quantity", "Rough", "find_quantities", "normalise"]

_NORMAL = str.maketrans("０１２３４５６７８９％．－−–＋＝（）：；～／＜＞｜÷　×", "0123456789%.---+=():;~/<>|/ x")


def normalise(text: str) -> str:
    """*text* with full-width digits and signs made half-width, one character for one."""
    return text.translate(_NORMAL)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a text.

    Attributes:
        start: Offset of the span, direction word included where it stands directly before the number.
        number_start: Offset of the sign or first digit.
        value: Signed value in *unit* (yuan, shares, percent numbers); the direction word is not applied.
        high: Upper end of a range, else None.
        unit: Unit code of ``truth.units``; empty for a bare number.
        step: Size of the last digit written, in *unit*: the rounding the number claims.
        direction: +1 or -1 where a direction word goes with the number, else 0.
        is_target: True after 至, 到: the direction says how the level was reached.
        has_sign: Whether a plus or minus sign is written.
        of_loss: Whether a loss is what stands or moves (亏损1亿元, 亏损收窄20%, 亏损收窄至1亿元).
    """

    text: str
    start: int
    end: int
    number_start: int
    kind: Kind
    value: float = 0.0
    high: float | None = None
    unit: str = ""
    step: float = 1.0
    direction: int = 0
    is_target: bool = False
    has_sign: bool = False
    rough: Rough = Rough.EXACT
    unit_word: str = ""
    is_scaled: bool = False
    direction_word: str = ""
    of_loss: bool = False

    @property
    def is_quantity(self) -> bool:
        """Whether it must be bound to a fact."""
        return self.kind is Kind.QUANTITY

    def signed(self, value: float) -> float:
        """*value* with the direction word applied; a double negative (下降-6.8%) counts once."""
        if self.of_loss and self.is_target:
            return -abs(value)
        if self.is_target or self.direction == 0 or value < 0:
            return value
        return self.direction * abs(value)


_RE = re.compile(f"{MASTER}|{PART}|{FOLD}|{QUANTITY}")

_TIMES = {"": 1, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4}

_SMALL_COUNT = re.compile(r"^[一二三四五六七八九十两]$")

_DISCOURSE_UNITS = frozenset({
    "个", "点", "项", "条", "次", "家", "名", "位", "人", "天", "日", "只", "件", "年", "期", "周", "套", "片", "轮",
    "批", "台", "单", "份", "笔", "分", "手", "块", "股", "架", "辆", "艘"},
)  # fmt: skip


def find_quantities(text: str) -> list[Quantity]:
    """All numbers of *text* in order, each once, with a kind that says whether it is a quantity."""
    return list(_scan(normalise(text), text))


def _scan(plain: str, text: str) -> Iterator[Quantity]:
    position = 0
    while (match := _RE.search(plain, position)) is not None:
        found = _read(match, plain, text)
        yield found
        position = max(found.end, match.start() + 1)


def _read(match: re.Match[str], plain: str, text: str) -> Quantity:
    if match["low"]:
        return _quantity(match, plain, text)
    if match["fold"]:
        return _fold(match, text)
    if is_part(match):
        value, step, unit = read_part(match)
        found = _dressed(_Written(*match.span(), value, unit, step, "%"), plain, text)
        return found if found.rough is Rough.EXACT else replace(found, step=max(step, neighbourhood(match)))
    start, end = match.span()
    return Quantity(text[start:end], start, end, start, TOKENS[_token_index(match)][0])


def _token_index(match: re.Match[str]) -> int:
    return next(i for i in range(len(TOKENS)) if match[f"t{i}"] is not None)


def _fold(match: re.Match[str], text: str) -> Quantity:
    word = match["fold"]
    value = -50.0 if word in {"腰斩", "减半"} else 100.0 * (2 ** _TIMES[match["times"] or ""] - 1)
    start, end = match.span()
    return Quantity(text[start:end], start, end, start, Kind.QUANTITY, value, unit=Unit.PCT, step=abs(value) / 5,
                    rough=Rough.ABOUT, unit_word=word)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Written:
    """A number as its own span says it, before the words around it are read."""

    start: int
    end: int
    value: float
    unit: str
    step: float
    unit_word: str
    high: float | None = None
    has_sign: bool = False
    is_scaled: bool = False
    is_more: bool = False
    is_small: bool = False


def _quantity(match: re.Match[str], plain: str, text: str) -> Quantity:
    low, unit_word = match["low"], match["unit"] or ""
    scale2 = (match["scale2"] or "") if low[-1] not in "万亿" else ""
    value, step = read_number(low + scale2)
    end, top = match.end(), None
    if match["unit"] and match["high"] and _FROM.search(plain, max(0, match.start() - 8), match.start()):
        end = match.end("unit")
    elif match["high"] is not None:
        top, value, step = _range(match, low + scale2, value, step)
        end = match.end("unit") if top is None else end
        unit_word = unit_word or (match["unit2"] or "" if top is not None else "")
    if match["nth"] and unit_word in {"名", "位"}:
        unit_word = "第名"
    if unit_word == "成" and (fifth := FIFTH.match(plain, end)):
        more, step = tenths(fifth[0])
        value, end = value + more, end + 1
    unit = read_unit(unit_word) if unit_word else UnitWord("")
    sign = -1.0 if match["sign"] in {"-", "负"} else 1.0
    high = None if top is None else _exact(top * unit.factor)
    return _dressed(
        _Written(
            match.start(), end, _exact(sign * value * unit.factor), unit.code, step * unit.factor, unit_word, high,
            has_sign=match["sign"] in {"-", "+", "负"}, is_scaled=bool(scale2) or low[-1] in _SCALE_ENDS,
            is_more=bool(match["more"]), is_small=bool(_SMALL_COUNT.match(low.strip())),
        ), plain, text,
    )  # fmt: skip


_SCALE_ENDS = "万亿千百"
#: 从7.8%到6.9% is a way from one value to another, not a range.
_FROM = re.compile(r"[从由自](?:[^，。；\d至到]{0,6})$")


def _range(match: re.Match[str], low: str, value: float, step: float) -> tuple[float | None, float, float]:
    """(upper end or None if the two are no range, lower end, step): a unit that differs makes them two numbers."""
    if match["unit"] and match["unit"] != (match["unit2"] or ""):
        return None, value, step
    top, _ = read_number(match["high"])
    if not match["unit"]:
        value, step = share_scale(low, match["high"], value, step)
    is_negative = match["sign2"] == "-" or (match["sign"] == "-" and match["sign2"] is None and top > value)
    return (-top if is_negative else top), value, step


def _exact(value: float) -> float:
    return float(f"{value:.15g}")


#: 上涨的有24天: days are counted by what the price did on them, they do not rise.
_MARKET_WORDS = frozenset({"上涨", "下跌", "收涨", "收跌", "涨", "跌", "大涨", "大跌"})


def _dressed(written: _Written, plain: str, text: str) -> Quantity:
    """The number with the direction and the hedge beside it."""
    end = written.end
    while plain[end - 1].isspace():
        end -= 1
    moved = before_direction(plain, written.start)
    if written.unit == Unit.SESSIONS and moved.word in _MARKET_WORDS:
        moved = Direction(start=written.start)
    start, rough = moved.start, rough_of(plain, written.start, end)
    if moved.sign == 0 and written.unit != Unit.SESSIONS and (after := after_direction(plain, end)).sign:
        moved, end = after, after.end
    is_point = written.unit_word == "个点" and not moved.sign  # 拉锯中的一个点 moves nothing
    is_turn_of_speech = written.is_small and (is_point or written.unit_word in _DISCOURSE_UNITS)
    return Quantity(
        text[start:end], start, end, written.start, Kind.ORDINAL if is_turn_of_speech else Kind.QUANTITY, written.value,
        written.high, written.unit, written.step, moved.sign, moved.is_target, written.has_sign,
        Rough.OVER if written.is_more else rough, written.unit_word, written.is_scaled,
        moved.word if moved.sign else "", moved.of_loss,
    )  # fmt: skip
