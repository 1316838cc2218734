"""Parts of a whole written in words: 三分之一, 百分之六点八, 过半, 半个百分点, 四分之一个百分点, 三成五, 两成半."""

from __future__ import annotations

import re

from flows.contracts.units import Unit
from flows.truth.grammar.numerals import ARABIC, CHINESE, read_number

_POINTS = r"(?:个)?百分点"
PART = (
    rf"(?P<minus>负|-)?(?P<base>[百千万])分之(?P<part>{CHINESE}|{ARABIC})|(?P<whole>[二三四五六七八九十]"
    rf"|[1-9]\d*)分之(?P<piece>[一二三四五六七八九]|\d+)(?P<points>{_POINTS})?"
    rf"|(?P<half>半个百分点|(?<=[过逾超近足到占])(?:一)?半(?![年天日个月数])|(?<=接近)一半)"
)
_BASE = {"百": 1.0, "千": 0.1, "万": 0.01}
#: 三成五, 两成半
FIFTH = re.compile(r"[一二三四五六七八九半](?![成十百千万亿])")


def is_part(match: re.Match[str]) -> bool:
    """Whether a match is one of :data:`PART`."""
    return bool(match["base"] or match["whole"] or match["half"])


def read_part(match: re.Match[str]) -> tuple[float, float, str]:
    """(value, step, unit) of a part in words."""
    if match["half"]:
        return (0.5, 0.1, Unit.PP.value) if "百分点" in match["half"] else (50.0, 10.0, Unit.PCT.value)
    if match["base"]:
        value, step = read_number(match["part"])
        factor = _BASE[match["base"]]
        return value * factor * (-1 if match["minus"] else 1), step * factor, Unit.PCT.value
    piece, whole = read_number(match["piece"])[0], read_number(match["whole"])[0]
    scale, unit = (1.0, Unit.PP.value) if match["points"] else (100.0, Unit.PCT.value)
    return scale * piece / whole, scale / 100, unit


def neighbourhood(match: re.Match[str]) -> float:
    """Step of a hedged part (约三分之一): it claims no more than its neighbours, 1/2 and 1/4, leave open."""
    if not match["whole"]:
        return 0.0
    piece, whole = read_number(match["piece"])[0], read_number(match["whole"])[0]
    return 0.7 * (1.0 if match["points"] else 100.0) * piece / whole / (whole + 1)


def tenths(word: str) -> tuple[float, float]:
    """(value, step) of the digit behind 成; 半 claims no finer step than a half."""
    return (0.5, 0.3) if word == "半" else (read_number(word)[0] / 10, 0.1)
