"""The one HTTP seam under every client library: deadline, page bound, throttle, raw body.

Decision: akshare calls ``requests`` and ``curl_cffi`` without timeout, status check or retry and turns
different failures into the same exception. So both stacks are wrapped once, at the lowest Python call,
and only while a :func:`recorded` block is open in the same thread or task; everybody else's requests pass
untouched. The wrapper never changes what the client library sees, except that a body is read before the
deadline, and that a question may be narrowed (``narrow``) to spare the vendor hundreds of pages.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from flows.sources.faults import SourceFault, broken, outage

#: Longest silence on one connection; the deadline of the whole call is separate.
IDLE_S = 15.0
_MAX_BODY_BYTES = 64 * 1024 * 1024
_CHUNK = 64 * 1024


@dataclass(frozen=True)
class Exchange:
    """One HTTP answer as it came: what the client library made of it does not matter here."""

    host: str
    path: str
    query: Mapping[str, str]
    status: int
    content_type: str
    retry_after_s: float | None
    sent_at: datetime | None
    body: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The body as text, undecodable bytes replaced."""
        return self.body.decode("utf-8", "replace")

    @property
    def is_html(self) -> bool:
        """Whether this is a web page (a block page, a login page, a proxy's error)."""
        return self.body.lstrip()[:200].lower().startswith((b"<!doctype html", b"<html", b"<head", b"<script"))


@dataclass
class Recording:
    """One guarded call of a vendor function: its limits and what went over the wire.

    Attributes:
        deadline_s: Seconds for the whole call, every page included.
        max_exchanges: More answers than this are no answer (a pager that does not stop).
        before: Called before each request; may wait or raise (throttle, daily cap).
        inspect: Called with each answer before the client library sees it; raises to refuse it.
        narrow: Query parameters to set on each request of this call.
        exchanges: Answers so far, in order.
        fault: The first fault raised here, even if the client library swallowed it.
    """

    deadline_s: float
    max_exchanges: int = 80
    before: Callable[[], None] = lambda: None
    inspect: Callable[[Exchange], None] = lambda exchange: None
    narrow: Mapping[str, str] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    fault: SourceFault | None = None
    _started: float = field(default_factory=time.monotonic)
    _requests: int = 0

    def remaining_s(self) -> float:
        """Seconds left; raises once there are none."""
        left = self.deadline_s - (time.monotonic() - self._started)
        if left <= 0:
            self._fail(outage(f"超过时限 {self.deadline_s:g} 秒仍未取完"))
        return left

    def opening(self) -> None:
        """Before a request: page bound, throttle, deadline."""
        self._requests += 1
        if self._requests > self.max_exchanges:
            self._fail(broken(f"翻页超过 {self.max_exchanges} 次仍未结束，视为上游异常，不采用"))
        try:
            self.before()
        except SourceFault as fault:
            self._fail(fault)
        self.remaining_s()

    def arrived(self, exchange: Exchange) -> None:
        """Keep an answer; raises if it must not reach the client library."""
        self.exchanges.append(exchange)
        try:
            self.inspect(exchange)
        except SourceFault as fault:
            self._fail(fault)

    @property
    def last(self) -> Exchange | None:
        """The latest answer."""
        return self.exchanges[-1] if self.exchanges else None

    def _fail(self, fault: SourceFault) -> None:
        self.fault = self.fault or fault
        raise fault


_CURRENT: ContextVar[Recording | None] = ContextVar("recording", default=None)
_INSTALL = threading.Lock()


def current() -> Recording:
    """The recording of this thread or task; client libraries are only ever called inside one."""
    recording = _CURRENT.get()
    if recording is None:
        raise RuntimeError("a client library was called outside recorded()")
    return recording


@contextmanager
def recorded(recording: Recording) -> Iterator[Recording]:
    """Guard every HTTP request made inside this block (this thread or task only) by *recording*."""
    _install()
    token = _CURRENT.set(recording)
    try:
        yield recording
    finally:
        _CURRENT.reset(token)


def _install() -> None:
    """Wrap both HTTP stacks once per process; imports stay here because they are slow."""
    with _INSTALL:
        from curl_cffi.requests.session import Session  # noqa: PLC0415
        from requests.adapters import HTTPAdapter  # noqa: PLC0415

        if not hasattr(HTTPAdapter.send, "guards"):
            HTTPAdapter.send = _guard_requests(HTTPAdapter.send)  # type: ignore[method-assign]
        if not hasattr(Session.request, "guards"):
            Session.request = _guard_curl(Session.request)  # type: ignore[method-assign]


def _guard_requests(original: Callable[..., Any]) -> Callable[..., Any]:
    def send(adapter: Any, request: Any, **options: Any) -> Any:
        recording = _CURRENT.get()
        if recording is None:
            return original(adapter, request, **options)
        recording.opening()
        request.url = _narrowed(request.url, recording.narrow)
        timeout = min(recording.remaining_s(), IDLE_S)
        response = original(adapter, request, **{**options, "stream": True, "timeout": timeout})
        response._content = _body(response, recording)  # what requests itself sets after reading
        response._content_consumed = True
        recording.arrived(_exchange(request.url, response.status_code, response.headers, response.content))
        return response

    send.guards = original  # type: ignore[attr-defined]
    return send


def _body(response: Any, recording: Recording) -> bytes:
    """The whole body, or the exception that ``requests`` would have raised; a slow drip meets the deadline."""
    from requests.exceptions import ChunkedEncodingError, ContentDecodingError, ReadTimeout  # noqa: PLC0415
    from urllib3.exceptions import DecodeError, HTTPError, ReadTimeoutError  # noqa: PLC0415

    chunks: list[bytes] = []
    size = 0
    try:
        while chunk := response.raw.read1(_CHUNK, decode_content=True):
            chunks.append(chunk)
            size += len(chunk)
            recording.remaining_s()
            if size > _MAX_BODY_BYTES:
                raise broken(f"回答超过 {_MAX_BODY_BYTES // 2**20} MB，不采用")
    except ReadTimeoutError as error:
        raise ReadTimeout(error) from error
    except DecodeError as error:
        raise ContentDecodingError(error) from error
    except HTTPError as error:
        raise ChunkedEncodingError(error) from error
    finally:
        response.close()
    return b"".join(chunks)


def _guard_curl(original: Callable[..., Any]) -> Callable[..., Any]:
    def request(session: Any, method: str, url: str, **options: Any) -> Any:
        recording = _CURRENT.get()
        if recording is None:
            return original(session, method, url, **options)
        recording.opening()
        response = original(session, method, url, **{**options, "timeout": recording.remaining_s()})
        recording.arrived(_exchange(url, response.status_code, response.headers, response.content))
        return response

    request.guards = original  # type: ignore[attr-defined]
    return request


def _narrowed(url: str, narrow: Mapping[str, str]) -> str:
    if not narrow:
        return url
    parts = urlsplit(url)
    query = {**dict(parse_qsl(parts.query, keep_blank_values=True)), **narrow}
    return urlunsplit(parts._replace(query=urlencode(query)))


def _exchange(url: str, status: int, headers: Mapping[str, str], body: bytes) -> Exchange:
    parts = urlsplit(url)
    return Exchange(
        host=parts.hostname or "",
        path=parts.path,
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        status=status,
        content_type=headers.get("Content-Type") or "",
        retry_after_s=_retry_after(headers),
        sent_at=_moment(headers.get("Date")),
        body=body,
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a ``Retry-After`` header, given as seconds or as a date against the answer's own ``Date``."""
    value = headers.get("Retry-After")
    if not value:
        return None
    if value.strip().isdigit():
        return float(value)
    until, sent = _moment(value), _moment(headers.get("Date"))
    return max(0.0, (until - sent).total_seconds()) if until and sent else None


def _moment(text: str | None) -> datetime | None:
    """An HTTP date; None if there is none or it cannot be read."""
    try:
        return parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
