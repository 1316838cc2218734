"""The page of one day (PRODUCT R4): each stock on a card linked to its report; what was not debated, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Protocol

from flows.contracts.metrics import METRICS
from flows.reports.segments import quantity
from flows.reports.sides import verdict_of
from flows.reports.templating import minute, template_of, write_text
from flows.reports.words import DISCLAIMER, OFFLINE_NOTE, OUTCOME_ZH, PROTOCOL_ZH, SAMPLE_NOTE

PAGE = "index.html"


#: Ids at the end of a warning: links on the report, noise on a card.
_IDS = re.compile(r"（E\d+[^（）]*）(?=。?$)")


class _Connection(Protocol):
    def execute(self, query: str, parameters: object = ...) -> Any: ...


@dataclass(frozen=True)
class Card:
    """One debate of the day.

    Attributes:
        page: File name of its report, beside the day's page.
        confidence: 0–100, neutral 50; *before* is that of the debate it follows.
    """

    symbol: str
    protocol: str
    title: str
    verdict: str
    confidence: float | None
    before: float | None
    warning: str
    page: str


@dataclass(frozen=True)
class Dispute:
    """One disagreement of the day and when data will settle it."""

    symbol: str
    metric: str
    values: tuple[str, str]
    due: date


@dataclass(frozen=True)
class Undebated:
    """A stock without a debate this time, and why."""

    symbol: str
    outcome: str
    reason: str


@dataclass(frozen=True)
class Day:
    """Everything the page says."""

    trade_date: date
    cutoff: datetime
    generated_at: datetime
    notes: tuple[str, ...]
    names: dict[str, str]
    cards: tuple[Card, ...]
    disputes: tuple[Dispute, ...]
    undebated: tuple[Undebated, ...]


_CARDS = """
select
    runs.symbol, runs.protocol, runs.title, runs.verdict, runs.confidence, previous.confidence, reports.warning,
    parse_filename(reports.html_path) as page, runs.debate_id
from debates.runs
inner join debates.reports on runs.debate_id = reports.debate_id
left join debates.runs as previous on runs.previous_debate_id = previous.debate_id
where runs.trade_date = $day and starts_with(reports.html_path, 'reports/' || $day || '/')
qualify row_number() over (partition by runs.symbol, runs.protocol order by runs.finished_at desc) = 1
order by runs.symbol, runs.protocol
"""
_DISPUTES = """
select runs.symbol, metric, for_value, against_value, unit, due_date
from debates.disagreements
inner join debates.runs on disagreements.debate_id = runs.debate_id
where list_contains($debates, disagreements.debate_id) and due_date is not null
order by due_date, runs.symbol, disagreement_id
limit 20
"""


def notes_of(*, is_offline: bool, is_sample: bool) -> tuple[str, ...]:
    """What stands above a page whose words or market are not real."""
    return (*([OFFLINE_NOTE] if is_offline else []), *([SAMPLE_NOTE] if is_sample else []))


def read_cards(con: _Connection, day: date) -> tuple[tuple[Card, ...], tuple[Dispute, ...]]:
    """The newest debate of each stock and protocol of *day* with its disagreements, soonest due first."""
    rows = con.execute(_CARDS, {"day": day.isoformat()}).fetchall()
    cards = tuple(replace(Card(*row[:8]), warning=_IDS.sub("", row[6])) for row in rows)
    found = con.execute(_DISPUTES, {"debates": [row[8] for row in rows]}).fetchall()
    disputes = tuple(_dispute(*row) for row in found)
    return cards, disputes


def _dispute(
    symbol: str, metric: str, for_value: float | None, against_value: float | None, unit: str, due: date
) -> Dispute:  # fmt: skip
    values = ("未给出" if for_value is None else quantity(for_value, unit),
              "未给出" if against_value is None else quantity(against_value, unit))  # fmt: skip
    return Dispute(symbol, METRICS[metric].zh if metric in METRICS else metric, values, due)


def write_day_page(day: Day, folder: Path) -> Path:
    """Write *folder*/DATE/index.html, and *folder*/index.html with the days there are."""
    target = folder / day.trade_date.isoformat()
    target.mkdir(parents=True, exist_ok=True)
    page = template_of("day.html").render(
        day=day, disclaimer=DISCLAIMER, protocols=PROTOCOL_ZH, verdict_of=verdict_of, outcomes=OUTCOME_ZH,
        cutoff=minute(day.cutoff), generated=minute(day.generated_at),
    )  # fmt: skip
    write_text(target / PAGE, page)
    write_text(folder / PAGE, template_of("days.html").render(days=_days(folder), disclaimer=DISCLAIMER))
    return target / PAGE


def _days(folder: Path) -> Sequence[str]:
    return sorted((page.parent.name for page in folder.glob(f"????-??-??/{PAGE}")), reverse=True)
