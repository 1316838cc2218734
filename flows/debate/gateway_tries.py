"""The tries of one ask: exactly what is sent, and under which question the journal keeps the answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flows.debate.endpoint_schema import answer_schema
from flows.debate.endpoint_wire import ChatRequest, wire_tool
from flows.debate.gateway_answers import Fault, retry_limit, retry_messages
from flows.debate.gateway_models import RoleModel
from flows.debate.gateway_types import Ask
from flows.debate.journal import Entry, Question


@dataclass(frozen=True)
class Try:
    """One try of an ask: exactly what is sent and how it is found again."""

    question: Question
    request: ChatRequest


def first_try(ask: Ask, speaker: RoleModel) -> Try:
    """The question as it was composed, with the role's own limits."""
    max_tokens = ask.max_tokens if speaker.max_tokens is None else speaker.max_tokens
    return _build(ask, speaker, [dict(message) for message in ask.messages], max_tokens, 0)


def next_try(ask: Ask, speaker: RoleModel, last: Try, entry: Entry, fault: Fault) -> Try:
    """The question again with the cause, and with more room if the answer was cut off."""
    max_tokens = retry_limit(last.request.max_tokens, entry, fault)
    messages = retry_messages(ask.messages, entry.text, fault, max_tokens)
    return _build(ask, speaker, messages, max_tokens, last.question.attempt + 1)


def _build(ask: Ask, speaker: RoleModel, messages: list[dict[str, Any]], max_tokens: int, attempt: int) -> Try:
    schema = answer_schema(ask.answer)
    temperature = ask.temperature if speaker.temperature is None else speaker.temperature
    tools = tuple(wire_tool(tool.name, tool.description, tool.arguments) for tool in ask.tools)
    question = Question(
        endpoint=speaker.line.endpoint.address.name,
        model=speaker.model,
        messages=messages,
        schema=schema.identity,
        max_tokens=max_tokens,
        temperature=temperature,
        sample=ask.sample,
        attempt=attempt,
        tools=json.dumps(tools, ensure_ascii=False, sort_keys=True) if tools else "",
    )
    request = ChatRequest(speaker.model, messages, schema, max_tokens, temperature, ask.is_shape_told, tools)
    return Try(question, request)
