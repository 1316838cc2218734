"""A loopback server that speaks baostock's TCP framing to the real client, with the faults seen in the wild.

Request: ``HEADER BODY \\x01 CRC32 \\n``. Answer: ``HEADER BODY \\x01 CRC32 END``, or with a zlib block as body for
the K-line types. HEADER is version, type and length joined by ``\\x01`` (21 bytes); the length counts characters
for plain bodies and bytes for zlib blocks.
"""

from __future__ import annotations

import json
import socket
import socketserver
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

SEPARATOR = "\x01"
END = b"<![CDATA[]]>\n"
VERSION = "00.9.00"
REPLY_TYPE = {
    "00": "01", "02": "03", "13": "14", "15": "16", "31": "32", "33": "34", "35": "36", "45": "46", "59": "60",
    "95": "96", "98": "99", "9A": "9B", "9C": "9D",
}  # fmt: skip
ZIPPED = {"96", "99", "9B", "9D"}
CLOSE = b"CLOSE"

Rows = Sequence[Sequence[str]]
#: What a query answers: (field names, rows), or (error code, message).
Answer = tuple[Sequence[str], Rows] | tuple[str, str]
Fault = Callable[[socket.socket, int], bytes | None]


@dataclass
class Baostock:
    """Data and faults: ``data[method](arguments)`` answers, ``fault[method]`` runs instead."""

    data: dict[str, Callable[[Sequence[str]], Answer]] = field(default_factory=dict)
    fault: dict[str, Fault] = field(default_factory=dict)
    login_error: tuple[str, str] | None = None
    chunk: int | None = None
    log: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def asked(self, method: str) -> int:
        """How often *method* was asked."""
        return sum(1 for name, _ in self.log if name == method)

    def answer(self, kind: str, arguments: Sequence[str]) -> bytes:
        """The frame that answers one request."""
        method = arguments[0]
        head = ["0", "success", method, arguments[1] if len(arguments) > 1 else "anonymous"]
        if method == "login" and self.login_error:
            return frame("04", SEPARATOR.join(self.login_error))
        if method in {"login", "logout"}:
            return frame(REPLY_TYPE[kind], SEPARATOR.join([*head, "20240601000000000"]))
        if method not in self.data:
            return frame("04", SEPARATOR.join(["10004020", "错误的消息类型"]))
        found = self.data[method](arguments[2:])
        if isinstance(found[0], str):
            return frame("04", SEPARATOR.join(found))  # type: ignore[arg-type]
        fields, rows = found
        page, size = int(arguments[2]), int(arguments[3])
        part = [list(row) for row in rows[(page - 1) * size : page * size]]
        record = json.dumps({"record": part}, ensure_ascii=False, separators=(",", ":")) if part else ""
        echo = list(arguments[4:])
        is_k_line = method == "query_history_k_data_plus"
        tail = [echo[0], ",".join(fields), *echo[2:]] if is_k_line else [*echo, ", ".join(fields)]
        return frame(REPLY_TYPE[kind], SEPARATOR.join([*head, str(page), str(size), record, *tail]))


def frame(kind: str, body: str) -> bytes:
    """One answer on the wire."""
    if kind in ZIPPED:
        block = zlib.compress(body.encode(), 1)
        head = _header(kind, len(block))
        return head + block + b"\x01" + str(zlib.crc32(head + block)).encode() + b"\n" + END
    covered = _header(kind, len(body)) + body.encode()
    return covered + b"\x01" + str(zlib.crc32(covered)).encode() + END


def _header(kind: str, length: int) -> bytes:
    return f"{VERSION}{SEPARATOR}{kind}{SEPARATOR}{length:010d}".encode()


class _Connection(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        baostock: Baostock = self.server.baostock  # type: ignore[attr-defined]
        buffer = b""
        while True:
            try:
                got = self.request.recv(65_536)
            except OSError:
                return
            if not got:
                return
            buffer += got
            while b"\n" in buffer:
                line, _, buffer = buffer.partition(b"\n")
                if not self._answer(baostock, line):
                    return

    def _answer(self, baostock: Baostock, line: bytes) -> bool:
        covered, _, checksum = line.rpartition(b"\x01")
        assert zlib.crc32(covered) == int(checksum), "bad request checksum"
        kind = covered[:21].decode().split(SEPARATOR)[1]
        arguments = tuple(covered[21:].decode().split(SEPARATOR))
        with baostock.lock:
            baostock.log.append((arguments[0], arguments))
        fault = baostock.fault.get(arguments[0])
        reply = fault(self.request, baostock.asked(arguments[0])) if fault else None
        if reply == CLOSE:
            return False
        self._send(reply if reply is not None else baostock.answer(kind, arguments), baostock.chunk)
        return True

    def _send(self, reply: bytes, chunk: int | None) -> None:
        for start in range(0, len(reply), chunk or len(reply)):
            self.request.sendall(reply[start : start + (chunk or len(reply))])
            if chunk:
                time.sleep(0.0005)


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


@contextmanager
def serving(baostock: Baostock) -> Iterator[int]:
    """Serve *baostock* on a loopback port while the block runs."""
    server = _Server(("127.0.0.1", 0), _Connection)
    server.baostock = baostock  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def redirected(port: int) -> Iterator[None]:
    """Lead this process's baostock client to *port*, with a fresh session, while the block runs."""
    import baostock.common.contants as constants
    from baostock.common import context

    names = ("BAOSTOCK_SERVER_IP", "BAOSTOCK_VIP_SERVER_IP", "BAOSTOCK_SERVER_PORT")
    kept = [getattr(constants, name) for name in names]
    for name, value in zip(names, ("127.0.0.1", "127.0.0.1", port), strict=True):
        setattr(constants, name, value)
    _forget(context)
    try:
        yield
    finally:
        _forget(context)
        for name, value in zip(names, kept, strict=True):
            setattr(constants, name, value)


def _forget(context: object) -> None:
    held = getattr(context, "default_socket", None)
    if held is not None:
        held.close()
    for name in ("user_id", "default_socket", "apiKey"):
        if hasattr(context, name):
            delattr(context, name)


def silent(_: socket.socket, __: int) -> bytes | None:
    """Never answers: the stock client would block for ever."""
    time.sleep(3)
    return CLOSE


def closing(connection: socket.socket, _: int) -> bytes | None:
    """Orderly close: the stock client would spin for ever."""
    connection.shutdown(socket.SHUT_RDWR)
    return CLOSE


def resetting(connection: socket.socket, _: int) -> bytes | None:
    """Reset: the stock client would end the rows without an error."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    return CLOSE


def half(connection: socket.socket, _: int) -> bytes | None:
    """The first half of a frame, then the end of the connection."""
    whole = frame("16", SEPARATOR.join(["0", "success", "x", "a", "1", "2000", "", "x"]))
    connection.sendall(whole[: len(whole) // 2])
    connection.shutdown(socket.SHUT_RDWR)
    return CLOSE


def failing(code: str, message: str) -> Fault:
    """An error frame instead of the answer."""
    return lambda _, __: frame("04", SEPARATOR.join([code, message]))


def on_call(number: int, fault: Fault) -> Fault:
    """*fault* on the *number*-th call of the method only."""
    return lambda connection, nth: fault(connection, nth) if nth == number else None
