"""Cells of a table as small sentences: row label and column header name what a number is of, and give it its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from flows.truth.grammar.lexicon import mentions
from flows.truth.grammar.units import header_unit
from flows.truth.pages.mapped import Mapped, Piece
from flows.truth.pages.relating import relating

_NUMERIC = re.compile(r"^\s*[-+−]?[\d,]*\.?\d+\s*(?:%|倍|元|万|亿|亿元|万元|万股|亿股|股)?\s*$")

#: Headers of the table of confidence steps: its numbers are the debate's own arithmetic, not claims about a company.
_PROCESS = frozenset({"由", "至"})

_EMPTY_TITLES = frozenset({"数值", "值", "数据", "指标", "内容", "数据值", "本期", "项目", "名称"})

_BARE = re.compile(r"^\s*[-+−]?[\d,]*\.?\d+\s*$")


def table_pieces(rows: list[list[Mapped]], caption: str = "") -> Iterator[Piece]:
    """Pieces of a table, header row first; the *caption* above it says what its own labels leave out."""
    if not rows:
        return
    header = [cell.text for cell in rows[0]]
    is_process = set(header) >= _PROCESS
    for cell in rows[0]:
        if cell.text:
            yield Piece(cell, in_table=True)
    topic = header[0] if header[0] not in _EMPTY_TITLES | _METRICS | _OWNERS else ""
    table = next((cell.at[0] for cell in rows[0] if cell.at), 0)
    texts = [[cell.text for cell in row] for row in rows]
    for n, row in enumerate(rows[1:], start=1):
        group = table if len(header) == 2 else next((cell.at[0] for cell in row if cell.at), 0)
        label = row[0].text if row and not _NUMERIC.match(row[0].text) else ""
        for column, cell in enumerate(row):
            if cell.text:
                title = _column_title(header, column)
                named = _topic_of(topic, label, title) if column else ""
                said = _qualifiers(row, column, header) if column else _speaker(row, header)
                own = label + _measured(row, column, header) if column else ""
                piece = _cell_piece(cell, " ".join(filter(None, (named + said, own))), title)
                if related := relating(texts, n, column):
                    piece = replace(piece, before=related)
                context = f"{caption}，" if caption and column else ""
                yield replace(piece, before=context + piece.before, is_process=is_process, row=group)


_BRACKETED = re.compile(r"[(（][^()（）]+[)）]")


def _topic_of(topic: str, label: str, title: str) -> str:
    """What the corner of a table (毛利率, 某公司, 报告期：2025Q3, 预告（2026Q1）) adds to the labels of a cell."""
    named = mentions(label + title)
    if mentions(topic):
        return "".join(_BRACKETED.findall(topic)) if named else topic
    return topic if mentions(label) or not named or _BRACKETED.search(topic) else ""


_QUALIFIER = re.compile(r"^(?:20\d{2}.{0,8}|近.{1,6}|[一二三]季报|中报|年报)$")

_CHANGES = frozenset({"变动", "变化", "增减", "增幅", "变动幅度", "增减幅", "差额", "差异", "变化幅度", "增长"})


def _column_title(header: list[str], column: int) -> str:
    """Header of a column; a column of changes between two period columns says from when to when."""
    title = header[column] if column < len(header) else ""
    periods = [text for text in header if _QUALIFIER.match(text)]
    if title in _CHANGES and len(periods) == 2:
        early, late = sorted(periods, key=lambda text: re.sub(r"\D", "", text)[:4])
        return f"{late}较{early}{title}"
    return title


#: Columns that say of whom, or by whom, the other cells of their row are.
_OWNERS = frozenset(
    "公司 股票 标的 名称 证券简称 简称 对象 上市公司 股票名称 公司名称 立场 角色 发言方".split()  # noqa: SIM905
)
#: Columns that name the quantity of the other cells of their row.
_METRICS = frozenset({"指标", "项目", "科目", "指标名称", "财务指标"})


def _qualifiers(row: list[Mapped], column: int, header: list[str]) -> str:
    """Periods and companies in other cells of the row (期间 | 2025Q3): they say of when and of whom its numbers are."""
    others = [(n, cell.text) for n, cell in enumerate(row) if n not in {0, column}]
    return "".join(text for n, text in others if _QUALIFIER.match(text) or (n < len(header) and header[n] in _OWNERS))


#: Columns that say who said what stands in the others, even in the first.
_SPEAKERS = frozenset({"提出方", "提出者", "发言方", "发言人", "主张方", "立场", "角色", "辩方", "出自"})


def _speaker(row: list[Mapped], header: list[str]) -> str:
    return next((cell.text for n, cell in enumerate(row[1:], 1) if n < len(header) and header[n] in _SPEAKERS), "")


def _measured(row: list[Mapped], column: int, header: list[str]) -> str:
    """The quantity another cell of the row names (指标 | 营收同比)."""
    others = [(n, cell.text) for n, cell in enumerate(row) if n not in {0, column}]
    return next((text for n, text in others if n < len(header) and header[n] in _METRICS), "")


def _cell_piece(cell: Mapped, label: str, header: str) -> Piece:
    scale, unit = header_unit(header)
    if not scale and not unit:
        scale, unit = header_unit(label)
    after = f"{scale}{unit}" if _BARE.match(cell.text) else ""
    parts = [part for part in (_titled(label), _titled(header)) if part and part not in _EMPTY_TITLES]
    before = "的".join(parts)
    return Piece(cell, f"{before}: " if before else "", after, in_table=True)


def _titled(text: str) -> str:
    """A label without the unit in brackets at its end."""
    return re.sub(r"[(（\[][^)）\]]*[)）\]]\s*$", "", text) if any(header_unit(text)) else text
