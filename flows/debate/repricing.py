"""What would prove a claim that a share is cheap or dear wrong: a result at which today's price is neither.

A multiple is low only while what it is a multiple of holds. At the close *p* the price-earnings ratio of a
year reaches *m* where its earnings per share are *p* / *m*; the price-to-book ratio where the net assets per
share are. *m* is the industry average where a year's results can bring the multiple there, for earnings else
today's multiple.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact, Pack
from flows.contracts.transcripts import Claim, Falsifier, Side
from flows.debate.answers import Falsification
from flows.debate.grounds import number_of, own_latest
from flows.debate.judge import falsifier
from flows.debate.metrics import due_date, is_period_end, report_deadline
from flows.debate.state import Record
from flows.evidence.phrasing import say

#: A multiple → the result per share that it is a multiple of.
_RESULT_OF = {"pe_ttm": "eps_cny", "pb": "bvps_cny"}
#: The part of today's result a year can take away or add: profits can halve, net assets rarely lose a fifth.
_REACH = {"pe_ttm": 0.5, "pb": 0.2}
_CNY = METRICS["close_cny"].unit


@dataclass(frozen=True)
class Priced:
    """A claim about a multiple, with the facts that give the close and today's multiple."""

    claim: Claim
    multiple: str
    close: Fact
    now: Fact

    @property
    def is_for(self) -> bool:
        """Whether the claim speaks for the share, which more expensive than *m* would prove wrong."""
        return self.claim.side is Side.FOR


def repriced(record: Record, claim: Claim) -> Iterator[Falsifier]:
    """Falsifiers of a claim that cites a multiple, its percentile or its distance from the industry."""
    fields = {fact.field for fid in claim.fact_ids if (fact := record.pack.fact(fid))}
    for multiple in _RESULT_OF:
        if not any(f == multiple or f.startswith((f"{multiple}_pct_", f"peers.{multiple}_")) for f in fields):
            continue
        close, now = own_latest(record.pack, "close_cny"), own_latest(record.pack, multiple)
        if close and now and close.as_of == now.as_of and number_of(now) > 0:
            yield from _limit(record, Priced(claim, multiple, close, now))


def _limit(record: Record, priced: Priced) -> Iterator[Falsifier]:
    metric = _RESULT_OF[priced.multiple]
    result = own_latest(record.pack, metric)
    mark = _yardstick(record.pack, priced)
    if result is None or mark is None or not is_period_end(result.as_of):
        return
    due = _due(record, metric, result.as_of).isoformat()
    operator = "<" if priced.is_for else ">"
    threshold = _rounded(number_of(priced.close) / number_of(mark), is_down=priced.is_for)
    stated = {"label": "A1", "metric": metric, "operator": operator, "threshold": threshold, "due": due}
    made = falsifier(record, priced.claim, metric, Falsification.model_validate(stated))
    yield made.model_copy(update={"description": f"{made.description}。{_why(priced, mark)}"})


def _rounded(value: float, *, is_down: bool) -> float:
    """To what a report states, away from the line, so that beyond it the multiple surely is beyond the yardstick."""
    return (math.floor if is_down else math.ceil)(round(value * 100, 6)) / 100


def _why(priced: Priced, mark: Fact) -> str:
    """The arithmetic in words."""
    unit = METRICS[priced.multiple].unit
    close = f"按现价{say(number_of(priced.close), _CNY)}（{priced.close.id}）计"
    word = "高于" if priced.is_for else "低于"
    whose = "现在的" if mark is priced.now else mark.subject
    return f"{close}，{METRICS[priced.multiple].zh}将{word}{whose}{say(number_of(mark), unit)}（{mark.id}）"


def _yardstick(pack: Pack, priced: Priced) -> Fact | None:
    """The industry average on the other side of today's multiple and within reach; for earnings else today's."""
    level, reach = number_of(priced.now), _REACH[priced.multiple]
    for fact in pack.facts:
        if fact.field == priced.multiple and fact.subject == "行业平均" and number_of(fact) > 0:
            moved = level / number_of(fact) - 1
            if (moved < 0) is priced.is_for and 0 < abs(moved) <= reach:
                return fact
    return priced.now if priced.multiple == "pe_ttm" else None


def _due(record: Record, metric: str, period_end: date) -> date:
    """Earnings of a year are known with its annual report, net assets with the next report."""
    if metric != "eps_cny":
        return due_date(metric, record.pack.trade_date, period_end)
    year = period_end.year if period_end.month < 12 else period_end.year + 1
    return report_deadline(date(year, 12, 31))
