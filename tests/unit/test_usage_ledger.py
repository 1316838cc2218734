"""Costs and budgets: stopped before buying, in tokens and money, per run and per day."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.debate.gateway import Answered, Gateway
from flows.debate.gateway_types import BudgetEnded
from flows.debate.usage import Budgets, Price, Purchase, Spent, Usage
from flows.debate.usage_ledger import Ledger, Times
from flows.errors import BudgetSpent, ConfigurationError
from tests.unit.gateway_room import GOOD, World, ask, gateway
from tests.upstream import gateway_child as child
from tests.upstream.scripted_model import Reply, ScriptedModel

NOON = datetime(2026, 3, 2, 4, 0, tzinfo=UTC)


def ledger(folder: Path, budgets: Budgets, run_id: str = "r1", now: datetime = NOON) -> Ledger:
    times = Times(lambda: now, now.timestamp, longest_call_s=300.0)
    return Ledger(folder / "ledger.sqlite3", run_id=run_id, budgets=budgets, times=times)


def purchase(tokens_in: int = 100, tokens_out: int = 100, cost: float | None = 0.5) -> Purchase:
    return Purchase("h", "bull", "m1", Usage(tokens_in, tokens_out), cost)


def buy(book: Ledger, cost: float | None = 0.5, pool: str = "paid") -> None:
    entry = book.reserve(purchase(cost=cost), pool)
    assert entry is not None
    book.settle(entry, Usage(100, 100), cost)


async def ask_until_spent(room: Gateway, most: int) -> str:
    """Ask different questions until the budget ends; what the error says."""
    for number in range(most):
        try:
            await room.ask(ask(f"第{number}问"))
        except BudgetSpent as error:
            return str(error)
    pytest.fail("the budget never ended")


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0, 1000), st.floats(0, 1000))
def test_cost_is_price_times_tokens(tokens_in: int, tokens_out: int, price_in: float, price_out: float) -> None:
    expected = tokens_in / 1e6 * price_in + tokens_out / 1e6 * price_out
    assert Price(price_in, price_out).cost(Usage(tokens_in, tokens_out, 7)) == pytest.approx(expected)


def test_a_repeated_prefix_costs_its_own_price_only_if_one_is_known() -> None:
    used = Usage(1_000_000, 0, tokens_cached_prefix=600_000)
    assert Price(2.0, 8.0).cost(used) == pytest.approx(2.0)
    assert Price(2.0, 8.0, cached_in=0.5).cost(used) == pytest.approx(0.4 * 2.0 + 0.6 * 0.5)


@pytest.mark.parametrize(
    ("budgets", "setting"),
    [
        (Budgets(run_tokens=500), "ZHENGMING_RUN_TOKEN_BUDGET"),
        (Budgets(day_tokens=500), "ZHENGMING_DAY_TOKEN_BUDGET"),
        (Budgets(run_cost_cny=1.2), "ZHENGMING_RUN_COST_BUDGET_CNY"),
        (Budgets(day_cost_cny=1.2), "ZHENGMING_DAY_COST_BUDGET_CNY"),
    ],
)
def test_a_budget_stops_before_it_is_exceeded_and_names_its_setting(
    tmp_path: Path, budgets: Budgets, setting: str
) -> None:
    book = ledger(tmp_path, budgets)
    buy(book)
    buy(book)
    with pytest.raises(BudgetSpent, match=setting):
        book.reserve(purchase(), "paid")
    assert book.spent("paid") == Spent(400, 1.0, 400, 1.0)


def test_exactly_the_budget_may_be_used(tmp_path: Path) -> None:
    book = ledger(tmp_path, Budgets(run_tokens=400))
    buy(book)
    buy(book)
    with pytest.raises(BudgetSpent):
        book.reserve(purchase(0, 1), "paid")


def test_what_was_used_counts_not_what_was_reserved(tmp_path: Path) -> None:
    book = ledger(tmp_path, Budgets(run_tokens=400))
    entry = book.reserve(purchase(100, 250), "paid")
    assert entry is not None
    book.settle(entry, Usage(100, 50), 0.1)
    assert book.reserve(purchase(), "paid") is not None


def test_calls_still_running_make_others_wait_not_fail(tmp_path: Path) -> None:
    book = ledger(tmp_path, Budgets(run_tokens=300))
    running = book.reserve(purchase(), "paid")
    assert running is not None
    assert book.reserve(purchase(), "paid") is None
    book.settle(running, Usage(50, 50), 0.1)
    assert book.reserve(purchase(), "paid") is not None


def test_a_cancelled_call_is_free_and_an_abandoned_one_is_not(tmp_path: Path) -> None:
    book = ledger(tmp_path, Budgets(run_tokens=300))
    for end, spent in ((book.cancel, 0), (book.abandon, 200)):
        entry = book.reserve(purchase(), "paid")
        assert entry is not None
        end(entry)
        assert book.spent("paid").run_tokens == spent


def _reserve_and_die(folder: Path) -> None:
    ledger(folder, Budgets(run_tokens=300)).reserve(purchase(), "paid")
    os._exit(9)


def test_the_call_of_a_killed_process_may_have_been_billed(tmp_path: Path) -> None:
    assert child.run(_reserve_and_die, tmp_path) == 9
    with pytest.raises(BudgetSpent):
        ledger(tmp_path, Budgets(run_tokens=300)).reserve(purchase(), "paid")


def test_a_call_that_hangs_for_ever_stops_being_waited_for(tmp_path: Path) -> None:
    ledger(tmp_path, Budgets(run_tokens=300)).reserve(purchase(), "paid")
    with pytest.raises(BudgetSpent):
        ledger(tmp_path, Budgets(run_tokens=300), now=NOON + timedelta(hours=1)).reserve(purchase(), "paid")


def test_runs_have_their_own_budget_and_share_the_day(tmp_path: Path) -> None:
    budgets = Budgets(run_tokens=200, day_tokens=300)
    buy(ledger(tmp_path, budgets, "r1"))
    second = ledger(tmp_path, budgets, "r2")
    with pytest.raises(BudgetSpent, match="今天"):
        second.reserve(purchase(), "paid")
    assert second.reserve(purchase(50, 50), "paid") is not None


def test_the_day_ends_at_midnight_in_shanghai(tmp_path: Path) -> None:
    budgets = Budgets(day_tokens=200)
    buy(ledger(tmp_path, budgets, now=datetime(2026, 3, 2, 15, 59, tzinfo=UTC)))
    with pytest.raises(BudgetSpent):
        ledger(tmp_path, budgets, now=datetime(2026, 3, 1, 16, 0, tzinfo=UTC)).reserve(purchase(), "paid")
    buy(ledger(tmp_path, budgets, now=datetime(2026, 3, 2, 16, 0, tzinfo=UTC)))


def test_the_free_offline_model_uses_no_day_budget_of_the_paid_ones(tmp_path: Path) -> None:
    book = ledger(tmp_path, Budgets(day_tokens=200))
    buy(book, cost=0.0, pool="offline")
    buy(book)
    with pytest.raises(BudgetSpent):
        book.reserve(purchase(), "offline")


def test_a_broken_ledger_stops_with_advice(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite3").write_bytes(b"no database" * 200)
    with pytest.raises(ConfigurationError, match="账本"):
        ledger(tmp_path, Budgets())


async def test_the_gateway_stops_cleanly_and_known_answers_stay_free(tmp_path: Path) -> None:
    model = ScriptedModel(speak=lambda _: GOOD)
    room = gateway(tmp_path, model.transport(), run_token_budget=1_400)
    assert isinstance(await room.ask(ask("一")), Answered)
    assert "重跑不会重复付费" in await ask_until_spent(room, 20)
    bought = len(model.requests)
    again = await room.ask(ask("一"))
    assert isinstance(again, Answered)
    assert again.call.cached
    assert again.call.cost_cny == 0.0
    with pytest.raises(BudgetSpent):
        await room.ask(ask("新的问题"))
    assert len(model.requests) == bought


async def test_what_a_first_try_cost_is_told_when_the_budget_ends_before_the_second(tmp_path: Path) -> None:
    model = ScriptedModel("这不是 JSON", GOOD)
    room = gateway(tmp_path, model.transport(), run_token_budget=1_080)
    with pytest.raises(BudgetEnded, match="预算") as caught:
        await room.ask(ask())
    call = caught.value.call
    assert (call.attempts, call.status, call.cached) == (1, "failed", False)
    assert call.tokens_out == len("这不是 JSON")
    assert len(model.requests) == 1


async def test_twenty_stocks_stop_at_the_one_the_budget_ends_in(tmp_path: Path) -> None:
    model = ScriptedModel(speak=lambda _: GOOD)
    cost = len("你是多方。\n股票00号") + len(GOOD)
    room = gateway(tmp_path, model.transport(), run_token_budget=12 * cost + 180, roles={"bull": {"max_tokens": 60}})
    outcomes = []
    for number in range(20):
        try:
            outcomes.append(type(await room.ask(ask(f"股票{number:02d}号"))).__name__)
        except BudgetSpent:
            outcomes.append("budget")
    assert outcomes == ["Answered"] * 13 + ["budget"] * 7


async def test_a_timeout_may_have_been_billed_and_is_booked_so(tmp_path: Path) -> None:
    model = ScriptedModel(*[Reply(GOOD, delay_s=999.0)] * 9)
    room = gateway(tmp_path, model.transport(), World(), run_token_budget=5_000)
    await ask_until_spent(room, 9)
    assert 3 <= len(model.requests) <= 5


def test_a_cost_budget_without_a_price_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="价格"):
        gateway(tmp_path, None, run_cost_budget_cny=5.0)


async def test_prices_are_per_model(tmp_path: Path) -> None:
    model = ScriptedModel(speak=lambda _: GOOD)
    prices = {"m1": {"tokens_in": 1.0, "tokens_out": 0.0}, "m2": {"tokens_in": 10.0, "tokens_out": 0.0}}
    room = gateway(tmp_path, model.transport(), model_prices=prices, roles={"judge": {"model": "m2"}})
    costs = []
    for role in ("bull", "judge"):
        result = await room.ask(ask(role=role))
        assert isinstance(result, Answered)
        assert result.call.cost_cny is not None
        costs.append(result.call.cost_cny / result.call.tokens_in * 1e6)
    assert costs == pytest.approx([1.0, 10.0])
