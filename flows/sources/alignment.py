"""Facts of one pack must be of one day, or say that they are not (PRODUCT M3): late answers are asked once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import polars as pl

from flows.contracts.envelope import DateStatus, Envelope, Status
from flows.sources.chain import ChainResult

#: Half a tick: a previous close further from yesterday's close is an ex-right reference price.
_HALF_TICK_CNY = 0.005


def align(results: Sequence[ChainResult], ask_again: Callable[[Envelope], ChainResult]) -> list[ChainResult]:
    """*results* with each late one asked once more; what stays late keeps its own date and says STALE.

    Late is an answer older than its kind should be by now, while another kind's answer is of a later day.
    """
    dates = [d for r in results if (d := r.envelope.actual_trade_date) is not None]
    newest = max(dates, default=None)
    return [_again(result, ask_again) if _is_late(result.envelope, newest) else result for result in results]


def differing_dates(results: Sequence[ChainResult]) -> dict[str, date]:
    """Kind → date of the data, for the dated kinds, if they are not all of one day; else empty."""
    dates = {r.envelope.kind: d for r in results if (d := r.envelope.actual_trade_date) is not None}
    return dates if len(set(dates.values())) > 1 else {}


def _is_late(envelope: Envelope, newest: date | None) -> bool:
    actual = envelope.actual_trade_date
    return envelope.date_status is DateStatus.STALE and None not in (actual, newest) and actual < newest  # type: ignore[operator]


def _again(result: ChainResult, ask_again: Callable[[Envelope], ChainResult]) -> ChainResult:
    second = ask_again(result.envelope)
    tried = (*result.tried, *second.tried)
    first_date, second_date = result.envelope.actual_trade_date, second.envelope.actual_trade_date
    is_newer = second.envelope.status is Status.OK and (second_date or date.min) > (first_date or date.min)
    return ChainResult(second.envelope if is_newer else result.envelope, tried)


def without_late_factor(results: Sequence[ChainResult]) -> list[ChainResult]:
    """*results* with the factors marked NOT_READY if the last bar is ex-right and its factor is not there (P4).

    The bars show it: the exchange's previous close differs from the close before, and no ex-date lies in between.
    """
    found = {result.envelope.kind: result.envelope for result in results}
    bars, factors = found.get("daily_bars"), found.get("adjust_factors")
    if bars is None or factors is None or bars.data is None or factors.status not in {Status.OK, Status.NO_DATA}:
        return list(results)
    gap = _ex_right_span(bars.data)
    if gap is None or _has_factor(factors.data, *gap):
        return list(results)
    message = f"{gap[1]} 是除权除息日，复权因子尚未公布：稍后再取，此前不计算复权价"
    held = replace(factors, status=Status.NOT_READY, data=None, message=message, date_status=DateStatus.UNKNOWN)
    return [ChainResult(held, (*r.tried, held)) if r.envelope.kind == "adjust_factors" else r for r in results]


def _ex_right_span(bars: pl.DataFrame) -> tuple[date, date] | None:
    """The last two dates of *bars* if the later one opens on an ex-right reference price."""
    last = bars.sort("trade_date").tail(2)
    if last.height < 2 or last["previous_close_cny"][1] is None:
        return None
    jump = abs(last["previous_close_cny"][1] - last["close_cny"][0])
    return (last["trade_date"][0], last["trade_date"][1]) if jump > _HALF_TICK_CNY else None


def _has_factor(factors: pl.DataFrame | None, after: date, upto: date) -> bool:
    return (
        factors is not None and not factors.filter((pl.col("ex_date") > after) & (pl.col("ex_date") <= upto)).is_empty()
    )
