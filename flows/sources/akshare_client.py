"""The real akshare library: imported late, silent, with fresh caches, its answers as Polars frames.

akshare memoises some answers for the life of the process and hands every caller the same mutable frame; so a
new :class:`Akshare` (one per run) clears those caches, and every frame is copied on the way out. Questions
about the whole market are asked once per run and shared by all stocks.
"""

from __future__ import annotations

import importlib
import math
import sys
import threading
import zipfile
from collections.abc import Callable, Hashable, Sequence
from datetime import date, datetime
from types import ModuleType
from typing import TYPE_CHECKING, Any

import polars as pl

from flows.sources.faults import SourceFault, broken, no_data, outage
from flows.sources.http import Recording, current
from flows.sources.verdicts import incomplete, said

if TYPE_CHECKING:
    import pandas as pd

#: Everything akshare's functions are known to raise for a bad or absent answer; its own classes are added
#: on import. The cause is read off the wire, not off the class.
_RAISED: tuple[type[Exception], ...] = (
    OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError, SyntaxError, NameError,
    zipfile.BadZipFile,
)  # fmt: skip
_MEMOISED = (
    ("akshare.stock.stock_info", "stock_info_sz_name_code"),
    ("akshare.stock.stock_info", "stock_info_sh_name_code"),
    ("akshare.stock.stock_info", "stock_info_bj_name_code"),
    ("akshare.stock.stock_info", "stock_info_a_code_name"),
    ("akshare.stock_feature.stock_disclosure_cninfo", "__get_stock_json"),
    ("akshare.stock_feature.stock_disclosure_cninfo", "__get_category_dict"),
)
_IMPORT = threading.Lock()


class Akshare:
    """akshare's functions for one run."""

    def __init__(self) -> None:
        """Nothing is imported before the first call."""
        self._lock = threading.Lock()
        self._locks: dict[Hashable, threading.Lock] = {}
        self._shared: dict[Hashable, pl.DataFrame | SourceFault] = {}
        self._is_fresh = False

    def call(self, function: str, /, **arguments: str) -> pl.DataFrame:
        """The frame that ``akshare.<function>(**arguments)`` returns, in akshare's own columns.

        Raises:
            SourceFault: No record, or anything that is no data; the raw bodies decide which.
        """
        library, raised = self._library()
        recording = current()
        seen = len(recording.exchanges)
        try:
            frame = getattr(library, function)(**arguments)
        except raised as error:
            raise _verdict(error, recording, seen) from error
        if recording.fault is not None:
            raise recording.fault
        _check(frame, recording, seen)
        return to_polars(frame)

    def shared(self, function: str, /, **arguments: str) -> pl.DataFrame:
        """Like :meth:`call`, asked once per run for the whole market; "no record" is remembered, errors are not."""
        key = (function, *sorted(arguments.items()))
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._shared:
                try:
                    self._shared[key] = self.call(function, **arguments)
                except SourceFault as fault:
                    if not fault.is_no_data:
                        raise
                    self._shared[key] = fault
        found = self._shared[key]
        if isinstance(found, SourceFault):
            raise SourceFault(found.status, found.reason)
        return found

    def _library(self) -> tuple[ModuleType, tuple[type[Exception], ...]]:
        with _IMPORT:
            library = importlib.import_module("akshare")
            own = importlib.import_module("akshare.exceptions").AkshareException
            json_error = importlib.import_module("akshare.utils.demjson").JSONException
            if not self._is_fresh:
                _silence()
                _forget()
                self._is_fresh = True
        return library, (*_RAISED, own, json_error)


def present(calls: Sequence[Callable[[], pl.DataFrame]]) -> list[pl.DataFrame]:
    """The answers of *calls* that have rows; NO_DATA only if all of them say so, any other fault at once."""
    parts: list[pl.DataFrame] = []
    nothing: SourceFault | None = None
    for call in calls:
        try:
            parts.append(call())
        except SourceFault as fault:
            if not fault.is_no_data:
                raise
            nothing = fault
    if not parts:
        raise nothing or no_data("没有记录")
    return parts


def _forget() -> None:
    for module, function in _MEMOISED:
        getattr(importlib.import_module(module), function).cache_clear()


def _silence() -> None:
    """Take the progress bars out of akshare's modules; ours are the only ones a person should see."""
    for name, module in list(sys.modules.items()):
        if name.startswith("akshare.") and "get_tqdm" in vars(module):
            module.get_tqdm = _no_bars  # type: ignore[attr-defined]
        elif name.startswith("akshare.") and callable(vars(module).get("tqdm")):
            module.tqdm = _no_bar  # type: ignore[attr-defined]


def _no_bars(*_: object, **__: object) -> Callable[..., Any]:
    return _no_bar


def _no_bar(iterable: Any, *_: object, **__: object) -> Any:
    return iterable


def _verdict(error: Exception, recording: Recording, seen: int) -> SourceFault:
    """Why a call failed: our own fault first, then what the upstream said, then the wire, then the shape."""
    if recording.fault is not None:
        return recording.fault
    exchanges = recording.exchanges[seen:]
    if exchanges and (fault := said(exchanges[-1])) is not None:
        return fault
    if isinstance(error, OSError) or type(error).__name__ == "NetworkError":
        return outage(f"连接失败：{type(error).__name__}")
    return broken(f"回答的结构与约定不符（{type(error).__name__}），上游可能改版或被截断")


def _check(frame: pd.DataFrame, recording: Recording, seen: int) -> None:
    """A frame counts only if every answer behind it was sound and complete, and if it has rows."""
    exchanges = recording.exchanges[seen:]
    for exchange in exchanges:
        fault = said(exchange)
        if fault is not None and not fault.is_no_data:
            raise fault
    if (fault := incomplete(exchanges)) is not None:
        raise fault
    if frame.empty:
        last = said(exchanges[-1]) if exchanges else None
        raise last or broken("返回空表，而上游没有说明无数据")


def to_polars(frame: pd.DataFrame) -> pl.DataFrame:
    """A copy of *frame*, column by column, without guessing: mixed values become text, missing ones null."""
    return pl.DataFrame([_series(str(name), frame.iloc[:, i].tolist()) for i, name in enumerate(frame.columns)])


def _series(name: str, values: list[Any]) -> pl.Series:
    known = [None if _is_missing(value) else value for value in values]
    kinds = {type(value) for value in known if value is not None}
    if not kinds:
        return pl.Series(name, known, dtype=pl.Null)
    if kinds <= {int, float}:
        return pl.Series(name, known, dtype=pl.Int64 if kinds == {int} else pl.Float64)
    if all(issubclass(kind, datetime) for kind in kinds):
        return pl.Series(name, [getattr(v, "to_pydatetime", lambda v=v: v)() for v in known])
    if kinds in ({date}, {str}, {bool}):
        return pl.Series(name, known)
    return pl.Series(name, [None if value is None else str(value) for value in known], dtype=pl.String)


def _is_missing(value: Any) -> bool:
    return (
        value is None
        or (isinstance(value, float) and math.isnan(value))
        or type(value).__name__ in {"NaTType", "NAType"}
    )
