import os
from pathlib import Path

import pytest

from tests.integration.conftest import zhengming


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--symbols", "123456"), 2, "123456"),
        (("--symbols", "600519.SZ"), 2, "600519"),
        (("--symbols", "不存在的公司"), 2, "不存在的公司"),
        (("--symbols", ","), 2, "自选股列表是空的"),
        (("--as-of", "2026-11-28"), 2, "2026-11-27"),
        (("--as-of", "2025-01-28"), 2, "休市"),
        (("--as-of", "2024-02-09"), 2, "休市"),
        (("--as-of", "2026-12-30"), 2, "还没有到"),
        (("--as-of", "yesterday"), 2, "2026-11-27"),
        (("--as-of", "2027-01-04"), 3, "2026-12-31"),
        (("--protocol", "bull_bear", "--model", "gpt"), 3, "ZHENGMING_BASE_URL"),
        (("--model", "gpt", "--base-url", "http://127.0.0.1:9/v1"), 3, "ZHENGMING_API_KEY"),
        (("--watchlist", "no-such-file.txt"), 2, "no-such-file.txt"),
    ],
)
def test_refused_with_advice_and_nothing_written(tmp_path: Path, arguments: tuple[str, ...], code: int, says: str):
    data = tmp_path / "data"
    ran = zhengming("review", *arguments, data=data)
    assert ran.code == code, ran.err
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert not data.exists()


def test_doctor_beyond_the_calendar_says_what_to_do(tmp_path: Path):
    ran = zhengming("doctor", "--as-of", "2027-01-04", "--json", data=tmp_path / "d")
    assert ran.code == 3
    calendar = next(finding for finding in ran.json["findings"] if finding["subject"] == "交易日历")
    assert not calendar["is_fine"]
    assert all(word in calendar["message"] for word in ("2026-12-31", "12 月下旬", "--sources live"))


def test_doctor_knows_a_closed_day(tmp_path: Path):
    ran = zhengming("doctor", "--as-of", "2025-01-28", "--json", data=tmp_path / "d")
    assert ran.code == 0
    calendar = next(finding for finding in ran.json["findings"] if finding["subject"] == "交易日历")
    assert "休市" in calendar["message"]


def test_an_error_is_json_when_asked(tmp_path: Path):
    ran = zhengming("review", "--symbols", "123456", "--json", data=tmp_path / "d")
    assert ran.code == 2
    assert ran.json["error"] == "UsageError"


def test_an_empty_watchlist_is_refused(tmp_path: Path):
    (tmp_path / "empty.txt").write_text("# 只有注释\n\n", encoding="utf-8")
    ran = zhengming("review", "--watchlist", tmp_path / "empty.txt", data=tmp_path / "d")
    assert ran.code == 2
    assert "自选股列表是空的" in ran.err


def test_a_broken_watchlist_line_is_named_with_its_number(tmp_path: Path):
    (tmp_path / "w.txt").write_text("605901.SH  # 一\n600519.SZ  # 二\n123456\n", encoding="utf-8")
    ran = zhengming("review", "--watchlist", tmp_path / "w.txt", data=tmp_path / "d")
    assert ran.code == 2
    assert "第 2 行" in ran.err
    assert "第 3 行" in ran.err


def test_a_watchlist_that_is_no_text_is_refused(tmp_path: Path):
    (tmp_path / "w.txt").write_bytes(b"\xff\xfe\x00\x81")
    ran = zhengming("review", "--watchlist", tmp_path / "w.txt", data=tmp_path / "d")
    assert ran.code == 2
    assert "UTF-8" in ran.err


def test_a_file_as_data_folder_is_refused_and_kept(tmp_path: Path):
    (tmp_path / "note.txt").write_text("x", encoding="utf-8")
    ran = zhengming("review", "--symbols", "605901.SH", data=tmp_path / "note.txt")
    assert ran.code == 3
    assert "不是目录" in ran.err
    assert "Traceback" not in ran.err
    assert (tmp_path / "note.txt").read_text(encoding="utf-8") == "x"


def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path):
    (tmp_path / "zhengming.duckdb").write_text("not a database", encoding="utf-8")
    ran = zhengming("query", "latest_debates", data=tmp_path)
    assert ran.code == 3
    assert "zhengming.duckdb" in ran.err
    assert (tmp_path / "zhengming.duckdb").read_text(encoding="utf-8") == "not a database"


def test_reading_before_the_first_run_says_what_to_do(tmp_path: Path):
    ran = zhengming("query", "latest_debates", data=tmp_path)
    assert ran.code == 3
    assert "zhengming review" in ran.err


@pytest.mark.parametrize(
    "sql",
    ["drop table debates.runs", "select 1; select 2", "select * from read_csv('/etc/passwd')", "attach 'x.db'", "sel"],
)
def test_only_one_read_only_select_is_answered(tmp_path: Path, sql: str):
    ran = zhengming("query", "--sql", sql, data=tmp_path)
    assert ran.code in {2, 3}
    assert "Traceback" not in ran.err


def test_a_stock_that_does_not_exist_is_no_empty_answer(tmp_path: Path):
    ran = zhengming("query", "disagreements", "--param", "symbol=999999", "--format", "csv", data=tmp_path)
    assert ran.code == 2
    assert "999999" in ran.err


def test_arguments_nobody_knows_are_refused_in_json_too(tmp_path: Path):
    ran = zhengming("review", "--no-such", "--json", data=tmp_path)
    assert ran.code == 2
    assert "--no-such" in ran.json["message"]


def test_a_broken_setting_is_named_without_its_value(tmp_path: Path):
    ran = zhengming("doctor", data=tmp_path, ZHENGMING_MODEL_CONCURRENCY="secret-value")
    assert ran.code == 3
    assert "model_concurrency" in ran.err
    assert "secret-value" not in ran.err


def test_verify_needs_readable_files(tmp_path: Path):
    text = tmp_path / "t.md"
    text.write_text("市盈率为 18 倍", encoding="utf-8")
    assert zhengming("verify", text, "--pack", tmp_path / "none.json").code == 2
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    assert zhengming("verify", text, "--pack", tmp_path / "bad.json").code == 2
    assert zhengming("verify", tmp_path / "none.md", "--pack", tmp_path / "bad.json").code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_said(tmp_path: Path):
    tmp_path.chmod(0o500)
    assert zhengming("doctor", data=tmp_path / "d").code == 3
