"""The little SVG the charts need: elements, axes and scales; every text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

Scale = Callable[[float], float]


def element(tag: str, body: str = "", **attributes: object) -> str:
    """One SVG element; ``class_`` becomes ``class``, ``stroke_width`` becomes ``stroke-width``."""
    pairs = " ".join(
        f'{name.rstrip("_").replace("_", "-")}="{escape(_short(value))}"' for name, value in attributes.items()
    )
    return f"<{tag} {pairs}>{body}</{tag}>" if body else f"<{tag} {pairs}/>"


def label(x: float, y: float, words: str, *, anchor: str = "start", class_: str = "axis") -> str:
    """A text at (x, y)."""
    return element("text", escape(words), x=x, y=y, text_anchor=anchor, class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def polyline(points: Sequence[tuple[float, float]], class_: str) -> str:
    """A line through *points*."""
    return element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=class_)


def figure(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """A complete, scalable SVG picture with an accessible title."""
    body = f"<title>{escape(title)}</title>" + "".join(parts)
    return element(
        "svg", body, viewBox=f"0 0 {width} {height}", role="img", class_="chart", xmlns="http://www.w3.org/2000/svg"
    )


def linear(low: float, high: float, start: float, end: float) -> Scale:
    """Map [low, high] onto [start, end]; a single value lands in the middle."""
    if high == low:
        return lambda _value: (start + end) / 2
    return lambda value: start + (value - low) / (high - low) * (end - start)


def ticks(low: float, high: float, wanted: int = 4) -> list[float]:
    """Round tick values inside [low, high], about *wanted* of them."""
    if high <= low:
        return [low]
    rough = (high - low) / wanted
    power = 10 ** _floor_log10(rough)
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough)
    first = -(-low // step)
    count = int((high - first * step) // step)
    return [round((first + i) * step, 10) for i in range(count + 1)]


def _floor_log10(value: float) -> int:
    exponent = 0
    while value >= 10:
        value, exponent = value / 10, exponent + 1
    while value < 1:
        value, exponent = value * 10, exponent - 1
    return exponent


def _short(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
