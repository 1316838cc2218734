"""Two runs at once, a kill in the middle, a busy file, a spent budget (PRODUCT O4, O5; faults R1, L9)."""

import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from flows.contracts.debates import DEBATE_TABLES
from tests.integration.conftest import Ran, rows, started, wait_until, zhengming

pytestmark = pytest.mark.slow

_MANY = 40


def journaled(data: Path) -> set[str]:
    return {path.stem for path in (data / "journal" / "answers").rglob("*.json")}


def booked(data: Path) -> list[tuple[str, str, str]]:
    """Run, call and status of every entry of the ledger."""
    with closing(sqlite3.connect(data / "journal" / "ledger.sqlite3")) as con:
        return con.execute("select run_id, call_hash, status from entries").fetchall()


@dataclass(frozen=True)
class Interrupted:
    """A review of twelve stocks, killed while debating, with another tried beside it; then a whole one."""

    data: Path
    first_pid: int
    second: Ran
    journaled: set[str]
    rerun: Ran


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Interrupted:
    data = tmp_path_factory.mktemp("interrupted")
    with started("review", data=data) as first:
        wait_until((data / "run.lock.json").exists, first)
        second = zhengming("review", "--json", data=data)
        wait_until(lambda: len(journaled(data)) >= _MANY, first)
        first.send_signal(signal.SIGKILL)
        first.wait()
    known = journaled(data)
    return Interrupted(data, first.pid, second, known, zhengming("review", "--json", data=data))


def test_a_second_review_is_refused_and_names_the_first(interrupted: Interrupted):
    assert interrupted.second.code == 1
    told = interrupted.second.json
    assert told["error"] == "StoreBusy"
    assert f"review（进程 {interrupted.first_pid}" in told["message"]


def test_after_a_kill_the_next_run_accounts_for_all_twelve(interrupted: Interrupted):
    assert interrupted.rerun.code == 0, interrupted.rerun.out + interrupted.rerun.err
    outcomes = Counter(account["outcome"] for account in interrupted.rerun.json["accounts"])
    assert outcomes == {"debated": 10, "gated": 2}


def test_after_a_kill_nothing_is_paid_twice(interrupted: Interrupted):
    paid = Counter(call for _, call, status in booked(interrupted.data) if status == "paid")
    assert paid
    assert max(paid.values()) == 1
    batch = interrupted.rerun.json["batch_id"]
    bought_later = {call for run, call, _ in booked(interrupted.data) if run == batch}
    assert bought_later
    assert bought_later.isdisjoint(interrupted.journaled)


def test_after_a_kill_no_row_is_lost_or_double(interrupted: Interrupted):
    runs = rows(interrupted.data, "select debate_id, status, calls, cached_calls from debates.runs")
    assert Counter(row["status"] for row in runs) == {"complete": 10}
    assert sum(row["cached_calls"] for row in runs) > 0
    for table in DEBATE_TABLES:
        grain = ", ".join(f'"{name}"' for name in table.grain)
        double = f"select {grain} from {table.name} group by all having count(*) > 1"
        assert rows(interrupted.data, double) == [], table.name
    calls = rows(interrupted.data, "select debate_id, count(*) as n from debates.llm_calls group by all")
    assert {row["debate_id"]: row["n"] for row in calls} == {row["debate_id"]: row["calls"] for row in runs}


HOLDER = """
import sys, time, duckdb
con = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "True")
print(1, flush=True)
time.sleep(600)
"""


@contextmanager
def held(database: Path, *, read_only: bool):
    """Another program that has the file open."""
    child = subprocess.Popen([sys.executable, "-c", HOLDER, str(database), str(read_only)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def test_another_reader_disturbs_no_reader(interrupted: Interrupted):
    with held(interrupted.data / "zhengming.duckdb", read_only=True):
        assert zhengming("query", "latest_debates", "--json", data=interrupted.data).code == 0


@pytest.mark.parametrize(
    ("read_only", "command"),
    [(False, ("query", "latest_debates")), (True, ("inform", "{debate}", "--note", "公司公告停产一个月。"))],
)
def test_a_held_file_is_awaited_then_the_holder_is_named(interrupted: Interrupted, read_only: bool, command: tuple):
    [debate] = rows(interrupted.data, "select debate_id from debates.runs order by 1 limit 1")
    words = [word.format(debate=debate["debate_id"]) for word in command]
    with held(interrupted.data / "zhengming.duckdb", read_only=read_only) as child:
        ran = zhengming(*words, data=interrupted.data)
    assert ran.code == 1
    assert f"进程 {child.pid}" in ran.err
    assert f"kill {child.pid}" in ran.err
    assert "Traceback" not in ran.err


@dataclass(frozen=True)
class ShortOfMoney:
    """Three stocks one after the other on a budget that lasts for one and a half."""

    data: Path
    budget: int
    ran: Ran


def spent(data: Path) -> int:
    """Tokens of every call on record."""
    return sum(row["tokens"] for row in rows(data, "select tokens_in + tokens_out as tokens from debates.llm_calls"))


@pytest.fixture(scope="module")
def short_of_money(tmp_path_factory: pytest.TempPathFactory) -> ShortOfMoney:
    alone, data = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("budget")
    one_at_a_time = {"ZHENGMING_STOCK_CONCURRENCY": "1"}
    zhengming("review", "--symbols", "605901.SH", data=alone, **one_at_a_time)
    budget = spent(alone) * 3 // 2
    symbols = "605901.SH,605902.SH,301901.SZ"
    limits = {"ZHENGMING_RUN_TOKEN_BUDGET": str(budget), **one_at_a_time}
    return ShortOfMoney(data, budget, zhengming("review", "--symbols", symbols, "--json", data=data, **limits))


def test_when_the_budget_is_spent_the_rest_is_accounted_for_with_that_reason(short_of_money: ShortOfMoney):
    ran = short_of_money.ran
    assert ran.code == 1
    assert "Traceback" not in ran.err
    accounts = ran.json["accounts"]
    assert [a["outcome"] for a in accounts] == ["debated", "failed", "failed"]
    assert all("预算用完" in a["reason"] and "ZHENGMING_RUN_TOKEN_BUDGET" in a["reason"] for a in accounts[1:])


def test_what_was_bought_before_the_budget_was_spent_is_kept(short_of_money: ShortOfMoney):
    data, ran = short_of_money.data, short_of_money.ran
    assert 0 < spent(data) <= short_of_money.budget
    stored = {row["debate_id"]: row["status"] for row in rows(data, "select debate_id, status from debates.runs")}
    assert {a["debate_id"] for a in ran.json["accounts"] if a["debate_id"]} == stored.keys()
    assert Counter(stored.values())["complete"] == 1
