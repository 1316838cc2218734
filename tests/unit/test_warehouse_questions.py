"""Named questions answer from stored debates; the user's own SQL can read this database and nothing else."""

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from flows.commands.labels import in_chinese
from flows.contracts.checks import CheckVerdict
from flows.contracts.debates import OUTCOMES
from flows.contracts.envelope import Envelope, Status
from flows.contracts.marts import VALUATION_PERCENTILES
from flows.contracts.transcripts import UNDECIDED, Proposition, Transcript
from flows.errors import ConfigurationError, UsageError
from flows.market.calendar import load_calendar
from flows.warehouse import questions, store
from flows.warehouse.build import build
from flows.warehouse.database import open_writer, record_fetches
from flows.warehouse.rows import insert_rows
from tests.unit.test_warehouse_store import DAY, PACK, START, debate

CN = ZoneInfo("Asia/Shanghai")
EARLIER = date(2025, 2, 28)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two debates of one stock a month apart, one settled twice, one account each, one failed check and fetch."""
    path = tmp_path_factory.mktemp("data") / "zhengming.duckdb"
    account = {"symbol": "600000.SH", "protocol": "bull_bear", "outcome": "debated", "reason": "", "debate_id": "d2"}
    first = debate("d1", EARLIER)
    [check], conclusion = first.checks, first.conclusion
    assert conclusion is not None
    second = debate(
        "d2", DAY, START + timedelta(hours=1), pack_version="efgh",
        checks=(check.model_copy(update={"verdict": CheckVerdict.MISMATCH, "text": "12元"}),),
        conclusion=conclusion.model_copy(update={"confidence": 40, "core": "新核"}),
    )  # fmt: skip
    with open_writer(path) as con:
        build(con, load_calendar().days)
        store.save_transcript(con, "b1", first, PACK)
        store.save_transcript(con, "b2", second, PACK.model_copy(update={"pack_version": "efgh"}))
        for batch, finished in (("b1", START - timedelta(days=30)), ("b2", START)):
            store.save_batch(con, {
                "batch_id": batch, "flow": "post_close", "as_of": DAY, "trade_date": DAY, "cutoff": START,
                "sources": "sample", "model": "m", "status": "complete", "symbols": 1, "started_at": START,
                "finished_at": finished,
            })  # fmt: skip
            store.save_accounts(con, batch, [account])
        store.save_validations(con, "b2", [{
            "suite": "daily_bars", "expectation": "fresh", "subject": "600000.SH", "success": False,
            "unexpected_count": 1, "sample": "[]", "checked_at": START,
        }])  # fmt: skip
        record_fetches(con, "b2", [Envelope(
            kind="news", symbol="600000.SH", status=Status.UPSTREAM_ERROR, vendor="eastmoney", source="eastmoney:news",
            query_date=DAY, fetched_at=START, message="连接中断",
        )])  # fmt: skip
        for settled, result in ((START, "not_yet"), (START + timedelta(days=200), "against")):
            insert_rows(con, OUTCOMES, [{
                "item_kind": "disagreement", "item_id": "g1", "settled_at": settled, "actual_value": 12.0,
                "fact_source": None, "settled_for": result, "brier": None,
            }])  # fmt: skip
    return path


def rows(database: Path, name: str, **given: str) -> list[dict[str, object]]:
    headers, found = questions.run(database, name, given)
    return [dict(zip(headers, row, strict=True)) for row in found]


def test_catalogue_has_titles_in_chinese() -> None:
    catalogue = questions.catalogue()
    assert len(catalogue) >= 12
    for question in catalogue:
        assert any("一" <= letter <= "鿿" for letter in question.title), question.name
        assert all(parameter.meaning for parameter in question.parameters)


@pytest.mark.parametrize("name", [question.name for question in questions.catalogue()])
def test_every_question_can_be_asked_of_an_empty_and_a_filled_database(
    name: str, database: Path, tmp_path: Path
) -> None:
    with open_writer(tmp_path / "empty.duckdb") as con:
        build(con, load_calendar().days)
    assert questions.run(tmp_path / "empty.duckdb", name, {})[1] == []
    headers, _ = questions.run(database, name, {})
    assert len(headers) == len(set(headers))


def test_latest_debates_shows_the_newest_of_each_stock(database: Path) -> None:
    [row] = rows(database, "latest_debates")
    assert (row["debate_id"], row["confidence"], row["verdict"]) == ("d2", 40.0, debate("d2", DAY).conclusion.verdict)


def test_trial_of_one_claim_is_no_verdict_on_the_stock(tmp_path: Path) -> None:
    path = tmp_path / "zhengming.duckdb"
    with open_writer(path) as con:
        build(con, load_calendar().days)
        store.save_transcript(con, "b1", debate("d1", EARLIER), PACK)
        store.save_transcript(con, "b2", debate("d2", DAY, protocol="targeted"), PACK)
    assert [row["debate_id"] for row in rows(path, "latest_debates")] == ["d1"]
    assert rows(path, "latest_debates", protocol="targeted") == []
    assert [row["trade_date"] for row in rows(path, "confidence_history")] == [EARLIER]


@pytest.mark.parametrize(
    ("protocol", "record"), [("bull_bear", {"topic": "光伏还能不能拿"}), ("inform", {}), ("inform", {"topic": "光伏"})]
)
def test_verdict_on_another_proposition_is_no_verdict_on_the_stock(
    protocol: str, record: dict[str, str], tmp_path: Path
) -> None:
    """The later debate is newer and of the same stock; only its proposition, or its material, is another."""
    path = tmp_path / "zhengming.duckdb"
    about = Proposition(text="光伏需求在回升", window="一季", scope="x", assumptions=("无",), pack_version="abcd")
    with open_writer(path) as con:
        build(con, load_calendar().days)
        store.save_transcript(con, "b1", debate("d0", EARLIER - timedelta(days=30)), PACK)
        store.save_transcript(con, "b2", debate("d1", EARLIER), PACK)
        store.save_transcript(con, "b3", debate("d2", DAY, protocol=protocol, record=record, proposition=about), PACK)
    assert [row["debate_id"] for row in rows(path, "latest_debates")] == ["d1"]
    assert [row["newest_date"] for row in rows(path, "changes_since_last")] == [EARLIER]
    assert {row["trade_date"] for row in rows(path, "confidence_history")} == {EARLIER, EARLIER - timedelta(days=30)}
    [other] = rows(path, "other_debates", symbol="600000.SH")
    assert (other["debate_id"], other["topic"], other["proposition"]) == ("d2", record.get("topic"), "光伏需求在回升")
    assert rows(path, "other_debates", symbol="000001.SZ") == []
    told = {row["debate_id"]: row["topic"] for row in rows(path, "disagreements")}
    assert told == {"d0": None, "d1": None, "d2": record.get("topic")}


def test_verdicts_are_stored_as_codes_and_older_words_read_as_them(tmp_path: Path) -> None:
    old = debate("d1", DAY).model_dump_json().replace('"verdict":"for"', '"verdict":"未决"')
    read = Transcript.model_validate_json(old)
    assert read.conclusion is not None
    assert {read.conclusion.verdict, *(j.verdict for j in read.judgements)} == {UNDECIDED}
    path = tmp_path / "zhengming.duckdb"
    with open_writer(path) as con:
        store.save_transcript(con, "b1", read, PACK)
    headers, found = questions.run(path, "latest_debates", {})
    assert dict(zip(headers, found[0], strict=True))["verdict"] == "undecided"
    shown_headers, shown = in_chinese(headers, found)
    assert dict(zip(shown_headers, shown[0], strict=True))["裁决"] == "未决"


def test_changes_since_last_sets_the_two_newest_side_by_side(database: Path) -> None:
    [row] = rows(database, "changes_since_last", symbol="600000.SH")
    assert (row["previous_date"], row["newest_date"]) == (EARLIER, DAY)
    assert (row["confidence_from"], row["confidence_to"]) == (55.0, 40.0)
    assert (row["conclusion_from"], row["conclusion_to"], row["has_new_facts"]) == ("核", "新核", True)
    assert rows(database, "changes_since_last", symbol="000001.SZ") == []


def test_disagreements_show_their_last_settlement_once(database: Path) -> None:
    found = rows(database, "disagreements", metric="net_profit_yoy_pct", since=str(DAY))
    assert [(row["debate_id"], row["settled_for"], row["actual_value"]) for row in found] == [("d2", "against", 12.0)]


def test_struck_claims_show_what_is_right(database: Path) -> None:
    [row] = rows(database, "struck_claims")
    assert (row["written"], row["verdict"], row["expected"]) == ("12元", "mismatch", 10.44)


def test_costs_leave_out_what_was_not_paid(database: Path) -> None:
    [row] = rows(database, "model_costs")
    assert (row["calls"], row["cached_calls"]) == (4, 2)


def test_last_run_accounts_failed_validations_and_failed_fetches(database: Path) -> None:
    assert [row["outcome"] for row in rows(database, "last_run")] == ["debated"]
    assert [row["subject"] for row in rows(database, "validations_failed")] == ["600000.SH"]
    assert [row["message"] for row in rows(database, "fetch_failures", vendor="eastmoney")] == ["连接中断"]
    assert rows(database, "fetch_failures", vendor="baostock") == []


def test_parameter_is_bound_never_formatted(database: Path) -> None:
    assert rows(database, "latest_debates", protocol="x' or '1'='1") == []
    assert rows(database, "latest_debates", protocol="bull_bear'; drop table debates.runs; --") == []
    assert rows(database, "latest_debates", protocol="bull_bear") != []


def test_unknown_question_lists_the_known_ones(database: Path) -> None:
    with pytest.raises(UsageError, match=r"没有叫 nope 的问题.*disagreements"):
        questions.run(database, "nope", {})


def test_unknown_parameter_lists_the_known_ones(database: Path) -> None:
    with pytest.raises(UsageError, match=r"没有参数 colour.*symbol"):
        questions.run(database, "disagreements", {"colour": "red"})


def test_parameter_of_the_wrong_type_is_named(database: Path) -> None:
    with pytest.raises(UsageError, match=r"since.*DATE|since.*date"):
        questions.run(database, "disagreements", {"since": "last week"})


def test_own_select_reads_any_table(database: Path) -> None:
    headers, found = questions.run_sql(database, "select symbol, count(*) as n from debates.runs group by all")
    assert (headers, found) == (["symbol", "n"], [("600000.SH", 2)])


@pytest.mark.parametrize(
    "query",
    [
        "delete from debates.runs",
        "insert into debates.runs select * from debates.runs",
        "create table raw.x as select 1",
        "attach 'other.duckdb' as other",
        "copy debates.runs to 'out.csv'",
        "set enable_external_access = true",
        "install httpfs",
        "call pragma_version()",
        "export database 'out'",
        "select 1; select 2",
        "select 1; delete from debates.runs",
        "",
        "selec 1",
    ],
)
def test_anything_but_one_select_is_refused(database: Path, query: str) -> None:
    with pytest.raises(UsageError, match="只接受一条只读的 SELECT"):
        questions.run_sql(database, query)


@pytest.mark.parametrize(
    "query",
    [
        "select * from read_csv('{file}')",
        "select * from read_text('{file}')",
        "from '{file}'",
        "select * from query_table('{file}')",
        "select * from glob('{folder}/*')",
    ],
)
def test_files_are_out_of_reach(database: Path, tmp_path: Path, query: str) -> None:
    file = tmp_path / "secret.csv"
    file.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(UsageError, match="不能读写文件"):
        questions.run_sql(database, query.format(file=file, folder=tmp_path))


def test_write_hidden_in_a_select_is_refused_and_nothing_is_written(database: Path) -> None:
    with pytest.raises(UsageError, match="只读"):
        questions.run_sql(database, "with x as (delete from debates.runs returning *) select * from x")
    assert questions.run_sql(database, "select count(*) from debates.runs")[1] == [(2,)]


def test_variables_of_this_program_are_no_tables(database: Path) -> None:
    with pytest.raises(UsageError, match="查询失败"):
        questions.run_sql(database, "select * from query")


def test_endless_query_is_stopped(database: Path) -> None:
    with pytest.raises(UsageError, match="已停止"):
        questions.run_sql(database, "select count(*) from range(10000000000) a, range(10000000000) b", limit_s=0.2)


def test_query_that_needs_too_much_memory_is_stopped(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_MEMORY", "20MB")
    with pytest.raises(UsageError, match="内存超过 20MB"):
        questions.run_sql(database, "select list(range) from range(100000000)")


def test_extremes_are_those_of_the_newest_day_and_a_loss_maker_counts_by_its_book_value(tmp_path: Path) -> None:
    path, before = tmp_path / "zhengming.duckdb", DAY - timedelta(days=8)
    rows = [
        ("600001.SH", before, 20.0, 95.0, 3.0, 50.0), ("600001.SH", DAY, 15.0, 69.0, 3.0, 50.0),
        ("600002.SH", before, 20.0, 50.0, 3.0, 50.0), ("600002.SH", DAY, 30.0, 90.0, 3.0, 50.0),
        ("600003.SH", DAY, -8.0, None, 1.0, 4.0), ("600004.SH", DAY, 30.0, None, 3.0, None),
    ]  # fmt: skip
    names = ("symbol", "trade_date", "pe_ttm", "pe_ttm_pct_3y", "pb", "pb_pct_3y")
    with open_writer(path) as con:
        build(con, load_calendar().days)
        columns = [c.name for c in VALUATION_PERCENTILES.columns if c.name in names or not c.nullable]
        for row in rows:
            given = dict(zip(names, row, strict=True))
            rest = {name: "ok" if name.endswith("_status") else 700 for name in columns if name not in given}
            con.execute(
                f"insert into marts.valuation_percentiles by name select {', '.join(f'${n} as {n}' for n in columns)}",
                given | rest,
            )
    _, found = questions.run(path, "valuation_extremes", {})
    assert [row[:2] for row in found] == [("600002.SH", DAY), ("600003.SH", DAY)]


def test_question_without_a_database_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="zhengming review"):
        questions.run_sql(tmp_path / "none.duckdb", "select 1")
    assert not (tmp_path / "none.duckdb").exists()


def test_point_in_time_is_a_moment_of_shanghai(database: Path) -> None:
    [(finished,)] = questions.run_sql(database, "select max(finished_at) from debates.runs")[1]
    assert finished == START + timedelta(hours=1)
    assert finished.utcoffset() == datetime(2025, 1, 1, tzinfo=CN).utcoffset()
