"""N stocks in, N accounted for; and a publication that may be killed anywhere."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flows.contracts.transcripts import RunStatus
from flows.desk import packing
from flows.desk.ingest import Ingested
from flows.desk.publish import Account
from flows.desk.reviewing import Prepared, close, prepare
from flows.errors import BudgetSpent, DataRejected
from flows.reports.day_page import Day, Undebated, write_day_page
from tests.unit.debate_fakes import NOW
from tests.unit.debate_packs import DAY
from tests.unit.desk_room import LATER, order_of, review, room, rows, transcript_of

ROOT = Path(__file__).resolve().parents[2]
A, B, C, D, E, F = "600000.SH", "600001.SH", "600002.SH", "000001.SZ", "000002.SZ", "300001.SZ"


def settled(symbol: str, outcome: str, reason: str) -> Account:
    return Account(symbol=symbol, name=symbol, protocol="bull_bear", outcome=outcome, reason=reason)


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """Six stocks: debated, gated, failed to be fetched, broken off, crashed, out of budget."""
    data = room(tmp_path_factory.mktemp("closed"))
    broken = transcript_of(D, status=RunStatus.PARTIAL, reason="第2轮 bear/rebut 失败：回答无法使用")
    prepared = Prepared(
        orders=[order_of(A), order_of(D), order_of(E), order_of(F)],
        accounts=[settled(B, "gated", "行情未更新"), settled(C, "failed", "日线：查询失败")],
        started_at=NOW,
    )
    held = {
        f"d-{A}": transcript_of(A),
        f"d-{D}": broken,
        f"d-{E}": ZeroDivisionError("division by zero"),
        f"d-{F}": BudgetSpent("本次运行的 token预算用完"),
    }
    return data, close(review(data, A, B, C, D, E, F), prepared, held, LATER)


def test_every_symbol_is_accounted_for_in_the_order_it_came(closed):
    _, accounts = closed
    assert [(a.symbol, a.outcome) for a in accounts] == [
        (A, "debated"), (B, "gated"), (C, "failed"), (D, "failed"), (E, "failed"), (F, "failed"),
    ]  # fmt: skip


def test_the_reason_of_each_failure_is_its_own(closed):
    _, accounts = closed
    assert [a.reason for a in accounts] == [
        "完成",
        "行情未更新",
        "日线：查询失败",
        "第2轮 bear/rebut 失败：回答无法使用",
        "division by zero",
        "本次运行的 token预算用完",
    ]


def test_the_accounts_are_rows(closed):
    data, accounts = closed
    found = rows(data, "select symbol, protocol, outcome, reason, debate_id from ops.accounts order by symbol")
    assert found == sorted((a.symbol, a.protocol, a.outcome, a.reason, a.debate_id) for a in accounts)
    assert rows(data, "select status, symbols from ops.batches") == [("failed", 6)]


def test_what_was_said_is_stored_even_if_it_broke_off(closed):
    data, accounts = closed
    assert rows(data, "select debate_id, status from debates.runs order by 1") == [
        (f"d-{D}", "partial"), (f"d-{A}", "complete"),
    ]  # fmt: skip
    reports = {a.symbol: a.report for a in accounts}
    assert Path(reports[A]).is_file()
    assert Path(reports[D]).is_file()
    assert reports[E] is None


def test_no_account_names_a_debate_that_is_not_stored(closed):
    data, accounts = closed
    named = {a.debate_id for a in accounts if a.debate_id}
    assert named == {debate_id for (debate_id,) in rows(data, "select debate_id from debates.runs")}


def test_the_page_of_the_day_shows_each_report_and_who_was_left_out_why(closed):
    data, accounts = closed
    page = (data / f"reports/{DAY}/index.html").read_text(encoding="utf-8")
    for account in accounts:
        if account.report:
            assert f'href="{Path(account.report).name}"' in page
    assert page.count('class="stock"') == 2
    assert not re.findall(r"E\d+", page)
    assert "行情未更新" in page
    assert "本次运行的 token预算用完" in page
    assert "不构成任何投资建议" in page
    assert "<script" not in page
    days = (data / "reports/index.html").read_text(encoding="utf-8")
    assert f'href="{DAY}/index.html"' in days


def test_what_a_page_of_a_day_quotes_is_text(tmp_path: Path):
    day = Day(DAY, NOW, NOW, (), {A: "<b>名</b>"}, (), (), (Undebated(A, "failed", "<script>alert(1)</script>"),))
    page = write_day_page(day, tmp_path).read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<b>名" not in page
    assert "这一天没有报告" in page


def test_a_run_that_fetched_nothing_still_names_every_stock_and_asks_no_gate(tmp_path: Path):
    failed = {A: "日线：baostock 连不上", B: "日线：baostock 连不上"}
    prepared = prepare(review(tmp_path / "none", A, B), Ingested(failed=failed), NOW, lambda _: None)
    assert {a.symbol: (a.outcome, a.reason) for a in prepared.accounts} == {s: ("failed", r) for s, r in failed.items()}
    assert prepared.orders == []
    assert not (tmp_path / "none").exists()


def test_a_run_the_gate_stops_names_every_stock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise DataRejected("交易日历：与交易所不符（2026-10-30）")

    monkeypatch.setattr(packing, "rebuild", lambda *_: None)
    monkeypatch.setattr(packing, "gate", refuse)
    ingested = Ingested(failed={B: "日线：没有记录"})
    prepared = prepare(review(room(tmp_path), A, B), ingested, NOW, lambda _: None)
    reasons = {a.symbol: a.reason for a in prepared.accounts}
    assert reasons.keys() == {A, B}
    assert "交易日历" in reasons[A]
    assert reasons[B] == "日线：没有记录"
    assert {a.outcome for a in prepared.accounts} == {"failed"}


def counted(data: Path) -> dict[str, int]:
    tables = [name for (name,) in rows(data, "select table_name from duckdb_tables() where schema_name = 'debates'")]
    return {name: rows(data, f"select count(*) from debates.{name}")[0][0] for name in tables}


def publish_both(data: Path) -> list[Account]:
    prepared = Prepared(orders=[order_of(A), order_of(B)], started_at=NOW)
    return close(review(data, A, B), prepared, {f"d-{s}": transcript_of(s) for s in (A, B)}, LATER)


KILLED = """
import os, signal, sys
from pathlib import Path
from flows.warehouse import store
from tests.unit import test_desk_reviewing as room
seen = []
real = getattr(store, sys.argv[2])
def fatal(*arguments, **more):
    seen.append(1)
    if len(seen) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **more)
setattr(store, sys.argv[2], fatal)
room.publish_both(Path(sys.argv[1]))
"""


@pytest.mark.parametrize(("step", "call"), [("save_transcript", 1), ("save_transcript", 2)])
def test_killed_between_any_two_writes_a_rerun_leaves_no_double_and_no_gap(tmp_path: Path, step: str, call: int):
    undisturbed, killed = room(tmp_path / "whole"), room(tmp_path / "killed")
    publish_both(undisturbed)
    child = [sys.executable, "-c", KILLED, str(killed), step, str(call)]
    died = subprocess.run(child, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert died.returncode == -signal.SIGKILL
    accounts = publish_both(killed)
    assert [a.outcome for a in accounts] == ["debated", "debated"]
    assert counted(killed) == counted(undisturbed)
    assert not list(killed.rglob("*.tmp"))
