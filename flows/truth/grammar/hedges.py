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
    r"(没有?一个超过|(?:都|均|全都?)?(?:没到|没过|未到|未达|未超过|未越过|没超过|未过)|约|大约|大概|左右|近|将近|接近|(?<!不)超过?|逾|突破|不足|不到|不及|至少|最多|至多|上下|(?<!不)(?:高于|大于|多于|低于"
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

_ROUGH_AFTER = re.compile(
    r"[^\S\n]*(?:(?:的)?(?:下方|之下|上方|之上)|出头|左右|上下|附近|以上(?![均都全皆数所])|有余|以下|开外|(?<=[成半元倍%])多(?![数家年只个出])"
    r"|(?<=成)余)"
)


def rough_of(plain: str, start: int, end: int) -> Rough:
    """The hedge before or after the number at *start* to *end*."""
    before = _ROUGH_BEFORE.search(plain[max(0, start - 8) : start])
    if before:
        return Rough.BELOW if before[1][0] in "没未都均全" else _ROUGH.get(before[1], Rough.ABOUT)
    if plain[start - 1 : end] == "过半":
        return Rough.ABOVE
    after = _ROUGH_AFTER.match(plain, end)
    if after is None:
        return Rough.EXACT
    return _BEHIND.get(after[0].strip().removeprefix("的"), Rough.ABOUT)


_BEHIND = {
    "以上": Rough.OVER, "有余": Rough.OVER, "开外": Rough.OVER, "多": Rough.OVER, "余": Rough.OVER, "出头": Rough.OVER,
    "以下": Rough.UNDER, "下方": Rough.BELOW, "之下": Rough.BELOW, "上方": Rough.ABOVE, "之上": Rough.ABOVE,
}  # fmt: skip
