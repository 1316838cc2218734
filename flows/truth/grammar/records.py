"""Records told line by line: 指标：毛利率 / 期间：2025Q3 / 数值：12.9% are one statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BULLET = r"[ \t]*(?:[-*•>·]+|\(?\d{1,2}[.、)])?[ \t]*\**"
_LABEL = (
    r"(?:主体|公司|标的|对象|证券|股票|名称|简称|指标|项目|科目|期间|报告期|时间|时点|窗口|区间|口径|数值|数字|数据|读数"
    r"|金额|结果|取值|值|单位)"
)
#: A line that fills one field of a record.
_FIELD = re.compile(rf"{_BULLET}{_LABEL}\**[ \t]*[:：]")
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
