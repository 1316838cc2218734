"""What ``doctor`` learns about the configured models."""

from __future__ import annotations

from pathlib import Path

import httpx2

from flows.debate.gateway_health import ModelHealth, describe_models
from tests.unit.gateway_room import BASE_URL, KEY, gateway
from tests.upstream.scripted_model import ScriptedModel

PING = '{"ok": true}'


async def test_a_listed_model_is_usable_and_nothing_was_bought(tmp_path: Path) -> None:
    model = ScriptedModel(models=("m1", "m2"))
    (found,) = await describe_models(gateway(tmp_path, model.transport()))
    assert found == ModelHealth(BASE_URL, "m1", is_reachable=True, is_key_accepted=True, is_listed=True)
    assert found.is_usable
    assert model.requests == []


async def test_a_probe_finds_the_schema_mode(tmp_path: Path) -> None:
    model = ScriptedModel(refuse={"json_schema"}, speak=lambda _: PING)
    (found,) = await describe_models(gateway(tmp_path, model.transport()), probe=1)
    assert (found.is_reachable, found.is_key_accepted, found.schema_mode) == (True, True, "json_object")
    bought = len(model.requests)
    await describe_models(gateway(tmp_path, model.transport()), probe=2)
    assert len(model.requests) == bought + 1


async def test_a_wrong_key_is_named_without_showing_it(tmp_path: Path) -> None:
    for probe in (None, 1):
        model = ScriptedModel(key="the-right-one-1234", models=("m1",))
        (found,) = await describe_models(gateway(tmp_path, model.transport()), probe=probe)
        assert not found.is_usable
        assert "ZHENGMING_API_KEY" in found.advice
        assert KEY not in repr(found)


async def test_an_unreachable_server_is_said_to_be_so(tmp_path: Path) -> None:
    def handle(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("connection refused", request=request)

    (found,) = await describe_models(gateway(tmp_path, httpx2.MockTransport(handle)))
    assert found.is_reachable is False
    assert "ZHENGMING_BASE_URL" in found.advice


async def test_a_model_the_server_does_not_list_is_named_with_those_it_does(tmp_path: Path) -> None:
    model = ScriptedModel(models=("qwen-plus", "qwen-max"))
    (found,) = await describe_models(gateway(tmp_path, model.transport()))
    assert found.is_listed is False
    assert "qwen-plus、qwen-max" in found.advice


async def test_a_server_without_a_list_is_reachable_and_the_rest_unknown(tmp_path: Path) -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(404, json={"detail": "Not Found"}))
    (found,) = await describe_models(gateway(tmp_path, transport))
    assert (found.is_reachable, found.is_key_accepted, found.is_listed, found.advice) == (True, None, None, "")


async def test_every_model_in_use_is_described_once(tmp_path: Path) -> None:
    model = ScriptedModel(models=("m1", "m2"))
    roles = {
        "judge": {"model": "m2"},
        "bear": {"model": "m2"},
        "bull": {"temperature": 0.2},
        "pro": {"model": "offline"},
    }
    found = await describe_models(gateway(tmp_path, model.transport(), roles=roles))
    assert [health.model for health in found] == ["m1", "m2", "offline"]
    assert all(health.is_usable for health in found)
    assert found[2].server.startswith("offline:")
