"""One model server: sends a chat request in the strongest form the server accepts, once.

Retrying is the caller's (``gateway_line``); the client's own retries are off, since they would neither
keep budgets nor rates. A proxy from the environment is used except for loopback addresses.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import httpx2
import openai

from flows.debate.endpoint_capability import Capabilities, Capability
from flows.debate.endpoint_errors import Failure, Place, Reaction, classify
from flows.debate.endpoint_wire import ChatRequest, Completion, no_completion, read_completion, wire_arguments

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_NO_KEY = "no-key"
#: The client would read these from the environment and send them to any server.
_NOT_FROM_ENVIRONMENT = cast("dict[str, str]", {"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit})


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
            self.learn(request.model, self.capability(request.model).proven_by(capability))
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
        completion = read_completion(answer, request, capability)
        if completion is None:
            raise CallFailed(no_completion(answer, place))
        return completion

    def _client(self) -> openai.AsyncOpenAI:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = _open(self.address)
        return client

    async def model_names(self) -> tuple[str, ...] | None:
        """Models the server lists; None if it has no list. Raises CallFailed."""
        failure: Failure | None = None
        try:
            page = await self._client().models.list()
            return tuple(str(model.id) for model in page.data or ())
        except openai.NotFoundError:
            return None
        except openai.OpenAIError as error:
            failure = classify(error, self.place(""), self._clock())
        except (json.JSONDecodeError, UnicodeDecodeError, AttributeError, TypeError):
            # A page or a body that is no list: some servers have none.
            return None
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
