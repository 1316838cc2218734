"""Records told line by line: 指标：毛利率 / 期间：2025Q3 / 数值：12.9% are one statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BULLET = r"[ \t]*(?:[-*•>·✓✔√▪◆■●○→☆★]+|[①-⑳]|\(?\d{1,2}[.、)])?[ \t]*\**"
_LABEL = (
    r"(?:(?:减持|增持|解禁|涉及|所属|对应|数据|统计|回看|估值|财务)?(?:主体|(?:所指)?公司|标的|对象|证券|股票|名称|简称|指标|项目|科目|期间|报告期|时间|时点|窗口|(?:统计)?区间|(?:统计)?口径|分位|数值|数字|数据|读数"
    r"|金额|数额|数量|结果|取值|值|单位))"
)
#: A line that fills one field of a record.
_FIELD = re.compile(rf"{_BULLET}{_LABEL}\**[ \t]*(?:[:：=→]|->)")
#: A line that only announces what follows, as short as a name or a title.
_LONGEST_TITLE = 24


def continues(plain: str, line_end: int, numbers: Sequence[tuple[int, int]]) -> bool:
    """Whether the line that ends at *line_end* and the next one belong to one record; *numbers* are quantities."""
    start = plain.rfind("\n", 0, line_end) + 1
    if any(start <= a < line_end for a, _ in numbers) or not plain[start:line_end].strip():
        return False
    if _FIELD.match(plain, start):
        return plain[line_end + 1 : line_end + 2] not in {"", "\n"}
    return line_end - start <= _LONGEST_TITLE and _FIELD.match(plain, line_end + 1) is not None


#: 分位：90.8%；窗口：近1年；指标：市盈率: a record told in one line.
_PART = re.compile(r"[^；;，,。|()\n]+")


def is_field(plain: str, start: int) -> bool:
    """Whether a field of a record opens at *start*."""
    return _FIELD.match(plain, start) is not None


def fields(plain: str, line: tuple[int, int], numbers: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans of the parts of a line that fill fields of a record without a number; none if it is no record."""
    parts = [m.span() for m in _PART.finditer(plain, *line)]
    named = [part for part in parts if is_field(plain, part[0])]
    if len(named) < FEWEST_FIELDS:
        return ()
    return tuple(part for part in named if not any(part[0] <= a < part[1] for a, _ in numbers))


#: A line is a record from two fields on.
FEWEST_FIELDS = 2
