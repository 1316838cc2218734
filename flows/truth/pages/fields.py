"""Rows of a table that fill fields of a record (公司 | 某公司, 期间 | 2025Q3) and say of what its values are."""

from __future__ import annotations

from collections.abc import Sequence

from flows.truth.pages.cells import METRIC, NAME, TIME, VALUE, is_head, is_owner_head, sort_of


def lent(table: Sequence[Sequence[str]], row: int, column: int) -> str:
    """Company, time and quantity that other rows fill in for a value, the nearest above it before those below."""
    if not column or sort_of(table[row][column]) != VALUE or _lists_companies(table):
        return ""
    found: dict[str, str] = {}
    for n in (*range(row - 1, 0, -1), *range(row + 1, len(table))):
        field = table[n]
        if column < len(field) and _fills(field) and (sort := _sort_in(field, column)):
            found.setdefault(sort, field[column])
    return "".join(found.get(sort, "") for sort in (NAME, TIME)) + found.get(METRIC, "")


#: Words for the company itself, which label a row of its values as often as a field.
_ITSELF = frozenset({"公司", "本公司", "该公司", "上市公司", "标的", "个股"})


def _lists_companies(table: Sequence[Sequence[str]]) -> bool:
    """Whether the first column holds companies, not fields."""
    labels = [row[0] for row in table[1:] if row]
    return is_owner_head(table[0][0]) and not any(is_head(label) and label not in _ITSELF for label in labels)


def _fills(row: Sequence[str]) -> bool:
    return bool(row[0].strip()) and is_head(row[0]) and not any(sort_of(cell) == VALUE for cell in row[1:])


def _sort_in(row: Sequence[str], column: int) -> str:
    sort = sort_of(row[column])
    return sort if sort in {TIME, METRIC} or (sort == NAME and is_owner_head(row[0])) else ""
