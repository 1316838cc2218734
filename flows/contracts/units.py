"""Units of fact values; one code per unit, with the Chinese a reader sees."""

from __future__ import annotations

from enum import StrEnum


class Unit(StrEnum):
    """Unit of a fact's value. Percent values are percent numbers: 6.8 means 6.8 %."""

    CNY = "CNY"
    CNY_PER_SHARE = "CNY/share"
    PCT = "pct"
    PP = "pp"
    MULTIPLE = "x"
    SHARES = "shares"
    SESSIONS = "sessions"
    COUNT = "count"
    RANK = "rank"
    INDEX = "index"
    YEAR = "year"
    DATE = "date"
    TEXT = "text"


UNIT_ZH: dict[Unit, str] = {
    Unit.CNY: "元",
    Unit.CNY_PER_SHARE: "元",
    Unit.PCT: "%",
    Unit.PP: "个百分点",
    Unit.MULTIPLE: "倍",
    Unit.SHARES: "股",
    Unit.SESSIONS: "个交易日",
    Unit.COUNT: "个",
    Unit.RANK: "名",
    Unit.INDEX: "点",
    Unit.YEAR: "年",
    Unit.DATE: "",
    Unit.TEXT: "",
}
