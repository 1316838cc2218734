"""The command line as a person meets it: a fault of theirs is one line and an exit code, never a traceback."""

import errno
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows import __main__ as entry
from flows.commands import console, labels, review
from flows.debate.proposition import Directory
from flows.desk.plan import Proposition, Topic
from flows.desk.publish import Account
from flows.market.calendar import load_calendar
from flows.warehouse import questions
from flows.warehouse.build import build
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
    [
        (errno.ENOENT, "不能在这里创建"),
        (errno.EACCES, "没有权限"),
        (errno.EROFS, "只读"),
        (errno.ENOSPC, "磁盘已满"),
        (errno.EEXIST, "同名的文件"),
    ],
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


def document(capsys, *arguments: str) -> dict[str, object]:
    """The one JSON object a command prints."""
    code, out, err = ran(capsys, *arguments)
    assert (code, err) == (0, "")
    found: dict[str, object] = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    return found


@pytest.mark.parametrize("asked", [("--json",), ("--format", "json")])
def test_an_answer_in_json_is_one_object_with_its_rows(data: Path, capsys, asked: tuple[str, ...]):
    sql = (
        "select 1 as one, 1.5::decimal(4, 2) as price, 'nan'::double as nothing, date '2026-11-27' as day, ['a'] as ids"
    )
    assert document(capsys, "query", "--sql", sql, *asked, "--data", str(data)) == {
        "question": None,
        "columns": ["one", "price", "nothing", "day", "ids"],
        "rows": [{"one": 1, "price": 1.5, "nothing": None, "day": "2026-11-27", "ids": ["a"]}],
        "row_count": 1,
        "is_complete": True,
    }  # fmt: skip
    named = document(capsys, "query", "latest_debates", *asked, "--data", str(data))
    assert (named["question"], named["rows"], named["row_count"]) == ("latest_debates", [], 0)
    assert "debate_id" in named["columns"]


def test_a_cut_answer_in_json_says_so(data: Path, capsys):
    code, out, _ = ran(capsys, "query", "--sql", "select * from range(20000)", "--json", "--data", str(data))
    found = json.loads(out)
    assert (code, found["row_count"], found["is_complete"]) == (0, questions.MOST_ROWS, False)


def test_two_columns_of_one_name_are_refused_in_json_and_kept_in_csv(data: Path, capsys):
    sql = "select 1 as a, 2 as a"
    code, out, _ = ran(capsys, "query", "--sql", sql, "--json", "--data", str(data))
    assert (code, json.loads(out)["error"]) == (2, "UsageError")
    assert "列名重复：a" in json.loads(out)["message"]
    code, out, _ = ran(capsys, "query", "--sql", sql, "--format", "csv", "--data", str(data))
    assert (code, out) == (0, "a,a\n1,2\n")


def test_catalogue_in_json_names_every_parameter_with_its_type(capsys):
    listed = {question["name"]: question for question in document(capsys, "query", "--json")["questions"]}
    assert listed.keys() == {question.name for question in questions.catalogue()}
    [protocol] = listed["latest_debates"]["parameters"]
    assert (protocol["name"], protocol["sql_type"], protocol["default"]) == ("protocol", "varchar", None)


def test_doctor_in_json_is_one_object_with_the_verdict_first(tmp_path: Path, capsys):
    found = document(capsys, "doctor", "--as-of", "2026-11-27", "--json", "--data", str(tmp_path / "d"))
    assert list(found) == ["is_fine", "findings"]
    assert found["is_fine"] is True
    assert {"交易日历", "数据库", "模型"} <= {finding["subject"] for finding in found["findings"]}
    code, out, _ = ran(capsys, "doctor", "--as-of", "2027-01-04", "--json", "--data", str(tmp_path / "d"))
    assert (code, json.loads(out)["is_fine"]) == (3, False)


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
    (other / "a.html").touch()
    (standing / "b.html").touch()
    (standing / "index.html").touch()
    assert [review._page(folder) for folder in (other, standing)] == [f"{other}/a.html", f"{standing}/index.html"]


def test_wrong_arguments_are_json_when_asked_and_one_usage_line_else(capsys):
    code, out, err = ran(capsys, "query", "--no-such", "--json")
    assert (code, err) == (2, "")
    assert "--no-such" in json.loads(out)["message"]
    code, out, err = ran(capsys, "query", "--no-such")
    assert (code, out) == (2, "")
    assert err.startswith("错误：参数有误")
    assert "zhengming" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "缺少参数：命令"),
        (("reviw",), "是否指 review？"),
        (("report",), "缺少参数：辩论编号"),
        (("verify", "a.md"), "缺少参数：--pack"),
        (("report", "d", "--layer", "sumary"), "没有“sumary”这一项，可用：warning, summary, full。是否指 summary？"),
        (("query", "--sql"), "--sql 后面要写一个值"),
        (("query", "--no-such"), "不认识的参数：--no-such"),
        (("query", "latest_debats"), "是否指 latest_debates？"),
        (("query", "--param", "symbol=605901"), "要和问题的名称一起写"),
        (("query", "--sql", "select 1", "--param", "a=b"), "条件写在 where 里"),
        (("review", "--symbols", "605901", "--watchlist", "my.txt"), "--symbols 和 --watchlist 只能给一个"),
        (("review", "--watchlist", "."), "是目录，不是自选股文件"),
    ],
)  # fmt: skip
def test_a_misuse_is_told_in_chinese_with_what_was_probably_meant(capsys, arguments: tuple[str, ...], says: str):
    code, out, err = ran(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("错误：")
    assert says in err
    assert ("是否指" in err) == ("是否指" in says)


@pytest.mark.parametrize("command", [(), ("review",), ("query",), ("verify",)])
def test_help_is_in_chinese_and_fits_a_phone(monkeypatch, capsys, command: tuple[str, ...]):
    monkeypatch.setenv("COLUMNS", "40")
    with pytest.raises(SystemExit) as ended:
        entry.main([*command, "--help"])
    out = capsys.readouterr().out
    assert ended.value.code == 0
    assert out.startswith("用法：")
    assert not any(word in out for word in ("usage:", "positional", "optional", "options:", "show this"))
    assert "选项" in out


def test_help_says_what_to_type_first(capsys):
    with pytest.raises(SystemExit):
        entry.main(["--help"])
    assert "第一次用：zhengming review" in capsys.readouterr().out.replace("\n", "")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("zhengming.toml", b'sources = "live\n', "zhengming.toml 或 .env 读不懂"),
        ("zhengming.toml", "watchlist = '自选'".encode("gb18030"), "须是 UTF-8"),
        ("zhengming.toml", b'run_token_budget = "many"\n', "run_token_budget：要写一个整数"),
        ("zhengming.toml", b"surces = 'live'\n", "surces：没有这个设置"),
        (".env", b"ZHENGMING_ROLES={broken\n", "配置有误，读不懂"),
        (".env", b"ZHENGMING_SOURCES=both\n", "sources：只能是"),
    ],
)
def test_a_broken_configuration_is_one_line_that_says_where(
    tmp_path: Path, monkeypatch, capsys, name: str, content: bytes, says: str
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    code, out, err = ran(capsys, "doctor", "--data", str(tmp_path / "d"))
    assert (code, out) == (3, "")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ZHENGMING_RUN_TOKEN_BUGET", "是不是想写 ZHENGMING_RUN_TOKEN_BUDGET？"),
        ("ZHENGMING_XYZZY", "不是任何设置。没有用的请先 unset ZHENGMING_XYZZY"),
    ],
)
def test_a_misspelt_variable_is_refused_and_not_taken_for_no_budget(tmp_path: Path, monkeypatch, capsys, name, says):
    monkeypatch.setenv(name, "5")
    code, out, err = ran(capsys, "doctor", "--data", str(tmp_path / "d"))
    assert (code, out) == (3, "")
    assert says in err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", "utf-8"])
def test_a_terminal_of_any_encoding_is_written_to(monkeypatch, encoding: str):
    written = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr("sys.stdout", written)
    assert entry.main(["query"]) == 0
    written.flush()
    text = written.buffer.getvalue().decode("gbk" if encoding == "gbk" else "utf-8")
    assert "每只股票最近一次" in text.replace("\n", "")


HEADERS = ("代码", "说明", "辩论编号")
ROWS = [("605901.SH", "完成", "605901.SH-20261127-bull_bear-da970a379"), ("605904.SH", "行情未更新" * 8, None)]


@pytest.mark.parametrize("columns", ["30", "50", "80", "160"])
def test_an_id_is_never_broken(monkeypatch, capsys, columns: str):
    monkeypatch.setenv("COLUMNS", columns)
    console.table("汇总", HEADERS, ROWS)
    shown = capsys.readouterr().out
    assert "605901.SH-20261127-bull_bear-da970a379" in shown
    assert ("辩论编号：605901.SH" in shown) == (columns in {"30", "50"})


def test_a_narrow_record_leaves_out_what_is_empty(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    console.table("汇总", HEADERS, ROWS)
    assert capsys.readouterr().out.splitlines() == [
        "汇总",
        "── 1/2", "代码：605901.SH", "说明：完成", "辩论编号：605901.SH-20261127-bull_bear-da970a379",
        "── 2/2", "代码：605904.SH", f"说明：{'行情未更新' * 8}",
    ]  # fmt: skip


def test_a_question_is_answered_in_the_words_of_its_reader():
    moment = datetime(2026, 11, 27, 12, 30, 9, 123456, tzinfo=UTC)
    headers = ("protocol", "verdict", "confidence", "swap_agreement", "side", "metric", "unit", "kind", "finished_at")
    row = ("bull_bear", "against", 25.0712, 1.0, "for", "net_profit_yoy_pct", "pct", "pledges", moment)
    shown = labels.in_chinese(headers, [row, (None,) * len(headers)])
    assert shown[0][:3] == ["协议", "裁决", "倾向(0-100)"]
    assert shown[1][0] == [
        "多空辩论", "倾向命题不成立", "25.07", "一致", "多方", "净利润同比", "%", "股权质押", "2026-11-27 20:30",
    ]  # fmt: skip
    assert shown[1][1] == [""] * len(headers)


def test_every_column_of_every_question_has_a_chinese_header(tmp_path: Path):
    path = tmp_path / "zhengming.duckdb"
    with open_writer(path) as con:
        build(con, load_calendar().days)
    for question in questions.catalogue():
        headers, _ = questions.run(path, question.name, {})
        assert [name for name in labels.in_chinese(headers, [])[0] if name.isascii()] == []


def test_a_stock_of_a_question_may_be_written_in_any_form_and_must_exist(data: Path, capsys):
    found = ("query", "disagreements", "--data", str(data), "--format", "csv", "--param")
    code, out, err = ran(capsys, *found, "symbol=sh605901")
    assert (code, len(out.splitlines()), err) == (0, 1, "没有符合条件的行。\n")
    code, out, err = ran(capsys, *found, "symbol=不存在的公司")
    assert (code, out) == (2, "")
    assert "不存在的公司" in err


def test_a_stock_of_a_topic_is_told_with_the_reason():
    known = Directory({"瀛洲智造": "302903.SZ", "302903.SZ": "302903.SZ"}, {"电力设备": ("302903.SZ",)})
    assert review._why("瀛洲智造的传闻", "302903.SZ", known) == "瀛洲智造（302903.SZ），话题里点了名"
    assert review._why("光伏还能不能拿", "302903.SZ", known) == "瀛洲智造（302903.SZ），属话题所说的行业（电力设备）"


COMMANDS = (
    ("review", "--symbols", "600519.SZ"), ("debate", "600519.SZ"), ("target", "r1-bull-1", "--debate", "d0"),
    ("inform", "d0", "--note", "x"), ("query", "latest_debates"), ("query", "no_such_question"), ("report", "d0"),
    ("replay", "d0"), ("snapshot", "605901.SH"), ("pack", "605901.SH"), ("verify", "no-such.md", "--pack", "p.json"),
    ("backfill", "--from", "2026-01-05", "--to", "2026-01-04", "--symbols", "605901.SH"), ("backfill",),
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_refusal_is_one_json_document_on_standard_output(tmp_path: Path, capsys, command: tuple[str, ...]):
    code, out, err = ran(capsys, *command, "--json", "--data", str(tmp_path / "none"))
    assert code in {1, 2, 3}
    assert set(json.loads(out)) == {"error", "message"}
    assert err == ""
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_refusal_is_told_in_words_without_json(tmp_path: Path, capsys, command: tuple[str, ...]):
    code, out, err = ran(capsys, *command, "--data", str(tmp_path / "none"))
    assert code in {1, 2, 3}
    assert out == ""
    assert err.startswith("错误：")
    assert "Traceback" not in err
