"""Renumbered codes: one company under several codes over time (PRODUCT M1).

The table is a list of facts, one row per renumbering; a code that is not in it has no known successor. Its Beijing rows
are the exchange's whole table of 248 companies, six moved on 2025-05-06 and the others on 2025-10-09. A new code is 920
and the last three digits of the old one, unless another company had taken that: 26 cannot be computed.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Succession:
    """From *since* on the company of *former* trades as *current* (canonical symbols, exchange date)."""

    former: str
    current: str
    since: date


@cache
def successions() -> tuple[Succession, ...]:
    """Every known renumbering, in the order of the table."""
    body = (files("flows.market") / "successions.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(body.splitlines())
    return tuple(Succession(r["former"], r["current"], date.fromisoformat(r["since"])) for r in rows)


@cache
def _by_former() -> dict[str, str]:
    return {row.former: row.current for row in successions()}


def successor(symbol: str) -> str | None:
    """The canonical symbol that *symbol* was renumbered to, None if it never was."""
    return _by_former().get(symbol)


def former_symbols(symbol: str) -> tuple[Succession, ...]:
    """The renumberings that led to *symbol*, oldest first."""
    return tuple(sorted((row for row in successions() if row.current == symbol), key=lambda row: row.since))
