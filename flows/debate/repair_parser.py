"""A JSON reader that forgives form: trailing commas, full-width punctuation, loose quotes, newlines.

It reads values exactly as written. A comma or colon may be full-width, a string may hold bare
quotation marks or line breaks, a list may end with a comma; a number must be a JSON number and a
word must be a JSON (or Python) constant, since anything else would be a guess at content.
"""

from __future__ import annotations

import re
from typing import Any

_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.%％])")
_WORDS: dict[str, Any] = {
    "true": True, "false": False, "null": None,
    "True": True, "False": False, "None": None,
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z_]\w*")
_LOW_SURROGATE = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_WORD = re.compile(r"[A-Za-z]+")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "'": "'"}
#: Structural marks a Chinese keyboard produces, and what JSON calls them.
_WIDE = {"，": ",", "、": ",", "：": ":", "｛": "{", "｝": "}", "［": "[", "］": "]", "【": "[", "】": "]"}
_CLOSING_QUOTES = {'"': '"', "“": '”"', "”": '”"', "'": "'", "‘": "’'", "＂": '＂"'}
_MAX_DEPTH = 64


class Unparsable(ValueError):
    """The text is no JSON, however kindly read; ``position`` is where."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.position = position


class Truncated(Unparsable):
    """The text ended inside a value."""


class TolerantParser:
    """Reads one object that starts at *position* of *text*; afterwards ``position`` is its end."""

    def __init__(self, text: str, position: int = 0) -> None:
        self._text = text
        self.position = position
        self.repairs: list[str] = []
        self._depth = 0

    def read_object(self) -> dict[str, Any]:
        """Read an object; a name written twice with different values is refused."""
        self._enter("{")
        found: dict[str, Any] = {}
        while self._peek() != "}":
            name = self._read_name()
            self._expect(":")
            value = self._read_value()
            if name in found and found[name] != value:
                raise Unparsable(f"字段 {name} 出现了两次且内容不同", self.position)
            found[name] = value
            self._separator("}")
        self._leave("}")
        return found

    def _read_array(self) -> list[Any]:
        self._enter("[")
        found: list[Any] = []
        while self._peek() != "]":
            found.append(self._read_value())
            self._separator("]")
        self._leave("]")
        return found

    def _read_value(self) -> Any:
        mark = self._peek()
        if mark == "{":
            return self.read_object()
        if mark == "[":
            return self._read_array()
        if mark in _CLOSING_QUOTES:
            return self._read_string()
        if number := _NUMBER.match(self._text, self.position):
            return self._read_number(number)
        return self._read_word()

    def _read_number(self, match: re.Match[str]) -> int | float:
        if match.end() == len(self._text):
            raise Truncated("数字没有写完", match.end())
        self.position = match.end()
        written = match.group()
        return float(written) if any(mark in written for mark in ".eE") else int(written)

    def _read_word(self) -> Any:
        match = _WORD.match(self._text, self.position)
        if match is not None and match.end() == len(self._text):
            raise Truncated("JSON 没有写完", match.end())
        if match is None or match.group() not in _WORDS:
            raise Unparsable("这里应当是一个 JSON 值", self.position)
        if match.group()[0].isupper():
            self.repairs.append("constant")
        self.position = match.end()
        return _WORDS[match.group()]

    def _read_name(self) -> str:
        if self._peek() in _CLOSING_QUOTES:
            return self._read_string()
        match = _NAME.match(self._text, self.position)
        if match is None:
            raise Unparsable("这里应当是一个字段名", self.position)
        self.repairs.append("bare name")
        self.position = match.end()
        return match.group()

    def _read_string(self) -> str:
        opening = self._text[self.position]
        closing = _CLOSING_QUOTES[opening]
        if opening != '"':
            self.repairs.append("quotes")
        self.position += 1
        pieces: list[str] = []
        while self.position < len(self._text):
            mark = self._text[self.position]
            if mark == "\\":
                pieces.append(self._read_escape())
                continue
            self.position += 1
            if mark in closing and self._closes():
                return "".join(pieces)
            if mark in "\n\r\t":
                self.repairs.append("line break")
            pieces.append(mark)
        raise Truncated("字符串没有写完", self.position)

    def _closes(self) -> bool:
        """Whether the quotation mark just read ends the string, judged by what follows it."""
        rest = self._text[self.position :].lstrip()
        if not rest:
            return True
        structural = rest[0] in ",:}]" or rest[0] in _WIDE
        if not structural:
            self.repairs.append("inner quotes")
        return structural

    def _read_escape(self) -> str:
        follower = self._text[self.position + 1 : self.position + 2]
        if follower == "u":
            digits = self._text[self.position + 2 : self.position + 6]
            if len(digits) == 4 and all(digit in "0123456789abcdefABCDEF" for digit in digits):
                self.position += 6
                return self._joined_surrogate(int(digits, 16))
        if not follower:
            raise Truncated("转义没有写完", self.position)
        self.position += 2
        if follower in _ESCAPES:
            return _ESCAPES[follower]
        self.repairs.append("escape")
        return "\\" + follower

    def _joined_surrogate(self, code: int) -> str:
        low = _LOW_SURROGATE.match(self._text, self.position)
        if 0xD800 <= code < 0xDC00 and low is not None:
            self.position = low.end()
            return chr(0x10000 + ((code - 0xD800) << 10) + (int(low.group(1), 16) - 0xDC00))
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)

    def _peek(self) -> str:
        while self.position < len(self._text) and (
            self._text[self.position].isspace() or self._text[self.position] in "\u200b\ufeff"
        ):
            self.position += 1
        if self.position >= len(self._text):
            raise Truncated("JSON 没有写完", self.position)
        mark = self._text[self.position]
        return _WIDE.get(mark, mark)

    def _expect(self, wanted: str) -> None:
        mark = self._peek()
        if mark != wanted:
            raise Unparsable(f"这里应当是 {wanted}", self.position)
        if self._text[self.position] != wanted:
            self.repairs.append("full-width")
        self.position += 1

    def _enter(self, mark: str) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise Unparsable("嵌套太深", self.position)
        self._expect(mark)

    def _leave(self, mark: str) -> None:
        self._expect(mark)
        self._depth -= 1

    def _separator(self, closing: str) -> None:
        if self._peek() == closing:
            return
        self._expect(",")
        if self._peek() == closing:
            self.repairs.append("trailing comma")
