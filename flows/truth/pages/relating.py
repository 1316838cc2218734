"""Cells that relate two others of their table: a column 前者/后者, a row 变动额, a cell 高于, read as sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flows.truth.grammar.companies import find_companies
from flows.truth.grammar.lexicon import mentions
from flows.truth.pages.cells import METRIC, TIME, is_head, sort_of

_BY = r"(?:[/÷:]|除以|占|相当于|折合|等于|是|为|比|对)"
_SO_MANY = r"(?:的?(?:比[例重值率]|倍数?|百分比|(?:多少|几)倍?|几成))?(?:的|之比)?"
_QUOTIENT = re.compile(
    rf"^(?:前者|前项)?\s*{_BY}\s*(?:后者|后项){_SO_MANY}$|^(?:比|比值|比率|倍数|(?:两者|二者|两期|两项|前后)(?:之比|比值|相除))$"
)
_TURNED = re.compile(rf"^(?:后者|后项)\s*{_BY}\s*(?:前者|前项){_SO_MANY}$")
#: 本期/上期, 今年÷去年
_FORWARD = re.compile(
    rf"^(?:本期|当期|今年|本年|现值|报告期)\s*{_BY}\s*(?:上期|上年同期|上年|去年同期|去年|同期|基期|前期|比较期){_SO_MANY}$"
)
_DIFFERENCE = re.compile(
    r"^(?:前者|前项)?(?:[-−减]|与|和|较)?(?:后者|后项)?(?:两者|二者|两期|两项|前后)?(?:之差|相差|差额|差值|差距|差|差异|变动额?|变动值|增减额?|变化额?)$"
)
_RELATION = re.compile(
    r"^(?:(?:前者|公司|本公司|该公司|标的|个股)(?:相对|较|比|相比|对)(?:于)?(?:后者|参照|对照|基准|同业|行业|对方)|关系|高低|比较|对比|比较结果|对比结果|大小|孰高|结论|判断|结果)$"
)
_COMPARED = re.compile(r"^\s*(?:高于|低于|超过|不及|大于|小于|优于|逊于|落后|领先|更高|更低|较高|较低|偏高|偏低)\s*$")
#: 前者不及后者, 后者高于前者
_SIDED = re.compile(r"^\s*(?:前者|后者|本期|当期)\S{1,8}(?:前者|后者|(?:上年|去年)同期|上期)\s*$")
#: 低于某公司: the cell itself says what the row is held against.
_HELD = re.compile(r"^\s*(?:高于|低于|超过|不及|大于|小于|优于|逊于)[^，。；]{2,12}$")
#: 比较对象 | 某公司的市盈率 ⏎ 行业平均 | 高于之: the row is what the head of the column is held against.
_AGAINST_HEAD = re.compile(r"(?:比较|对比|对照|参照|参考)(?:对象|公司|标的|项|基准|系)?|基准|参照物?")
#: 与某公司比, 相对行业平均
_AGAINST = re.compile(r"^(?:与|和|较|同|跟|对比|相对于?|相比于?|比)(?P<whom>[^，。；]{2,12}?)(?:相?比较?|对比)?$")
#: 相当于行业平均的, 是某公司的几倍
_TIMES = re.compile(
    r"^(?:相当于|是|为|占)(?P<whom>(?!前者|后者)[^，。；]{2,12}?)的?(?:倍数|比[例重]|几倍|多少倍?|百分比)?$"
)
_TO_IT = re.compile(r"^\s*(?:高于|低于|超过|不及|大于|小于|优于|逊于)(?:之|它|其|对方|该值)?\s*$")
_MOVED = re.compile(r"^\s*(?:增加|减少|上升|下降|提高|降低|增长|下滑|提升|上涨|下跌|扩大|收窄|回落)")
_YEAR = re.compile(r"(20\d{2})(.*)$")


def relating(table: Sequence[Sequence[str]], row: int, column: int) -> str:
    """The words that stand before a cell which relates two others of its row or its column; empty if it does not."""
    title, label = table[0][column] if column < len(table[0]) else "", table[row][0]
    cell = table[row][column]
    across = [n for n in range(1, len(table[0])) if n != column and n < len(table[row]) and _is_value(table[row][n])]
    across = [n for n in across if not _is_result(table[0][n])] if _is_result(title) else across
    if column and (held := _held(table, row, column, across)):
        return held
    if column and (measured := _from_other(table, row, column, across)):
        return measured
    kind = _kind(title) or _grown(title, [table[0][n] for n in across]) or ("relation" if _COMPARED.match(cell) else "")
    if column and len(across) == 2 and kind:
        first, second = (_time_in(table[0][n]) for n in across)
        corner = table[0][0] if mentions(table[0][0]) and not mentions(first + label) else ""
        said = "的".join(text for text in (label, *_metrics(table[row]), corner) if text not in _EMPTY)
        return _sentence(kind, title, first, second, said, cell)
    body = [n for n in range(1, len(table)) if n != row and len(table[n]) > column and _is_value(table[n][column])]
    body = [n for n in body if not _is_result(table[n][0])] if _is_result(label) else body
    told = _kind(label) or _grown(label, [table[n][0] for n in body])
    if column and len(body) == 2 and max(body) < row and told:
        said = " ".join(text for text in (table[0][0], title) if text not in _EMPTY)
        return _sentence(told, label, table[body[0]][0], table[body[1]][0], said, cell)
    return _between_rows(table, row, column) if column > 1 and _kind(title) == "difference" else ""


def _held(table: Sequence[Sequence[str]], row: int, column: int, across: Sequence[int]) -> str:
    """What stands before a cell that says what its row is held against, or in a column or a row that says so."""
    header, label, cell = table[0], table[row][0], table[row][column]
    if _HELD.match(cell) and not _COMPARED.match(cell) and len(across) == 1 and _kind(header[column]) == "relation":
        said = [text for text in (label, header[0], header[across[0]]) if text not in _EMPTY and not is_head(text)]
        return "的".join(said)
    if (against := _AGAINST.match(header[column])) and _COMPARED.match(cell):
        said = [*_metrics(table[row]), *(text for text in header[:1] if mentions(text))]
        said = said or [header[n] for n in across[:1]]
        return f"与{against['whom']}相比，" + "的".join([label, *said])
    if (times := _TIMES.match(header[column])) and len(across) == 1:
        said = [*_metrics(table[row]), *(text for text in (header[0], header[across[0]]) if mentions(text))]
        return f"{label}的{said[-1]}相当于{times['whom']}的" if said else ""
    if _TO_IT.match(cell) and _AGAINST_HEAD.fullmatch(header[0]) and mentions(header[column]):
        return f"与{label}相比，{header[column]}"
    return ""


def _metrics(row: Sequence[str]) -> list[str]:
    return [text for n, text in enumerate(row) if n and sort_of(text) == METRIC]


_EMPTY = frozenset("项目 指标 科目 金额 数值 数据 比较项 公司 名称 对象 值 内容 报告期 期间 股票 标的".split()) | {""}  # noqa: SIM905


#: 与行业平均之差, 较2024Q3变动额
_FROM_OTHER = re.compile(
    r"^(?:与|和|较|比|对|相对于?)(?P<whom>[^，。；]{2,16}?)(?:相比)?(?:的|之)?(?:差[额值距]?|(?:变动|增减|变化)(?:额|率|幅度?|值|比例)?|增幅)$"
)


def _from_other(table: Sequence[Sequence[str]], row: int, column: int, across: Sequence[int]) -> str:
    """The head of a cell whose column says what the one value of its row is measured from."""
    header, label, cell = table[0], table[row][0], table[row][column]
    values = [n for n in across if not _FROM_OTHER.match(header[n])]
    found = _FROM_OTHER.match(header[column])
    if found is None or len(values) != 1:
        return ""
    said = "的".join(text for text in (header[0], label, header[values[0]]) if text not in _EMPTY)
    return f"{said}较{found['whom']}" if _MOVED.match(cell) else f"{said}与{found['whom']}之差为"


def _time_in(head: str) -> str:
    """2025Q3 for a head 本期（2025Q3）."""
    inner = next((text[1:-1] for text in _BRACKETED.findall(head) if sort_of(text[1:-1]) == TIME), "")
    outer = _BRACKETED.sub("", head).strip().rstrip("数额值")
    return inner if sort_of(outer) == TIME and inner else head


def _between_rows(table: Sequence[Sequence[str]], row: int, column: int) -> str:
    """A column 两者之差 behind a column of two companies or periods, told in one of their rows."""
    others = [
        n for n in range(1, len(table)) if n != row and len(table[n]) > column - 1 and _is_value(table[n][column - 1])
    ]
    if len(table[0]) != 3 or len(others) != 1:
        return ""
    label, other = table[row][0], table[others[0]][0]
    return _sentence("difference", "", label, other, table[0][1], table[row][column])


def _kind(title: str) -> str:
    """Which relation a header or label names."""
    said = [_BRACKETED.sub("", title).strip(), *(inner[1:-1] for inner in _BRACKETED.findall(title))]
    return next((kind for text in said for kind, pattern in _KINDS if pattern.match(text)), "")


#: 增减%, 同比变动: a column of moves in percent.
_MOVES = re.compile(r"^(?:同比|环比)?(?:增减|变动|变化|增幅|增长率?|涨跌幅?|升降)?(?:幅度?|率|比例|额)?\s*[%％]?$")


def _is_result(title: str) -> bool:
    """Whether a column or row tells what the others come to."""
    return bool(_kind(title)) or _is_move(title)


def _is_move(title: str) -> bool:
    return bool(title.strip()) and _MOVES.match(title.strip()) is not None


def _grown(title: str, names: Sequence[str]) -> str:
    """A move between two labels a year apart: 2025Q3 | 2024Q3 | 同比."""
    years = [int(year[1]) for name in names if (year := _YEAR.search(name))]
    is_yearly = len(names) == len(years) == 2 and abs(years[0] - years[1]) == 1
    return "difference" if is_yearly and "环比" not in title and _is_move(title) else ""


_KINDS = (
    ("forward", _FORWARD),
    ("quotient", _QUOTIENT),
    ("turned", _TURNED),
    ("difference", _DIFFERENCE),
    ("relation", _RELATION),
)


_BRACKETED = re.compile(r"[(（][^()（）]*[)）]")


def _is_value(text: str) -> bool:
    return bool(re.search(r"[\d零一二三四五六七八九]", text)) and not _COMPARED.match(text)


#: 行业相对公司: a title that names the second of two columns first tells the relation of that one.
_SECOND_FIRST = re.compile(r"^(?:参照|对照|基准|后者|后项)")


def _in_order(title: str, first: str, second: str) -> tuple[str, str]:
    is_turned = title.startswith(second) or bool(_SECOND_FIRST.match(title))
    return (second, first) if is_turned else (first, second)


def _sentence(kind: str, title: str, first: str, second: str, said: str, cell: str) -> str:
    """The head of the sentence that ends with the cell."""
    ours = f"{said}的" if said else ""
    if kind == "forward":
        late, early = _by_time(first, second)
        return f"{ours}{late}相当于{early}的"
    if kind in {"quotient", "turned"}:
        part, whole = (first, second) if kind == "quotient" else (second, first)
        return f"{ours}{part}相当于{whole}的"
    if kind == "relation":
        return _related(*_in_order(title, first, second), said, cell)
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
