"""Whose data an answer is, read off the raw body: many client frames have no column that says so (S3, P-traps)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from flows.sources.faults import broken
from flows.sources.http import Exchange
from flows.sources.verdicts import parsed

_SINA_NAME = re.compile(r"s[hz](\d{6})")


def only_company(code: str) -> Callable[[Exchange], None]:
    """An inspector that refuses answers in which any other company than *code* (six digits) is named."""

    def inspect(exchange: Exchange) -> None:
        others = sorted(set(_codes(exchange)) - {code})
        if others:
            raise broken(f"请求 {code}，{exchange.host} 的回答却是 {others[:3]} 的，整批不采用")

    return inspect


def _codes(exchange: Exchange) -> Iterator[str]:
    if exchange.status != 200:
        return
    if exchange.host.endswith("sina.com.cn"):
        yield from _SINA_NAME.findall(exchange.text.partition("=")[0])
        return
    answer = parsed(exchange)
    if not isinstance(answer, dict):
        return
    if exchange.host.startswith("datacenter"):
        yield from _fields((answer.get("result") or {}).get("data"), "SECURITY_CODE")
    elif exchange.host.startswith("push2"):
        quote = answer.get("data") or {}
        yield from (str(quote[name]) for name in ("code", "f57") if quote.get(name))
    elif exchange.host == "reportapi.eastmoney.com":
        yield from _fields(answer.get("data"), "stockCode")
    elif exchange.host == "webapi.cninfo.com.cn":
        yield from _fields(answer.get("records"), "SECCODE")


def _fields(rows: Any, name: str) -> Iterator[str]:
    yield from (str(row[name])[:6] for row in rows or [] if isinstance(row, dict) and row.get(name))
