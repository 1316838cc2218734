"""Processes that die, and processes that share one journal: nothing is paid twice (faults R1, L9)."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from tests.unit.gateway_room import GOOD
from tests.upstream import gateway_child as child
from tests.upstream.scripted_model import Received, Reply, ScriptedModel

COUNT = 5

pytestmark = pytest.mark.slow


def scripted() -> ScriptedModel:
    """Answers every question by its number; the third needs a second try."""
    return ScriptedModel(speak=_speak)


def _speak(received: Received) -> str:
    text = received.text
    number = next(n for n in reversed(range(COUNT)) if f"第 {n} 问" in text)
    if number == 2 and "无法使用" not in text:
        return "这是一段没有格式的话。"
    return json.dumps({"stance": "支持", "points": [f"第 {number} 答"]}, ensure_ascii=False)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("undisturbed")
    model = scripted()
    with model.serve() as base_url:
        assert child.run(child.debate, folder / "journal", base_url, folder / "out", COUNT, "") == 0
    assert len(model.requests) == COUNT + 1
    return (folder / "out").read_text("utf-8")


def resume(tmp_path: Path, death: str) -> tuple[str, int]:
    """Die as told, run again; the transcript, and how many completions the server sold."""
    model = scripted()
    with model.serve() as base_url:
        journal, out = tmp_path / "journal", tmp_path / "out"
        assert child.run(child.debate, journal, base_url, out, COUNT, death) == -signal.SIGKILL
        assert not out.exists()
        assert child.run(child.debate, journal, base_url, out, COUNT, "") == 0
    return out.read_text("utf-8"), len(model.requests)


@pytest.mark.parametrize("index", range(COUNT))
def test_killed_between_two_calls_only_what_was_missing_is_bought(tmp_path: Path, undisturbed: str, index: int) -> None:
    transcript, sold = resume(tmp_path, f"before ask:{index}")
    assert transcript == undisturbed
    assert sold == COUNT + 1


@pytest.mark.parametrize("index", range(COUNT + 1))
def test_killed_after_an_answer_was_stored_it_is_not_bought_again(tmp_path: Path, undisturbed: str, index: int) -> None:
    """Also at index 2: an unusable answer is as paid as a usable one, and the rerun retries from it."""
    transcript, sold = resume(tmp_path, f"before ledger:{index}")
    assert transcript == undisturbed
    assert sold == COUNT + 1


def test_killed_before_an_answer_was_stored_exactly_that_one_is_bought_again(tmp_path: Path, undisturbed: str) -> None:
    transcript, sold = resume(tmp_path, "before journal:3")
    assert transcript == undisturbed
    assert sold == COUNT + 2


def test_killed_while_the_server_thinks_exactly_that_call_is_bought_again(tmp_path: Path, undisturbed: str) -> None:
    model = scripted().when("第 3 问", Reply(GOOD, delay_s=60.0))
    with model.serve() as base_url:
        arguments = (tmp_path / "journal", base_url, tmp_path / "out", COUNT, "")
        process = child.start(child.debate, *arguments)
        while len(model.requests) < 5:
            process.join(0.02)
            assert process.is_alive()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert child.run(child.debate, *arguments) == 0
    assert (tmp_path / "out").read_text("utf-8") == undisturbed
    assert len(model.requests) == COUNT + 2


def together(tmp_path: Path, model: ScriptedModel, texts: list[list[str]], **changes: object) -> Counter[str]:
    """One process per list of questions, all at once on one journal; what came of the questions."""
    with model.serve() as base_url:
        outs = [tmp_path / f"out{number}" for number in range(len(texts))]
        processes = [
            child.start(child.crowd, tmp_path / "journal", base_url, out, asked, changes)
            for out, asked in zip(outs, texts, strict=True)
        ]
        for process in processes:
            process.join(120)
            assert process.exitcode == 0
    return Counter(outcome for out in outs for outcome in json.loads(out.read_text("utf-8")))


def test_two_processes_asking_the_same_pay_once(tmp_path: Path) -> None:
    model = ScriptedModel(latency_s=0.3, speak=lambda _: GOOD)
    texts = child.questions(6)
    outcomes = together(tmp_path, model, [texts, texts])
    assert outcomes == {"paid": 6, "cached": 6}
    assert len(model.requests) == 6


def test_the_concurrency_limit_holds_across_processes(tmp_path: Path) -> None:
    model = ScriptedModel(latency_s=0.1, speak=lambda _: GOOD)
    texts = [[f"{owner} {number}" for number in range(6)] for owner in "甲乙丙"]
    assert together(tmp_path, model, texts, model_concurrency=2) == {"paid": 18}
    assert model.in_flight["most"] == 2


def test_the_budget_of_a_run_holds_across_processes(tmp_path: Path) -> None:
    """Three processes reserve at once: never over the budget, nearly all of it used, the rest said."""
    model = ScriptedModel(latency_s=0.02, speak=lambda _: GOOD)
    texts = [[f"{owner} {number}" for number in range(6)] for owner in "甲乙丙"]
    outcomes = together(tmp_path, model, texts, run_token_budget=700, roles={"bull": {"max_tokens": 200}})
    paid = sum(len(request.text) + len(GOOD) for request in model.requests)
    assert outcomes["paid"] == len(model.requests)
    assert outcomes["paid"] + outcomes["budget"] == 18
    assert outcomes["budget"] > 0
    assert 350 < paid <= 700


def test_processes_on_one_ledger_lose_no_booking(tmp_path: Path) -> None:
    model = ScriptedModel(speak=lambda _: GOOD)
    texts = [[f"{owner} {number}" for number in range(8)] for owner in "甲乙丙"]
    assert together(tmp_path, model, texts) == {"paid": 24}
    with sqlite3.connect(tmp_path / "journal" / "ledger.sqlite3") as connection:
        booked = connection.execute("select count(*), sum(tokens_in + tokens_out) from entries").fetchone()
        assert connection.execute("select distinct status, run_id from entries").fetchall() == [("paid", "shared")]
    assert booked == (24, sum(len(request.text) + len(GOOD) for request in model.requests))
