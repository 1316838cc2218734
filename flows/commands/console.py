"""What the commands share: settings from options, dates, tables, progress."""

from __future__ import annotations

import argparse
import json
import math
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from tomllib import TOMLDecodeError
from typing import Any

from pydantic import ValidationError
from pydantic_settings import SettingsError
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from flows.errors import ConfigurationError, UsageError
from flows.settings import Settings, nearest_variable, unknown_variables

#: Options of the command line that are settings; None means "not given".
_SETTINGS = {"data": "data_dir", "sources": "sources", "model": "model", "base_url": "base_url"}


def given_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings given on the command line, JSON-able."""
    pairs = ((name, getattr(options, option, None)) for option, name in _SETTINGS.items())
    return {name: value for name, value in pairs if value is not None}


def settings_from(options: argparse.Namespace) -> Settings:
    """Settings of environment, files and command line; ConfigurationError names the broken entry, never its value."""
    for name in unknown_variables():
        meant = nearest_variable(name)
        hint = f"，是不是想写 {meant}？" if meant else "。"
        raise ConfigurationError(f"环境变量 {name} 不是任何设置{hint}没有用的请先 unset {name}。")
    try:
        return Settings(**given_settings(options))
    except ValidationError as error:
        wrong = "；".join(f"{'.'.join(map(str, e['loc']))}：{_fault(e)}" for e in error.errors(include_input=False))
        raise ConfigurationError(f"配置有误（环境变量 ZHENGMING_…、.env 或 zhengming.toml）：{wrong}") from None
    except (TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"zhengming.toml 或 .env 读不懂（{error}）：须是 UTF-8，文字的值要有成对的引号。"
        ) from None
    except SettingsError as error:
        raise ConfigurationError(f"配置有误，读不懂：{error}") from None


#: Kinds of pydantic's errors as a person is told; any other keeps its own words.
_FAULTS = {
    "int_parsing": "要写一个整数", "int_from_float": "要写一个整数", "float_parsing": "要写一个数",
    "bool_parsing": "要写 true 或 false", "extra_forbidden": "没有这个设置", "missing": "没有写",
}  # fmt: skip


def _fault(error: Mapping[str, Any]) -> str:
    if error["type"] in {"literal_error", "enum"}:
        return f"只能是 {error['ctx']['expected']}"
    return _FAULTS.get(str(error["type"]), str(error["msg"]))


def parse_day(text: str | None) -> date | None:
    """An ISO date or None; UsageError otherwise."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"日期 {text!r} 读不懂：写成 2026-11-27 这样的形式。") from None


def wall_now() -> datetime:
    """The clock, read once per command."""
    return datetime.now(UTC)


def print_json(value: object) -> None:
    """One JSON document on standard output; what JSON has no number for (NaN, infinity) is null."""
    print(json.dumps(_jsonable(value), ensure_ascii=False, indent=1, allow_nan=False))  # noqa: T201


def _jsonable(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | int | bool) else str(value)


#: A column of prose is folded down to this many cells; narrower than that, nobody reads it.
_PROSE = 16


def table(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table on standard output; record by record where the terminal is too narrow for one.

    What is all ASCII (codes, ids, dates, numbers) is never folded, so that it can be copied.
    """
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    console = Console(markup=False, highlight=False)
    if sum(map(_least_width, headers, _columns(headers, cells))) + 3 * len(headers) + 1 > console.width:
        _records(title, headers, cells)
        return
    grid = Table(title=title, title_justify="left", header_style="bold")
    for header, column in zip(headers, _columns(headers, cells), strict=True):
        is_number = any(column) and all(map(_is_number, filter(None, column)))
        grid.add_column(
            header, overflow="fold", no_wrap=all(map(str.isascii, column)), justify="right" if is_number else "left"
        )
    for row in cells:
        grid.add_row(*row)
    console.print(grid)


def _columns(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[row[i] for row in cells] for i in range(len(headers))]


def _least_width(header: str, column: Sequence[str]) -> int:
    longest = max(map(cell_len, column), default=0)
    return max(cell_len(header), longest if all(map(str.isascii, column)) else min(longest, _PROSE))


def _is_number(cell: str) -> bool:
    return cell.lstrip("-").replace(".", "", 1).isdigit()


def _records(title: str, headers: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    """One line per field, never broken by us; what is empty is left out."""
    lines = [title]
    for number, row in enumerate(cells, start=1):
        filled = [f"{header}：{cell}" for header, cell in zip(headers, row, strict=True) if cell]
        lines += [f"── {number}/{len(cells)}", *filled]
    say(*lines)


def say(*lines: str) -> None:
    """Plain lines on standard output."""
    Console(markup=False, highlight=False, soft_wrap=True).print("\n".join(lines))


def note(*lines: str) -> None:
    """Plain lines on standard error, so that standard output stays one JSON document."""
    Console(stderr=True, markup=False, highlight=False, soft_wrap=True).print("\n".join(lines))


@contextmanager
def timed_bar(title: str, seconds: float) -> Iterator[None]:
    """A bar on standard error over work that tells nothing of its progress: its time against the expected *seconds*."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24), TimeElapsedColumn())
    over = threading.Event()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=seconds)

        def advance() -> None:
            while not over.wait(0.2):
                progress.update(task, completed=min(seconds, progress.tasks[task].elapsed or 0.0))

        drawing = threading.Thread(target=advance, daemon=True)
        drawing.start()
        try:
            yield
        finally:
            over.set()
            drawing.join()


class Bars:
    """Progress bars on standard error, one per stage; plain lines where there is no terminal."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._progress = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(),
            TimeElapsedColumn(), TextColumn("{task.fields[note]}"), console=self._console,
            disable=not sys.stderr.isatty(),
        )  # fmt: skip
        self._task: TaskID | None = None

    def __enter__(self) -> Bars:
        """Start drawing."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop drawing."""
        self._progress.stop()

    def stage(self, title: str, total: int) -> None:
        """A stage of *total* steps begins."""
        self._task = self._progress.add_task(title, total=total, note="")
        if not sys.stderr.isatty():
            self._console.print(f"{title}（{total}）", markup=False)

    def step(self, note: str) -> None:
        """One step is done."""
        if self._task is not None:
            self._progress.update(self._task, advance=1, note=note)
