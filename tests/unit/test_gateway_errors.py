"""Errors of a server: what is waited for, what stops, what is said, and that the key is never in it (L9)."""

from __future__ import annotations

import asyncio
import logging
import traceback
from pathlib import Path

import httpx2
import pytest

from flows.debate.gateway import Abstained, Answered
from flows.debate.gateway_types import ServerDown
from flows.errors import BudgetSpent, ConfigurationError
from tests.unit.gateway_room import GOOD, KEY, World, ask, gateway, settings
from tests.upstream.scripted_model import Reply, ScriptedModel, refused, throttled


async def test_retry_after_seconds_is_waited_as_told(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(throttled("7"), GOOD)
    result = await gateway(tmp_path, model.transport(), world).ask(ask())
    assert isinstance(result, Answered)
    assert result.call.attempts == 1
    assert 7.0 <= sum(world.waits) <= 7.2


async def test_retry_after_milliseconds_is_waited_as_told(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(throttled("250", "retry-after-ms"), GOOD)
    await gateway(tmp_path, model.transport(), world).ask(ask())
    assert 0.25 <= sum(world.waits) <= 0.4


async def test_retry_after_as_a_date_is_waited_as_told(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(throttled("Mon, 02 Mar 2026 10:00:30 GMT"), GOOD)
    await gateway(tmp_path, model.transport(), world).ask(ask())
    assert 30.0 <= sum(world.waits) <= 30.2


async def test_many_throttles_with_retry_after_are_all_waited_for(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(*[throttled("3")] * 12, GOOD)
    result = await gateway(tmp_path, model.transport(), world).ask(ask())
    assert isinstance(result, Answered)
    assert sum(world.waits) >= 36.0


async def test_8_of_20_stocks_throttled_are_all_answered_after_the_wait(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel()
    for number in range(8):
        model.when(f"股票{number:02d}号", throttled("5"))
    room = gateway(tmp_path, model.transport(), world)
    results = await asyncio.gather(*(room.ask(ask(f"股票{number:02d}号")) for number in range(20)))
    assert all(isinstance(result, Answered) for result in results)
    assert len(model.requests) == 28
    assert max(world.waits) >= 4.9


async def test_while_one_is_told_to_wait_nobody_asks_that_server(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(throttled("60"))
    room = gateway(tmp_path, model.transport(), world, model_concurrency=1)
    await asyncio.gather(room.ask(ask("一")), room.ask(ask("二")))
    assert world.elapsed_s >= 60.0
    assert len(model.requests) == 3


async def test_a_wait_told_to_one_gateway_holds_back_the_others_of_the_machine(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(throttled("30"))
    first, second = (gateway(tmp_path, model.transport(), world, model_attempts=1) for _ in range(2))

    async def soon() -> None:
        while not model.requests:
            await asyncio.sleep(0)
        await asyncio.sleep(0.02)
        await second.ask(ask("二"))

    await asyncio.gather(first.ask(ask("一")), soon())
    assert len(model.requests) == 3
    assert len([pause for pause in world.waits if pause >= 29.0]) >= 1
    assert world.elapsed_s >= 30.0


async def test_a_wait_of_hours_is_not_sat_through(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(throttled("7200"))
    result = await gateway(tmp_path, model.transport(), world).ask(ask())
    assert isinstance(result, Abstained)
    assert "429" in result.reason
    assert sum(world.waits) < 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
async def test_a_server_error_is_tried_again_with_growing_pauses(tmp_path: Path, status: int) -> None:
    world, model = World(), ScriptedModel(*[refused(status, "busy")] * 3, GOOD)
    result = await gateway(tmp_path, model.transport(), world).ask(ask())
    assert isinstance(result, Answered)
    first, second, third = world.waits
    assert 0.5 <= first <= 1.0
    assert 1.0 <= second <= 2.0
    assert 2.0 <= third <= 4.0


async def test_a_server_that_stays_broken_costs_one_turn_and_one_rest_and_then_nobody_waits(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(*[refused(503, "down")] * 20)
    room = gateway(tmp_path, model.transport(), world)
    first = await room.ask(ask("一"))
    assert isinstance(first, Abstained)
    assert "503" in first.reason
    tried, waits = len(model.requests), list(world.waits)
    with pytest.raises(ServerDown, match="503"):
        await room.ask(ask("二"))
    assert len(model.requests) == tried + 2
    assert world.waits == [*waits, 60.0]
    others = [gateway(tmp_path, model.transport(), world) for _ in range(3)]
    for other in others:
        with pytest.raises(ServerDown, match="本次运行不再等它"):
            await other.ask(ask("三"))
    assert (len(model.requests), world.waits) == (tried + 2, [*waits, 60.0])


async def test_a_server_back_after_the_rest_costs_nothing_more_than_the_turn(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(*[refused(503, "down")] * 6, *[GOOD] * 3)
    room = gateway(tmp_path, model.transport(), world)
    assert isinstance(await room.ask(ask("一")), Abstained)
    assert len(model.requests) == 5
    assert isinstance(await room.ask(ask("二")), Answered)
    assert isinstance(await gateway(tmp_path, model.transport(), world).ask(ask("三")), Answered)
    assert not list(tmp_path.rglob("down"))


async def test_another_run_asks_a_server_that_was_down_for_the_last_one(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(*[refused(503, "down")] * 7, GOOD)
    room = gateway(tmp_path, model.transport(), world)
    await room.ask(ask("一"))
    with pytest.raises(ServerDown):
        await room.ask(ask("二"))
    later = gateway(tmp_path, model.transport(), world, run_id="the next run")
    assert isinstance(await later.ask(ask("三")), Answered)


async def test_a_lost_connection_is_tried_again(tmp_path: Path) -> None:
    model = ScriptedModel(Reply(drop=True), GOOD)
    assert isinstance(await gateway(tmp_path, model.transport()).ask(ask()), Answered)


async def test_a_late_answer_is_asked_for_again(tmp_path: Path) -> None:
    model = ScriptedModel(Reply(GOOD, delay_s=500.0), GOOD)
    result = await gateway(tmp_path, model.transport(), model_timeout_s=30.0).ask(ask())
    assert isinstance(result, Answered)
    assert len(model.requests) == 2


async def test_a_server_that_never_answers_in_time_says_which_setting_helps(tmp_path: Path) -> None:
    model = ScriptedModel(*[Reply(GOOD, delay_s=500.0)] * 9)
    result = await gateway(tmp_path, model.transport(), model_timeout_s=30.0).ask(ask())
    assert isinstance(result, Abstained)
    assert "ZHENGMING_MODEL_TIMEOUT_S" in result.reason
    assert result.call is not None
    assert result.call.cost_cny is None


async def test_read_and_connect_timeouts_are_the_configured_ones(tmp_path: Path) -> None:
    seen: list[dict[str, float]] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.extensions["timeout"])
        return httpx2.Response(401, json={"error": {"message": "no"}})

    room = gateway(tmp_path, httpx2.MockTransport(handle), model_timeout_s=77.0, model_connect_timeout_s=11.0)
    with pytest.raises(ConfigurationError):
        await room.ask(ask())
    assert (seen[0]["read"], seen[0]["connect"]) == (77.0, 11.0)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (ScriptedModel(key="another-key-entirely"), "ZHENGMING_API_KEY"),
        (ScriptedModel(refused(403, "forbidden")), "ZHENGMING_API_KEY"),
        (ScriptedModel(models=("m9",)), "没有模型 m1"),
        (ScriptedModel(refused(400, "Model Not Exist", "invalid_request_error")), "没有模型 m1"),
        (ScriptedModel(Reply(content="<html>hello</html>", content_type="text/html")), "不像 OpenAI 兼容接口"),
    ],
    ids=["401", "403", "404 model", "400 model", "web page"],
)
async def test_what_the_user_must_change_stops_at_once_and_says_what(
    tmp_path: Path, model: ScriptedModel, says: str
) -> None:
    with pytest.raises(ConfigurationError, match=says):
        await gateway(tmp_path, model.transport()).ask(ask())
    assert len(model.requests) <= 1


async def test_an_unreachable_address_is_a_configuration_error(tmp_path: Path) -> None:
    def handle(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("connection refused", request=request)

    with pytest.raises(ConfigurationError, match=r"连不上模型服务 http://model\.test/v1"):
        await gateway(tmp_path, httpx2.MockTransport(handle)).ask(ask())


async def test_a_server_that_disappears_in_mid_run_fails_the_turn_not_the_run(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD)
    inner = model.transport()

    async def handle(request: httpx2.Request) -> httpx2.Response:
        if len(model.requests) >= 1:
            raise httpx2.ConnectError("connection refused", request=request)
        return await inner.handle_async_request(request)

    room = gateway(tmp_path, httpx2.MockTransport(handle))
    assert isinstance(await room.ask(ask("一")), Answered)
    assert isinstance(await room.ask(ask("二")), Abstained)


@pytest.mark.parametrize(
    "reply",
    [
        refused(402, "Insufficient Balance"),
        refused(429, "You exceeded your current quota", "insufficient_quota"),
        refused(403, "账户余额不足"),
        refused(400, "Access denied, account is in Arrearage", "Arrearage"),
    ],
)
async def test_an_empty_account_is_a_spent_budget_with_advice(tmp_path: Path, reply: Reply) -> None:
    with pytest.raises(BudgetSpent, match="充值"):
        await gateway(tmp_path, ScriptedModel(reply).transport()).ask(ask())


async def test_a_prompt_too_long_for_the_model_fails_the_turn_without_retries(tmp_path: Path) -> None:
    words = "This model's maximum context length is 8192 tokens"
    model = ScriptedModel(refused(400, words, "context_length_exceeded"))
    result = await gateway(tmp_path, model.transport()).ask(ask())
    assert isinstance(result, Abstained)
    assert "超出模型 m1 的长度" in result.reason
    assert len(model.requests) == 1


async def test_a_refusal_for_content_does_not_lower_the_schema_for_later_turns(tmp_path: Path) -> None:
    blocked = [refused(400, "Content Exists Risk")] * 3
    model = ScriptedModel(*blocked, GOOD)
    room = gateway(tmp_path, model.transport())
    assert isinstance(await room.ask(ask("一")), Abstained)
    assert isinstance(await room.ask(ask("二")), Answered)
    assert model.requests[-1].body["response_format"]["type"] == "json_schema"


BROKEN = ['{"error": {"message": "upstream overloaded"}}', '{"choices": []}', "", "{", '{"choices": [{}]}']


@pytest.mark.parametrize("content", [*BROKEN, '{"choices": "x"}'])
async def test_a_broken_body_with_status_200_is_tried_again(tmp_path: Path, content: str) -> None:
    model = ScriptedModel(Reply(content=content), GOOD)
    assert isinstance(await gateway(tmp_path, model.transport()).ask(ask()), Answered)


async def test_a_page_instead_of_an_answer_in_mid_run_fails_no_more_than_the_turn(tmp_path: Path) -> None:
    page = Reply(content="<html>login first</html>", content_type="text/html")
    room = gateway(tmp_path, ScriptedModel(GOOD, page, GOOD).transport())
    assert isinstance(await room.ask(ask("一")), Answered)
    assert isinstance(await room.ask(ask("二")), Answered)


def test_a_model_without_an_address_says_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="ZHENGMING_BASE_URL"):
        gateway(tmp_path, None, base_url=None)


@pytest.mark.parametrize("url", ["model.test/v1", f"http://user:{KEY}@model.test/v1"])
def test_an_address_without_scheme_or_with_a_password_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="http://") as caught:
        gateway(tmp_path, None, base_url=url)
    assert KEY not in str(caught.value)


async def test_the_key_is_nowhere_but_in_the_header(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not in reprs, messages, tracebacks, chained exceptions, logs or files, even if the server echoes it."""
    caplog.set_level(logging.DEBUG)
    echoing = Reply(status=401, error={"message": f"bad key {KEY}, sent as Bearer {KEY}"})
    flaky = refused(503, f"try later {KEY}")
    model = ScriptedModel(GOOD, flaky, echoing)
    room = gateway(tmp_path, model.transport())
    result = await room.ask(ask("一"))
    with pytest.raises(ConfigurationError) as caught:
        await room.ask(ask("二"))
    assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"
    error: BaseException | None = caught.value
    while error is not None:
        assert KEY not in f"{error!r} {error} {vars(error)}"
        error = error.__cause__ or error.__context__
    said = "".join(traceback.format_exception(caught.value))
    reprs = f"{room!r} {room.models!r} {room.models.of('bull')!r} {settings()!r} {result!r}"
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in said + reprs + caplog.text
    assert KEY.encode() not in written


async def test_ids_in_the_environment_are_not_sent_to_a_foreign_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-private")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    model = ScriptedModel(GOOD)
    await gateway(tmp_path, model.transport(), api_key=None).ask(ask())
    assert "private" not in str(model.requests[0].headers)
    assert model.requests[0].headers["authorization"] == "Bearer no-key"
