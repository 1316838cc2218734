"""A local HTTP upstream for the real client libraries, and the redirection that leads them to it.

The server speaks real HTTP on loopback, so that status lines, lengths, resets and silences are real. Inside a
client process only name resolution and TLS are replaced: ``urllib3`` (requests) and ``curl_cffi`` are led to the
server with the original ``Host`` header, and any other connection that leaves the machine is refused.
An unknown host or path is answered 501 and noted, never silently empty.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Call:
    """One request as the server saw it."""

    method: str
    host: str
    path: str
    query: Mapping[str, str]
    form: Mapping[str, str]
    json: Any = None


@dataclass(frozen=True)
class Reply:
    """What to send back; *wire* replaces the answer by a fault of the connection itself."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json;charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    wire: Callable[[socket.socket, bytes], None] | None = None


def json_reply(answer: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(answer, ensure_ascii=False).encode(), status)


def text_reply(body: str, content_type: str = "application/javascript; charset=utf-8") -> Reply:
    return Reply(body.encode(), content_type=content_type)


Handler = Callable[[Call], Reply]


@dataclass
class Upstream:
    """Routes by (host, path); ``fault`` overrides by (host, path), host or ``*``."""

    routes: dict[tuple[str, str], Handler] = field(default_factory=dict)
    fault: dict[str, Callable[[Call, Reply], Reply]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)

    def route(self, host: str, path: str, handler: Handler) -> None:
        self.routes[(host, path)] = handler

    def answer(self, call: Call) -> Reply:
        self.calls.append(call)
        handler = self.routes.get((call.host, call.path)) or self.routes.get((call.host, "*"))
        if handler is None:
            self.unexpected.append(f"{call.method} {call.host}{call.path}")
            return Reply(b"no such fake", 501, "text/plain")
        reply = handler(call)
        for key in (f"{call.host}{call.path}", call.host, "*"):
            if key in self.fault:
                return self.fault[key](call, reply)
        return reply


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        url = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        form, document = _body(raw, self.headers.get("Content-Type") or "")
        host = (self.headers.get("Host") or "").partition(":")[0]
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        reply = self.server.upstream.answer(Call(self.command, host, url.path, query, form, document))
        head = self._head(reply)
        if reply.wire is not None:
            self.close_connection = True
            reply.wire(self.connection, head + reply.body)
            return
        self.wfile.write(head + reply.body)

    def _head(self, reply: Reply) -> bytes:
        lines = [f"HTTP/1.1 {reply.status} X", f"Content-Type: {reply.content_type}"]
        lines += [f"Content-Length: {len(reply.body)}", *(f"{k}: {v}" for k, v in reply.headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    upstream: Upstream

    def handle_error(self, *_: object) -> None:
        """A client that went away is part of the game."""


def _body(raw: bytes, content_type: str) -> tuple[dict[str, str], Any]:
    if not raw:
        return {}, None
    if "json" in content_type:
        return {}, json.loads(raw)
    return dict(parse_qsl(raw.decode("utf-8", "replace"), keep_blank_values=True)), None


@contextmanager
def serving(upstream: Upstream) -> Iterator[int]:
    """Serve *upstream* on a loopback port while the block runs."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.upstream = upstream
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def redirected(port: int) -> Iterator[None]:
    """Lead both HTTP stacks of this process to *port* while the block runs."""
    restore = redirect(port)
    try:
        yield
    finally:
        restore()


def redirect(port: int) -> Callable[[], None]:  # noqa: C901  four small replacements that belong together
    """Lead both HTTP stacks of this process to *port*; returns what undoes it."""
    from curl_cffi.requests.session import Session
    from urllib3.connection import HTTPConnection, HTTPSConnection

    kept = (HTTPConnection._new_conn, HTTPSConnection.connect, Session._request_once, socket.socket.connect)

    def new_conn(self: HTTPConnection) -> socket.socket:
        if self.host in LOOPBACK:
            return kept[0](self)
        timeout = self.timeout if isinstance(self.timeout, int | float) else None
        return socket.create_connection(("127.0.0.1", port), timeout)

    def connect(self: HTTPSConnection) -> None:
        HTTPConnection.connect(self)
        self.is_verified = True

    def request_once(self: Any, method: str, url: str, **options: Any) -> Any:
        parts = urlsplit(url)
        if parts.hostname not in LOOPBACK:
            sent = {name: value for name, value in (options.get("headers") or {}).items() if name.lower() != "host"}
            options["headers"] = {**sent, "Host": parts.hostname}
            url = urlunsplit(("http", f"127.0.0.1:{port}", *parts[2:]))
        return kept[2](self, method=method, url=url, **options)

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else LOOPBACK[0]
        if host not in LOOPBACK:
            raise ConnectionRefusedError(f"tests never leave the machine: {address!r}")
        return kept[3](self, address)

    HTTPConnection._new_conn, HTTPSConnection.connect = new_conn, connect
    Session._request_once, socket.socket.connect = request_once, guarded

    def restore() -> None:
        HTTPConnection._new_conn, HTTPSConnection.connect = kept[0], kept[1]
        Session._request_once, socket.socket.connect = kept[2], kept[3]

    return restore


# Faults of the wire: each takes the call and the sound reply and returns what is sent instead.


def throttled(_: Call, __: Reply) -> Reply:
    return Reply(b'{"msg":"too many requests"}', 429, headers={"Retry-After": "30"})


def blocked(_: Call, __: Reply) -> Reply:
    return Reply("<html><body>访问频繁, 请完成验证</body></html>".encode(), content_type="text/html")


def bad_gateway(_: Call, __: Reply) -> Reply:
    return Reply(b"<html>502 Bad Gateway</html>", 502, "text/html")


def empty(_: Call, __: Reply) -> Reply:
    return Reply(b"")


def silent(_: Call, reply: Reply) -> Reply:
    return Reply(reply.body, wire=lambda connection, __: time.sleep(2.0))


def disconnected(_: Call, reply: Reply) -> Reply:
    return Reply(reply.body, wire=_reset)


def dripping(_: Call, reply: Reply) -> Reply:
    return Reply(reply.body, content_type=reply.content_type, wire=_drip)


def cut(_: Call, reply: Reply) -> Reply:
    """Half of the body under a length that fits: no transport can notice."""
    return Reply(reply.body[: len(reply.body) // 2], reply.status, reply.content_type)


def shortened(_: Call, reply: Reply) -> Reply:
    """Half of the body under the full length, then the end of the connection."""

    def send(connection: socket.socket, frame: bytes) -> None:
        connection.sendall(frame[: len(frame) - max(1, len(reply.body) // 2)])
        connection.shutdown(socket.SHUT_RDWR)

    return Reply(reply.body, reply.status, reply.content_type, wire=send)


def _reset(connection: socket.socket, _: bytes) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def _drip(connection: socket.socket, frame: bytes) -> None:
    with_pauses = frame.partition(b"\r\n\r\n")
    connection.sendall(with_pauses[0] + with_pauses[1])
    for i in range(len(with_pauses[2])):
        try:
            connection.sendall(with_pauses[2][i : i + 1])
        except OSError:
            return
        time.sleep(0.05)


def port_of_environment() -> int | None:
    """The port a parent process serves on, for child processes."""
    value = os.environ.get("UPSTREAM_HTTP_PORT")
    return int(value) if value else None
