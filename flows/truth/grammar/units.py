"""Units as they are written, and the one code and factor each stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.contracts.units import Unit


@dataclass(frozen=True, slots=True)
class UnitWord:
    """A written unit: *code* (a ``Unit`` value, or the word itself where none fits) and factor to it."""

    code: str
    factor: float = 1.0


_CODES: dict[str, UnitWord] = {
    "%": UnitWord(Unit.PCT), "‰": UnitWord(Unit.PCT, 0.1), "成": UnitWord(Unit.PCT, 10.0),
    "个百分点": UnitWord(Unit.PP), "百分点": UnitWord(Unit.PP), "pct": UnitWord(Unit.PP), "pcts": UnitWord(Unit.PP),
    "pp": UnitWord(Unit.PP), "个基点": UnitWord(Unit.PP, 0.01), "基点": UnitWord(Unit.PP, 0.01),
    "bp": UnitWord(Unit.PP, 0.01), "bps": UnitWord(Unit.PP, 0.01),
    "元": UnitWord(Unit.CNY), "块钱": UnitWord(Unit.CNY), "块": UnitWord(Unit.CNY), "人民币": UnitWord(Unit.CNY),
    "元人民币": UnitWord(Unit.CNY), "cny": UnitWord(Unit.CNY), "rmb": UnitWord(Unit.CNY),
    "元/股": UnitWord(Unit.CNY_PER_SHARE), "元每股": UnitWord(Unit.CNY_PER_SHARE),
    "元一股": UnitWord(Unit.CNY_PER_SHARE),
    "cny/share": UnitWord(Unit.CNY_PER_SHARE),
    "倍": UnitWord(Unit.MULTIPLE), "x": UnitWord(Unit.MULTIPLE),
    "股": UnitWord(Unit.SHARES), "手": UnitWord(Unit.SHARES, 100.0),
    "个交易日": UnitWord(Unit.SESSIONS), "交易日": UnitWord(Unit.SESSIONS), "天": UnitWord(Unit.SESSIONS),
    "日": UnitWord(Unit.SESSIONS),
    "个": UnitWord(Unit.COUNT), "次": UnitWord(Unit.COUNT), "家": UnitWord(Unit.COUNT), "名": UnitWord(Unit.COUNT),
    "位": UnitWord(Unit.COUNT), "人": UnitWord(Unit.COUNT), "户": UnitWord(Unit.COUNT), "笔": UnitWord(Unit.COUNT),
    "份": UnitWord(Unit.COUNT), "项": UnitWord(Unit.COUNT), "条": UnitWord(Unit.COUNT), "件": UnitWord(Unit.COUNT),
    "只": UnitWord(Unit.COUNT), "单": UnitWord(Unit.COUNT),
    "第名": UnitWord(Unit.RANK), "点": UnitWord(Unit.INDEX),
    "个点": UnitWord(Unit.INDEX), "个倍数点": UnitWord(Unit.MULTIPLE), "分": UnitWord("score"),
}  # fmt: skip
_PHYSICAL = (
    "美元", "港元", "港币", "欧元", "日元", "英镑", "万吨", "吨", "公斤", "千克", "台", "辆", "架", "艘", "套",
    "平方米",
    "平方公里", "亩", "公里", "千瓦时", "兆瓦时", "兆瓦", "千瓦", "MWh", "GWh", "kWh", "GW", "MW", "桶", "箱", "瓶",
    "片",
    "小时", "分钟", "秒", "个月", "个季度", "季度", "季", "周", "年", "期", "轮", "字", "岁", "批", "笔",
)  # fmt: skip

#: Written units, longest first; a letter unit must not run into a word.
UNITS = (
    r"(?:个百分点|个倍数点|个点(?!位)|百分点|个基点|基点|元/股|元每股|元一股|元人民币|人民币|块钱|CNY/share|个交易日|交易日"
    r"|(?:pcts?|PCTS?|pp|PP|bps?|BPS?|CNY|RMB|rmb|[xX×])(?![A-Za-z0-9])|%|‰"
    r"|成(?![本长立交功熟为果员分品就都份绩因效型年])"
    + "".join(f"|{word}" for word in sorted(_PHYSICAL, key=len, reverse=True))
    + r"|元|块|倍(?!增)|股(?![东权价份票市息])|手(?![段法握])|天|日(?![常均内线前后报])"
    r"|点(?![位评出名燃火到击])|分(?![位别析布红拆钟行部之明众歧化支公])"
    r"|家|次(?![新于要])|名(?![单义])|位(?![于置数])|人(?![民均员气才士])|户|份(?![额])|项(?!目)|条(?!件)|件|只|单|个)"
)


def read_unit(word: str) -> UnitWord:
    """Code and factor of a written unit; an unknown word is its own code."""
    found = _CODES.get(word) or _CODES.get(word.lower().replace("×", "x"))
    return found or UnitWord(word)


_COMPATIBLE: dict[str, frozenset[str]] = {
    Unit.CNY: frozenset({Unit.CNY}),
    Unit.CNY_PER_SHARE: frozenset({Unit.CNY_PER_SHARE, Unit.CNY}),
    Unit.PCT: frozenset({Unit.PCT}),
    Unit.PP: frozenset({Unit.PP}),
    Unit.MULTIPLE: frozenset({Unit.MULTIPLE}),
    Unit.SHARES: frozenset({Unit.SHARES}),
    Unit.SESSIONS: frozenset({Unit.SESSIONS, Unit.COUNT, "次"}),
    Unit.COUNT: frozenset({Unit.COUNT, Unit.SESSIONS}),
    Unit.RANK: frozenset({Unit.RANK, Unit.COUNT}),
    Unit.INDEX: frozenset({Unit.INDEX}),
    Unit.YEAR: frozenset({"年"}),
}
#: Units a level is often written without: 市盈率18.5, RSI 61.2, MA5 1400.9.
_BARE = frozenset({Unit.MULTIPLE, Unit.INDEX, Unit.CNY_PER_SHARE, Unit.RANK, Unit.COUNT})


def written_fits(written: str, unit: str, *, may_be_bare: bool = False) -> bool:
    """Whether a number written in *written* (empty: no unit) can state a value in *unit*."""
    if not written:
        return unit in _BARE or may_be_bare
    return written in _COMPATIBLE.get(unit, frozenset({unit}))


def same_measure(one: str, other: str) -> bool:
    """Whether two written units can measure one thing: 67.93元/股对72.96元."""
    return one == other or {one, other} == {Unit.CNY.value, Unit.CNY_PER_SHARE.value}


_HEADER_UNIT = re.compile(rf"[(（\[]\s*(?:单位[:：]?)?\s*(万亿|亿|千万|百万|万|千)?\s*({UNITS})?\s*[)）\]]\s*$")


def header_unit(text: str) -> tuple[str, str]:
    """Scale and unit stated at the end of a table header, e.g. ``营业收入(亿元)`` → (亿, 元)."""
    match = _HEADER_UNIT.search(text)
    return (match[1] or "", match[2] or "") if match else ("", "")
