"""The pictures of a report (PRODUCT R3) as inline SVG; red is up and green is down, as on A-share screens.

An up candle is hollow and a down candle filled, so the picture also reads without colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise

from flows.contracts.packs import Fact, Polarity
from flows.contracts.transcripts import ConfidenceChange
from flows.reports.chart_data import Bar, ChartData, Mark
from flows.reports.svg import Scale, element, figure, label, line, linear, polyline, ticks

_LEFT, _RIGHT = 52, 12
_PRICE_TOP, _PRICE_BOTTOM = 22, 268
_BAND_TOP, _BAND_BOTTOM = 318, 398
_MONTH_WIDTH = 64


@dataclass(frozen=True)
class Frame:
    """How wide a picture is drawn, and how many of the last sessions stay legible in it."""

    width: int
    sessions: int

    @property
    def right(self) -> int:
        """Right edge of the plot."""
        return self.width - _RIGHT


WIDE = Frame(880, 250)
#: For a phone: a wide picture scaled down to it has letters nobody can read.
NARROW = Frame(400, 80)


def candles(data: ChartData, name: str, frame: Frame = WIDE) -> str:
    """Forward-adjusted candles with ex-dates and filings marked, valuation percentile below."""
    if not data.bars:
        return ""
    data = replace(data, bars=data.bars[-frame.sessions :])
    step = (frame.right - _LEFT) / len(data.bars)
    where = {bar.trade_date: _LEFT + step * (i + 0.5) for i, bar in enumerate(data.bars)}
    lows, highs = min(b.low_cny for b in data.bars), max(b.high_cny for b in data.bars)
    pad = (highs - lows) * 0.04 or 0.01
    scale = linear(lows - pad, highs + pad, _PRICE_BOTTOM, _PRICE_TOP)
    parts = [label(_LEFT, 14, f"{name} 前复权日线（元），◆ 除权除息，▲ 公告", class_="caption")]
    parts += _price_axis(lows, highs, scale, frame)
    parts += [_candle(bar, where[bar.trade_date], step, scale) for bar in data.bars]
    parts += _marks(data, where)
    parts += _months(data.bars, where)
    parts += _percentile_panel(data, where, frame)
    return figure(frame.width, 416, f"{name} 前复权日线与估值分位", parts)


def _price_axis(low: float, high: float, scale: Scale, frame: Frame) -> list[str]:
    parts = []
    for value in ticks(low, high):
        parts.append(line(_LEFT, scale(value), frame.right, scale(value), "grid"))
        parts.append(label(_LEFT - 6, scale(value) + 4, f"{value:g}", anchor="end"))
    return parts


def _candle(bar: Bar, x: float, step: float, scale: Scale) -> str:
    class_ = "up" if bar.close_cny >= bar.open_cny else "down"
    top, bottom = scale(max(bar.open_cny, bar.close_cny)), scale(min(bar.open_cny, bar.close_cny))
    width = max(step * 0.64, 1.0)
    body = element("rect", x=x - width / 2, y=top, width=width, height=max(bottom - top, 0.8), class_=class_)
    return line(x, scale(bar.high_cny), x, scale(bar.low_cny), f"wick-{class_}") + body


def _marks(data: ChartData, where: dict[date, float]) -> list[str]:
    parts = []
    for marks, sign, y, class_ in (
        (data.ex_dates, "◆", _PRICE_BOTTOM + 12, "mark-ex"),
        (data.filings, "▲", _PRICE_BOTTOM + 24, "mark-filing"),
    ):
        parts += [_mark(mark, sign, x, y, class_) for mark in marks if (x := _place(mark.on, where)) is not None]
    return parts


def _mark(mark: Mark, sign: str, x: float, y: float, class_: str) -> str:
    tip = element("title", _plain(f"{mark.on:%Y-%m-%d} {mark.label}"))
    return element("text", sign + tip, x=x, y=y, text_anchor="middle", class_=class_)


def _plain(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _place(day: date, where: dict[date, float]) -> float | None:
    """A filing of a closed day is drawn at the first session after it; one from before the picture is left out."""
    if day < min(where):
        return None
    return next((x for session, x in where.items() if session >= day), None)


def _months(bars: Sequence[Bar], where: dict[date, float]) -> list[str]:
    """The first session of each month, as far as the labels do not touch."""
    labels: list[str] = []
    last = float(-_MONTH_WIDTH)
    for before, bar in pairwise(bars):
        x = where[bar.trade_date]
        if before.trade_date.month != bar.trade_date.month and x - last >= _MONTH_WIDTH:
            labels.append(label(x, _PRICE_BOTTOM + 40, f"{bar.trade_date:%Y-%m}", anchor="middle"))
            last = x
    return labels


def _percentile_panel(data: ChartData, where: dict[date, float], frame: Frame) -> list[str]:
    scale = linear(0, 100, _BAND_BOTTOM, _BAND_TOP)
    title = f"{data.percentile_of}分位（0–100，断线 = 无分位）" if data.percentiles else "没有估值分位"
    parts = [
        element("rect", x=_LEFT, y=scale(100), width=frame.right - _LEFT, height=scale(80) - scale(100),
                class_="band-high"),
        element("rect", x=_LEFT, y=scale(20), width=frame.right - _LEFT, height=scale(0) - scale(20),
                class_="band-low"),
    ]  # fmt: skip
    for value in (0, 20, 50, 80, 100):
        parts.append(line(_LEFT, scale(value), frame.right, scale(value), "grid"))
        parts.append(label(_LEFT - 6, scale(value) + 4, f"{value}", anchor="end"))
    parts += [polyline(run, "percentile") for run in _runs(data, where, scale)]
    parts.append(label(_LEFT, _BAND_BOTTOM + 16, title, class_="caption"))
    return parts


def _runs(data: ChartData, where: dict[date, float], scale: Scale) -> list[list[tuple[float, float]]]:
    """Unbroken stretches: a day without a percentile breaks the line instead of being bridged."""
    runs: list[list[tuple[float, float]]] = [[]]
    for point in data.percentiles:
        x = where.get(point.trade_date)
        if x is None:
            continue
        if point.percentile is None:
            runs.append([])
        else:
            runs[-1].append((x, scale(point.percentile)))
    return [run for run in runs if run]


def distribution(returns_pct: Sequence[float]) -> str:
    """Histogram of the last daily returns, one bar per percent; nothing if there are fewer than 20."""
    if len(returns_pct) < 20:
        return ""
    low, high = int(min(returns_pct) // 1), int(max(returns_pct) // 1)
    counts = [sum(1 for r in returns_pct if value <= r < value + 1) for value in range(low, high + 1)]
    width, height = 420, 190
    x, y = linear(low, high + 1, 34, width - 8), linear(0, max(counts), height - 34, 30)
    bars = [
        element("rect", x=x(value) + 1, y=y(count), width=max(x(value + 1) - x(value) - 2, 1),
                height=y(0) - y(count), class_="up-fill" if value >= 0 else "down-fill")
        for value, count in zip(range(low, high + 1), counts, strict=True) if count
    ]  # fmt: skip
    axis = [label(x(v), height - 18, f"{v}", anchor="middle") for v in ticks(low, high + 1, 6)]
    title = label(34, 16, f"近{len(returns_pct)}个交易日日收益分布（%，每柱 1 个百分点）", class_="caption")
    return figure(width, height, "日收益分布", [title, *bars, *axis])


def evidence_balance(facts: Sequence[Fact]) -> str:
    """Facts per dimension: negative to the left, positive to the right, neutral counted beside."""
    dimensions = sorted({fact.dimension for fact in facts})
    if not dimensions:
        return ""
    counts = {
        (d, p): sum(1 for f in facts if f.dimension == d and f.polarity == p) for d in dimensions for p in Polarity
    }
    most = max(counts[d, p] for d in dimensions for p in (Polarity.POSITIVE, Polarity.NEGATIVE)) or 1
    width, row, middle = 420, 22, 260
    scale = linear(0, most, 0, 115)
    parts = [label(34, 16, "证据平衡（左：偏空，右：偏多，括号：中性）", class_="caption")]
    for i, dimension in enumerate(dimensions):
        top = 28 + i * row
        minus, plus = scale(counts[dimension, Polarity.NEGATIVE]), scale(counts[dimension, Polarity.POSITIVE])
        parts += [
            label(34, top + 14, f"{dimension.value}（{counts[dimension, Polarity.NEUTRAL]}）"),
            element("rect", x=middle - minus, y=top + 3, width=minus, height=row - 7, class_="down-fill"),
            element("rect", x=middle, y=top + 3, width=plus, height=row - 7, class_="up-fill"),
            label(middle - minus - 5, top + 14, str(counts[dimension, Polarity.NEGATIVE]), anchor="end"),
            label(middle + plus + 5, top + 14, str(counts[dimension, Polarity.POSITIVE])),
        ]
    parts.append(line(middle, 26, middle, 28 + len(dimensions) * row, "grid"))
    return figure(width, 36 + len(dimensions) * row, "证据平衡", parts)


def confidence(changes: Sequence[ConfidenceChange]) -> str:
    """The adjudicator's confidence step by step, 50 = neutral."""
    if not changes:
        return ""
    width, height = 420, 190
    values = [changes[0].confidence_from, *(change.confidence_to for change in changes)]
    x, y = linear(0, len(values) - 1, 34, width - 12), linear(0, 100, height - 20, 30)
    points: list[tuple[float, float]] = []
    for i, value in enumerate(values):
        points += [(x(i), y(values[i - 1]))] if i else []
        points.append((x(i), y(value)))
    grid = [
        part
        for value in (0, 25, 50, 75, 100)
        for part in (
            line(34, y(value), width - 12, y(value), "grid"),
            label(28, y(value) + 4, f"{value}", anchor="end"),
        )
    ]
    title = label(34, 16, f"裁决倾向变化：50 → {values[-1]:.1f}（50 为中性）", class_="caption")
    return figure(width, height, "裁决倾向变化", [title, *grid, polyline(points, "percentile")])
