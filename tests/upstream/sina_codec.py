"""Encoders of Sina's packed texts, which akshare decodes with Sina's own JavaScript.

Bit stream: characters of ``A–Za–z0–9+/`` carry 6 bits each, least significant first; fields likewise, two's
complement if signed. Header: 12-bit format id, 6-bit ``63 ^ version``. Format 139 is the list of sessions (run
lengths between weekday holidays), 3466 the daily bars (differences). Day 0 is 1990-12-19.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_DAY_0 = date(1990, 12, 19)
_WIDTHS = {"open": 9, "high": 7, "low": 7, "close": 9, "volume": 14, "amount": 16}
_BASES = {"open": 3, "high": 3, "low": 3, "close": 3, "volume": 5, "amount": 5}


@dataclass(frozen=True)
class Bar:
    """One bar: prices in CNY, volume in shares, amount in CNY."""

    day: date
    open: float
    high: float
    low: float
    close: float
    volume: int
    amount: int


class _Bits:
    def __init__(self) -> None:
        self._bits: list[int] = []

    def flag(self, *values: int) -> None:
        self._bits.extend(1 if value else 0 for value in values)

    def number(self, value: int, width: int) -> None:
        self._bits.extend((value >> k) & 1 for k in range(width))

    def wide(self, value: int, width: int) -> None:
        """The decoder reads more than 30 bits as 30 low ones and the rest."""
        value &= (1 << width) - 1
        self.number(value & ((1 << min(width, 30)) - 1), min(width, 30))
        if width > 30:
            self.number(value >> 30, width - 30)

    def step(self, change: int) -> None:
        """A change of width: sign, then unary."""
        self.flag(change > 0, *[1] * (abs(change) - 1), 0)

    def text(self) -> str:
        bits = self._bits + [0] * (-len(self._bits) % 6)
        return "".join(_ALPHABET[sum(bits[i + j] << j for j in range(6))] for i in range(0, len(bits), 6))


def calendar_text(sessions: Sequence[date]) -> str:
    """``klc_td_sh.txt`` of *sessions* (weekdays, ascending)."""
    out = _Bits()
    out.number(139, 12)
    out.number(63, 6)
    out.number((sessions[0] - _DAY_0).days, 18)
    out.number((sessions[-1] - _DAY_0).days, 18)
    width = 0
    for run in _runs(sessions):
        need = -(-run.bit_length() // 3)
        out.flag(need != width)
        if need != width:
            out.step(need - width)
            width = need
        out.number(run, 3 * width)
    return f'var datelist="{out.text()}";'


def _runs(sessions: Sequence[date]) -> list[int]:
    """Numbers of sessions before each weekday holiday, and after the last."""
    known, runs, current = set(sessions), [], 0
    day = sessions[0]
    while day <= sessions[-1]:
        if day in known:
            current += 1
        elif day.weekday() < 5:
            runs.append(current)
            current = 0
        day += timedelta(days=1)
    return [*runs, current]


def bars_text(bars: Sequence[Bar], symbol: str = "sh600000") -> str:
    """``klc_kl.js`` of *bars*."""
    out = _Bits()
    out.number(3466, 12)
    out.number(63, 6)
    close = volume = amount = 0
    for number, bar in enumerate(bars):
        out.flag(1, 1)
        out.flag(*([1, 1, 1, 0, 0, 0, 0, 0, 0, 0] if number == 0 else [0]))
        out.flag(1)
        for name, width in _WIDTHS.items():
            out.flag(number == 0)
            if number == 0:
                out.step(width - _BASES[name])
        out.flag(1)
        out.number(1, 3)
        out.wide((bar.day - _DAY_0).days, 18)
        out.flag(0)
        cents = {name: round(getattr(bar, name) * 100) for name in ("open", "high", "low", "close")}
        values = {
            "open": cents["open"] - close, "high": cents["high"] - cents["open"], "low": cents["open"] - cents["low"],
            "close": cents["close"] - cents["open"], "volume": bar.volume - volume, "amount": bar.amount - amount,
        }  # fmt: skip
        for name, value in values.items():
            out.wide(value, 3 * _WIDTHS[name])
        close, volume, amount = cents["close"], bar.volume, bar.amount
    out.flag(1, 1, 0, 0, 0)
    out.number(0, 6)
    return f'var KLC_KL_{symbol}="{out.text()}";'
