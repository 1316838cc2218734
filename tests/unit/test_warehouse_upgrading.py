"""A file of an older version is brought up to date, so that a question over its history has one vocabulary."""

from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from flows.contracts.transcripts import UNDECIDED, Judgement, Proposition
from flows.warehouse import questions, store
from flows.warehouse.database import TABLES, open_reader, open_writer
from flows.warehouse.upgrading import UPGRADES, is_outdated
from tests.unit.test_warehouse_store import DAY, PACK, START, debate

EARLIER = date(2025, 2, 28)
ABOUT = Proposition(text="光伏需求在回升", window="一季", scope="x", assumptions=("无",), pack_version="abcd")
READING = Judgement(
    order="for_first", verdict=UNDECIDED, for_score=5, against_score=5, dimensions={}, reasons=("相当",),
    cited_claim_ids=(),
)  # fmt: skip


def undecided(debate_id: str, day: date, **changes: object):
    conclusion = debate().conclusion.model_copy(update={"verdict": UNDECIDED})
    return debate(debate_id, day, conclusion=conclusion, judgements=(READING,), **changes)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Two old debates in old words, one of them on a topic, and a new one beside them."""
    path = tmp_path / "zhengming.duckdb"
    with open_writer(path) as con:
        store.save_transcript(con, "b1", undecided("d1", EARLIER), PACK)
        store.save_transcript(con, "b2", undecided("d2", DAY, record={"topic": "光伏"}, proposition=ABOUT), PACK)
        store.save_transcript(con, "b3", debate("d3", DAY - timedelta(days=1), protocol="direct"), PACK)
    with duckdb.connect(str(path)) as con:
        con.execute("update debates.runs set verdict = '未决' where verdict = 'undecided'")
        con.execute("update debates.judgements set verdict = '未决' where verdict = 'undecided'")
        for column in ("is_standing", "topic", "proposition"):
            con.execute(f"alter table debates.runs drop column {column}")
        con.execute("drop table debates.refusals")
    return path


RUNS = "select debate_id, verdict, is_standing, topic, proposition from debates.runs order by debate_id"


def test_first_reader_of_an_old_file_finds_one_vocabulary(old: Path) -> None:
    with open_reader(old) as con:
        assert con.execute(RUNS).fetchall() == [
            ("d1", "undecided", True, None, None),
            ("d2", "undecided", False, "光伏", "光伏需求在回升"),
            ("d3", "for", True, None, None),
        ]
        verdicts = con.execute("select distinct verdict from debates.judgements order by verdict").fetchall()
        assert verdicts == [("for",), ("undecided",)]
        assert con.execute("select count(*) from debates.refusals").fetchall() == [(0,)]


def test_named_question_and_own_select_answer_over_the_whole_history(old: Path) -> None:
    headers, found = questions.run(old, "latest_debates", {})
    told = [dict(zip(headers, row, strict=True)) for row in found]
    assert [(row["debate_id"], row["verdict"]) for row in told] == [("d1", "undecided"), ("d3", "for")]
    _, counted = questions.run_sql(old, "select verdict, count(*) from debates.runs group by all order by 1")
    assert counted == [("for", 1), ("undecided", 2)]


def test_writer_brings_an_old_file_up_to_date_as_well_and_keeps_every_row(old: Path) -> None:
    with open_writer(old) as con:
        assert [row[1] for row in con.execute(RUNS).fetchall()] == ["undecided", "undecided", "for"]
        assert store.load_transcript(con, "d1") == undecided("d1", EARLIER)
        assert con.execute("select confidence from debates.runs where debate_id = 'd1'").fetchall() == [(55.0,)]


def test_second_time_nothing_is_left_to_do(old: Path) -> None:
    with open_writer(old) as con:
        assert not is_outdated(con, TABLES)
        for upgrade in UPGRADES:
            [(count,)] = con.execute(upgrade.statement).fetchall()
            assert count == 0


def test_rows_an_older_version_adds_later_are_brought_up_to_date_too(old: Path) -> None:
    with open_writer(old) as con:
        con.execute(
            "insert into debates.runs by name select * exclude (is_standing, topic, proposition) "
            "replace ('d9' as debate_id, '未决' as verdict) from debates.runs where debate_id = 'd1'"
        )
    with open_reader(old) as con:
        assert con.execute(RUNS).fetchall()[-1] == ("d9", "undecided", True, None, None)


def test_current_file_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "zhengming.duckdb"
    with open_writer(path) as con:
        store.save_transcript(con, "b1", debate("d1", DAY, START), PACK)
    before = path.read_bytes()
    with open_reader(path) as con:
        assert not is_outdated(con, TABLES)
    assert path.read_bytes() == before


def test_verdict_an_old_file_kept_in_the_transcript_only_is_told_in_its_row(tmp_path: Path) -> None:
    path = tmp_path / "zhengming.duckdb"
    with open_writer(path) as con:
        store.save_transcript(con, "b1", undecided("d1", EARLIER), PACK)
        store.save_transcript(con, "b2", debate("d2", DAY), PACK)
        store.save_transcript(con, "b3", debate("d3", DAY, conclusion=None), PACK)
    with duckdb.connect(str(path)) as con:
        con.execute("update debates.transcripts set body = replace(body, '\"undecided\"', '\"未决\"')")
        con.execute("alter table debates.runs drop column verdict")
        con.execute("delete from debates.transcripts where debate_id = 'd2'")
    with open_reader(path) as con:
        found = con.execute("select debate_id, verdict from debates.runs order by debate_id").fetchall()
        assert found == [("d1", "undecided"), ("d2", None), ("d3", None)]
        assert not is_outdated(con, TABLES)
