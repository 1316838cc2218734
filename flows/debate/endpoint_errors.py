"""Which reaction an error of a model server asks for, said in Chinese and without the key.

The client's own exceptions carry the request with its headers, so none of them is ever chained to what
is raised here: only a scrubbed text goes on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from enum import Enum

import httpx2
import openai

_QUOTA = re.compile(
    r"insufficient[_ ]?(quota|balance|funds)|exceeded your current quota|arrearage|billing|余额不足|欠费|额度已用",
    re.IGNORECASE,
)
_UNKNOWN_MODEL = re.compile(
    r"model[_ ]not[_ ]found|(unknown|invalid|no such) model|model .{0,80}(not (exist|found)|unknown)|模型不存在",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context[_ ]length|maximum context|max(imum)? (input|prompt)|too (long|large|many tokens)|上下文|超长",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(bearer\s+)\S+", re.IGNORECASE)
_SHORTEST_KEY = 6
_LONGEST_DETAIL = 300


class Reaction(Enum):
    """What an error asks for."""

    WAIT = "wait"
    UNREACHABLE = "unreachable"
    NO_MODEL_SERVER = "no model server"
    UNANSWERED = "unanswered"
    CONFIGURE = "configure"
    PAY = "pay"
    REFUSED_REQUEST = "refused request"
    TOO_LONG = "too long"


@dataclass(frozen=True)
class Failure:
    """One failed try.

    Attributes:
        message: What happened and what to do, in Chinese, scrubbed.
        wait_s: Seconds the server asked to wait, if it did.
        may_be_billed: Whether the server may have worked, and charged, before it failed.
        detail: The server's own words, scrubbed; for telling refused parameters apart.
    """

    reaction: Reaction
    message: str
    wait_s: float | None = None
    may_be_billed: bool = False
    detail: str = ""


@dataclass(frozen=True)
class Place:
    """Which model at which server, for messages; holds the key only to remove it from texts."""

    base_url: str
    model: str
    secret: str = ""

    def __repr__(self) -> str:
        return f"Place({self.base_url!r}, {self.model!r})"

    def scrub(self, text: str) -> str:
        """*text* without the key and without bearer tokens, at most a few hundred characters."""
        if len(self.secret) >= _SHORTEST_KEY:
            text = text.replace(self.secret, "***")
        return _BEARER.sub(r"\1***", text)[:_LONGEST_DETAIL]


def classify(error: openai.OpenAIError, place: Place, now: datetime) -> Failure:
    """The reaction to *error* of the client."""
    if isinstance(error, openai.APIStatusError):
        return _status(error, place, now)
    if isinstance(error, openai.APITimeoutError):
        is_connect = isinstance(error.__cause__, httpx2.ConnectTimeout | httpx2.PoolTimeout)
        if is_connect:
            return Failure(Reaction.UNREACHABLE, f"连不上模型服务 {place.base_url}：连接超时。{_CHECK_ADDRESS}")
        return Failure(
            Reaction.UNANSWERED,
            f"模型 {place.model} 在期限内没有回答；可调大 ZHENGMING_MODEL_TIMEOUT_S。",
            may_be_billed=True,
        )
    if isinstance(error, openai.APIConnectionError):
        return _connection(error, place)
    return Failure(Reaction.UNANSWERED, f"模型服务的回答读不懂：{place.scrub(str(error))}", may_be_billed=True)


_CHECK_ADDRESS = "请检查 ZHENGMING_BASE_URL、网络与代理，或先用 --model offline。"


def _connection(error: openai.APIConnectionError, place: Place) -> Failure:
    cause = error.__cause__
    if isinstance(cause, httpx2.ConnectError | httpx2.UnsupportedProtocol | httpx2.ProxyError):
        detail = place.scrub(str(cause))
        return Failure(Reaction.UNREACHABLE, f"连不上模型服务 {place.base_url}：{detail}。{_CHECK_ADDRESS}")
    name = type(cause).__name__ if cause else "连接中断"
    message = f"模型服务 {place.base_url} 的连接中断（{name}）。"
    return Failure(Reaction.UNANSWERED, message, may_be_billed=True)


def _status(error: openai.APIStatusError, place: Place, now: datetime) -> Failure:
    code = error.status_code
    detail = place.scrub(_server_words(error))
    if code == 402 or (code in {400, 403, 429} and _QUOTA.search(f"{error.code} {detail}")):
        return Failure(Reaction.PAY, f"模型服务 {place.base_url} 说余额或额度不足，请充值后重跑：{detail}")
    if code in {401, 403}:
        return Failure(
            Reaction.CONFIGURE,
            f"模型服务 {place.base_url} 不接受密钥（HTTP {code}）。请检查 ZHENGMING_API_KEY 是否正确、"
            f"未过期、属于这个服务：{detail}",
        )
    if code in {408, 409, 429} or code >= 500:
        wait_s = _retry_after(error.response, now)
        message = f"模型服务 {place.base_url} 暂时不可用（HTTP {code}）：{detail}"
        return Failure(Reaction.WAIT, message, wait_s, may_be_billed=code in {408, 504})
    if code == 404 or _UNKNOWN_MODEL.search(detail):
        return Failure(Reaction.CONFIGURE, _not_found(place, detail))
    if code == 413 or _TOO_LONG.search(detail):
        return Failure(Reaction.TOO_LONG, f"提示词超出模型 {place.model} 的长度：{detail}", detail=detail)
    message = f"模型服务 {place.base_url} 拒绝了请求（HTTP {code}）：{detail}"
    return Failure(Reaction.REFUSED_REQUEST, message, detail=detail)


def _not_found(place: Place, detail: str) -> str:
    return (
        f"模型服务 {place.base_url} 没有模型 {place.model}，或地址不对（通常以 /v1 结尾）。"
        f"请检查 ZHENGMING_MODEL 与 ZHENGMING_BASE_URL：{detail}"
    )


def _server_words(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            words = [str(inner[name]) for name in ("message", "code", "param", "detail") if inner.get(name)]
            return " ".join(words) or str(inner)
        return str(inner)
    return error.message


def _retry_after(response: httpx2.Response, now: datetime) -> float | None:
    """Seconds from ``retry-after-ms`` or ``retry-after`` (seconds or an HTTP date); None if not said."""
    milliseconds = response.headers.get("retry-after-ms")
    written = response.headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if written is not None:
            return max(0.0, float(written))
    except ValueError:
        pass
    if written is None:
        return None
    try:
        return max(0.0, (parsedate_to_datetime(written) - now).total_seconds())
    except (ValueError, TypeError):
        return None
