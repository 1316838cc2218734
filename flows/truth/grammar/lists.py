"""What stands around a number in a list or a record and holds for it: titles, parents, fields, footers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from flows.truth.grammar.records import FEWEST_FIELDS, fields, is_field

Span = tuple[int, int]

_ITEM = re.compile(r"[ \t]*(?:[-*•>·✓✔√▪◆■●○→☆★]|\(?(?:\d{1,2}|[一二三四五六七八九十]{1,2})[.、)]|[①-⑳])")
#: （某公司，2025Q3）, 以上均取自某公司2025年报: what stands under a list holds for each of its items.
_FOOTER = re.compile(r"[ \t]*(?:\(|（|——|以上|上述|注[:：]|均|来源|数据来源|主体|口径|报告期|期间)")
_LONGEST_HEADER = 40
#: 净利润同比：6.8%；收入同比：9.9%。以上均为某公司2024Q2口径: what is said of all that stands before it.
_OF_ALL = re.compile(r"(?:以上|上述)[^，。；\n]{0,4}?(?:均|都|全|皆)[^，。；\n]{0,3}?(?:为|是|自|于)[^，。；\n]{2,30}")
#: A line of a few words without punctuation: 某公司, 2025Q3, ## 某公司扣非净利润.
_TITLE = re.compile(r"[ \t#*【〖]*[^，。；：:！？!?;,|\s][^，。；：:！？!?;,|]{0,23}[ \t]*")
#: 2024Q3：33亿元, 一年最高 = 44.30元: a line that tells one value under a title.
_ENTRY = re.compile(r"[ \t]*[^，。；：:！？!?;,|=\n]{1,24}(?:[:：=]|[ \t]{2,}|　)[ \t]*[^，。；\n]{1,24}")
#: 查询结果：12%, 研究员：12%, and 12% alone: a line or sentence that only gives what the one before it asks for.
_ECHO = re.compile(r"(?:^|(?<=[。\n]))[ \t]*(?:[^，。；：:\d\n]{1,5}[:：])?[ \t]*$")


def may_frame(plain: str) -> bool:
    """Whether a text may hold a list, a record or a sentence about all before it."""
    return "\n" in plain or plain.count(":") >= FEWEST_FIELDS or _OF_ALL.search(plain) is not None


def frame_of(plain: str, at: int, numbers: Sequence[Span]) -> tuple[Span, ...]:
    """Spans around the number at *at* that hold for it: X2025Q3要点：, （某公司，2024年报）, 期间：2025Q3.

    None of them holds a number of its own.
    """
    lines = _lines(plain)
    here = bisect_right(lines, (at, len(plain))) - 1
    of_all = [m.span() for m in _OF_ALL.finditer(plain, at)]
    around = fields(plain, lines[here], numbers) or of_all or list(_around(plain, lines, here, at))
    return tuple(span for span in around if not any(span[0] <= a < span[1] for a, _ in numbers))


def _around(plain: str, lines: Sequence[Span], here: int, at: int) -> Iterator[Span]:
    if _ITEM.match(plain, *lines[here]):
        yield from _edges(plain, lines, here)
        yield from _parents(plain, lines, here)
        yield from _siblings(plain, lines, here, at)
    else:
        yield from _parents(plain, lines, here)
        first = _run(plain, lines, here, -1, lambda line: bool(_ENTRY.fullmatch(plain, *line)))
        last = _run(plain, lines, here, 1, lambda line: bool(_ENTRY.fullmatch(plain, *line)))
        yield from _titles(plain, lines, first - 1)
        yield from _footer(plain, lines, last + 1)
    if _ECHO.search(plain, lines[here][0] - 1 if here else 0, at):
        yield from _asked_before(plain, at)


def _asked_before(plain: str, at: int) -> Iterator[Span]:
    """The sentence before one that only answers it."""
    own = max(plain.rfind("\n", 0, at), plain.rfind("。", 0, at))
    if own > 0:
        yield max(plain.rfind("\n", 0, own - 1), plain.rfind("。", 0, own - 1)) + 1, own


def _run(plain: str, lines: Sequence[Span], here: int, step: int, belongs: Callable[[Span], bool]) -> int:
    """The last line from *here* on, going by *step*, that *belongs* to one run of lines."""
    while 0 <= here + step < len(lines) and belongs(lines[here + step]):
        here += step
    return here


def _edges(plain: str, lines: Sequence[Span], here: int) -> Iterator[Span]:
    """The lines right above and right below the list that line *here* is an item of."""
    first, last = (_run(plain, lines, here, step, lambda line: bool(_ITEM.match(plain, *line))) for step in (-1, 1))
    above = first - 2 if first > 1 and not plain[slice(*lines[first - 1])].strip() else first - 1
    if above >= 0 and _is_header(plain, *lines[above]):
        yield lines[above]
    yield from _titles(plain, lines, above - 1)
    yield from _footer(plain, lines, last + 1)


def _footer(plain: str, lines: Sequence[Span], below: int) -> Iterator[Span]:
    if below < len(lines) and _FOOTER.match(plain, *lines[below]):
        yield lines[below]


def _titles(plain: str, lines: Sequence[Span], last: int) -> Iterator[Span]:
    """The run of titles that ends with line *last*."""
    for n in range(last, -1, -1):
        if not _TITLE.fullmatch(plain, *lines[n]):
            return
        yield lines[n]


def _parents(plain: str, lines: Sequence[Span], here: int) -> Iterator[Span]:
    """The items that line *here* is indented under: - 2025Q3⏎  - 某公司⏎    - 净利：2.5亿元."""
    indent, is_item = _indent(plain, lines[here]), _ITEM.match(plain, *lines[here])
    for line in reversed(lines[:here]):
        if not (_ITEM.match(plain, *line) if is_item else indent and _TITLE.fullmatch(plain, *line)):
            return
        if _indent(plain, line) < indent:
            if _names(plain, line):
                yield line
            indent = _indent(plain, line)


def _siblings(plain: str, lines: Sequence[Span], here: int, at: int) -> Iterator[Span]:
    """Items of the list that only name something: · 某公司⏎· 52周最高⏎· 44.30元, - 公司：某公司⏎- 毛利率：12%."""
    first, last = (_run(plain, lines, here, step, lambda line: bool(_ITEM.match(plain, *line))) for step in (-1, 1))
    item = _ITEM.match(plain, *lines[here])
    is_alone = item is not None and not plain[item.end() : at].strip("*+- ")
    for n in range(first, last + 1):
        line, indent = lines[n], _indent(plain, lines[n])
        is_name = n < here and (is_alone or _names(plain, line))
        if indent == _indent(plain, lines[here]) and (is_name or is_field(plain, line[0])):
            yield line


def _names(plain: str, line: Span) -> bool:
    """Whether a line or an item only names something: - 某公司, - 2025Q3：, - **期间**."""
    found = _ITEM.match(plain, *line)
    start = found.end() if found else line[0]
    return _TITLE.fullmatch(plain, start, start + len(plain[start : line[1]].rstrip(":： "))) is not None


def _indent(plain: str, line: Span) -> int:
    text = plain[slice(*line)]
    return len(text) - len(text.lstrip())


def _is_header(plain: str, start: int, stop: int) -> bool:
    line = plain[start:stop].strip()
    return line.endswith((":", "：")) or (0 < len(line) <= _LONGEST_HEADER and line[-1] not in "。！？!?；;")


@lru_cache(maxsize=256)
def _lines(plain: str) -> list[Span]:
    found, start = [], 0
    for line in plain.splitlines(keepends=True) or [""]:
        found.append((start, start + len(line.rstrip("\n"))))
        start += len(line)
    return found
