"""What the fake baostock server knows: K lines, factors, calendar, companies, forecasts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

from tests.upstream.baostock_server import Answer, Baostock

FACTOR_FIELDS = ("code", "dividOperateDate", "foreAdjustFactor", "backAdjustFactor", "adjustFactor")
BASIC_FIELDS = ("code", "code_name", "ipoDate", "outDate", "type", "status")
INDUSTRY_FIELDS = ("updateDate", "code", "code_name", "industry", "industryClassification")
FORECAST_FIELDS = (
    "code", "profitForcastExpPubDate", "profitForcastExpStatDate", "profitForcastType", "profitForcastAbstract",
    "profitForcastChgPctUp", "profitForcastChgPctDwn",
)  # fmt: skip
_UNSUPPORTED = ("10004015", "不支持的证券代码品种")


@dataclass
class Book:
    """Rows by code (``sh.600000``); ``sessions`` is the calendar the server answers with."""

    k_lines: dict[str, list[Mapping[str, str]]] = field(default_factory=dict)
    factors: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    basics: list[Sequence[str]] = field(default_factory=list)
    industries: list[Sequence[str]] = field(default_factory=list)
    forecasts: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    sessions: set[date] = field(default_factory=set)

    def server(self) -> Baostock:
        """A server that answers from this book."""
        return Baostock(
            {
                "query_history_k_data_plus": self._k_line,
                "query_adjust_factor": self._factor,
                "query_trade_dates": self._dates,
                "query_stock_basic": self._basic,
                "query_stock_industry": self._industry,
                "query_forecast_report": self._forecast,
            }
        )

    def _k_line(self, arguments: Sequence[str]) -> Answer:
        _, _, code, fields, first, last, _, adjust = arguments
        if code not in self.k_lines:
            return _UNSUPPORTED if code.startswith("bj.") else (fields.split(","), [])
        names = [name.strip() for name in fields.split(",")]
        rows = [row for row in self.k_lines[code] if first <= row["date"] <= last]
        return names, [[{**row, "adjustflag": adjust}.get(name, "") for name in names] for row in rows]

    def _factor(self, arguments: Sequence[str]) -> Answer:
        code, first, last = arguments[2:5]
        rows = [row for row in self.factors.get(code, []) if first <= row[1] <= last]
        return FACTOR_FIELDS, rows

    def _dates(self, arguments: Sequence[str]) -> Answer:
        first, last = date.fromisoformat(arguments[2]), date.fromisoformat(arguments[3])
        last = min(last, max(self.sessions, default=last))
        days = [first + timedelta(days=i) for i in range((last - first).days + 1)]
        return ("calendar_date", "is_trading_day"), [[str(day), str(int(day in self.sessions))] for day in days]

    def _basic(self, arguments: Sequence[str]) -> Answer:
        return BASIC_FIELDS, _of(self.basics, arguments[2], 0)

    def _industry(self, arguments: Sequence[str]) -> Answer:
        return INDUSTRY_FIELDS, _of(self.industries, arguments[2], 1)

    def _forecast(self, arguments: Sequence[str]) -> Answer:
        code, first, last = arguments[2:5]
        return FORECAST_FIELDS, [row for row in self.forecasts.get(code, []) if first <= row[1] <= last]


def _of(rows: list[Sequence[str]], code: str, column: int) -> list[Sequence[str]]:
    return [row for row in rows if code in ("", row[column])]


def k_line(code: str, day: date, low: float = 8.19, **changes: str) -> dict[str, str]:
    """One unadjusted row as baostock prints it."""
    row = {
        "date": str(day), "code": code, "open": f"{low + 0.01:.4f}", "high": f"{low + 0.14:.4f}", "low": f"{low:.4f}",
        "close": f"{low + 0.11:.4f}", "preclose": f"{low + 0.11:.4f}", "volume": "60213700",
        "amount": f"{60213700 * (low + 0.07):.4f}", "turn": "0.205100", "tradestatus": "1", "pctChg": "0.606100",
        "peTTM": "5.123456", "pbMRQ": "0.401000", "psTTM": "1.310000", "pcfNcfTTM": "-2.209045", "isST": "0",
    }  # fmt: skip
    return {**row, **changes}


def factors_of(rows: Iterable[Mapping[str, str]]) -> list[Sequence[str]]:
    """Factors as the server prints them (six decimals), from the exchange's previous closes.

    The backward factor grows by previous close / ex-right reference price at each ex-date; the forward one is
    the backward one over its latest value.
    """
    ordered = sorted(rows, key=lambda row: row["date"])
    back, events = 1.0, []
    for before, today in pairwise(ordered):
        close, reference = float(before["close"]), float(today["preclose"])
        if abs(close - reference) > 1e-9:
            back *= close / reference
            events.append((today["code"], today["date"], back))
    return [(code, day, f"{b / back:.6f}", f"{b:.6f}", f"{b:.6f}") for code, day, b in events]
