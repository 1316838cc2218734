"""Reads an answer as what was asked, and says to the model what was wrong with it.

The stance rule: once an answer could be read, later tries may not change the fields in which a model
takes a side. A format error must not be a second chance to decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from flows.debate.endpoint_schema import answer_schema
from flows.debate.gateway_types import Ask, Tool, ToolUse
from flows.debate.journal import Entry, ToolCall
from flows.debate.repair import Unreadable, read_object, without_think

Message: TypeAlias = Mapping[str, Any]

#: Fields in which an answer takes a side.
STANCE_FIELDS = ("stance", "winner", "verdict", "side", "concede")

_REFUSALS = frozenset({"content_filter", "refusal"})
_LONGEST_QUOTE = 3_000
_MOST_ERRORS = 6
_RETRY = (
    "你上一条回答无法使用，原因：{cause}。\n"
    "请重新给出完整的回答，只改正上述问题；立场、结论与所依据的事实不得改变，不得加入新的数字。"
)
_SHORTER = "回答必须写完整：请压缩文字，全部内容不超过约 {characters} 个字。"


@dataclass(frozen=True)
class Read:
    """A usable answer, and what was repaired in its form."""

    value: BaseModel
    repairs: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """Valid requests to the tools of the ask, instead of an answer."""

    uses: tuple[ToolUse, ...]


@dataclass(frozen=True)
class Fault:
    """An answer that cannot be used.

    Attributes:
        cause: Why, in Chinese, as the model is told.
        is_final: True if asking again is pointless.
        is_truncated: True if it was cut off.
        is_shapeless: True if no object could be read at all, as if no schema had been demanded.
        stance: The side it took, as far as it could be read.
        data: The object that was read, if parts of it may be usable.
    """

    cause: str
    is_final: bool = False
    is_truncated: bool = False
    is_shapeless: bool = False
    stance: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] | None = None


def read_answer(entry: Entry, ask: Ask, stance: Mapping[str, Any]) -> Read | Wanted | Fault:
    """Read *entry* as what was asked; *stance* is the side an earlier try of the same ask took."""
    if entry.finish_reason in _REFUSALS:
        return Fault("模型服务拒绝回答这个问题", is_final=True)
    if entry.tool_calls:
        return _read_tool_calls(entry.tool_calls, ask.tools)
    return _read_text(entry, ask, stance)


def _read_text(entry: Entry, ask: Ask, stance: Mapping[str, Any]) -> Read | Fault:
    try:
        reading = read_object(entry.text, answer_schema(ask.answer).required)
    except Unreadable as error:
        is_cut = entry.finish_reason == "length"
        cause = "回答太长，在长度上限处被截断" if is_cut else error.cause
        is_cut = is_cut or error.is_truncated
        return Fault(cause, is_truncated=is_cut, is_shapeless=not is_cut)
    try:
        value = ask.answer.model_validate(reading.data)
    except ValidationError as error:
        taken = _valid_stance(reading.data, error)
        data = None if _changed_stance(taken, stance) else reading.data
        return Fault(_validation_cause(error), stance=taken, data=data)
    taken = _stance(reading.data)
    problem = _changed_stance(taken, stance)
    if problem:
        return Fault(problem)
    problems = list(ask.validate(value)) if ask.validate else []
    if problems:
        return Fault("；".join(problems[:_MOST_ERRORS]), stance=taken, data=reading.data)
    return Read(value, reading.repairs)


def _changed_stance(taken: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    changed = [name for name, side in before.items() if name in taken and taken[name] != side]
    if not changed:
        return ""
    return f"重试时改变了 {'、'.join(changed)}，原来是 {_spoken(before, changed)}，必须保持不变"


def _read_tool_calls(calls: Sequence[ToolCall], tools: Sequence[Tool]) -> Wanted | Fault:
    offered = {tool.name: tool for tool in tools}
    uses: list[ToolUse] = []
    for call in calls:
        tool = offered.get(call.name)
        if tool is None:
            return Fault(f"没有工具 {call.name}；可用：{'、'.join(offered) or '无，请直接回答'}")
        try:
            reading = read_object(call.arguments, answer_schema(tool.arguments).required)
            uses.append(ToolUse(tool.name, tool.arguments.model_validate(reading.data)))
        except Unreadable as error:
            return Fault(f"工具 {tool.name} 的参数读不懂：{error.cause}")
        except ValidationError as error:
            return Fault(f"工具 {tool.name} 的参数不对：{_validation_cause(error)}")
    return Wanted(tuple(uses))


def retry_messages(messages: Sequence[Message], previous: str, fault: Fault, max_tokens: int) -> list[dict[str, Any]]:
    """The same question with the unusable answer and its cause behind it; the beginning stays byte-identical."""
    words = _RETRY.format(cause=fault.cause)
    if fault.is_truncated:
        words += _SHORTER.format(characters=max(80, int(max_tokens * 0.8)))
    asked = [dict(message) for message in messages]
    quoted = without_think(previous)[0][:_LONGEST_QUOTE]
    if quoted:
        return [*asked, {"role": "assistant", "content": quoted}, {"role": "user", "content": words}]
    return [*asked[:-1], {**asked[-1], "content": f"{asked[-1]['content']}\n\n{words}"}]


def retry_limit(max_tokens: int, entry: Entry, fault: Fault) -> int:
    """Tokens the next try may use: twice as many if thinking ate them all before the answer began."""
    began = without_think(entry.text)[0]
    return max_tokens * 2 if fault.is_truncated and not began else max_tokens


def _stance(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in STANCE_FIELDS if isinstance(data.get(name), str | bool)}


def _valid_stance(data: Mapping[str, Any], error: ValidationError) -> dict[str, Any]:
    broken = {str(item["loc"][0]) for item in error.errors(include_url=False) if item["loc"]}
    return {name: side for name, side in _stance(data).items() if name not in broken}


def _spoken(stance: Mapping[str, Any], names: Sequence[str]) -> str:
    return "、".join(str(stance[name]) for name in names)


def _validation_cause(error: ValidationError) -> str:
    items = error.errors(include_url=False, include_input=False)
    lines = [
        f"字段 {'.'.join(map(str, item['loc'])) or '（整体）'}：{reason_of(item)}" for item in items[:_MOST_ERRORS]
    ]
    more = len(items) - len(lines)
    return "；".join(lines) + (f"；另有 {more} 处" if more > 0 else "")


def where_of(path: Sequence[object]) -> str:
    """The place of an error of pydantic, as a model is told."""
    return ".".join(map(str, path)) or "（整体）"


def reason_of(item: Mapping[str, Any]) -> str:
    """One error of pydantic, in Chinese."""
    context = item.get("ctx") or {}
    known = {
        "missing": "缺少这个字段",
        "extra_forbidden": "不应有这个字段",
        "string_too_long": f"超过 {context.get('max_length')} 个字",
        "string_too_short": f"少于 {context.get('min_length')} 个字",
        "too_long": f"多于 {context.get('max_length')} 项",
        "too_short": f"少于 {context.get('min_length')} 项",
        "enum": f"只能是 {context.get('expected')}",
        "literal_error": f"只能是 {context.get('expected')}",
        "string_pattern_mismatch": f"格式应为 {context.get('pattern')}",
    }
    return known.get(str(item["type"]), str(item["msg"]))
