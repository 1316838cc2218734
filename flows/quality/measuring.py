"""From a check's query to one number per subject and the rows behind it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from flows.quality.checks import RUN_SUBJECT, Check
from flows.quality.scope import GateRun
from flows.warehouse.database import Connection

#: Value of a subject a query was to measure and did not: outside every expectation's range.
NOT_MEASURED = -1
_SAMPLE_ROWS = 5


@dataclass(frozen=True)
class Measured:
    """Subject → value, and the rows behind it (offending ones where rows are counted)."""

    values: dict[str, int]
    rows: dict[str, list[dict[str, Any]]]


def measure(con: Connection, check: Check, run: GateRun) -> Measured:
    """Run *check*'s query: rows are counted per subject, or their ``value`` is taken.

    Raises:
        ValueError: The query names a subject it was not asked about, which would go unseen.
    """
    relation = con.sql(check.query)
    names = relation.columns
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in relation.fetchall():
        row = dict(zip(names, record, strict=True))
        rows[row.pop("subject")].append(row)
    subjects = (RUN_SUBJECT,) if check.is_run_level else run.symbols
    if strange := rows.keys() - set(subjects):
        raise ValueError(f"{check.measure} names {sorted(strange)}, not among its subjects")
    ordered = {subject: sorted(found, key=_sample_key) for subject, found in rows.items()}
    return Measured({subject: _value(ordered.get(subject, []), names) for subject in subjects}, ordered)


def sample_json(rows: Sequence[dict[str, Any]]) -> str:
    """The first rows as JSON, dates as ISO strings; the same rows give the same text."""
    return json.dumps([_plain(row) for row in rows[:_SAMPLE_ROWS]], ensure_ascii=False)


def _value(rows: list[dict[str, Any]], names: Sequence[str]) -> int:
    if "value" not in names:
        return len(rows)
    return int(rows[0]["value"]) if len(rows) == 1 and rows[0]["value"] is not None else NOT_MEASURED


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date | datetime) else value for name, value in row.items()}


def _sample_key(row: dict[str, Any]) -> str:
    """Newest date first where there is one, so that the sample shows what matters today."""
    day = row.get("trade_date")
    age = 9_999_999 - day.toordinal() if isinstance(day, date) else 0
    return f"{age:07d}" + json.dumps(_plain(row), ensure_ascii=False, default=str)
