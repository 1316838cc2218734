"""Chinese and Arabic numerals to values, with the size of the last digit written.

An own reader, because the checker needs the rounding step (1.23 亿 is exact to 1,000,000) and thousands of numbers
per second; ``cn2an`` is its oracle in the tests.
"""

from __future__ import annotations

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

    Raises:
        ValueError: *text* is no number.
    """
    value, step, position, first = 0.0, 0.0, 0, True
    while position < len(text):
        match = (_FIRST if first else _PART).match(text, position)
        if match is None or match.end() == position:
            raise ValueError(text)
        arabic, chinese, scale = match.groups()
        number, unit_step = _arabic(arabic) if arabic else _chinese(chinese)
        factor = SCALE.get(scale or "", 1.0)
        value, step = value + number * factor, unit_step * factor
        position, first = match.end(), False
    return _clean(value), step


def _clean(value: float) -> float:
    return float(f"{value:.15g}")


def _arabic(text: str) -> tuple[float, float]:
    plain = text.replace(",", "")
    decimals = len(plain) - plain.index(".") - 1 if "." in plain else 0
    return float(plain), 10.0**-decimals


def _chinese(text: str) -> tuple[float, float]:
    whole, _, fraction = text.partition("点")
    value = float(_whole(whole))
    if fraction:
        digits = "".join(str(_DIGIT[c]) for c in fraction)
        value += float(f"0.{digits}")
    return value, 10.0 ** -len(fraction)


def _whole(text: str) -> int:
    if len(text) > 1 and all(c in _DIGIT for c in text):
        return int("".join(str(_DIGIT[c]) for c in text))
    total, digit = 0, 0
    for char in text:
        if char in _UNIT:
            total += (digit or 1) * _UNIT[char]
            digit = 0
        else:
            digit = _DIGIT[char]
    return total + digit
