"""What a run writes and reads back."""

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
import pytest

from flows.contracts import checks, debates, transcripts
from flows.contracts.packs import Completeness, Dimension, Fact, FactKind, Identity, Pack
from flows.contracts.transcripts import Transcript
from flows.contracts.units import Unit
from flows.errors import UsageError
from flows.warehouse import store
from flows.warehouse.database import open_writer
from flows.warehouse.transcript_rows import transcript_rows

CN = ZoneInfo("Asia/Shanghai")
DAY = date(2025, 3, 31)
START = datetime(2025, 3, 31, 19, tzinfo=CN)

FACT = Fact(
    id="E1", sentence="收盘价10.44元。", field="close_cny", value=10.44, unit=Unit.CNY_PER_SHARE, as_of=DAY,
    published_at=START, source="baostock", dimension=Dimension.TECHNICAL, kind=FactKind.DATA,
)  # fmt: skip
PACK = Pack(
    pack_version="abcd", symbol="600000.SH", identity=Identity(symbol="600000.SH", name="浦发银行"), as_of=DAY,
    cutoff=START, trade_date=DAY, completeness=Completeness(score=80, threshold=50, by_dimension={}),
    facts=(FACT,), roles={"common": ("E1",)},
)  # fmt: skip


def call(cost: float | None, cached: bool) -> transcripts.LlmCall:
    return transcripts.LlmCall(
        call_hash=f"h{cost}{cached}", role="bull", model="m", tokens_in=100, tokens_out=10, cost_cny=cost,
        cached=cached, attempts=1, status="ok", started_at=START, elapsed_ms=5,
    )  # fmt: skip


def debate(
    debate_id: str = "d1", trade_date: date = DAY, finished_at: datetime = START, **changes: object
) -> Transcript:
    side = transcripts.Side
    full = {
        "debate_id": debate_id, "symbol": "600000.SH", "trade_date": trade_date, "protocol": "bull_bear",
        "model": "m", "pack_version": "abcd", "status": transcripts.RunStatus.COMPLETE,
        "turns": (transcripts.Turn(turn_no=1, round_no=1, role="bull", act="argue", side=side.FOR, status="ok",
                                   speech="看多", answer={"claims": [1], "中": "文"}, fact_ids_seen=("E1",)),),
        "claims": (transcripts.Claim(claim_id="r1-bull-1", turn_no=1, round_no=1, role="bull", side=side.FOR,
                                     dimension=Dimension.VALUATION, conclusion="便宜", basis="PB低", reasoning="故",
                                     fact_ids=("E1",), evidence_type="历史数据", score=0.5),),
        "checks": (checks.Check(claim_id="r1-bull-1", text="10.44元", start=3, end=9, value=10.44,
                                unit="CNY/share", verdict=checks.CheckVerdict.SUPPORTED,
                                fact_id="E1", expected=10.44),),
        "questions": (transcripts.Question(question_id="q1", round_no=1, asker="bear", target="bull",
                                           claim_id="r1-bull-1", text="为何？", is_answered=True, answer="因",
                                           is_effective=False),),
        "judgements": (transcripts.Judgement(order="for_first", verdict="for", for_score=6, against_score=4,
                                             dimensions={"证据强度": "强"}, reasons=("有据",),
                                             cited_claim_ids=("r1-bull-1",)),),
        "disagreements": (transcripts.Disagreement(disagreement_id="g1", metric="net_profit_yoy_pct", for_value=25,
                                                   against_value=10, for_probability=0.6, unit="pct",
                                                   due_date=date(2025, 10, 31), assumption="需求"),),
        "indicators": (transcripts.Indicator(indicator_id="i1", metric="pb", description="市净率", threshold=1,
                                             unit="x", direction=">", due_date=None),),
        "falsifiers": (transcripts.Falsifier(falsifier_id="f1", side=side.FOR, description="跌破", metric="pb",
                                             operator="<", threshold=0.4, unit="x", due_date=None),),
        "confidence_changes": (transcripts.ConfidenceChange(seq=0, cause="start", claim_id=None,
                                                            confidence_from=50, confidence_to=55),),
        "audits": (transcripts.Audit(claim_id="r1-bull-1", fallacy="偷换概念", explanation="因为"),),
        "refusals": (transcripts.Refusal(turn_no=1, role="bull", part="claims", place=2, cause="超过 120 个字"),),
        "llm_calls": (call(0.01, cached=False), call(None, cached=True)),
        "conclusion": transcripts.Conclusion(title="题", warning="警", core="核", points=("一",), verdict="for",
                                             confidence=55, swap_agreement=1, rests_on=("r1-bull-1",)),
        "started_at": START, "finished_at": finished_at,
    }  # fmt: skip
    return Transcript.model_validate(full | changes)


@pytest.fixture
def con(tmp_path: Path):
    with open_writer(tmp_path / "x.duckdb") as connection:
        yield connection


def counts(con: duckdb.DuckDBPyConnection) -> dict[str, int]:
    return {
        table.name: con.execute(f"select count(*) from {table.name}").fetchall()[0][0]
        for table in debates.DEBATE_TABLES
    }


def test_every_debate_table_a_transcript_can_fill_is_filled(con: duckdb.DuckDBPyConnection) -> None:
    store.save_transcript(con, "b1", debate(), PACK)
    filled = {name for name, rows in counts(con).items() if rows}
    assert filled == {table.name for table, _ in transcript_rows(debate(), PACK, "b1")} | {"debates.packs"}


def test_transcript_reads_back_as_it_was(con: duckdb.DuckDBPyConnection) -> None:
    store.save_transcript(con, "b1", debate(), PACK)
    assert store.load_transcript(con, "d1") == debate()
    assert store.load_pack(con, "abcd", "600000.SH") == PACK


def test_saving_twice_changes_nothing(con: duckdb.DuckDBPyConnection) -> None:
    store.save_transcript(con, "b1", debate(), PACK)
    once = counts(con)
    store.save_transcript(con, "b1", debate(), PACK)
    assert counts(con) == once


def test_saving_a_shorter_version_leaves_no_row_of_the_longer(con: duckdb.DuckDBPyConnection) -> None:
    store.save_transcript(con, "b1", debate(), PACK)
    store.save_transcript(con, "b1", debate(claims=(), checks=(), audits=()), PACK)
    assert counts(con)["debates.claims"] == counts(con)["debates.claim_checks"] == counts(con)["debates.audits"] == 0


def test_failed_save_leaves_the_earlier_one_whole(con: duckdb.DuckDBPyConnection) -> None:
    store.save_transcript(con, "b1", debate(), PACK)
    con.execute("alter table debates.llm_calls rename to broken")
    with pytest.raises(duckdb.CatalogException):
        store.save_transcript(con, "b1", debate(claims=()), PACK)
    con.execute("alter table debates.broken rename to llm_calls")
    assert store.load_transcript(con, "d1") == debate()
    assert counts(con)["debates.claims"] == 1


def test_run_row_counts_paid_calls_only(con: duckdb.DuckDBPyConnection) -> None:
    store.save_transcript(con, "b1", debate(), PACK)
    row = con.execute("select calls, cached_calls, tokens_in, tokens_out, cost_cny from debates.runs").fetchall()
    assert row == [(2, 1, 100, 10, 0.01)]


def test_cost_is_unknown_when_a_paid_call_has_no_price(con: duckdb.DuckDBPyConnection) -> None:
    calls = (call(0.01, cached=False), call(None, cached=False))
    store.save_transcript(con, "b1", debate(llm_calls=calls), PACK)
    assert con.execute("select cost_cny from debates.runs").fetchall() == [(None,)]


def test_failed_debate_without_conclusion_is_stored(con: duckdb.DuckDBPyConnection) -> None:
    failed = debate(conclusion=None, status=transcripts.RunStatus.FAILED, reason="模型不可用")
    store.save_transcript(con, "b1", failed, PACK)
    assert con.execute("select status, title, confidence from debates.runs").fetchall() == [("failed", None, None)]


def test_answer_is_json_in_its_own_letters(con: duckdb.DuckDBPyConnection) -> None:
    store.save_transcript(con, "b1", debate(), PACK)
    [(answer, facts)] = con.execute("select t.answer, c.fact_ids from debates.turns t, debates.claims c").fetchall()
    assert json.loads(answer) == {"claims": [1], "中": "文"}
    assert "文" in answer
    assert facts == ["E1"]


def test_unknown_debate_says_how_to_find_one(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UsageError, match="zhengming query"):
        store.load_transcript(con, "nope")


def test_pack_of_a_version_is_kept_as_first_stored(con: duckdb.DuckDBPyConnection) -> None:
    store.save_pack(con, PACK, START)
    store.save_pack(con, PACK.model_copy(update={"notices": ("later",)}), START + timedelta(hours=1))
    assert store.load_pack(con, "abcd", "600000.SH") == PACK


def test_report_row_replaces_its_own(con: duckdb.DuckDBPyConnection) -> None:
    paths = {"markdown_path": "a.md", "html_path": "a.html", "json_path": "a.json"}
    for warning in ("甲", "乙"):
        store.save_report(con, debate(), warning=warning, points=["一", "二"], paths=paths, written_at=START)
    assert con.execute("select warning, points, html_path from debates.reports").fetchall() == [
        ("乙", ["一", "二"], "a.html")
    ]


def test_batch_is_rewritten_when_it_finishes(con: duckdb.DuckDBPyConnection) -> None:
    row = {
        "batch_id": "b1", "flow": "post_close", "as_of": DAY, "trade_date": DAY, "cutoff": START, "sources": "sample",
        "model": "offline", "status": "running", "symbols": 12, "started_at": START, "finished_at": None,
    }  # fmt: skip
    store.save_batch(con, row)
    store.save_batch(con, row | {"status": "complete", "finished_at": START})
    assert con.execute("select status, finished_at from ops.batches").fetchall() == [("complete", START)]


def test_accounts_and_validations_of_one_batch_leave_others_alone(con: duckdb.DuckDBPyConnection) -> None:
    account = {"symbol": "600000.SH", "protocol": "bull_bear", "outcome": "debated", "reason": "", "debate_id": "d1"}
    check = {
        "suite": "s", "expectation": "e", "subject": "*", "success": True, "unexpected_count": 0, "sample": "[]",
        "checked_at": START,
    }  # fmt: skip
    for batch in ("b1", "b2", "b2"):
        store.save_accounts(con, batch, [account, account | {"symbol": "000001.SZ"}])
        store.save_validations(con, batch, [check])
    assert counts(con)["ops.accounts"] == 4
    assert counts(con)["quality.validations"] == 2
