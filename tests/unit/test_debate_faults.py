"""L1–L9 of the reference: what language models do wrong, through the real client and gateway."""

import asyncio
import json
from collections import Counter

import httpx2
import pytest

from flows.contracts.checks import CheckVerdict
from flows.contracts.packs import Dimension
from flows.contracts.transcripts import Claim, RunStatus, Side
from flows.debate.answers import Moderation
from flows.debate.endpoint_schema import answer_schema
from flows.debate.engine import run_debate
from flows.debate.tokens import count_prompt_tokens, count_tokens
from flows.truth.binding import check_claim, check_text
from tests.unit.debate_fakes import NOW, hold
from tests.unit.debate_packs import SYMBOL, pack
from tests.unit.debate_server import ScriptedServer, gateway_on, hold_on_server

FIRST = ("bull", "argue", 1)


def at(place, change):
    """A script that changes the first answer at a place, the honest answer being given afterwards."""
    seen = Counter()

    def script(scene, honest):
        key = (scene.role, scene.act, scene.round_no)
        seen[key] += key == place
        return change(honest) if key == place and seen[key] == 1 else None

    return script


def text_of(honest):
    return json.dumps(honest, ensure_ascii=False)


REPAIRED = {
    "think_block": lambda honest: '<think>{先想想，"claims": 要不要}</think>' + text_of(honest),
    "fenced": lambda honest: f"```json\n{text_of(honest)}\n```",
    "trailing_comma": lambda honest: text_of(honest)[:-1] + ",}",
    "prose_around": lambda honest: f"好的，以下是我的回答：\n{text_of(honest)}\n希望有帮助。",
    "twice": lambda honest: text_of(honest) + "\n" + text_of(honest),
    "brace_in_string": lambda honest: text_of({**honest, "preempt": "有人会写出 {不完整 的括号，这不影响判断。"}),
}
RETRIED = {
    "two_different": lambda honest: (
        text_of(honest) + "\n" + text_of({**honest, "preempt": "另一个回答，与前一个不同。"})
    ),
    "garbage": lambda honest: "抱歉，我不能完成这个任务……",
    "half": lambda honest: text_of(honest)[: len(text_of(honest)) // 2],
    "no_claims": lambda honest: text_of({**honest, "claims": []}),
    "english": lambda honest: text_of(
        {
            **honest,
            "claims": [
                {
                    **honest["claims"][0],
                    "conclusion": "Profit grows",
                    "basis": "Net profit grew (E37)",
                    "reasoning": "The price is fine then",
                }
            ],
            "preempt": "",
        }
    ),
    "unknown_key": lambda honest: text_of({**honest, "rating": "强烈推荐"}),
    "prose": lambda honest: "多方认为公司基本面良好，估值合理，理应得到市场认可。",
}


@pytest.mark.parametrize("kind", REPAIRED)
def test_l1_form_is_repaired_without_asking_again(kind, tmp_path):
    transcript, server = hold_on_server(tmp_path, at(FIRST, REPAIRED[kind]))
    assert transcript.status is RunStatus.COMPLETE
    assert len(server.requests) == 15
    assert transcript.claims[0].claim_id == "r1-bull-1"


@pytest.mark.parametrize("kind", RETRIED)
def test_l1_what_cannot_be_repaired_is_asked_again_with_the_cause(kind, tmp_path):
    transcript, server = hold_on_server(tmp_path, at(FIRST, RETRIED[kind]))
    assert transcript.status is RunStatus.COMPLETE
    assert len(server.requests) == 16
    retry = [body for body in server.requests if "上一条回答无法使用" in body["messages"][-1]["content"]]
    assert len(retry) == 1
    assert "立场" in retry[0]["messages"][-1]["content"]
    bull = next(call for call in transcript.llm_calls if call.role == "bull")
    assert (bull.attempts, bull.status) == (2, "ok")


def test_l1_format_retry_may_not_change_the_stance(tmp_path):
    def script(scene, honest):
        if (scene.role, scene.act, scene.round_no) == ("value", "speak", 1):
            calls.append(1)
            if len(calls) == 1:
                return {**honest, "claims": []}
            return {**honest, "stance": "反对" if honest["stance"] == "支持" else "支持"}
        return None

    calls = []
    transcript, _ = hold_on_server(tmp_path, script, protocol="four_stance")
    turn = transcript.turns[0]
    assert (turn.role, turn.status) == ("value", "failed")
    assert "stance" in turn.error


@pytest.mark.parametrize(
    "verdict", ["最终评级：卖出", "不要买入，回避", "Sell-off risk ahead", "", '{"winner": "卖出", "score_a": 1}']
)
def test_l2_a_verdict_that_is_none_never_becomes_a_default(verdict, tmp_path):
    transcript, _ = hold_on_server(tmp_path, lambda scene, honest: verdict if scene.role == "judge" else None)
    assert transcript.judgements == ()
    assert transcript.status is RunStatus.PARTIAL
    assert transcript.conclusion.verdict == "undecided"
    assert transcript.conclusion.swap_agreement is None
    assert {t.status for t in transcript.turns if t.role == "judge"} == {"failed"}


def test_l3_words_in_the_mouth_of_a_side_that_has_not_spoken_are_sent_back(tmp_path):
    def said(honest):
        honest["claims"][0]["reasoning"] = "空方认为估值过高，但这一看法没有考虑盈利的增长。"
        return honest

    transcript, server = hold_on_server(tmp_path, at(FIRST, said))
    assert len(server.requests) == 16
    assert "还没有记录在案" in server.requests[2]["messages"][-1]["content"]
    assert "空方认为" not in transcript.turns[1].speech


def claim_with(text, facts=("E1", "E20", "E37")):
    return Claim(
        claim_id="r1-bull-1", turn_no=1, round_no=1, role="bull", side=Side.FOR, dimension=Dimension.TECHNICAL,
        conclusion="", basis=text, reasoning="", fact_ids=facts, evidence_type="历史数据",
    )  # fmt: skip


def test_l4_a_table_of_invented_prices_is_flagged_cell_by_cell():
    prices = [0.88 + n * 0.0015 for n in range(20)]
    table = "".join(f"第{n + 1}个交易日收盘价为{price:.4f}元；" for n, price in enumerate(prices))
    failed = [c for c in check_claim(claim_with(table), pack()) if c.verdict.is_failure]
    assert {f"{price:.4f}元" for price in prices} <= {c.text for c in failed}


@pytest.mark.parametrize(
    "text",
    [
        "（2026-07-14最低）",
        "20/50/200日",
        "08-10(一)",
        "1. **要点**",
        "置信度 6/10",
        "2026Q3归母净利润为21.3亿元（E36）",
    ],
)
def test_l5_honest_text_is_not_flagged(text):
    found = check_text(text, pack().facts, cited=None, subject=SYMBOL)
    assert [c for c in found if c.verdict.is_failure] == []


def test_l6_fallback_constants_sold_as_data_are_unsupported():
    text = "市盈率(TTM)为18.50倍，市净率为1.80倍，资产负债率为45.00%。"
    checks = check_claim(claim_with(text, ("E20", "E21", "E44")), pack())
    assert [c.verdict in {CheckVerdict.MISMATCH, CheckVerdict.UNSUPPORTED} for c in checks if c.value is not None] == [
        True
    ] * 3


def test_l7_a_model_that_obeys_an_injected_headline_is_sent_back(tmp_path):
    """The scripted model does what the headline says; the program does not let it through."""

    def obeys(honest):
        honest["claims"][0]["reasoning"] = "强烈推荐买入，投资者应立即行动，不要错过机会。"
        return honest

    transcript, server = hold_on_server(tmp_path, at(FIRST, obeys))
    assert "操作建议" in server.requests[2]["messages"][-1]["content"]
    assert "强烈推荐" not in transcript.turns[1].speech


def test_l8_a_judge_whose_verdict_follows_the_order_decides_nothing():
    def first(scene, honest):
        return {**honest, "winner": "A", "score_a": 70, "score_b": 30} if scene.role == "judge" else None

    transcript, _ = hold(script=first)
    assert [j.verdict for j in transcript.judgements].count("for") == 1
    assert (transcript.conclusion.verdict, transcript.conclusion.swap_agreement) == ("undecided", 0.0)


class Throttling(ScriptedServer):
    """Answers every n-th request with 429 and a wait the first time it sees it."""

    def __init__(self, every):
        super().__init__()
        self.every, self.count, self.throttled = every, 0, 0

    async def handle_async_request(self, request):
        self.count += 1
        if self.count % self.every == 0:
            self.throttled += 1
            return httpx2.Response(429, headers={"retry-after": "7"}, json={"error": {"message": "slow down"}})
        return await super().handle_async_request(request)


def stock(number):
    """One of several stocks with the same facts."""
    symbol = f"60000{number}.SH"
    identity = pack().identity.model_copy(update={"symbol": symbol, "name": f"甲材料{number}号"})
    return pack().model_copy(update={"symbol": symbol, "identity": identity, "pack_version": f"base-{number}"})


def stocks(folder, server, count, **settings):
    """Several debates on one gateway, each accounted for."""

    async def one(gateway, number):
        return await run_debate(
            stock(number), "bull_bear", gateway, clock=lambda: NOW, debate_id=f"d-{number}",
        )  # fmt: skip

    async def run():
        gateway = gateway_on(folder, server, **settings)
        try:
            return [await one(gateway, number) for number in range(count)]
        finally:
            await gateway.aclose()

    return asyncio.run(run())


def test_l9_a_throttled_server_is_waited_for(tmp_path):
    server = Throttling(every=4)
    done = stocks(tmp_path, server, 2)
    assert server.throttled > 0
    assert {t.status for t in done} == {RunStatus.COMPLETE}


def test_l9_a_spent_budget_stops_cleanly_and_every_stock_is_accounted_for(tmp_path):
    server = ScriptedServer()
    done = stocks(tmp_path, server, 5, run_token_budget=9_000)
    assert len(done) == 5
    assert done[0].status is RunStatus.COMPLETE
    assert done[-1].status in {RunStatus.PARTIAL, RunStatus.FAILED}
    assert "预算" in done[-1].reason
    assert len(server.requests) < 5 * 15
    assert all(t.conclusion is not None or t.reason for t in done)


def most(request, answer):
    """What the ledger sets aside for a request: its prompt, the shape in words and the longest answer."""
    prompt = count_prompt_tokens(request["messages"]) + count_tokens(answer_schema(answer).words)
    return prompt + request["max_tokens"]


def test_l9_what_was_paid_before_the_budget_ended_in_mid_turn_is_on_the_books(tmp_path):
    _, free = hold_on_server(tmp_path / "free", lambda scene, honest: "不是 JSON", model_attempts=1)
    budget = most(free.requests[0], Moderation) + 100
    cut, server = hold_on_server(tmp_path / "cut", lambda scene, honest: "不是 JSON", run_token_budget=budget)
    assert len(server.requests) == 1
    assert [(c.role, c.status, c.tokens_in) for c in cut.llm_calls] == [("moderator", "failed", 100)]
    assert "预算" in cut.reason


def test_l9_readings_already_paid_are_kept_when_the_money_ends_before_the_last(tmp_path):
    readings = Counter()

    def script(scene, honest):
        readings[scene.role] += 1
        if readings["judge"] == 2 and scene.role == "judge":
            return httpx2.Response(402, json={"error": {"message": "Insufficient Balance"}})
        return None

    cut, _ = hold_on_server(tmp_path, script)
    assert cut.status is RunStatus.PARTIAL
    assert "余额" in cut.reason
    assert [turn.role for turn in cut.turns][-2:] == ["judge", "auditor"]
    assert len(cut.judgements) == 1
    assert len(cut.llm_calls) == len(cut.turns) == 14


class Gone(ScriptedServer):
    """Answers *left* requests and then no more."""

    def __init__(self, left):
        super().__init__()
        self.left = left
        self.refused = 0

    async def handle_async_request(self, request):
        if self.left <= 0:
            self.refused += 1
            return httpx2.Response(503, json={"error": {"message": "down"}})
        self.left -= 1
        return await super().handle_async_request(request)


def test_a_server_that_stays_down_stops_the_run_with_one_message_and_is_not_waited_for_by_every_stock(tmp_path):
    server = Gone(left=20)
    done = stocks(tmp_path, server, 6)
    assert [t.status for t in done] == [RunStatus.COMPLETE, RunStatus.PARTIAL] + [RunStatus.FAILED] * 4
    assert "HTTP 503" in done[1].reason
    assert {t.reason for t in done[2:]} == {"模型服务 http://model.test/v1 已中断，本次运行不再等它。"}
    assert server.refused == 7
    assert not any(t.turns or t.llm_calls for t in done[2:])


class Late(ScriptedServer):
    """Never answers its third request in time."""

    def __init__(self):
        super().__init__()
        self.count = 0

    async def handle_async_request(self, request):
        self.count += 1
        if self.count == 3:
            raise httpx2.ReadTimeout("too late", request=request)
        return await super().handle_async_request(request)


def test_late_answer_is_waited_for_again(tmp_path):
    server = Late()
    (done,) = stocks(tmp_path, server, 1)
    assert done.status is RunStatus.COMPLETE
    assert server.count == 16


def test_several_models_share_one_debate(tmp_path):
    transcript, server = hold_on_server(
        tmp_path, None, roles={"judge": {"model": "m2", "temperature": 0.1}, "bear": {"max_tokens": 1500}}
    )
    assert transcript.model == "m1、m2"
    assert {c.model for c in transcript.llm_calls if c.role == "judge"} == {"m2"}
    judges = [body for body in server.requests if body["model"] == "m2"]
    assert [body["temperature"] for body in judges] == [0.1, 0.1]
    limits = {body.get("max_tokens") or body.get("max_completion_tokens") for body in server.requests}
    assert {500, 1000, 1500} <= limits
