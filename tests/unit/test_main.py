"""The command line as a person meets it: a fault of theirs is one line and an exit code, never a traceback."""

import errno
import json
from pathlib import Path

import pytest

from flows import __main__ as entry
from flows.commands import review
from flows.desk.plan import Proposition, Topic
from flows.desk.publish import Account
from flows.warehouse import questions
from flows.warehouse.database import open_writer
from tests.unit import desk_room


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = entry.main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with open_writer(tmp_path / "zhengming.duckdb"):
        pass
    return tmp_path


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_file_as_data_folder_is_one_line_and_a_configuration_fault(tmp_path: Path, capsys, below: str):
    (tmp_path / "note.txt").write_text("x", encoding="utf-8")
    code, out, err = ran(capsys, "review", "--symbols", "605901.SH", "--data", f"{tmp_path}/note.txt{below}")
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert err.startswith(f"错误：不能读写 {tmp_path}/note.txt")
    assert "不是目录" in err


@pytest.mark.parametrize(
    ("fault", "words"),
    [(errno.EACCES, "没有权限"), (errno.EROFS, "只读"), (errno.ENOSPC, "磁盘已满"), (errno.EEXIST, "同名的文件")],
)
def test_a_fault_of_the_disk_is_told_in_words(monkeypatch, capsys, fault: int, words: str):
    def fail(options: object) -> int:
        raise OSError(fault, "x", "reports/a.md")

    monkeypatch.setattr(review, "review", fail)
    code, out, _ = ran(capsys, "review", "--json")
    assert code == 3
    assert json.loads(out)["error"] == "ConfigurationError"
    assert words in json.loads(out)["message"]
    assert "reports/a.md" in json.loads(out)["message"]


def test_a_fault_that_is_ours_keeps_its_traceback(monkeypatch):
    def fail(options: object) -> int:
        raise OSError("a socket")

    monkeypatch.setattr(review, "review", fail)
    with pytest.raises(OSError, match="a socket"):
        entry.main(["review"])


@pytest.mark.parametrize("sql", ["", "  "])
def test_an_empty_query_is_a_usage_error(data: Path, capsys, sql: str):
    code, out, err = ran(capsys, "query", "--sql", sql, "--data", str(data))
    assert (code, out) == (2, "")
    assert "--sql 是空的" in err


def test_a_huge_answer_is_cut_and_says_so(data: Path, capsys):
    sql = "select * from range(1000000000)"
    code, out, err = ran(capsys, "query", "--sql", sql, "--format", "csv", "--data", str(data))
    assert code == 0
    assert len(out.splitlines()) == questions.MOST_ROWS + 1
    assert "只给出前 10,000 行" in err


def test_an_answer_of_exactly_the_most_rows_is_not_called_cut(data: Path, capsys):
    sql = f"select * from range({questions.MOST_ROWS})"
    _, out, err = ran(capsys, "query", "--sql", sql, "--format", "csv", "--data", str(data))
    assert (len(out.splitlines()), err) == (questions.MOST_ROWS + 1, "")


@pytest.mark.parametrize("command", ["snapshot", "pack"])
def test_a_day_to_come_is_a_usage_error(data: Path, capsys, command: str):
    code, out, err = ran(capsys, command, "605901.SH", "--as-of", "2999-01-04", "--data", str(data))
    assert (code, out) == (2, "")
    assert "还没有到" in err


def test_reports_are_told_where_they_stand(tmp_path: Path):
    def account(**values: str | None) -> Account:
        return Account(symbol="605901.SH", name="x", protocol="bull_bear", reason="", **values)

    order = desk_room.review(tmp_path)
    about = Proposition(text="t", window="w", scope="s", assumptions=(), pack_version="")
    topic = Topic(text="光伏", proposition=about)
    day = f"{order.trade_date:%Y-%m-%d}"
    standing, other = tmp_path / "reports" / day, tmp_path / "reports" / "other" / "d7" / day
    for folder in (standing, other):
        folder.mkdir(parents=True)
    made = account(outcome="debated", debate_id="d7", report=str(other / "a.html"))
    kept = account(outcome="cached", debate_id="d7")
    gated = account(outcome="gated")
    assert review.report_folders(order, [made, kept, gated]) == [other, standing]
    assert review.report_folders(order.model_copy(update={"topic": topic}), [kept, made]) == [other]
    assert review.report_folders(order, [gated]) == []
