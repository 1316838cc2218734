"""Reads a JSON object out of what a model wrote, repairing form and never content.

Order matters: strict JSON first, so a well-formed answer is taken byte for byte; then think blocks
and prose are set aside and each outermost object is read by a tolerant parser. What cannot be read
without guessing (cut off, two different answers, a number with a unit in it) raises
:class:`Unreadable` with a cause that is sent back to the model. A cut answer is never closed here: the
missing tail may hold a negation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from flows.debate.repair_parser import TolerantParser, Truncated, Unparsable

_THINK_TAGS = ("think", "thinking", "thought", "reasoning")


class Unreadable(ValueError):
    """No single JSON object can be read; the message is the cause, in Chinese, for the model."""

    def __init__(self, cause: str, *, is_truncated: bool = False) -> None:
        super().__init__(cause)
        self.cause = cause
        self.is_truncated = is_truncated


@dataclass(frozen=True)
class Reading:
    """The object read, and what was repaired on the way (empty for strict JSON)."""

    data: dict[str, Any]
    repairs: tuple[str, ...] = ()


def read_object(text: str, required: Iterable[str] = ()) -> Reading:
    """Read the one JSON object of an answer.

    *required* are the names the object must have; they only help to tell the answer from examples
    and wrappers around it. Raises :class:`Unreadable`.
    """
    body = text.strip().lstrip("\ufeff\u200b").strip()
    if not body:
        raise Unreadable("回答是空的")
    strict = _strict(body)
    if strict is not None:
        return _unwrapped(Reading(strict), frozenset(required))
    spoken, had_think = without_think(body)
    if not spoken:
        raise Unreadable("只有思考过程，没有给出 JSON 回答", is_truncated=True)
    repairs = ("think",) if had_think else ()
    return _unwrapped(_choose(spoken, frozenset(required), repairs), frozenset(required))


def without_think(text: str) -> tuple[str, bool]:
    """The answer without a leading think block, and whether there was one.

    Only a block before the answer is removed, also one whose opening tag the server swallowed;
    the same tag inside a JSON string stays. An unclosed block leaves nothing.
    """
    rest, found = text.strip(), False
    while (tag := _leading_tag(rest)) is not None:
        _, closed, after = rest.partition(f"</{tag}>")
        rest, found = after.strip() if closed else "", True
    for tag in _THINK_TAGS:
        before, closed, after = rest.partition(f"</{tag}>")
        if closed and not before.lstrip().startswith(("{", "[", "`")):
            return after.strip(), True
    return rest, found


def _leading_tag(text: str) -> str | None:
    return next((tag for tag in _THINK_TAGS if text.startswith(f"<{tag}>")), None)


def _strict(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (json.JSONDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse_constant(name: str) -> None:
    raise Unreadable(f"JSON 里不能写 {name}；没有数值请写 null")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found and found[name] != value:
            raise Unreadable(f"字段 {name} 出现了两次且内容不同，请只写一次")
        found[name] = value
    return found


def _choose(text: str, required: frozenset[str], repairs: tuple[str, ...]) -> Reading:
    objects, tail = _scan(text)
    complete = [found for found in objects if required <= found.data.keys()] or objects
    distinct: list[Reading] = []
    for found in complete:
        if all(found.data != other.data for other in distinct):
            distinct.append(found)
    if len(distinct) > 1:
        raise Unreadable(f"给出了 {len(distinct)} 个不同的 JSON 回答，请只给一个")
    if not distinct:
        raise tail or Unreadable("没有找到 JSON 对象；请只输出一个 JSON 对象，不要写其他文字")
    chosen = distinct[0]
    if tail is not None and (tail.is_truncated or not required or not required <= chosen.data.keys()):
        raise tail
    return Reading(chosen.data, (*repairs, *chosen.repairs))


def _scan(text: str) -> tuple[list[Reading], Unreadable | None]:
    """Every outermost object in *text*, and why the rest could not be read, if so."""
    objects: list[Reading] = []
    failure: Unreadable | None = None
    position = _next_brace(text, 0)
    while position is not None:
        parser = TolerantParser(text, position)
        try:
            value = parser.read_object()
        except Truncated:
            return objects, Unreadable("回答在中途被截断，JSON 没有写完", is_truncated=True)
        except Unparsable as error:
            failure = Unreadable(f"JSON 第 {error.position + 1} 个字符处有错：{error}")
            position = _next_brace(text, max(error.position, position + 1))
            continue
        is_bare = text.strip() == text[position : parser.position]
        repairs = parser.repairs if is_bare else ("prose", *parser.repairs)
        objects.append(Reading(value, tuple(dict.fromkeys(repairs))))
        position = _next_brace(text, parser.position)
    return objects, failure


def _next_brace(text: str, start: int) -> int | None:
    found = [at for mark in "{｛" if (at := text.find(mark, start)) >= 0]
    return min(found, default=None)


def _unwrapped(reading: Reading, required: frozenset[str]) -> Reading:
    """Take the inner object of ``{"answer": {…}}`` when only the inner one has what was asked."""
    if not required or required & reading.data.keys() or len(reading.data) != 1:
        return reading
    (inner,) = reading.data.values()
    if isinstance(inner, dict) and required <= inner.keys():
        return Reading(inner, (*reading.repairs, "wrapper"))
    return reading
