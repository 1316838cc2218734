"""Arguments told and refused in Chinese; nothing heavy is imported here, every command waits for it."""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches
from typing import Any, NoReturn

from flows.errors import UsageError


class _Words(argparse.HelpFormatter):
    """The usage line in Chinese."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """The line with its heading."""
        super().add_usage(usage, actions, groups, "用法：" if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """Refuses wrong arguments like any other wrong request, so that ``--json`` answers in JSON then too."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given, add_help=False, formatter_class=_Words)
        self._positionals.title, self._optionals.title = "参数", "选项"
        self.add_argument("-h", "--help", action="help", help="列出参数和用法")

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with the usage line."""
        raise UsageError(f"{_in_chinese(message)}\n{self.format_usage().strip()}\n{self.prog} -h 列出全部参数。")


#: What argparse says → what a person is told; the groups are the argument concerned and what is wrong with it.
_SAID = (
    (r"the following arguments are required: (?P<name>.+)", "缺少参数：{name}"),
    (r"argument (?P<name>.+?): invalid choice: '(?P<given>.*)' \(choose from (?P<known>.+)\)",
     "{name} 没有“{given}”这一项，可用：{known}"),
    (r"argument (?P<name>.+?): expected one argument", "{name} 后面要写一个值"),
    (r"unrecognized arguments: (?P<name>.+)", "不认识的参数：{name}"),
    (r"ambiguous option: (?P<name>\S+) could match (?P<known>.+)", "{name} 可以指 {known}，请写全"),
)  # fmt: skip


def _in_chinese(message: str) -> str:
    for pattern, words in _SAID:
        if found := re.fullmatch(pattern, message):
            parts = {name: value.replace("'", "") for name, value in found.groupdict().items()}
            return f"参数有误：{words.format(**parts)}{_meant(parts)}"
    return f"参数有误：{message}"


def _meant(parts: dict[str, str]) -> str:
    """The nearest of the known choices, if one is near what was written."""
    near = get_close_matches(parts["given"], parts["known"].split(", "), n=1) if "given" in parts else []
    return f"。是否指 {near[0]}？" if near else ""
