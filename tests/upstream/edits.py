"""Small edits of what an upstream answers: rename, exchange, scale or set a field of every row.

A change works on one row, which may be a mapping (JSON objects), a sequence (tables, workbooks) or a text of
comma separated fields (K lines); fields are named by key or position.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import openpyxl

from tests.upstream.others import workbook
from tests.upstream.web import Call, Reply
from tests.upstream.world import World

Edit = Callable[[World], None]
Change = Callable[[Any], Any]
#: Where the rows of an answer stand, by host (and path where a host has several).
_ROWS: dict[str, tuple[Any, ...]] = {
    "datacenter-web.eastmoney.com": ("result", "data"),
    "datacenter.eastmoney.com": ("result", "data"),
    "push2his.eastmoney.com": ("data", "klines"),
    "search-api-web.eastmoney.com": ("result", "cmsArticleWebOld"),
    "reportapi.eastmoney.com": ("data",),
    "emappdata.eastmoney.com": ("data",),
    "www.cninfo.com.cn/new/hisAnnouncement/query": ("announcements",),
    "webapi.cninfo.com.cn": ("records",),
    "query.sse.com.cn": ("result",),
    "www.bse.cn/nqxxController/nqxxCnzq.do": (0, "content"),
    "www.bse.cn/rzrqjyyexxController/detailInfoResult.do": (0, "content"),
    "api.tushare.pro": ("data", "items"),
}


# Changes of one row.


def rename(old: str, new: str) -> Change:
    return lambda row: {new if name == old else name: value for name, value in row.items()}


def added(row: Any) -> Any:
    """One field more than agreed."""
    return {**row, "NEW_FIELD": 1} if isinstance(row, dict) else [*row, "9"]


def exchange(one: Any, other: Any) -> Change:
    def change(row: Any) -> Any:
        edited = dict(row) if isinstance(row, dict) else list(row)
        edited[one], edited[other] = row[other], row[one]
        return edited

    return change


def put(name: Any, value: Any) -> Change:
    def change(row: Any) -> Any:
        edited = dict(row) if isinstance(row, dict) else list(row)
        edited[name] = value(row[name]) if callable(value) else value
        return edited

    return change


def times(name: Any, factor: float) -> Change:
    def scaled(value: Any) -> Any:
        number = float(str(value).replace(",", "")) * factor
        return str(round(number)) if isinstance(value, str) and number == round(number) else type(value)(number)

    return put(name, scaled)


def having(name: Any, change: Change) -> Change:
    """*change* only the rows that have the field (an answer to another function of the same host is left alone)."""
    return lambda row: change(row) if name in row else row


# Edits of a world.


def rows(where: str, change: Change) -> Edit:
    """Change every row of the JSON answers of *where* (a host, or host and path)."""
    path = next(steps for key, steps in _ROWS.items() if where.startswith(key))

    def edit(document: Any) -> Any:
        held = document
        for step in path[:-1]:
            held = held[step]
        if held.get(path[-1]) if isinstance(held, dict) else held:
            held[path[-1]] = [_of_row(change, row) for row in held[path[-1]]]
        return document

    return document_of(where, edit)


def document_of(where: str, edit: Callable[[Any], Any]) -> Edit:
    """Change the whole JSON document of the answers of *where*; wrappers around it stay."""

    def fault(_: Call, reply: Reply) -> Reply:
        text = reply.body.decode()
        first = text.find("[{") if where.startswith("www.bse.cn") else min(i for i in map(text.find, "{[") if i >= 0)
        document, end = json.JSONDecoder().raw_decode(text[first:])
        edited = json.dumps(edit(document), ensure_ascii=False)
        return replace(reply, body=(text[:first] + edited + text[first + end :]).encode())

    return lambda world: world.upstream.fault.update({where: fault})


def answer(where: str, document: Any) -> Edit:
    """Answer *document* instead."""
    return document_of(where, lambda _: document)


def sheet(change: Change) -> Edit:
    """Change every row of the Shenzhen exchange's workbooks; the head row counts as one."""

    def fault(_: Call, reply: Reply) -> Reply:
        held = openpyxl.load_workbook(io.BytesIO(reply.body)).active
        return workbook([change(list(row)) for row in held.iter_rows(values_only=True)])

    return lambda world: world.upstream.fault.update({"www.szse.cn": fault})


def body(where: str, text: str) -> Edit:
    """Answer *text* instead."""
    return lambda world: world.upstream.fault.update({where: lambda call, reply: replace(reply, body=text.encode())})


def text_of(where: str, edit: Callable[[str], str]) -> Edit:
    """Change the text of the answers of *where*."""

    def fault(_: Call, reply: Reply) -> Reply:
        return replace(reply, body=edit(reply.body.decode()).encode())

    return lambda world: world.upstream.fault.update({where: fault})


def tcp(method: str, change: Callable[[Sequence[str], Sequence[Sequence[str]]], Any]) -> Edit:
    """Change what baostock answers to *method*: ``(fields, rows)`` in, the same or ``(code, message)`` out."""

    def edit(world: World) -> None:
        sound = world.server.data[method]
        world.server.data[method] = lambda arguments: change(*sound(arguments))

    return edit


def tcp_rows(method: str, change: Callable[[dict[str, str]], dict[str, str]]) -> Edit:
    """Change every row of *method*'s answer, named by field."""

    def changed(fields: Sequence[str], found: Sequence[Sequence[str]]) -> Any:
        edited = [change(dict(zip(fields, row, strict=True))) for row in found]
        names = list(edited[0]) if edited else list(fields)
        return names, [list(row.values()) for row in edited]

    return tcp(method, changed)


def _of_row(change: Change, row: Any) -> Any:
    return ",".join(str(v) for v in change(row.split(","))) if isinstance(row, str) else change(row)
