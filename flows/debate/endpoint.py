"""One model server: sends a chat request in the strongest form the server accepts, once.

Retrying is the caller's (``gateway_line``); the client's own retries are off, since they would neither
keep budgets nor rates. A proxy from the environment is used except for loopback addresses.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx2
import openai
from openai.types.chat import ChatCompletion, ChatCompletionMessage
from openai.types.chat.chat_completion import Choice

from flows.debate.endpoint_capability import Capabilities, Capability, SchemaMode
from flows.debate.endpoint_errors import Failure, Place, Reaction, classify
from flows.debate.endpoint_schema import AnswerSchema
from flows.debate.journal import ToolCall
from flows.debate.tokens import count_prompt_tokens, count_tokens
from flows.debate.usage import Usage

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_NO_KEY = "no-key"
#: The client would read these from the environment and send them to any server.
_NOT_FROM_ENVIRONMENT = cast("dict[str, str]", {"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit})


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


class CallFailed(Exception):
    """One try failed; carries the scrubbed failure only."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass(frozen=True)
class Address:
    """Where a server is and how to speak to it; the key never shows in its repr.

    Attributes:
        identity: Stands for the server in journal keys; the base URL without credentials and query.
        pool: Which day budget its calls count against.
        is_free: True for the offline model, which costs nothing.
        transport: An own transport instead of the network.
    """

    base_url: str
    key: str = ""
    identity: str = ""
    pool: str = "paid"
    is_free: bool = False
    read_timeout_s: float = 120.0
    connect_timeout_s: float = 30.0
    transport: httpx2.AsyncBaseTransport | None = None

    def __repr__(self) -> str:
        return f"Address({public_url(self.base_url)!r})"

    @property
    def name(self) -> str:
        """The server's name in keys and messages."""
        return self.identity or public_url(self.base_url)


def public_url(url: str) -> str:
    """*url* without user, password, query and final slash."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}".rstrip("/")


class Endpoint:
    """A chat client for one server, usable from several event loops."""

    def __init__(self, address: Address, capabilities: Capabilities, clock: Callable[[], datetime]) -> None:
        self.address = address
        self._capabilities = capabilities
        self._clock = clock
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = WeakKeyDictionary()

    def place(self, model: str) -> Place:
        """The server and *model*, for messages."""
        return Place(self.address.name, model, self.address.key)

    def capability(self, model: str) -> Capability:
        """What *model* is known to accept."""
        return self._capabilities.get(self.address.name, model)

    def learn(self, model: str, capability: Capability) -> None:
        """Remember what *model* accepts."""
        self._capabilities.learn(self.address.name, model, capability)

    def distrust(self, model: str) -> None:
        """*model* answered without the demanded shape: describe the shape in words from now on."""
        self.learn(model, replace(self.capability(model), is_enforced=False))

    async def complete(self, request: ChatRequest) -> Completion:
        """Send *request* in the strongest form the server takes. Raises CallFailed."""
        capability = self.capability(request.model)
        while True:
            try:
                completion = await self._send(request, capability)
            except CallFailed as error:
                weaker = self._weaker(error.failure, capability, request)
                if weaker is None:
                    raise
                capability = weaker
                continue
            known = self.capability(request.model)
            if not known.is_proven:
                self.learn(request.model, replace(capability, is_proven=True))
            return completion

    def _weaker(self, failure: Failure, capability: Capability, request: ChatRequest) -> Capability | None:
        if failure.reaction is not Reaction.REFUSED_REQUEST:
            return None
        return capability.weaker(failure.detail, with_tools=bool(request.tools))

    async def _send(self, request: ChatRequest, capability: Capability) -> Completion:
        arguments = wire_arguments(request, capability)
        place = self.place(request.model)
        failure: Failure | None = None
        answer: Any = None
        try:
            answer = await self._client().chat.completions.create(**arguments)
        except openai.OpenAIError as error:
            failure = classify(error, place, self._clock())
        except (json.JSONDecodeError, UnicodeDecodeError):
            message = f"模型服务 {place.base_url} 的回答不是完整的 JSON。"
            failure = Failure(Reaction.UNANSWERED, message, may_be_billed=True)
        if failure is not None:
            raise CallFailed(failure)
        return self._completion(answer, request, capability)

    def _completion(self, answer: Any, request: ChatRequest, capability: Capability) -> Completion:
        choice = _choice(answer)
        if choice is None:
            raise CallFailed(_no_answer(answer, self.place(request.model)))
        message = choice.message
        text = message.content if isinstance(message.content, str) else ""
        refusal = message.refusal if isinstance(message.refusal, str) else ""
        return Completion(
            text=text or refusal,
            finish_reason="refusal" if refusal else choice.finish_reason,
            usage=_usage(answer, arguments_messages(request, capability), text),
            mode=capability.mode,
            tool_calls=tuple(
                ToolCall(call.id, call.function.name, call.function.arguments)
                for call in message.tool_calls or ()
                if call.type == "function" and isinstance(call.function.arguments, str)
            ),
        )

    def _client(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = _open(self.address)
        return client

    async def model_names(self) -> tuple[str, ...]:
        """Models the server lists. Raises CallFailed, also when it has no list."""
        failure: Failure | None = None
        try:
            page = await self._client().models.list()
            return tuple(model.id for model in page.data)
        except openai.OpenAIError as error:
            failure = classify(error, self.place(""), self._clock())
        raise CallFailed(failure)

    async def aclose(self) -> None:
        """Close the connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()


def _open(address: Address) -> openai.AsyncOpenAI:
    timeout = httpx2.Timeout(address.read_timeout_s, connect=address.connect_timeout_s)
    is_loopback = (urlsplit(address.base_url).hostname or "") in _LOOPBACK
    http_client = openai.DefaultAsyncHttpxClient(
        transport=address.transport, timeout=timeout, trust_env=not is_loopback
    )
    return openai.AsyncOpenAI(
        api_key=address.key or _NO_KEY,
        base_url=address.base_url,
        timeout=timeout,
        max_retries=0,
        http_client=http_client,
        default_headers=_NOT_FROM_ENVIRONMENT,
    )


def arguments_messages(request: ChatRequest, capability: Capability) -> list[dict[str, Any]]:
    """The messages as sent: the shape in words is added at the very end, so a cached prefix survives."""
    messages = [dict(message) for message in request.messages]
    if capability.needs_words and not request.is_shape_told:
        last = messages[-1]
        messages[-1] = {**last, "content": f"{last.get('content') or ''}\n\n{request.schema.words}"}
    return messages


def wire_arguments(request: ChatRequest, capability: Capability) -> dict[str, Any]:
    """Keyword arguments of ``chat.completions.create`` for one server's *capability*."""
    arguments: dict[str, Any] = {
        "model": request.model,
        "messages": arguments_messages(request, capability),
        capability.tokens_field: request.max_tokens,
    }
    if capability.takes_temperature:
        arguments["temperature"] = request.temperature
    if capability.mode is SchemaMode.JSON_SCHEMA:
        body = {"name": request.schema.name, "schema": request.schema.schema, "strict": request.schema.is_strict}
        arguments["response_format"] = {"type": "json_schema", "json_schema": body}
    elif capability.mode is SchemaMode.JSON_OBJECT:
        arguments["response_format"] = {"type": "json_object"}
    if request.tools and capability.takes_tools:
        arguments["tools"] = list(request.tools)
    return arguments


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


def _no_answer(answer: Any, place: Place) -> Failure:
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
