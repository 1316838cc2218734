"""``verify`` as a library (PRODUCT T8): facts from files, positions in Markdown and HTML, the JSON shape, the exit code."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.units import Unit
from flows.errors import UsageError
from flows.truth import piecewise
from flows.truth.checking import check_plain
from flows.truth.facts.ledger import Ledger
from flows.truth.verify import VerifyResult, load_facts, verify_document
from tests.factories import SYMBOL, fact, pack

HEADER = "id,field,value,unit,as_of,period,subject,sentence"
ROWS = (
    "E1,pe_ttm,18.5,x,2026-11-27,,600999.SH,市盈率(TTM)为18.50倍",
    "E2,营业收入,1.2345,亿元,2025-09-30,2025Q3,600999.SH,",
    ",收盘价,11.37,元,2026-11-27,,600999.SH,",
)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def verified(text: str) -> VerifyResult:
    return verify_document(text, [fact(1)], subject=SYMBOL, names={"示例甲": SYMBOL})


def test_pack_file_gives_its_facts_its_company_and_its_name(tmp_path: Path) -> None:
    held = pack(fact(1), appendix=(fact(2, id="A1"),))
    loaded = load_facts(written(tmp_path, "pack.json", held.model_dump_json()))
    assert [f.id for f in loaded.facts] == ["E1", "A1"]
    assert (loaded.subject, dict(loaded.names)) == (SYMBOL, {"示例甲": SYMBOL})
    assert loaded.facts[0] == held.facts[0]


@pytest.mark.parametrize("wrap", [True, False])
def test_json_list_of_facts_is_enough(tmp_path: Path, wrap: bool) -> None:
    rows = [{"field": "pe_ttm", "value": 18.5, "unit": "x", "as_of": "2026-11-27", "subject": SYMBOL}]
    loaded = load_facts(written(tmp_path, "facts.json", json.dumps({"facts": rows} if wrap else rows)))
    assert [(f.field, f.value, f.unit) for f in loaded.facts] == [("pe_ttm", 18.5, Unit.MULTIPLE)]
    assert loaded.subject == SYMBOL


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_table_of_facts_takes_chinese_names_and_scaled_units(tmp_path: Path, separator: str, mark: str) -> None:
    text = mark + "\n".join((HEADER, *ROWS)).replace(",", separator)
    facts = load_facts(written(tmp_path, "facts.csv", text)).facts
    assert [f.field for f in facts] == ["pe_ttm", "revenue_cny", "close_cny"]
    assert facts[1].value == pytest.approx(1.2345e8)
    assert [f.unit for f in facts] == [Unit.MULTIPLE, Unit.CNY, Unit.CNY_PER_SHARE]
    assert [f.id for f in facts] == ["E1", "E2", "E3"]


def test_table_of_facts_carries_a_check(tmp_path: Path) -> None:
    loaded = load_facts(written(tmp_path, "facts.csv", "\n".join((HEADER, *ROWS))))
    text = "市盈率18.5倍；2025Q3营业收入12345万元；收盘价12.37元。"
    result = verify_document(text, loaded.facts, subject=loaded.subject, names=loaded.names)
    assert [c.verdict.value for c in result.checks if c.text[0].isdigit() and c.verdict.value != "not_a_quantity"] == [
        "supported", "supported", "mismatch",
    ]  # fmt: skip


BROKEN = [
    ("a.json", '{"facts": [', "不是合法的 JSON"), ("a.json", '{"rows": []}', "没有 facts 列表"), ("a.json", '["x"]', "第 1 条事实不是对象"),
    ("a.csv", "metric,value\npe,1", "表头缺少 field"), ("a.csv", HEADER, "没有一行事实"),
    ("a.csv", f"{HEADER}\nE1,pe_ttm,很高,x,2026-11-27,,,", "不是数"), ("a.csv", f"{HEADER}\nE1,pe_ttm,18.5,x,昨天,,,", "as_of 是“昨天”"),
    ("a.csv", f"{HEADER}\nE1,pe_ttm,18.5,光年,2026-11-27,,,", "不认识单位“光年”"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "message"), BROKEN, ids=[row[2] for row in BROKEN])
def test_unreadable_facts_say_what_is_wrong_and_where(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(UsageError, match=message) as caught:
        load_facts(path)
    assert name in str(caught.value)


def test_missing_or_binary_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="找不到事实文件"):
        load_facts(tmp_path / "absent.csv")
    with pytest.raises(UsageError, match="是目录"):
        load_facts(tmp_path)
    for data in (b"\x89PNG\r\n\x1a\n\x00\x00", b"\xff\xfe\x00", "市盈率".encode("utf-16-le") + b"\x00a"):
        (tmp_path / "b.csv").write_bytes(data)
        with pytest.raises(UsageError, match="请另存为 UTF-8"):
            load_facts(tmp_path / "b.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_table_of_facts_is_read_as_a_spreadsheet_saves_it(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "facts.csv").write_bytes("\r\n".join((HEADER, *ROWS)).encode(encoding))
    assert [f.field for f in load_facts(tmp_path / "facts.csv").facts] == ["pe_ttm", "revenue_cny", "close_cny"]


DOCUMENTS = {
    "plain": "示例甲市盈率19.5倍。",
    "markdown": "# 标题\n\n- **市盈率**：19.5倍\n",
    "table": "| 指标 | 数值 |\n|---|---|\n| 市盈率(TTM) | 19.5倍 |\n",
    "html": "<html><body><p>市盈率为<b>19.5</b>倍。</p></body></html>",
    "html table": "<table><tr><th>指标</th><th>数值</th></tr><tr><td>市盈率</td><td>19.5倍</td></tr></table>",
}


@pytest.mark.parametrize("text", DOCUMENTS.values(), ids=list(DOCUMENTS))
def test_offsets_lead_back_into_the_document(text: str) -> None:
    (found,) = verified(text).failures
    assert text[found.start : found.end].startswith("19.5")
    assert (found.verdict, found.expected) == (CheckVerdict.MISMATCH, 18.5)


def test_line_and_column_count_from_one() -> None:
    (found,) = [c for c in verified("首行\n\n市盈率19.5倍").as_json()["checks"] if c["verdict"] == "mismatch"]
    assert (found["line"], found["column"]) == (3, 4)


def test_script_style_and_attributes_are_not_text() -> None:
    page = '<html><head><style>p{width:12.5%}</style></head><body><script>var pe=99.5</script><p data-x="77.7%">市盈率18.5倍</p></body></html>'
    result = verified(page)
    assert [c.text for c in result.checks if c.verdict is not CheckVerdict.NOT_A_QUANTITY] == ["18.5倍"]
    assert result.exit_code == 0


def test_html_is_annotated_without_breaking_its_tags() -> None:
    shown = verified(DOCUMENTS["html"]).annotated
    assert "<del>19.5</del>" in shown
    assert "<ins>（应为18.5倍，E1）</ins>" in shown
    assert shown.count("<b>") == shown.count("</b>") == 1


def test_markdown_is_struck_through_and_the_rest_untouched() -> None:
    text = DOCUMENTS["markdown"]
    assert verified(text).annotated == text.replace("19.5倍", "~~19.5倍~~（应为18.5倍，E1）")


@pytest.mark.parametrize(
    ("text", "code"), [("市盈率18.5倍。", 0), ("没有数字。", 0), ("", 0), ("市盈率19.5倍。", 1), ("市净率2倍。", 1)]
)
def test_exit_code_is_one_only_where_something_fails(text: str, code: int) -> None:
    result = verified(text)
    assert result.exit_code == code
    assert bool(result.failures) is bool(code)
    assert (result.annotated == text) is (code == 0)


def test_json_shape_is_complete_and_serialisable() -> None:
    body = verified("2026-11-27市盈率18.5倍，市净率2倍。").as_json()
    assert json.loads(json.dumps(body, ensure_ascii=False)) == body
    assert set(body) == {"exit_code", "counts", "checks", "annotated"}
    assert set(body["counts"]) == {verdict.value for verdict in CheckVerdict}
    assert sum(body["counts"].values()) == len(body["checks"]) == 3
    expected = {"text", "start", "end", "value", "unit", "verdict", "fact_id", "expected", "formula", "reason", "line", "column"}  # fmt: skip
    assert all(expected <= set(check) for check in body["checks"])


def test_summary_for_a_person_names_place_verdict_and_right_value() -> None:
    first, summary = verified("首行\n市盈率19.5倍。").as_text().splitlines()
    assert first.startswith("第 2 行 第 4 列")
    assert "不符" in first
    assert "应为18.5倍" in first
    assert "有据 0，无据 0，不符 1" in summary


def test_subject_is_that_of_most_facts_unless_given() -> None:
    facts = [
        fact(1),
        fact(2, field="pb", value=1.8, sentence="市净率为1.80倍。"),
        fact(3, subject="600998.SH", value=9.0, sentence="市盈率(TTM)为9.00倍。"),
    ]
    assert verify_document("公司市盈率18.5倍。", facts).exit_code == 0
    assert verify_document("公司市盈率18.5倍。", facts, subject="600998.SH").exit_code == 1


def test_without_facts_nothing_holds() -> None:
    result = verify_document("市盈率18.5倍。", [])
    assert [c.verdict for c in result.failures] == [CheckVerdict.UNSUPPORTED]


LINE = "示例甲市盈率(TTM)为18.5倍，换手率为3.2%。这是一段普通的话。\n"


def characters_read(monkeypatch: pytest.MonkeyPatch, text: str) -> tuple[int, int]:
    """(characters handed to the check of running text in all, most at a time)."""
    lengths: list[int] = []

    def counted(ledger: Ledger, piece: str, *rest: Any, **options: Any) -> tuple[Check, ...]:
        lengths.append(len(piece))
        return check_plain(ledger, piece, *rest, **options)

    with monkeypatch.context() as patch:
        patch.setattr(piecewise, "check_plain", counted)
        verified(text)
    return sum(lengths), max(lengths)


def test_reading_grows_with_the_text_and_no_window_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    once, window = characters_read(monkeypatch, LINE * 600)
    twice, same_window = characters_read(monkeypatch, LINE * 1_200)
    assert window == same_window < len(LINE * 300)
    assert twice < 2.2 * once


def test_a_long_text_gets_each_check_of_its_lines_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = LINE * 400
    (one, other), windowed = [(c.start, c.text, c.verdict) for c in verified(LINE).checks], verified(text).checks
    assert [(c.start, c.text, c.verdict) for c in windowed] == [
        (n * len(LINE) + start, *rest) for n in range(400) for start, *rest in (one, other)
    ]
    assert all(text[c.start : c.end] == c.text for c in windowed)
    monkeypatch.setattr(piecewise, "_STRETCH", len(text))
    assert verified(text).checks == windowed


def test_a_period_said_a_page_before_still_holds_in_a_long_text() -> None:
    facts = [
        fact(
            1,
            field="revenue_cny",
            value=1.2e9,
            unit=Unit.CNY,
            period="2026Q3",
            sentence="2026年前三季度营业收入为12亿元。",
        )
    ]
    text = "空话。\n" * 1_990 + "2026年前三季度经营平稳。" + "空话。\n" * 60 + "营业收入为12亿元。" + "空话。\n" * 1_000
    assert verify_document(text, facts, subject=SYMBOL).counts["supported"] == 1
