"""The wire format: a chat request fitted to what a server accepts, and its answer read without trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openai.types.chat import ChatCompletion, ChatCompletionMessage
from openai.types.chat.chat_completion import Choice
from pydantic import BaseModel

from flows.debate.endpoint_capability import Capability, SchemaMode
from flows.debate.endpoint_errors import Failure, Place, Reaction
from flows.debate.endpoint_schema import AnswerSchema, answer_schema
from flows.debate.journal import ToolCall
from flows.debate.tokens import count_prompt_tokens, count_tokens
from flows.debate.usage import Usage


@dataclass(frozen=True)
class ChatRequest:
    """What is sent, before it is fitted to the server."""

    model: str
    messages: Sequence[Mapping[str, Any]]
    schema: AnswerSchema
    max_tokens: int
    temperature: float
    is_shape_told: bool = False
    tools: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Completion:
    """What came back."""

    text: str
    finish_reason: str | None
    usage: Usage
    mode: SchemaMode
    tool_calls: tuple[ToolCall, ...] = ()


def read_completion(answer: Any, request: ChatRequest, capability: Capability) -> Completion | None:
    """What *answer* of the client holds; None if it holds no message."""
    choice = _choice(answer)
    if choice is None:
        return None
    message = choice.message
    text = message.content if isinstance(message.content, str) else ""
    refusal = message.refusal if isinstance(message.refusal, str) else ""
    return Completion(
        text=text or refusal,
        finish_reason="refusal" if refusal else choice.finish_reason,
        usage=_usage(answer, sent_messages(request, capability), text),
        mode=capability.mode,
        tool_calls=tuple(
            ToolCall(call.id, call.function.name, call.function.arguments)
            for call in message.tool_calls or ()
            if call.type == "function" and isinstance(call.function.arguments, str)
        ),
    )


def sent_messages(request: ChatRequest, capability: Capability) -> list[dict[str, Any]]:
    """The messages as sent: the shape in words is added at the very end, so a cached prefix survives."""
    messages = [dict(message) for message in request.messages]
    words = _shape_words(request, capability, messages)
    if words:
        last = messages[-1]
        messages[-1] = {**last, "content": f"{last.get('content') or ''}\n\n{words}"}
    return messages


def _shape_words(request: ChatRequest, capability: Capability, messages: Sequence[Mapping[str, Any]]) -> str:
    if not capability.needs_words:
        return ""
    if not request.is_shape_told:
        return request.schema.words
    # Servers refuse a demand for JSON whose prompt does not contain the word.
    is_named = any("json" in str(message.get("content")).lower() for message in messages)
    return "" if is_named or capability.mode is SchemaMode.PROMPT else _JSON_WORD


def wire_arguments(request: ChatRequest, capability: Capability) -> dict[str, Any]:
    """Keyword arguments of ``chat.completions.create`` for one server's *capability*."""
    arguments: dict[str, Any] = {
        "model": request.model,
        "messages": sent_messages(request, capability),
        capability.tokens_field: request.max_tokens,
    }
    if capability.takes_temperature:
        arguments["temperature"] = request.temperature
    if capability.mode is SchemaMode.JSON_SCHEMA:
        body = {"name": request.schema.name, "schema": request.schema.schema, "strict": request.schema.is_strict}
        arguments["response_format"] = {"type": "json_schema", "json_schema": body}
    elif capability.mode is SchemaMode.JSON_OBJECT:
        arguments["response_format"] = {"type": "json_object"}
    if capability.must_not_think:
        arguments["extra_body"] = {"enable_thinking": False}
    if request.tools and capability.takes_tools:
        arguments["tools"] = list(request.tools)
    return arguments


_JSON_WORD = "请输出一个 JSON 对象。"


def wire_tool(name: str, description: str, arguments: type[BaseModel]) -> dict[str, Any]:
    """A function as the wire format describes it."""
    prepared = answer_schema(arguments)
    function = {"name": name, "description": description, "parameters": prepared.schema, "strict": prepared.is_strict}
    return {"type": "function", "function": function}


def _choice(answer: Any) -> Choice | None:
    """The first choice; the client builds its models without checking, so whatever is used is looked at."""
    choices = answer.choices if isinstance(answer, ChatCompletion) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, Choice) and isinstance(first.message, ChatCompletionMessage) else None


def _usage(answer: ChatCompletion, messages: Sequence[Mapping[str, Any]], text: str) -> Usage:
    reported = answer.usage
    counts = (reported.prompt_tokens, reported.completion_tokens) if reported is not None else ()
    if reported is None or not any(counts) or not all(isinstance(count, int) for count in counts):
        return Usage(count_prompt_tokens(messages), count_tokens(text), is_estimated=True)
    details = reported.prompt_tokens_details
    cached = (details.cached_tokens if details else None) or 0
    if not cached:
        cached = int((reported.model_extra or {}).get("prompt_cache_hit_tokens") or 0)
    return Usage(reported.prompt_tokens, reported.completion_tokens, min(cached, reported.prompt_tokens))


def no_completion(answer: Any, place: Place) -> Failure:
    """A 200 without a completion: an error in the body, or no OpenAI-compatible server at all."""
    body = getattr(answer, "model_extra", None) or {}
    if isinstance(answer, ChatCompletion) and body.get("error"):
        return Failure(Reaction.WAIT, f"模型服务报错：{place.scrub(str(body['error']))}")
    if isinstance(answer, ChatCompletion):
        return Failure(Reaction.UNANSWERED, f"模型服务 {place.base_url} 的回答里没有内容。", may_be_billed=True)
    return Failure(
        Reaction.NO_MODEL_SERVER,
        f"{place.base_url} 不像 OpenAI 兼容接口：返回的不是聊天回答（常见原因：地址少了 /v1）。"
        "请检查 ZHENGMING_BASE_URL。",
    )
