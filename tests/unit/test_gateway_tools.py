"""Evidence channels as function calls, where the server has them (PRODUCT D15)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from flows.debate.gateway import Answered, Requested, Tool, ToolUse
from tests.unit.gateway_room import GOOD, ask, gateway
from tests.upstream.scripted_model import Reply, ScriptedModel


class Query(BaseModel):
    query: str = Field(min_length=1, max_length=40)


NEWS = Tool("news", "检索新闻", Query)


def called(name: str, arguments: str) -> Reply:
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return Reply("", finish_reason="tool_calls", message={"tool_calls": [call]})


async def look_up(folder: Path, model: ScriptedModel, **changes: Any) -> Any:
    return await gateway(folder, model.transport()).ask_or_look_up(ask(tools=(NEWS,), **changes))


async def test_tools_are_offered_and_their_use_comes_back_validated(tmp_path: Path) -> None:
    model = ScriptedModel(called("news", '{"query": "订单"}'))
    result = await look_up(tmp_path, model)
    assert isinstance(result, Requested)
    assert result.uses == (ToolUse("news", Query(query="订单")),)
    assert result.call.status == "ok"
    (offered,) = model.requests[0].body["tools"]
    assert offered["function"]["name"] == "news"
    assert offered["function"]["parameters"]["required"] == ["query"]


async def test_an_answer_instead_of_a_call_is_an_answer(tmp_path: Path) -> None:
    assert isinstance(await look_up(tmp_path, ScriptedModel(GOOD)), Answered)


async def test_a_request_is_journaled_like_an_answer(tmp_path: Path) -> None:
    model = ScriptedModel(called("news", '{"query": "订单"}'))
    first = await look_up(tmp_path, model)
    again = await look_up(tmp_path, model)
    assert again.uses == first.uses
    assert again.call.cached
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (called("shell", "{}"), "没有工具 shell；可用：news"),
        (called("news", '{"q": "订单"}'), "工具 news 的参数不对"),
        (called("news", "订单"), "工具 news 的参数读不懂"),
    ],
    ids=["unknown", "wrong field", "no json"],
)
async def test_a_bad_request_goes_back_with_its_cause(tmp_path: Path, reply: Reply, cause: str) -> None:
    model = ScriptedModel(reply, GOOD)
    assert isinstance(await look_up(tmp_path, model), Answered)
    assert cause in model.requests[1].text


async def test_a_server_without_function_calls_is_asked_without_them(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, GOOD, refuse_fields=("tools",))
    assert isinstance(await look_up(tmp_path, model), Answered)
    assert isinstance(await look_up(tmp_path, model, sample=1), Answered)
    assert ["tools" in r.body for r in model.requests] == [True, False, False]
    assert all(r.body["response_format"]["type"] == "json_schema" for r in model.requests)


async def test_missing_function_calls_are_also_remembered_of_a_known_server(tmp_path: Path) -> None:
    model = ScriptedModel(*[GOOD] * 3, refuse_fields=("tools",))
    room = gateway(tmp_path, model.transport())
    await room.ask(ask())
    for sample in (1, 2):
        await room.ask_or_look_up(ask(tools=(NEWS,), sample=sample))
    assert ["tools" in r.body for r in model.requests] == [False, True, False, False]


async def test_a_call_nobody_offered_is_no_answer(tmp_path: Path) -> None:
    model = ScriptedModel(called("news", '{"query": "订单"}'), GOOD)
    result = await gateway(tmp_path, model.transport()).ask(ask())
    assert isinstance(result, Answered)
    assert "没有工具 news" in model.requests[1].text
