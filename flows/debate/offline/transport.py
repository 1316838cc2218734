"""The offline model behind the wire format: a transport for the very client that asks real servers.

Nothing reaches the brain but the request a server would receive, so the gateway, its journal and its
repairs are the same code with and without a key. Answers are cut at ``max_tokens`` as a server cuts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import httpx2

from flows.debate.offline.request import OfflineRequest, UnreadablePrompt, parse_request
from flows.debate.tokens import clip_to_tokens, count_prompt_tokens, count_tokens

#: Name of the offline model in the settings.
OFFLINE = "offline"

Brain = Callable[[OfflineRequest], Mapping[str, Any]]


class OfflineTransport(httpx2.AsyncBaseTransport):
    """Answers chat requests with *brain*, without a network.

    An error of the brain other than UnreadablePrompt is a bug and passes through the client unchanged.
    """

    def __init__(self, brain: Brain) -> None:
        self._brain = brain

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One request of the client."""
        if request.method == "GET" and request.url.path.endswith("/models"):
            return _json(200, {"object": "list", "data": [_MODEL]})
        if request.method != "POST" or not request.url.path.endswith("/chat/completions"):
            return _json(404, {"error": {"message": "not found", "code": "not_found"}})
        try:
            asked = parse_request(await request.aread())
            answer = self._brain(asked)
        except UnreadablePrompt as error:
            return _json(400, {"error": {"message": str(error), "code": "unreadable_prompt"}})
        return _json(200, _completion(asked, answer))


def offline_transport() -> tuple[str, OfflineTransport]:
    """The offline model and its identity, which changes whenever one of its rules does."""
    from flows.debate.offline.brain import answer  # noqa: PLC0415

    return f"{OFFLINE}:{_rules_version()}", OfflineTransport(answer)


@cache
def _rules_version() -> str:
    """Hash of the offline model's own code, so that an answer of older rules is never found again."""
    digest = hashlib.sha256()
    for file in sorted(files("flows.debate.offline").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


_MODEL = {"id": OFFLINE, "object": "model", "created": 0, "owned_by": "zhengming"}


def _completion(asked: OfflineRequest, answer: Mapping[str, Any]) -> dict[str, Any]:
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    tokens_out, finish_reason = count_tokens(text), "stop"
    if asked.max_tokens is not None and tokens_out > asked.max_tokens:
        text, finish_reason = clip_to_tokens(text, asked.max_tokens), "length"
        tokens_out = asked.max_tokens
    tokens_in = count_prompt_tokens(asked.messages)
    identity = hashlib.sha256((asked.text + text).encode()).hexdigest()[:24]
    message = {"role": "assistant", "content": text}
    return {
        "id": f"offline-{identity}",
        "object": "chat.completion",
        "created": 0,
        "model": OFFLINE,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": None}],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }


def _json(status: int, body: Mapping[str, Any]) -> httpx2.Response:
    return httpx2.Response(status, json=body)
