"""Facts of price and valuation, taken from the snapshot and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Dimension, Fact, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import COMPUTED, Origin, measured, origin_of
from flows.evidence.freshness import freshness_of
from flows.evidence.phrasing import directed, say
from flows.evidence.reading import Scope, published
from flows.evidence.rules import rule_for
from flows.evidence.snapshot import Multiple, Percentile, Snapshot

#: Changes are said as direction and size, so that sign and word cannot disagree.
_DIRECTED = {
    "change_pct": ("当日上涨", "当日下跌"),
    "return_5d_pct": ("近5日上涨", "近5日下跌"),
    "return_20d_pct": ("近20日上涨", "近20日下跌"),
    "return_60d_pct": ("近60日上涨", "近60日下跌"),
    "drawdown_52w_pct": ("较52周最高收盘价高", "较52周最高收盘价低"),
}
_FLAT = {
    "change_pct": "当日涨跌持平",
    "return_5d_pct": "近5日涨跌持平",
    "return_20d_pct": "近20日涨跌持平",
    "return_60d_pct": "近60日涨跌持平",
    "drawdown_52w_pct": "处于52周最高收盘价",
}
#: Sessions of a usual year: what volatility is annualised by, and what a window's observations are told in years by.
_SESSIONS_A_YEAR = 242
#: Observations a year below which a window is said to be covered in part: the usual holes are none.
_FULL = 0.95 * _SESSIONS_A_YEAR
_PERIODS = {
    "_52w_": "近52周", "_3y_": "近3年", "_5d": "近5日", "_20d_": "近20日", "_60d": "近60日",
}  # fmt: skip


def price_facts(snapshot: Snapshot, freshness: str) -> list[Fact]:
    """One fact per defined price figure of the snapshot's session."""
    origin = Origin(snapshot.trade_date, snapshot.published_at, COMPUTED, freshness)
    facts = [
        _price_fact(field, value, origin, snapshot.symbol)
        for field, value in snapshot.price_facts.items()
        if value is not None
    ]
    amount = snapshot.bar.amount_cny
    if amount is not None:
        words = f"成交额为{say(amount, Unit.CNY)}"
        facts.append(measured("daily_bars.amount_cny", amount, words, origin, subject=snapshot.symbol))
    return facts


def _price_fact(field: str, value: float, origin: Origin, symbol: str) -> Fact:
    period = next((words for mark, words in _PERIODS.items() if mark in field), "")
    if field == "limit_pct":
        words = f"涨跌幅限制为±{say(value, Unit.PCT)}"
        return measured("price_facts.limit_pct", value, words, origin, subject=symbol)
    return measured(field, value, _price_words(field, value), origin, subject=symbol, period=period)


def _price_words(field: str, value: float) -> str:
    metric = METRICS[field]
    if field in _DIRECTED:
        up, down = _DIRECTED[field]
        return directed(value, metric.unit, up, down, _FLAT[field])
    basis = f"（按{_SESSIONS_A_YEAR}个交易日年化）" if field == "volatility_60d_pct" else ""
    return f"{metric.zh}为{say(value, metric.unit)}{basis}"


def market_cap_facts(scope: Scope) -> list[Fact]:
    """Total market value of the latest day that has one, CNY; vendors without it leave the section empty."""
    rows = [row for row in scope.visible("valuations", days=30) if row["market_cap_cny"] is not None]
    if not rows:
        return []
    row = max(rows, key=lambda row: row["trade_date"])
    day = row["trade_date"]
    origin = origin_of(row, "估值", day, freshness=freshness_of("valuations", day, scope))
    words = f"总市值为{say(row['market_cap_cny'], Unit.CNY)}"
    return [measured("market_cap_cny", row["market_cap_cny"], words, origin, subject=scope.symbol)]


def valuation_facts(snapshot: Snapshot, freshness: str) -> list[Fact]:
    """Multiples with their percentiles; loss, hole and short window are said, never ranked."""
    return [fact for multiple in snapshot.multiples for fact in _multiple_facts(multiple, snapshot.symbol, freshness)]


def _multiple_facts(multiple: Multiple, symbol: str, freshness: str) -> Iterator[Fact]:
    day = multiple.trade_date
    origin = Origin(day, published("valuations", day), "估值数据", freshness)
    title = METRICS[multiple.name].zh
    if multiple.value is not None:
        note = "，亏损，不计算分位" if multiple.status == "loss" else ""
        words = f"{title}为{say(multiple.value, Unit.MULTIPLE)}{note}"
        yield measured(multiple.name, multiple.value, words, origin, subject=symbol)
    if multiple.status in {"loss", "missing"}:
        return
    for window in multiple.percentiles:
        period = f"近{window.years}年"
        if window.pct is None:
            words = f"{title}{period}有效观测仅{window.observations}个，不足应有交易日的六成，不给出分位"
            yield measured(
                "valuation_percentiles.obs", window.observations, words, origin, subject=symbol, period=period,
                polarity=Polarity.NEUTRAL, dimension=Dimension.VALUATION,
            )  # fmt: skip
            continue
        field = f"{multiple.name}_pct_{window.years}y"
        words = f"{title}处于{period}{say(window.pct, Unit.PCT)}分位（有效观测{window.observations}个{_span(window)}）"
        side = _window_side(field, window.pct, multiple)
        yield measured(field, window.pct, words, origin, subject=symbol, period=period, polarity=side)


def _span(window: Percentile) -> str:
    """The years a window really covers, where they are fewer than it is called by."""
    if window.observations >= _FULL * window.years:
        return ""
    return f"，实际仅约{window.observations / _SESSIONS_A_YEAR:.1f}年"


def _window_side(field: str, pct: float, multiple: Multiple) -> Polarity:
    """A window is signed only where no other window of the multiple lies on the other side of the middle."""
    others = (window.pct for window in multiple.percentiles if window.pct is not None)
    is_agreed = all((other - 50) * (pct - 50) >= 0 for other in others)
    return rule_for(field).polarity(pct) if is_agreed else Polarity.NEUTRAL
