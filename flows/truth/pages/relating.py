"""Cells that relate two others of their table: a column 前者/后者, a row 变动额, a cell 高于, read as sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flows.truth.grammar.companies import find_companies
from flows.truth.grammar.lexicon import mentions

_QUOTIENT = re.compile(
    r"^(?:前者|前项)?\s*(?:[/÷]|除以|占|相当于|是)\s*(?:后者|后项)(?:的?比[例重]|的?倍数)?$|^比值$|^两者之比$|^二者之比$"
)
_TURNED = re.compile(r"^(?:后者|后项)\s*(?:[/÷]|除以|占|相当于|是)\s*(?:前者|前项)(?:的?比[例重]|的?倍数)?$")
_DIFFERENCE = re.compile(
    r"^(?:前者|前项)?(?:[-−减]|与|和|较)?(?:后者|后项)?(?:两者|二者|两期|两项|前后)?(?:之差|相差|差额|差值|差距|差|差异|变动额?|变动值|增减额?|变化额?)$"
)
_RELATION = re.compile(
    r"^(?:前者(?:相对|较|比|相比|对)(?:于)?后者|关系|高低|比较|对比|比较结果|对比结果|大小|孰高|结论|判断|结果)$"
)
_COMPARED = re.compile(r"^\s*(?:高于|低于|超过|不及|大于|小于|优于|逊于|落后|领先|更高|更低|较高|较低|偏高|偏低)\s*$")
#: 前者不及后者, 后者高于前者
_SIDED = re.compile(r"^\s*(?:前者|后者)\S{1,8}(?:前者|后者)\s*$")
_MOVED = re.compile(r"^\s*(?:增加|减少|上升|下降|提高|降低|增长|下滑|提升|上涨|下跌|扩大|收窄|回落)")
_YEAR = re.compile(r"(20\d{2})(.*)$")


def relating(table: Sequence[Sequence[str]], row: int, column: int) -> str:
    """The words that stand before a cell which relates two others of its row or its column; empty if it does not."""
    title, label = table[0][column] if column < len(table[0]) else "", table[row][0]
    cell = table[row][column]
    across = [n for n in range(1, len(table[0])) if n != column and n < len(table[row]) and _is_value(table[row][n])]
    if column and len(across) == 2 and _kind(title):
        first, second = (table[0][n] for n in across)
        corner = table[0][0] if mentions(table[0][0]) and not mentions(first + label) else ""
        said = "的".join(text for text in (label, corner) if text not in _EMPTY)
        return _sentence(_kind(title), first, second, said, cell)
    body = [n for n in range(1, len(table)) if n != row and len(table[n]) > column and _is_value(table[n][column])]
    if column and len(body) == 2 and max(body) < row and _kind(label):
        said = " ".join(text for text in (table[0][0], title) if text not in _EMPTY)
        return _sentence(_kind(label), table[body[0]][0], table[body[1]][0], said, cell)
    return _between_rows(table, row, column) if column > 1 and _kind(title) == "difference" else ""


_EMPTY = frozenset("项目 指标 科目 金额 数值 数据 比较项 公司 名称 对象 值 内容 报告期 期间 股票 标的".split()) | {""}  # noqa: SIM905


def _between_rows(table: Sequence[Sequence[str]], row: int, column: int) -> str:
    """A column 两者之差 behind a column of two companies or periods, told in one of their rows."""
    others = [
        n for n in range(1, len(table)) if n != row and len(table[n]) > column - 1 and _is_value(table[n][column - 1])
    ]
    if len(table[0]) != 3 or len(others) != 1:
        return ""
    label, other = table[row][0], table[others[0]][0]
    return _sentence("difference", label, other, table[0][1], table[row][column])


def _kind(title: str) -> str:
    """Which relation a header or label names."""
    for kind, pattern in (
        ("quotient", _QUOTIENT),
        ("turned", _TURNED),
        ("difference", _DIFFERENCE),
        ("relation", _RELATION),
    ):
        if pattern.match(title.strip()):
            return kind
    return ""


def _is_value(text: str) -> bool:
    return bool(re.search(r"[\d零一二三四五六七八九]", text)) and not _COMPARED.match(text)


def _sentence(kind: str, first: str, second: str, said: str, cell: str) -> str:
    """The head of the sentence that ends with the cell."""
    ours = f"{said}的" if said else ""
    if kind in {"quotient", "turned"}:
        part, whole = (first, second) if kind == "quotient" else (second, first)
        return f"{ours}{part}相当于{whole}的"
    if kind == "relation":
        return _related(first, second, said, cell)
    late, early = _by_time(first, second)
    if _MOVED.match(cell):
        return f"{ours}{late}较{early}"
    if cell.strip().endswith("%") and not find_companies(first, ()):
        return f"{ours}{late}较{early}变动"
    return f"{ours}{late}与{early}之差为"


def _related(first: str, second: str, said: str, cell: str) -> str:
    if _SIDED.match(cell):
        return f"{first}与{second}的{said}，" if said else ""
    whose = f"{said}的{first}" if mentions(first) or not said else f"{first}的{said}"
    return f"与{second}相比，{whose}" if _COMPARED.match(cell) else ""


def _by_time(first: str, second: str) -> tuple[str, str]:
    """Two labels, the later first where both name a year."""
    years = [_YEAR.search(text) for text in (first, second)]
    is_turned = years[0] and years[1] and years[0][1] < years[1][1]
    return (second, first) if is_turned else (first, second)
