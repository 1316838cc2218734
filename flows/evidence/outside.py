"""What the warehouse holds of a kind that gave no fact: records outside the window, or none that can be used.

没有记录 may be said only of a kind without any visible row; the windows repeat what the sections of
facts look at, and tests hold the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flows.evidence.facts_capital import PAST_DAYS, UPCOMING_DAYS
from flows.evidence.reading import Row, Scope
from flows.market.sessions import SHANGHAI

_EVER = 100_000


@dataclass(frozen=True)
class Window:
    """What one section looks at: days before and after as-of by *column*, publication time if there is none."""

    before: int
    after: int = 0
    column: str | None = None

    def __str__(self) -> str:
        """As a reader sees it."""
        if self.after == _EVER:
            return f"窗口（近{self.before}天及以后）内"
        return f"窗口（近{self.before}天" + (f"至未来{self.after}天" if self.after else "") + "）内"

    def day_of(self, row: Row) -> date:
        """The date that decides whether *row* is inside."""
        day: date = row[self.column] if self.column else row["published_at"].astimezone(SHANGHAI).date()
        return day

    def holds(self, day: date, as_of: date) -> bool:
        """Whether *day* is inside."""
        return -self.before <= (day - as_of).days <= self.after


WINDOWS: dict[str, Window] = {
    "corporate_actions": Window(365, _EVER, "ex_date"),
    "unlocks": Window(PAST_DAYS, UPCOMING_DAYS, "unlock_date"),
    "announcements": Window(365),
    "filing_texts": Window(365),
    "news": Window(7),
    "research_reports": Window(365),
    "holder_trades": Window(180),
    "pledges": Window(90),
    "top_list": Window(180),
    "margins": Window(60),
    "fund_flows": Window(60),
    "attention": Window(30),
    "suspensions": Window(365),
}


def words_of_absence(scope: Scope, kind: str) -> str | None:
    """Why visible rows of *kind* gave no fact, as a sentence; None if there is no such row."""
    if kind == "sentiment" or not (rows := scope.visible(kind)):
        return None
    if kind == "earnings_forecasts":
        newest = max(row["notice_date"] for row in rows)
        return f"最近一期财务报告之后没有新的预告；最近一次预告公告于{newest.isoformat()}。"
    window = WINDOWS.get(kind)
    if window is None:
        return f"有{len(rows)}条记录，但没有可作为事实的内容，不作推断。"
    days = [window.day_of(row) for row in rows]
    if inside := sum(window.holds(day, scope.as_of) for day in days):
        return f"{window}有{inside}条记录，但没有可作为事实的内容，不作推断。"
    nearest = min(days, key=lambda day: (abs((day - scope.as_of).days), day))
    return f"{window}没有记录；窗口外最近的一条日期为{nearest.isoformat()}。"
