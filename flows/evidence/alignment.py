"""Dates of sections side by side (PRODUCT M3): a difference is said, never merged away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from flows.contracts.packs import Fact
from flows.errors import NoData
from flows.evidence.missing import KIND_ZH
from flows.evidence.reading import Connection, Scope, end_of, select

#: Kinds whose facts carry a session of their own.
_DATED = ("valuations", "margins", "fund_flows", "attention", "peers", "pledges")


def date_notices(sections: Mapping[str, Sequence[Fact]], scope: Scope) -> list[str]:
    """One notice per section whose latest date differs from the date of the prices."""
    notices = []
    if scope.trade_date != scope.as_of and sections.get("daily_bars"):
        notices.append(
            f"行情数据截至{scope.trade_date}，早于所问日期{scope.as_of}；以下价格均为{scope.trade_date}的价格。"
        )
    for kind in _DATED:
        dates = [fact.as_of for fact in sections.get(kind, ())]
        if dates and max(dates) != scope.trade_date:
            notices.append(
                f"{KIND_ZH[kind]}数据截至{max(dates)}，行情数据截至{scope.trade_date}：日期不同，分别解读，不合并比较。"
            )
    return notices


def re_expression_notice(con: Connection, symbol: str, old_as_of: date, new_as_of: date) -> str | None:
    """What to say when a report of *old_as_of* is read after an ex-date up to *new_as_of* (PRODUCT M8).

    None if no ex-date lies between them. Prices in CNY per share; factor = backward factor at
    *old_as_of* / at *new_as_of*, so that old level × factor is the old level on the new basis.
    """
    before = _factor(con, symbol, old_as_of)
    after = _factor(con, symbol, new_as_of)
    if before == after:
        return None
    old = select(
        con,
        "select raw_close_cny from marts.adjusted_bars where symbol = $symbol and trade_date <= $day "
        "and volume_shares > 0 order by trade_date desc limit 1",
        {"symbol": symbol, "day": old_as_of},
    )
    if not old:
        raise NoData(f"{symbol} 在 {old_as_of} 及以前没有有效日线，无法重新表述旧价位。")
    level, factor = old[0]["raw_close_cny"], before / after
    return (
        f"{old_as_of}之后有除权除息，旧报告价位需按{new_as_of}的前复权口径重新表述："
        f"旧收盘价{level:.2f}元×{factor:.6f}＝{level * factor:.2f}元。"
    )


def _factor(con: Connection, symbol: str, day: date) -> float:
    rows = select(
        con,
        "select backward_factor from staging.adjust_factors where symbol = $symbol and ex_date <= $day "
        "and published_at <= $until order by ex_date desc limit 1",
        {"symbol": symbol, "day": day, "until": end_of(day)},
    )
    return float(rows[0]["backward_factor"]) if rows else 1.0
