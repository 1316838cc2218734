"""``verify`` as a person meets it: what is no text is refused in words, what is readable is read and said."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from flows import __main__ as entry
from flows.commands import verify as command
from flows.truth.own_stock import other_stock
from flows.truth.verify import VerifyResult
from tests.factories import SYMBOL, fact, pack

RIGHT = "示例甲市盈率为18.5倍。\n"


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    path = tmp_path / "pack.json"
    path.write_text(pack(fact(1)).model_dump_json(), encoding="utf-8")
    return path


def checked(capsys: pytest.CaptureFixture[str], text: Path, facts: Path, *more: str) -> tuple[int, str, str]:
    code = entry.main(["verify", str(text), "--pack", str(facts), *more])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_directory_is_called_one(tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = checked(capsys, tmp_path, facts)
    assert (code, out) == (2, "")
    assert "是目录" in err


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_an_empty_file_has_nothing_to_check(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "t.md").write_text(text, encoding="utf-8")
    code, out, err = checked(capsys, tmp_path / "t.md", facts)
    assert (code, out) == (2, "")
    assert "是空的" in err


@pytest.mark.parametrize(("encoding", "said"), [("utf-16", "UTF-16"), ("gb18030", "GB18030")])
def test_other_encodings_are_read_and_named(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str], encoding: str, said: str
) -> None:
    (tmp_path / "t.md").write_bytes(RIGHT.encode(encoding))
    code, out, _ = checked(capsys, tmp_path / "t.md", facts)
    first, summary = out.splitlines()
    assert code == 0
    assert said in first
    assert "有据 1" in summary


def test_utf16_without_its_mark_says_which_encoding_is_needed(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.md").write_bytes("PE 18.5".encode("utf-16-le"))
    code, _, err = checked(capsys, tmp_path / "t.md", facts)
    assert code == 2
    assert "请另存为 UTF-8" in err


@pytest.mark.parametrize("body", [{"title": "示例甲", "points": []}, [1]])
def test_a_json_report_is_refused_with_what_to_check_instead(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str], body: object
) -> None:
    (tmp_path / "report.json").write_text(json.dumps(body), encoding="utf-8")
    code, _, err = checked(capsys, tmp_path / "report.json", facts)
    assert code == 2
    assert ".md 或 .html" in err


def test_text_that_only_begins_like_json_is_text(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.md").write_text("[某研报] " + RIGHT, encoding="utf-8")
    assert checked(capsys, tmp_path / "t.md", facts)[0] == 0


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_facts_of_another_stock_are_said_before_the_list(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    (tmp_path / "t.md").write_text("# 某公司（605901.SH）\n\n市盈率为18.5倍。\n", encoding="utf-8")
    _, out, err = checked(capsys, tmp_path / "t.md", facts, *more)
    notice = (err if more else out).splitlines()[0]
    assert "605901.SH" in notice
    assert SYMBOL in notice
    assert not more or json.loads(out)["checks"]


def test_standard_input_is_read_in_any_of_the_encodings(
    facts: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RIGHT.encode("gb18030"))))
    code, out, _ = checked(capsys, Path("-"), facts)
    assert code == 0
    assert out.startswith("注意：标准输入 不是 UTF-8")


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("某公司（605901.SH）", "605901.SH"),
        ("某公司(605901)与同业", "605901.SH"),
        ("sh605901 上涨", "605901.SH"),
        ("600999.SH 与 605901.SH 相比", ""),
        ("605901.SH、600999.SH、605901.SH", "605901.SH"),
        ("成交 605901 手，（202611）", ""),
        ("没有代码", ""),
    ],
)
def test_the_stock_a_text_is_about_is_the_one_it_writes_most(text: str, other: str) -> None:
    assert other_stock(text, "600999.SH") == other


def test_facts_without_a_code_are_of_no_other_stock() -> None:
    assert other_stock("某公司（605901.SH）", "示例甲") == ""


def test_a_text_of_five_megabytes_is_checked_and_its_length_is_said(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the check itself makes of a long text is tested where it is written; here the file gets to it whole."""
    text = ("示例甲的公告还在整理之中，" + RIGHT) * 100_000
    assert len(text.encode()) > 5_000_000
    given: list[str] = []

    def short(text: str, *facts: object, **options: object) -> VerifyResult:
        given.append(text)
        return VerifyResult(text, ())

    monkeypatch.setattr(command, "MOST_CHARACTERS", 3_000_000)
    monkeypatch.setattr(command, "verify_document", short)
    (tmp_path / "t.md").write_text(text, encoding="utf-8")
    code, out, err = checked(capsys, tmp_path / "t.md", facts, "--json")
    assert (code, json.loads(out)["exit_code"]) == (0, 0)
    assert err.startswith(f"文本有 {len(text) // 10_000} 万字")
    assert given == [text]


@pytest.mark.parametrize("is_stdin", [False, True])
@pytest.mark.parametrize("character", ["a", "文", "\U0001f4c8"])
def test_a_text_beyond_the_limit_is_refused_before_it_is_checked(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    character: str, is_stdin: bool,
) -> None:  # fmt: skip
    monkeypatch.setattr(command, "verify_document", lambda *given, **options: pytest.fail("checked"))
    data = (character * (command.MOST_CHARACTERS + 1)).encode()
    (tmp_path / "t.md").write_bytes(data)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    code, out, err = checked(capsys, Path("-") if is_stdin else tmp_path / "t.md", facts)
    assert (code, out) == (2, "")
    assert "超过 200 万字" in err
    assert "拆成几个文件" in err


def test_a_long_text_shows_its_progress_on_a_terminal_and_the_result_stays_the_same(
    tmp_path: Path, facts: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "LONG", 1_000)
    (tmp_path / "t.md").write_text(RIGHT * 500, encoding="utf-8")
    code, out, err = checked(capsys, tmp_path / "t.md", facts)
    assert (code, "核对（" in err) == (0, False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, again, err = checked(capsys, tmp_path / "t.md", facts)
    assert (code, again) == (0, out)
    assert "按开头两万字估计" in err
