"""How a number hedges itself: 约, 近, 逾, 不足, 高于."""

from __future__ import annotations

import re
from enum import StrEnum


class Rough(StrEnum):
    """How a number hedges itself."""

    EXACT = ""
    ABOUT = "about"
    ABOVE = "above"
    BELOW = "below"
    OVER = "over"
    UNDER = "under"
    NEARLY = "nearly"


_ROUGH_BEFORE = re.compile(
    r"(约|大约|大概|左右|近|将近|接近|(?<!不)超过?|逾|突破|不足|不到|不及|至少|最多|至多|上下|(?<!不)(?:高于|大于|多于|低于"
    r"|小于|少于)|[<>≤≥]=?)(?:为|了|达|到|\s)*[-+]?$"
)

_ROUGH = {
    "超": Rough.OVER, "超过": Rough.OVER, "逾": Rough.OVER, "突破": Rough.OVER, "至少": Rough.OVER,
    "近": Rough.NEARLY, "将近": Rough.NEARLY, "接近": Rough.NEARLY, "不足": Rough.UNDER, "不到": Rough.UNDER,
    "不及": Rough.UNDER,
    "高于": Rough.ABOVE, "大于": Rough.ABOVE, "多于": Rough.ABOVE, ">": Rough.ABOVE, "≥": Rough.ABOVE,
    ">=": Rough.ABOVE, "低于": Rough.BELOW, "小于": Rough.BELOW, "少于": Rough.BELOW, "<": Rough.BELOW,
    "≤": Rough.BELOW,
    "<=": Rough.BELOW,
    "至多": Rough.UNDER, "最多": Rough.UNDER,
}  # fmt: skip

_ROUGH_AFTER = re.compile(r"\s*(?:左右|上下|附近|以上|有余|以下|开外|(?<=成)多(?![数家年])|(?<=成)余)")


def rough_of(plain: str, start: int, end: int) -> Rough:
    """The hedge before or after the number at *start* to *end*."""
    before = _ROUGH_BEFORE.search(plain[max(0, start - 6) : start])
    if before:
        return _ROUGH.get(before[1], Rough.ABOUT)
    after = _ROUGH_AFTER.match(plain, end)
    if after is None:
        return Rough.EXACT
    word = after[0].strip()
    return (
        Rough.OVER if word in {"以上", "有余", "开外", "多", "余"} else Rough.UNDER if word == "以下" else Rough.ABOUT
    )
