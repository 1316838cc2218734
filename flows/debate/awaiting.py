"""What would prove a claim wrong that no registered metric measures: an announcement of a named kind by a day.

Dividends and what holders or the company do with shares are told in announcements, not in a series the program
could read; the condition is for the reader to check, and the report says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from flows.contracts.packs import Fact, FactKind
from flows.contracts.transcripts import Claim, Falsifier, Side
from flows.debate.blind import side_names
from flows.debate.judge import short
from flows.debate.metrics import MARKET_HORIZON, report_deadline
from flows.debate.ownership import is_own_fact
from flows.debate.state import Record


def _with_the_annual_report(day: date) -> date:
    """The plan of distribution comes with the annual report of the year under way."""
    return report_deadline(date(day.year, 12, 31))


def _within_three_months(day: date) -> date:
    return day + MARKET_HORIZON


@dataclass(frozen=True)
class Awaited:
    """Words of the cited fact, the side that argues with it, the announcement that would refute it, and by when."""

    words: str
    side: Side
    announcement: str
    due: Callable[[date], date]


_AWAITED: tuple[Awaited, ...] = (
    Awaited(
        "现金红利|利润分配|权益分派",
        Side.FOR,
        "年报披露的利润分配预案不派现金，或每股少于这一次",
        _with_the_annual_report,
    ),
    Awaited("回购", Side.FOR, "公告终止回购，或回购期满而没有买足", _within_three_months),
    Awaited("增持", Side.FOR, "有大股东或董监高公告减持", _within_three_months),
    Awaited("减持|询价转让", Side.AGAINST, "相关股东公告终止减持，或转为增持", _within_three_months),
    Awaited("解禁|解除限售", Side.AGAINST, "相关股东公告延长锁定，或承诺不减持", _within_three_months),
)


def awaited_falsifiers(record: Record, claims: Iterable[Claim]) -> Iterator[Falsifier]:
    """One falsifier by announcement for each claim that rests on such a matter, in the order of the claims."""
    for claim in claims:
        texts = [fact.sentence for fid in claim.fact_ids if (fact := record.pack.fact(fid)) and _is_told(record, fact)]
        for awaited in _AWAITED:
            if awaited.side is claim.side and any(re.search(awaited.words, text) for text in texts):
                yield _falsifier(record, claim, awaited)
                break


def _is_told(record: Record, fact: Fact) -> bool:
    is_action = fact.kind is FactKind.ANNOUNCEMENT or fact.field.startswith("corporate_actions.")
    return is_action and is_own_fact(fact, record.pack)


def _falsifier(record: Record, claim: Claim, awaited: Awaited) -> Falsifier:
    names = side_names(record.protocol)
    return Falsifier(
        falsifier_id="",
        side=claim.side,
        description=f"期限内{awaited.announcement}，则“{short(claim)}”不再能支持{names[claim.side]}",
        metric=None,
        operator=None,
        threshold=None,
        unit=None,
        due_date=awaited.due(record.pack.trade_date),
        claim_id=claim.claim_id,
    )
