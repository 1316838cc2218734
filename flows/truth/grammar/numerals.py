"""Chinese and Arabic numerals to values, with the size of the last digit written.

An own reader, because the checker needs the rounding step (1.23 亿 is exact to 1,000,000) and thousands of numbers
per second; ``cn2an`` is its oracle in the tests.
"""

from __future__ import annotations

import math
import re

_DIGIT = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNIT = {"十": 10, "百": 100, "千": 1_000}
SCALE = {
    "万亿": 1e12, "千亿": 1e11, "百亿": 1e10, "十亿": 1e9, "亿": 1e8, "千万": 1e7, "百万": 1e6, "十万": 1e5,
    "万": 1e4, "千": 1e3, "百": 1e2,
}  # fmt: skip

ARABIC = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
CHINESE = r"[零〇一二三四五六七八九十百千两]+(?:点[零〇一二三四五六七八九]+)?"
SCALES = r"(?:万亿|千亿|百亿|十亿|亿|千万|百万|十万|万|千|百)"

_PART = re.compile(rf"\s*(?:({ARABIC})|({CHINESE}))\s*(万亿|亿|万)?")
_FIRST = re.compile(rf"\s*(?:({ARABIC})|({CHINESE}))\s*({SCALES})?")


def read_number(text: str) -> tuple[float, float]:
    """Value and rounding step of one unsigned number such as ``1.23亿``, ``3亿5000万`` or ``十二点五``.

    The step is the place of the last numeral that is not a round zero: ``十七亿一千七百万`` is exact to a million. A
    number claims two digits at least, so ``两千万`` is exact to a million, not to ten.

    Raises:
        ValueError: *text* is no number.
    """
    value, place, scale, position = 0.0, 1.0, 0.0, 0
    while position < len(text):
        match = (_PART if position else _FIRST).match(text, position)
        if match is None or match.end() == position:
            raise ValueError(text)
        number, place, scale = _part(match, value, scale)
        value += number * scale
        position = match.end()
    return _clean(value), _claimed(value, place, scale)


def _part(match: re.Match[str], before: float, last_scale: float) -> tuple[float, float, float]:
    """Number, place of its last digit and scale of one part; 三亿五 and 一万二 leave the last scale's tenth unsaid."""
    arabic, chinese, scale = match.groups()
    if arabic:
        number, place = _arabic(arabic)
        return number, place * (_round_zeros(number) if before and scale else 1.0), SCALE.get(scale or "", 1.0)
    number, place = _chinese(chinese)
    if before and not scale and len(chinese) == 1 and last_scale > 1:
        return number, place, last_scale / 10
    return number, place, SCALE.get(scale or "", 1.0)


def _round_zeros(number: float) -> float:
    """Size of the trailing zeros of a whole number: 1700 → 100."""
    size = 1.0
    while number > 0 and number % (size * 10) == 0:
        size *= 10
    return size


def share_scale(low: str, high: str, value: float, step: float) -> tuple[float, float]:
    """In ``3-4亿元`` the scale of the upper end holds for both."""
    tail = re.search(rf"{SCALES}$", high.strip())
    if tail and not re.search(rf"{SCALES}$", low.strip()):
        factor = read_number(f"1{tail[0]}")[0]
        return value * factor, step * factor
    return value, step


def _claimed(value: float, place: float, scale: float) -> float:
    """Rounding step; after a round numeral (千, 百, trailing zeros) at most a tenth of the value's own magnitude."""
    if place <= 1 or not 0 < value < math.inf:
        return place * scale
    return min(place * scale, 10.0 ** (math.floor(math.log10(value)) - 1))


def _clean(value: float) -> float:
    return float(f"{value:.15g}")


def _arabic(text: str) -> tuple[float, float]:
    plain = text.replace(",", "")
    decimals = len(plain) - plain.index(".") - 1 if "." in plain else 0
    return float(plain), 10.0**-decimals


def _chinese(text: str) -> tuple[float, float]:
    whole, _, fraction = text.partition("点")
    value, place = _whole(whole)
    if not fraction:
        return float(value), float(place)
    digits = "".join(str(_DIGIT[c]) for c in fraction)
    return value + float(f"0.{digits}"), 10.0 ** -len(fraction)


def _whole(text: str) -> tuple[int, int]:
    """Value and place of the last numeral: 一千七百 → (1700, 100), 一百二 → (120, 10), 一百零二 → (102, 1)."""
    if len(text) > 1 and all(c in _DIGIT for c in text):
        return int("".join(str(_DIGIT[c]) for c in text)), 1
    total, digit, place = 0, 0, 1
    for char in text:
        if char in _UNIT:
            place = _UNIT[char]
            total, digit = total + (digit or 1) * place, 0
        else:
            digit = _DIGIT[char]
            place = 1 if digit == 0 else place
    if digit and place > 10:
        return total + digit * place // 10, place // 10
    return total + digit, 1 if digit else place
