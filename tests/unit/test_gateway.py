"""Asking: validated answers, schema modes, retries that keep the stance, and abstaining (faults L1, L2)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.debate.gateway import Abstained, Answered
from tests.unit.gateway_room import GOOD, OTHER, Opinion, World, ask, gateway
from tests.upstream.scripted_model import Reply, ScriptedModel, refused


async def answered(folder: Path, model: ScriptedModel, **changes: object) -> Answered:
    result = await gateway(folder, model.transport(), **changes).ask(ask())
    assert isinstance(result, Answered), result
    return result


async def abstained(folder: Path, model: ScriptedModel, **changes: object) -> Abstained:
    result = await gateway(folder, model.transport(), **changes).ask(ask())
    assert isinstance(result, Abstained), result
    return result


async def test_a_valid_answer_is_returned_with_its_usage(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD)
    result = await answered(tmp_path, model, price_in_cny_per_million=2.0, price_out_cny_per_million=8.0)
    assert result.value == Opinion(stance="支持", points=["营业收入同比增长12.3%"])
    assert result.raw == GOOD
    assert result.repairs == ()
    call = result.call
    assert (call.role, call.model, call.attempts, call.status, call.cached) == ("bull", "m1", 1, "ok", False)
    sent = len(model.requests[0].text)
    assert (call.tokens_in, call.tokens_out) == (sent, len(GOOD))
    assert call.cost_cny == pytest.approx((sent * 2 + len(GOOD) * 8) / 1e6)
    assert not call.tokens_estimated


async def test_without_prices_the_cost_is_unknown_not_zero(tmp_path: Path) -> None:
    assert (await answered(tmp_path, ScriptedModel(GOOD))).call.cost_cny is None


async def test_the_cached_prefix_is_taken_from_the_report_of_the_server(tmp_path: Path) -> None:
    body = {
        "id": "1", "object": "chat.completion", "created": 0, "model": "m1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": GOOD}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940},
    }  # fmt: skip
    openai_way = {**body, "usage": {**body["usage"], "prompt_tokens_details": {"cached_tokens": 640}}}
    deepseek_way = {**body, "usage": {**body["usage"], "prompt_cache_hit_tokens": 512}}
    for number, (sent, cached) in enumerate([(openai_way, 640), (deepseek_way, 512), (body, 0)]):
        model = ScriptedModel(Reply(content=json.dumps(sent)))
        prices = {"m1": {"tokens_in": 4.0, "tokens_out": 8.0, "cached_in": 1.0}}
        call = (await answered(tmp_path / str(number), model, model_prices=prices)).call
        assert call.tokens_cached_prefix == cached
        assert call.cost_cny == pytest.approx(((900 - cached) * 4 + cached * 1 + 40 * 8) / 1e6)


async def test_tokens_are_counted_and_marked_when_the_server_reports_none(tmp_path: Path) -> None:
    call = (await answered(tmp_path, ScriptedModel(Reply(GOOD, has_usage=False)))).call
    assert call.tokens_estimated
    assert 10 < call.tokens_in < 60
    assert 10 < call.tokens_out < 40


async def test_the_schema_is_demanded_strictly_and_every_object_is_closed(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD)
    await answered(tmp_path, model)
    wanted = model.requests[0].body["response_format"]["json_schema"]
    assert wanted["strict"] is True
    assert wanted["name"] == "Opinion"
    assert wanted["schema"]["additionalProperties"] is False
    assert wanted["schema"]["required"] == ["stance", "points"]
    assert "JSON" not in model.requests[0].text


async def test_a_server_without_json_schema_is_asked_with_json_object_and_words(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, refuse={"json_schema"})
    result = await answered(tmp_path, model)
    assert result.value.stance == "支持"  # type: ignore[attr-defined]
    assert [r.body["response_format"]["type"] for r in model.requests] == ["json_schema", "json_object"]
    assert '"stance": "支持"|"反对"' in model.requests[1].text
    assert "JSON" in model.requests[1].text


async def test_a_server_with_neither_is_asked_in_words(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, refuse={"json_schema", "json_object"})
    await answered(tmp_path, model)
    assert "response_format" not in model.requests[2].body
    assert '"points": [字符串, …]' in model.requests[2].text


async def test_what_a_server_refuses_is_found_once_and_remembered_by_other_processes(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, GOOD, GOOD, refuse={"json_schema"})
    first = gateway(tmp_path, model.transport())
    await first.ask(ask("一"))
    await first.ask(ask("二"))
    await gateway(tmp_path, model.transport()).ask(ask("三"))
    assert [r.body["response_format"]["type"] for r in model.requests] == ["json_schema", *["json_object"] * 3]


async def test_a_server_that_ignores_the_schema_is_told_it_in_words_from_then_on(tmp_path: Path) -> None:
    model = ScriptedModel("我支持这个命题。", GOOD, GOOD)
    room = gateway(tmp_path, model.transport())
    await room.ask(ask("一"))
    await room.ask(ask("二"))
    assert ["JSON 格式" in r.text for r in model.requests] == [False, True, True]
    assert all(r.body["response_format"]["type"] == "json_schema" for r in model.requests)


async def test_a_server_that_wants_other_parameters_gets_them(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, refuse_fields=("max_tokens", "temperature"))
    await answered(tmp_path, model)
    last = model.requests[-1].body
    assert last["max_completion_tokens"] == 1000
    assert "temperature" not in last
    assert last["response_format"]["type"] == "json_schema"


async def test_a_server_that_must_be_told_not_to_think_is_told(tmp_path: Path) -> None:
    words = "parameter.enable_thinking must be set to false for non-streaming calls"
    model = ScriptedModel(refused(400, words, "invalid_parameter_error"), GOOD, GOOD)
    room = gateway(tmp_path, model.transport())
    await room.ask(ask("一"))
    await room.ask(ask("二"))
    assert [r.body.get("enable_thinking") for r in model.requests] == [None, False, False]
    assert model.requests[-1].body["response_format"]["type"] == "json_schema"


async def test_a_prompt_that_tells_the_shape_gets_no_words_but_the_one_servers_insist_on(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, GOOD, refuse={"json_schema"})
    room = gateway(tmp_path, model.transport())
    await room.ask(ask("请按字段作答", is_shape_told=True))
    await room.ask(ask("请输出json", is_shape_told=True))
    assert model.requests[1].body["messages"][-1]["content"] == "请按字段作答\n\n请输出一个 JSON 对象。"
    assert model.requests[2].body["messages"][-1]["content"] == "请输出json"


async def test_the_shape_in_words_comes_last_so_the_prefix_stays_byte_identical(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, refuse={"json_schema"})
    await answered(tmp_path, model)
    asked, sent = ask().messages, model.requests[-1].body["messages"]
    assert sent[0] == asked[0]
    assert sent[1]["content"].startswith(asked[1]["content"])


async def test_roles_have_their_own_model_temperature_and_limit(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD, GOOD)
    roles = {"judge": {"model": "m2", "temperature": 0.1, "max_tokens": 77}}
    room = gateway(tmp_path, model.transport(), roles=roles)
    await room.ask(ask(role="bull"))
    await room.ask(ask(role="judge"))
    sent = [(r.body["model"], r.body["temperature"], r.body["max_tokens"]) for r in model.requests]
    assert sent == [("m1", 0.7, 1000), ("m2", 0.1, 77)]


async def test_a_role_with_its_own_server_never_sends_the_common_key_there(tmp_path: Path) -> None:
    model = ScriptedModel(GOOD)
    roles = {"judge": {"base_url": "http://other.test/v1"}}
    await gateway(tmp_path, model.transport(), roles=roles).ask(ask(role="judge"))
    assert model.requests[0].headers["authorization"] == "Bearer no-key"
    assert model.requests[0].headers["host"] == "other.test"


@pytest.mark.parametrize(
    "text",
    [
        "<think>{先想一想}</think>" + GOOD,
        "先想一想 {不对}</think>\n" + GOOD,
        f"```json\n{GOOD}\n```",
        f"好的，以下是我的回答：\n{GOOD}\n希望有帮助。",
        '{"stance": "支持", "points": ["营业收入同比增长12.3%",],}',
        "｛“stance”：“支持”，“points”：［“营业收入同比增长12.3%”］｝",
        '{"answer": {"stance": "支持", "points": ["营业收入同比增长12.3%"]}}',
        f"{GOOD}\n{GOOD}",
    ],
    ids=["think", "think without opening", "fence", "prose", "commas", "full-width", "wrapper", "twice"],
)
async def test_form_is_repaired_without_another_call(tmp_path: Path, text: str) -> None:
    model = ScriptedModel(text)
    result = await answered(tmp_path, model)
    assert result.value == Opinion(stance="支持", points=["营业收入同比增长12.3%"])
    assert result.repairs or text.count("stance") == 2
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "回答是空的"),
        ("最终评级：卖出", "没有找到 JSON 对象"),
        ("不要买入，回避", "没有找到 JSON 对象"),
        ("Sell-off risk", "没有找到 JSON 对象"),
        ("I cannot answer in Chinese, sorry.", "没有找到 JSON 对象"),
        ('{"stance": "支持", "points": []}', "少于 1 项"),
        ('{"stance": "中性", "points": ["一"]}', "只能是"),
        ('{"stance": "支持", "points": ["一"], "rating": "买入"}', "不应有这个字段"),
        ('{"points": ["一"]}', "缺少这个字段"),
        (f"{GOOD}\n不，应当是：\n{OTHER}", "2 个不同的 JSON 回答"),
        ('{"stance": "支持", "points": ["营业收入', "截断"),
        ('{"stance": "支持", "points": [12.3%]}', "应当是一个 JSON 值"),
    ],
    ids=["empty", "sell", "avoid", "english", "english prose", "no points", "neutral", "extra", "missing", "two",
         "half", "unit in number"],
)  # fmt: skip
async def test_an_unusable_answer_is_asked_again_with_the_cause(tmp_path: Path, text: str, cause: str) -> None:
    model = ScriptedModel(text, GOOD)
    result = await answered(tmp_path, model)
    assert result.call.attempts == 2
    told = model.requests[1].body["messages"]
    assert cause in told[-1]["content"]
    assert "立场、结论与所依据的事实不得改变" in told[-1]["content"]
    assert told[0] == ask().messages[0]
    if text:
        assert told[-2] == {"role": "assistant", "content": text}


@pytest.mark.parametrize("text", ["最终评级：卖出", "不要买入，回避", "Sell-off risk", "", "好", "{}", "null", "[]"])
async def test_never_a_default_verdict(tmp_path: Path, text: str) -> None:
    result = await abstained(tmp_path, ScriptedModel(*[text] * 3))
    assert "3 次回答都无法使用" in result.reason
    assert result.call is not None
    assert (result.call.status, result.call.attempts) == ("failed", 3)
    assert not hasattr(result, "value")


async def test_tokens_of_unusable_answers_are_accounted_for(tmp_path: Path) -> None:
    model = ScriptedModel("嗯", GOOD)
    result = await answered(tmp_path, model)
    assert result.call.tokens_out == len("嗯") + len(GOOD)
    assert result.call.tokens_in == sum(len(request.text) for request in model.requests)


async def test_a_cut_answer_is_asked_again_shorter_and_never_closed_by_us(tmp_path: Path) -> None:
    model = ScriptedModel(Reply('{"stance": "支持", "points": ["营业收入', finish_reason="length"), GOOD)
    await answered(tmp_path, model)
    assert "在长度上限处被截断" in model.requests[1].text
    assert "不超过约 800 个字" in model.requests[1].text
    assert model.requests[1].body["max_tokens"] == 1000


async def test_an_answer_eaten_by_thinking_gets_room_for_the_answer(tmp_path: Path) -> None:
    model = ScriptedModel(Reply("<think>想了很久", finish_reason="length"), GOOD)
    await answered(tmp_path, model)
    assert model.requests[1].body["max_tokens"] == 2000


async def test_a_whole_answer_is_taken_even_if_the_chatter_behind_it_was_cut(tmp_path: Path) -> None:
    model = ScriptedModel(Reply(GOOD + "\n以上是我的", finish_reason="length"))
    assert (await answered(tmp_path, model)).value.stance == "支持"  # type: ignore[attr-defined]


async def test_a_format_retry_may_not_change_the_stance(tmp_path: Path) -> None:
    broken = '{"stance": "支持", "points": []}'
    model = ScriptedModel(broken, OTHER, GOOD)
    result = await answered(tmp_path, model)
    assert result.value.stance == "支持"  # type: ignore[attr-defined]
    assert "改变了 stance，原来是 支持" in model.requests[2].text


async def test_a_stance_that_keeps_flipping_ends_in_abstention(tmp_path: Path) -> None:
    broken = '{"stance": "支持", "points": []}'
    result = await abstained(tmp_path, ScriptedModel(broken, OTHER, OTHER))
    assert "改变了 stance" in result.reason


async def test_an_invalid_stance_binds_nobody(tmp_path: Path) -> None:
    model = ScriptedModel('{"stance": "看多", "points": ["一"]}', OTHER)
    assert (await answered(tmp_path, model)).value.stance == "反对"  # type: ignore[attr-defined]


async def test_problems_found_by_the_caller_go_back_as_the_cause(tmp_path: Path) -> None:
    def problems(value: Opinion) -> list[str]:
        return [] if "E1" in value.points[0] else ["第 1 条论据没有引用事实编号"]

    model = ScriptedModel(GOOD, '{"stance": "支持", "points": ["据E1，营业收入增长"]}')
    result = await gateway(tmp_path, model.transport()).ask(ask(validate=problems))
    assert isinstance(result, Answered)
    assert "第 1 条论据没有引用事实编号" in model.requests[1].text


@pytest.mark.parametrize(
    "reply",
    [Reply("", finish_reason="content_filter"), Reply("", message={"refusal": "I can't help with that"})],
    ids=["filter", "refusal"],
)
async def test_a_refusal_is_not_asked_again(tmp_path: Path, reply: Reply) -> None:
    model = ScriptedModel(reply)
    result = await abstained(tmp_path, model)
    assert "拒绝回答" in result.reason
    assert len(model.requests) == 1


async def test_no_waiting_happens_between_format_retries(tmp_path: Path) -> None:
    world = World()
    await gateway(tmp_path, ScriptedModel("嗯", GOOD).transport(), world).ask(ask())
    assert world.waits == []
