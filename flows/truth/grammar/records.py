"""Records told line by line: 指标：毛利率 / 期间：2025Q3 / 数值：12.9% are one statement."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

_BULLET = r"[ \t]*(?:[-*•>·]+|[①-⑳]|\(?\d{1,2}[.、)])?[ \t]*\**"
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


_ITEM = re.compile(r"[ \t]*(?:[-*•>·]|\(?(?:\d{1,2}|[一二三四五六七八九十]{1,2})[.、)]|[①-⑳])")
#: （某公司，2025Q3）, 以上均取自某公司2025年报: what stands under a list holds for each of its items.
_FOOTER = re.compile(r"[ \t]*(?:\(|（|——|以上|上述|注[:：]|均|来源|数据来源|主体|口径|报告期|期间)")
_LONGEST_HEADER = 40
#: 净利润同比：6.8%；收入同比：9.9%。以上均为某公司2024Q2口径: what is said of all that stands before it.
_OF_ALL = re.compile(r"(?:以上|上述)[^，。；\n]{0,4}?(?:均|都|全|皆)[^，。；\n]{0,3}?(?:为|是|自|于)[^，。；\n]{2,30}")
_FEWEST_FIELDS = 2


def may_frame(plain: str) -> bool:
    """Whether a text may hold a list, a record or a sentence about all before it."""
    return "\n" in plain or plain.count(":") >= _FEWEST_FIELDS or _OF_ALL.search(plain) is not None


def frame_of(plain: str, at: int, numbers: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans of the lines above and below the list that *at* stands in: X2025Q3要点：, （某公司，2024年报）.

    Neither may hold a number of its own.
    """
    lines = _lines(plain)
    here = bisect_right(lines, (at, len(plain))) - 1
    within = _fields(plain, lines[here], numbers) or tuple(
        m.span() for m in _OF_ALL.finditer(plain, at) if not any(m.start() <= a < m.end() for a, _ in numbers)
    )
    if within:
        return within
    if not _ITEM.match(plain, *lines[here]):
        around: tuple[tuple[int, int], ...] = tuple(_titles(plain, lines, here - 1))
    else:
        around = (*_edges(plain, lines, here), *_parents(plain, lines, here), *_siblings(plain, lines, here, at))
    return tuple(line for line in around if not any(line[0] <= a < line[1] for a, _ in numbers))


def _edges(plain: str, lines: Sequence[tuple[int, int]], here: int) -> list[tuple[int, int]]:
    """The lines right above and right below the list that line *here* is an item of."""
    first = last = here
    while first > 0 and _ITEM.match(plain, *lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and _ITEM.match(plain, *lines[last + 1]):
        last += 1
    above = first - 2 if first > 1 and not plain[slice(*lines[first - 1])].strip() else first - 1
    header = [lines[above]] if above >= 0 and _is_header(plain, *lines[above]) else []
    footer = [lines[last + 1]] if last + 1 < len(lines) and _FOOTER.match(plain, *lines[last + 1]) else []
    return [*header, *_titles(plain, lines, above - 1), *footer]


#: A line of a few words without punctuation: 某公司, 2025Q3, ## 某公司扣非净利润.
_TITLE = re.compile(r"[ \t#*【]*[^，。；：:！？!?;,|\s][^，。；：:！？!?;,|]{0,23}[ \t]*")


def _titles(plain: str, lines: Sequence[tuple[int, int]], last: int) -> list[tuple[int, int]]:
    """The run of titles that ends with line *last*."""
    found = []
    for n in range(last, -1, -1):
        if not _TITLE.fullmatch(plain, *lines[n]):
            break
        found.append(lines[n])
    return found


def _parents(plain: str, lines: Sequence[tuple[int, int]], here: int) -> list[tuple[int, int]]:
    """The items that line *here* is indented under: - 2025Q3⏎  - 某公司⏎    - 净利：2.5亿元."""
    found, indent = [], _indent(plain, lines[here])
    for line in reversed(lines[:here]):
        if not _ITEM.match(plain, *line):
            break
        if _indent(plain, line) < indent:
            found.append(line)
            indent = _indent(plain, line)
    return found


def _indent(plain: str, line: tuple[int, int]) -> int:
    text = plain[slice(*line)]
    return len(text) - len(text.lstrip())


def _siblings(plain: str, lines: Sequence[tuple[int, int]], here: int, at: int) -> list[tuple[int, int]]:
    """The items above one that only holds a number: · 某公司⏎· 52周最高⏎· 44.30元."""
    item = _ITEM.match(plain, *lines[here])
    if item is None or plain[item.end() : at].strip("*+- "):
        return []
    above = []
    for line in reversed(lines[:here]):
        if not _ITEM.match(plain, *line) or _indent(plain, line) != _indent(plain, lines[here]):
            break
        above.append(line)
    return above


#: 分位：90.8%；窗口：近1年；指标：市盈率: a record told in one line.
_PART = re.compile(r"[^；;，,。|()\n]+")


def _fields(plain: str, line: tuple[int, int], numbers: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans of the parts of a line that fill fields of a record without a number; none if it is no record."""
    parts = [m.span() for m in _PART.finditer(plain, *line)]
    named = [part for part in parts if _FIELD.match(plain, part[0])]
    if len(named) < 2:
        return ()
    return tuple(part for part in named if not any(part[0] <= a < part[1] for a, _ in numbers))


def _is_header(plain: str, start: int, stop: int) -> bool:
    line = plain[start:stop].strip()
    return line.endswith((":", "：")) or (0 < len(line) <= _LONGEST_HEADER and line[-1] not in "。！？!?；;")


@lru_cache(maxsize=256)
def _lines(plain: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for line in plain.splitlines(keepends=True) or [""]:
        found.append((start, start + len(line.rstrip("\n"))))
        start += len(line)
    return found
