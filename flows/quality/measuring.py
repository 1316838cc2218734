"""From a check's query to one number per subject and the rows behind it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from flows.quality.checks import RUN_SUBJECT, Blocks, Check
from flows.quality.scope import GateRun
from flows.warehouse.database import Connection

#: Value of a subject a query was to measure and did not: outside every expectation's range.
NOT_MEASURED = -1
SAMPLE_ROWS = 5


@dataclass(frozen=True)
class Measured:
    """Subject → value, how many rows are behind it, and some of them (offending ones where rows are counted)."""

    values: dict[str, int]
    counts: dict[str, int]
    rows: dict[str, list[dict[str, Any]]]


def measure(con: Connection, check: Check, run: GateRun, keep: int | None = SAMPLE_ROWS) -> Measured:
    """Run *check*'s query: rows are counted per subject, or their ``value`` is taken.

    The *keep* most recent rows of each subject are kept (None: all); of a check that blocks rows, all.

    Raises:
        ValueError: The query names a subject it was not asked about, which would go unseen.
    """
    names = con.sql(check.query).columns
    counts: dict[str, int] = {}
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in con.execute(_sampled(check, names, keep)).fetchall():
        row = dict(zip((*names, "row_count"), record, strict=True))
        subject = row.pop("subject")
        counts[subject] = row.pop("row_count")
        rows[subject].append(row)
    subjects = (RUN_SUBJECT,) if check.is_run_level else run.symbols
    if strange := rows.keys() - set(subjects):
        raise ValueError(f"{check.measure} names {sorted(strange)}, not among its subjects")
    judged = {s: _value(rows.get(s, [])) if "value" in names else counts.get(s, 0) for s in subjects}
    return Measured(judged, counts, rows)


def sample_json(rows: Sequence[dict[str, Any]]) -> str:
    """The first rows as JSON, dates as ISO strings; the same rows give the same text."""
    return json.dumps([_plain(row) for row in rows[:SAMPLE_ROWS]], ensure_ascii=False)


def _sampled(check: Check, names: Sequence[str], keep: int | None) -> str:
    """The query with each subject's row count, cut to its first rows in a fixed order: newest date first."""
    others = [f'"{name}"' for name in names if name not in {"subject", "trade_date"}]
    order = ", ".join([*(["trade_date desc"] if "trade_date" in names else []), *others]) or "subject"
    limit = "" if keep is None or check.blocks is Blocks.ROWS else f"where row_no <= {keep}"
    return f"""
        with found as ({check.query}),
        numbered as (
            select *, count(*) over (partition by subject) as row_count,
                row_number() over (partition by subject order by {order}) as row_no
            from found
        )
        select * exclude (row_no) from numbered {limit} order by subject, row_no
    """


def _value(rows: list[dict[str, Any]]) -> int:
    return int(rows[0]["value"]) if len(rows) == 1 and rows[0]["value"] is not None else NOT_MEASURED


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date | datetime) else value for name, value in row.items()}
