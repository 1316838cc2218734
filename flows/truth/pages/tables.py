"""Cells of a table as small sentences: row label and column header name what a number is of, and give it its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from flows.truth.grammar.lexicon import mentions
from flows.truth.grammar.units import header_unit
from flows.truth.pages.cells import (
    METRIC,
    NAME,
    TIME,
    VALUE,
    is_bare,
    is_head,
    is_headless,
    is_owner_head,
    is_value_head,
    nearest,
    sort_of,
)
from flows.truth.pages.fields import lent
from flows.truth.pages.mapped import Mapped, Piece
from flows.truth.pages.relating import relating

#: Headers of the table of confidence steps: its numbers are the debate's own arithmetic, not claims about a company.
_PROCESS = frozenset({"由", "至"})

#: Heads of a column that only counts the rows.
_COUNTERS = frozenset({"序号", "编号", "#", "No", "No.", "行号"})

_EMPTY_TITLES = frozenset({"数值", "值", "数据", "指标", "内容", "数据值", "本期", "项目", "名称"})


def table_pieces(rows: list[list[Mapped]], caption: str = "") -> Iterator[Piece]:
    """Pieces of a table, header row first; the *caption* above it says what its own labels leave out."""
    if not rows:
        return
    rows = _headed(rows)
    texts = [[cell.text for cell in row] for row in rows]
    texts[0] = texts[0] or [""] * max(len(row) for row in texts)
    is_process = set(texts[0]) >= _PROCESS
    for cell in rows[0]:
        if cell.text:
            yield Piece(cell, in_table=True)
    table = next((cell.at[0] for row in rows for cell in row if cell.at), 0)
    for n, row in enumerate(rows[1:], start=1):
        group = table if len(texts[0]) == 2 else next((cell.at[0] for cell in row if cell.at), 0)
        for column, cell in enumerate(row):
            if cell.text:
                piece = _piece(texts, n, column, cell)
                context = f"{caption}，" if caption and (column or sort_of(cell.text) == VALUE) else ""
                yield replace(piece, before=context + piece.before, is_process=is_process, row=group)


def _headed(rows: list[list[Mapped]]) -> list[list[Mapped]]:
    """*rows* with an empty row in front where none heads the others; fields of a record abreast become rows of it."""
    texts = [[cell.text for cell in row] for row in rows]
    if _is_pairs(texts):
        return [[], *(row[n : n + 2] for row in rows for n in range(0, len(row), 2))]
    return [[], *rows] if is_headless(texts[0]) else rows


def _is_pairs(texts: Sequence[Sequence[str]]) -> bool:
    """Whether each row holds two or more fields with what fills them: 公司 | 某公司 | 报告期 | 2025Q3."""
    widths = {len(row) for row in texts}
    if len(widths) != 1 or (width := widths.pop()) < _TWO_PAIRS or width % 2:
        return False
    pairs = [(row[n], row[n + 1]) for row in texts for n in range(0, width, 2)]
    is_record = all(_is_field(field) and filled and not is_head(filled) for field, filled in pairs)
    return is_record and any(is_head(field) for field, _ in pairs)


def _is_field(text: str) -> bool:
    return is_head(text) or is_value_head(text) or sort_of(text) == METRIC


_TWO_PAIRS = 4


def one_quantity(texts: Sequence[Sequence[str]]) -> str:
    """The cell that names the only quantity of a table's corner, heads and labels; empty if they name more or none."""
    named = [cell for cell in (*texts[0], *(row[0] for row in texts[1:] if row)) if mentions(cell)] if texts else []
    return named[0] if len({m.concept for cell in named for m in mentions(cell)}) == 1 else ""


def _piece(texts: Sequence[Sequence[str]], n: int, column: int, cell: Mapped) -> Piece:
    """A cell behind the words that its row, its column and its table lend it."""
    row, header = texts[n], texts[0]
    title = _column_title(header, column)
    if title.strip() in _COUNTERS and is_bare(cell.text):
        return Piece(cell, after=". ", in_table=True)
    if not column and (sort_of(cell.text) != VALUE or is_bare(cell.text)):
        return _cell_piece(cell, _speaker(row, header), title)
    if column and (related := relating(texts, n, column)):
        return replace(_cell_piece(cell, "", title), before=related)
    fields = lent(texts, n, column)
    label, own = _labels(row, column, header)
    if _MOVE.fullmatch(title) and not mentions("".join((_topic(header), label, own, fields))):
        own = next((text for text in reversed(header[:column]) if mentions(text)), own)
    is_named = bool(mentions(label + own + fields))
    if mentions(own + fields) and is_value_head(label):
        label = ""
    base = _base(texts, label, title)
    topic = base + _topic_of(_topic(header), label + own + fields, title)
    named = topic + fields + _qualifiers(row, column, header)
    return _cell_piece(cell, " ".join(filter(None, (named, _apart(label, own)))), title, is_named=is_named)


_YEAR_BEFORE = re.compile(r"(?:上年|去年|上一年度?)?同期")


def _base(texts: Sequence[Sequence[str]], label: str, title: str) -> str:
    """2024年半年报 above or beside 上年同期: the period that a row or a column of the year before counts from."""
    if _YEAR_BEFORE.fullmatch(label):
        named = [row[0] for row in texts[1:] if row]
    elif _YEAR_BEFORE.fullmatch(title):
        named = list(texts[0][1:])
    else:
        return ""
    full = [text for text in named if sort_of(text) == TIME and re.search(r"20\d\d", text)]
    return f"{full[0]}，" if len(full) == 1 else ""


def _apart(one: str, other: str) -> str:
    """Two labels as one; letters and digits of both stay apart."""
    runs_on = one[-1:].isascii() and one[-1:].isalnum() and other[:1].isascii() and other[:1].isalnum()
    return f"{one} {other}" if runs_on else one + other


def _topic(header: Sequence[str]) -> str:
    """What the corner says of all cells (毛利率, 某公司); empty if it only heads its column."""
    corner = header[0] if header else ""
    says = mentions(corner) or _BRACKETED.search(corner) or re.search(r"\d|分位", corner)
    is_silent = is_head(corner) and not says
    return "" if is_silent or corner in _EMPTY_TITLES else corner


_BRACKETED = re.compile(r"[(（][^()（）]+[)）]")


def _topic_of(topic: str, label: str, title: str) -> str:
    """What the corner of a table (毛利率, 某公司, 报告期：2025Q3, 预告（2026Q1）) adds to the labels of a cell."""
    named = mentions(label + title)
    if not named:
        return topic
    if is_head(topic):
        return "".join(_BRACKETED.findall(topic)) + ("分位" if "分位" in topic and "分位" not in label + title else "")
    for said in reversed(mentions(topic)):
        topic = topic[: said.start] + topic[said.end :]
    return "" if topic in _SILENT else topic


#: What is left of a corner 毛利率对比 without its quantity.
_SILENT = frozenset("的 对比 比较 变化 明细 表 一览 情况 水平 （元） (元) 走势".split())  # noqa: SIM905

_QUALIFIER = re.compile(r"^(?:20\d{2}.{0,8}|近.{1,6}|[一二三]季报|中报|年报)$")

#: A column that says how the quantity of a column before it moved.
_MOVE = re.compile(
    r"(?:同比|环比)(?:增[减速幅长]|变[动化])?(?:率|幅度)?|增[速幅]|变[动化](?:率|幅度)?|增减(?:率|幅度?)?|涨跌幅?"
)

_CHANGES = frozenset({"变动", "变化", "增减", "增幅", "变动幅度", "增减幅", "差额", "差异", "变化幅度", "增长"})


def _column_title(header: Sequence[str], column: int) -> str:
    """Header of a column; a column of changes between two period columns says from when to when."""
    title = header[column] if column < len(header) else ""
    periods = [text for text in header if _QUALIFIER.match(text)]
    if title in _CHANGES and len(periods) == 2:
        early, late = sorted(periods, key=lambda text: re.sub(r"\D", "", text)[:4])
        return f"{late}较{early}{title}"
    return title


def _labels(row: Sequence[str], column: int, header: Sequence[str]) -> tuple[str, str]:
    """The label of a row, and the quantity that another of its cells names (指标 | 营收同比)."""
    label = row[0] if column and sort_of(row[0]) != VALUE else ""
    at = nearest(row, column, METRIC)
    if mentions(_column_title(header, column)):
        at = [n for n in at if n < len(header) and is_head(header[n])]
    if at and 0 not in at and sort_of(label) == METRIC:
        label = ""
    return label, "".join(row[n] for n in at if n)


def _qualifiers(row: Sequence[str], column: int, header: Sequence[str]) -> str:
    """Times and companies in other cells of the row (期间 | 2025Q3): they say of when and of whom its numbers are."""
    names = [
        n for n in range(1, len(row))
        if n != column and sort_of(row[n]) == NAME and (n >= len(header) or not header[n] or is_owner_head(header[n]))
    ]  # fmt: skip
    notes = [n for n in range(1, len(row)) if n != column and _tells_whose(row[n])]
    return "".join(row[n] for n in (*names, *notes, *(n for n in nearest(row, column, TIME) if n)))


def _tells_whose(text: str) -> bool:
    """Whether a cell lists a company and a time and nothing else: 某公司，2025Q3."""
    parts = [part for part in re.split(r"[，,、/；;]", text) if part.strip()]
    sorts = {sort_of(part) for part in parts}
    return len(parts) == _TWO_PARTS and sorts == {NAME, TIME}


_TWO_PARTS = 2


#: Columns that say who said what stands in the others, even in the first.
_SPEAKERS = frozenset({"提出方", "提出者", "发言方", "发言人", "主张方", "立场", "角色", "辩方", "出自"})


def _speaker(row: Sequence[str], header: Sequence[str]) -> str:
    return next((cell for n, cell in enumerate(row[1:], 1) if n < len(header) and header[n] in _SPEAKERS), "")


def _cell_piece(cell: Mapped, label: str, header: str, *, is_named: bool = False) -> Piece:
    """A cell behind its label and its header, which gives a named row no more than its unit if it only heads values."""
    scale, unit = header_unit(header)
    if not scale and not unit:
        scale, unit = header_unit(label)
    after = f"{scale}{unit}" if is_bare(cell.text) else ""
    title = "" if is_named and is_value_head(header) else _titled(header)
    parts = [part for part in (_titled(label), title) if part and part not in _EMPTY_TITLES]
    before = "的".join(parts)
    return Piece(cell, f"{before}: " if before else "", after, in_table=True)


def _titled(text: str) -> str:
    """A label without the unit in brackets at its end."""
    return re.sub(r"[(（\[][^)）\]]*[)）\]]\s*$", "", text) if any(header_unit(text)) else text
