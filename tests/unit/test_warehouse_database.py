"""The DuckDB file: who may open it, at which point in time, and what a busy or broken file says."""

import subprocess
import sys
import threading
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
import pytest

from flows.contracts.envelope import DateStatus, Envelope, Status
from flows.errors import ConfigurationError, StoreBusy
from flows.warehouse.database import TABLES, open_reader, open_writer, record_fetches

CN = ZoneInfo("Asia/Shanghai")
NOON = datetime(2025, 3, 31, 12, tzinfo=CN)

HOLD = """
import duckdb, sys
con = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "zhengming.duckdb"


@pytest.fixture
def database(path: Path) -> Path:
    with open_writer(path):
        pass
    return path


def hold(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_writer_creates_every_contract_table(path: Path) -> None:
    with open_writer(path) as con:
        found = {
            row[0] for row in con.execute("select schema_name || '.' || table_name from duckdb_tables()").fetchall()
        }
    assert {table.name for table in TABLES} == found


def test_every_table_has_its_contract_columns_in_order(database: Path) -> None:
    with open_reader(database) as con:
        for table in TABLES:
            described = [row[0] for row in con.execute(f"describe {table.name}").fetchall()]
            assert described == [column.name for column in table.columns], table.name


def test_session_is_in_shanghai_time(database: Path) -> None:
    with open_reader(database) as con:
        assert con.execute("select current_setting('timezone')").fetchall() == [("Asia/Shanghai",)]


def test_cutoff_is_the_connections_variable(database: Path) -> None:
    with open_reader(database, NOON) as con:
        assert con.execute("select getvariable('cutoff')").fetchall() == [(NOON,)]
    with open_writer(database, NOON) as con:
        assert con.execute("select getvariable('cutoff')").fetchall() == [(NOON,)]
    with open_reader(database) as con:
        assert con.execute("select getvariable('cutoff')").fetchall() == [(None,)]


def test_a_cursor_would_lose_the_cutoff(database: Path) -> None:
    """Why nobody may call .cursor(): the day this fails, the rule can go."""
    with open_reader(database, NOON) as con:
        assert con.cursor().execute("select getvariable('cutoff')").fetchall() == [(None,)]


def test_naive_cutoff_is_refused(database: Path) -> None:
    with pytest.raises(ValueError, match="time zone"), open_reader(database, datetime(2025, 3, 31)):  # noqa: DTZ001
        pass


def test_reader_refuses_to_write(database: Path) -> None:
    with open_reader(database) as con, pytest.raises(duckdb.InvalidInputException, match="read-only"):
        con.execute("create table debates.x (a integer)")


def test_reader_without_a_database_says_what_to_run(path: Path) -> None:
    with pytest.raises(ConfigurationError, match="zhengming review"), open_reader(path):
        pass


@pytest.mark.parametrize("opener", [open_reader, open_writer])
def test_busy_file_names_the_process_that_holds_it(database: Path, opener: object) -> None:
    process = hold(database)
    try:
        with pytest.raises(StoreBusy, match=rf"进程 {process.pid}.*kill {process.pid}"), opener(database, wait_s=0.2):  # type: ignore[operator]
            pass
    finally:
        process.communicate("")
    with open_reader(database) as con:
        assert con.execute("select 1").fetchall() == [(1,)]


def test_short_wait_outlasts_a_short_holder(database: Path) -> None:
    process = hold(database)
    threading.Timer(0.3, process.communicate, args=("",)).start()
    with open_reader(database, wait_s=30) as con:
        assert con.execute("select 1").fetchall() == [(1,)]


def test_killed_writer_leaves_the_file_open_to_others(database: Path) -> None:
    process = hold(database)
    process.kill()
    process.wait()
    with open_writer(database, wait_s=5) as con:
        assert con.execute("select count(*) from raw.fetches").fetchall() == [(0,)]


def test_reader_in_the_same_process_waits_for_the_writer(database: Path) -> None:
    with open_writer(database), pytest.raises(StoreBusy, match="本进程"), open_reader(database, wait_s=0.1):
        pass


def test_second_writing_thread_waits_then_is_refused(database: Path) -> None:
    refused: list[str] = []

    def write() -> None:
        try:
            with open_writer(database, wait_s=0.1):
                pass
        except StoreBusy as error:
            refused.append(str(error))

    with open_writer(database):
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert "另一个线程" in refused[0]


@pytest.mark.parametrize("content", [b"", b"hello " * 1000])
@pytest.mark.parametrize("opener", [open_reader, open_writer])
def test_file_that_is_no_database_is_left_alone(path: Path, opener: object, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"不是 DuckDB 数据库.*移走或改名"), opener(path):  # type: ignore[operator]
        pass
    assert path.read_bytes() == content


def test_folder_in_place_of_the_file_is_a_configuration_error(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(ConfigurationError, match="打不开数据库"), open_writer(path):
        pass


def test_column_added_by_a_newer_contract_is_added(database: Path) -> None:
    with duckdb.connect(str(database)) as con:
        con.execute("alter table debates.runs drop column title")
    with open_writer(database) as con:
        assert con.execute("select title from debates.runs").fetchall() == []


def test_missing_mandatory_column_is_refused_and_nothing_changes(database: Path) -> None:
    with duckdb.connect(str(database)) as con:
        con.execute("alter table debates.runs drop column calls")
        con.execute("drop table ops.triggers")
    with pytest.raises(ConfigurationError, match=r"debates\.runs.*calls"), open_writer(database):
        pass
    with duckdb.connect(str(database)) as con:
        assert con.execute("from duckdb_tables() where table_name = 'triggers'").fetchall() == []


def test_every_envelope_is_recorded(database: Path) -> None:
    def envelope(status: Status, minutes: int) -> Envelope:
        return Envelope(
            kind="margins", symbol=None, status=status, vendor="exchanges", source="exchanges:margins",
            query_date=date(2025, 3, 31), fetched_at=NOON + timedelta(minutes=minutes),
            date_status=DateStatus.UNKNOWN, attempts=2, message="次日早晨发布",
        )  # fmt: skip

    with open_writer(database) as con:
        assert record_fetches(con, "b1", [envelope(Status.NOT_READY, 0), envelope(Status.NO_DATA, 1)]) == 2
        assert record_fetches(con, "b2", []) == 0
    with open_reader(database) as con:
        rows = con.execute(
            "select batch_id, status, retryable, rows, attempts, fetched_at from raw.fetches order by fetched_at"
        ).fetchall()
    assert rows == [
        ("b1", "NOT_READY", True, 0, 2, NOON),
        ("b1", "NO_DATA", False, 0, 2, NOON + timedelta(minutes=1)),
    ]
