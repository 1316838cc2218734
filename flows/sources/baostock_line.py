"""baostock's TCP line made safe: deadline, end of stream, checksum, one question at a time, right answer only.

The client keeps one process-wide socket and never times out; a closed connection makes it spin, a reset on
page two silently ends the rows, and two threads receive each other's answers. Every module of it reaches the
wire through ``baostock.util.socketutil.send_msg`` by attribute, so replacing that one function (and the
connecting one) covers login, queries and paging. After any failure the socket is dropped: on a broken line the
next answer would be the wrong one.
"""

from __future__ import annotations

import importlib
import socket
import sys
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
from filelock import FileLock, Timeout

from flows.sources.faults import SourceFault, broken, denied, invalid, limited, not_supported, outage
from flows.sources.http import current

_END = b"<![CDATA[]]>\n"
_SEPARATOR = "\x01"
_HEADER = 21
_RECEIVE = 65_536
_MAX_FRAME_BYTES = 64 * 1024 * 1024
_CONNECT_S = 10.0
_ERROR_FRAME = "04"
_ZIPPED = frozenset({"96", "99", "9B", "9D"})
_BLACKLISTED = "10001011"
_NOT_LOGGED_IN = "10001001"
_REFUSED = {
    _BLACKLISTED: "本机已被列入黑名单：停止并发与频繁请求，联系 baostock 管理员，次日再试",
    "10001004": "客户端版本过期：请升级 baostock",
    "10001006": "用户权限不足",
    "10001012": "API Key 格式不正确",
}
_INVALID = frozenset({"10004005", "10004006", "10004007", "10004008", "10004009", "10004010", "10004012", "10004013"})

#: One question at a time: login, query and all its pages.
_LINE = threading.RLock()


@contextmanager
def line(shared_lock: Path | None = None) -> Iterator[ModuleType]:
    """The baostock library, logged in, for one question; no thread and no process with this lock asks meanwhile.

    The server bans addresses that ask in parallel, so processes beside the same data take turns too.
    """
    recording = current()
    if not _LINE.acquire(timeout=recording.remaining_s()):
        raise outage("等待 baostock 连接超时：另一个请求占用过久")
    try:
        with FileLock(shared_lock, timeout=recording.remaining_s()) if shared_lock else nullcontext():
            library = _library()
            _login(library)
            yield library
    except Timeout as error:
        raise outage("等待 baostock 超时：另一个进程正在使用") from error
    finally:
        _LINE.release()


def rows_of(answer: Any) -> pl.DataFrame:
    """Every row of a result set, as the strings they are; raises where the client would return fewer.

    ``get_data()`` breaks on a second page and the loop hides an error on it, so the error code is read again
    after the loop. None is what the client returns for dates that it cannot read.
    """
    if answer is None:
        raise invalid("baostock 不接受该参数（日期格式）")
    rows: list[list[str]] = []
    while answer.error_code == "0" and answer.next():
        rows.append(answer.get_row_data())
    if answer.error_code != "0":
        raise _refused(str(answer.error_code), str(answer.error_msg))
    widths = {len(row) for row in rows} - {len(answer.fields)}
    if widths:
        raise broken(f"baostock 返回的列数与字段不符：{sorted(widths)} 对 {len(answer.fields)}")
    return pl.DataFrame(rows, schema=dict.fromkeys(answer.fields, pl.String), orient="row")


def _refused(code: str, message: str) -> SourceFault:
    if code == _NOT_LOGGED_IN or code.startswith("10002") or code == "10005001":
        _drop()
        return outage(f"baostock {code}：{message}")
    if code in _REFUSED:
        return denied(f"baostock {code}：{_REFUSED[code]}")
    if code == "10001005":
        return limited(f"baostock {code}：{message}")
    if code in {"10004011", "10004015"}:
        return not_supported(f"baostock {code}：{message}")
    return invalid(f"baostock {code}：{message}") if code in _INVALID else broken(f"baostock {code}：{message}")


def _library() -> ModuleType:
    library = importlib.import_module("baostock")
    wire: Any = importlib.import_module("baostock.util.socketutil")
    if wire.send_msg is not _send:
        wire.send_msg = _send
        wire.SocketUtil.connect = _connect
        for name, module in list(sys.modules.items()):
            if name.startswith("baostock."):
                module.print = _mute  # type: ignore[attr-defined]  # the client reports on standard output
    return library


def _mute(*_: object, **__: object) -> None:
    """Stand in for ``print`` inside the client."""


def _context() -> ModuleType:
    return importlib.import_module("baostock.common.context")


def _login(library: ModuleType) -> None:
    if getattr(_context(), "default_socket", None) is not None:
        return
    answer = library.login()
    if answer.error_code != "0":
        _drop()
        raise _refused(str(answer.error_code), str(answer.error_msg))


def log_out() -> None:
    """Close the line; the next question logs in again."""
    with _LINE:
        _drop()


def _drop() -> None:
    context = _context()
    held = getattr(context, "default_socket", None)
    if held is not None:
        held.close()
    context.default_socket = None  # type: ignore[attr-defined]


def _connect(_: object, api_key: str) -> None:
    """Replace ``SocketUtil.connect``: the same two hosts, with a time limit."""
    constants = importlib.import_module("baostock.common.contants")
    is_vip = api_key.startswith("bs-")
    host = constants.BAOSTOCK_VIP_SERVER_IP if is_vip else constants.BAOSTOCK_SERVER_IP
    timeout = min(_CONNECT_S, current().remaining_s())
    try:
        _context().default_socket = socket.create_connection(  # type: ignore[attr-defined]
            (host, constants.BAOSTOCK_SERVER_PORT), timeout
        )
    except OSError as error:
        raise outage(f"连接 baostock 失败：{type(error).__name__}") from error


def _send(message: str) -> str:
    """Replace ``socketutil.send_msg``: send one request, return its whole answer as the client expects it."""
    recording = current()
    recording.opening()
    held = getattr(_context(), "default_socket", None)
    if held is None:
        raise outage("baostock 尚未登录")
    try:
        frame = _exchange(held, message, time.monotonic() + recording.remaining_s())
        return _checked(frame, message)
    except OSError as error:
        _drop()
        raise outage(f"baostock 连接中断：{type(error).__name__}") from error
    except SourceFault:
        _drop()
        raise


def _exchange(held: socket.socket, message: str, stop: float) -> bytes:
    _time_left(held, stop)
    held.sendall(f"{message}\n".encode())
    frame = bytearray()
    while not frame.endswith(_END):
        _time_left(held, stop)
        part = held.recv(_RECEIVE)
        if not part:
            raise outage("baostock 服务器关闭了连接")
        frame += part
        if len(frame) > _MAX_FRAME_BYTES:
            raise broken("baostock 的回答过大，不采用")
    return bytes(frame)


def _time_left(held: socket.socket, stop: float) -> None:
    left = stop - time.monotonic()
    if left <= 0:
        raise outage("baostock 未在时限内答复")
    held.settimeout(left)


def _checked(frame: bytes, message: str) -> str:
    """The answer as text, after its checksum and that it answers this very request."""
    try:
        head = frame[:_HEADER].decode("ascii")
        _, kind, length = head.split(_SEPARATOR)
        text = head + _body(frame, kind, int(length))
    except (ValueError, zlib.error) as error:
        raise outage(f"baostock 的回答损坏：{type(error).__name__}") from error
    if kind != _ERROR_FRAME:
        _same_question(message[_HEADER:].split(_SEPARATOR), text[_HEADER:].split(_SEPARATOR))
    return text


def _body(frame: bytes, kind: str, length: int) -> str:
    if kind in _ZIPPED:
        return zlib.decompress(frame[_HEADER : _HEADER + length]).decode("utf-8")
    covered, _, checksum = frame[: -len(_END)].rpartition(_SEPARATOR.encode())
    if zlib.crc32(covered) != int(checksum):
        raise ValueError("checksum")
    return frame[_HEADER:].decode("utf-8")


def _same_question(asked: Sequence[str], answered: Sequence[str]) -> None:
    """An answer names the method and the page it is for; anything else belongs to another request."""
    if answered[0] != "0":
        return
    is_paged = asked[0].startswith("query_")
    same = asked[0] == answered[2] and (not is_paged or asked[2] == answered[4])
    if not same:
        raise outage("baostock 的回答不是对本次请求的（连接已错位）")
