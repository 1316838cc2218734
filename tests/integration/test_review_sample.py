import json
from collections import Counter
from pathlib import Path

import pytest

from tests.integration.conftest import Reviewed, zhengming

CALLS = {"moderator": 3, "bull": 6, "bear": 3, "judge": 2}
# Booked under names of their own: the audit, and an answer in which a side asked an evidence channel.
BESIDE = {"auditor", "proposer", "evidence"}


def rows(reviewed: Reviewed, sql: str) -> list[dict]:
    return zhengming("query", "--sql", sql, "--json", data=reviewed.data).json["rows"]


def test_twelve_stocks_in_twelve_accounted_for(reviewed: Reviewed):
    assert reviewed.last.code == 0, reviewed.last.err
    accounts = reviewed.last.json["accounts"]
    assert len(accounts) == 12
    assert Counter(a["outcome"] for a in accounts) == {"debated": 10, "gated": 2}


def test_one_is_gated_for_stale_data_and_one_for_too_little_material(reviewed: Reviewed):
    gated = {a["symbol"]: a["reason"] for a in reviewed.last.json["accounts"] if a["outcome"] == "gated"}
    assert gated.keys() == {"605904.SH", "301902.SZ"}
    assert "2026-11-13" in gated["605904.SH"]
    assert "材料不足" in gated["301902.SZ"]


def test_a_second_review_buys_nothing_and_adds_no_row(reviewed: Reviewed):
    assert reviewed.again.code == 0
    assert Counter(a["outcome"] for a in reviewed.again.json["accounts"]) == {"cached": 10, "gated": 2}
    changed = {t for t, n in reviewed.after_again.items() if n != reviewed.before_again[t]}
    assert {t for t in changed if not t.startswith("ops.") and t != "raw.fetches"} == set()
    assert reviewed.after_again["ops.accounts"] == reviewed.before_again["ops.accounts"] + 12


def test_each_debate_made_exactly_the_calls_of_the_protocol(reviewed: Reviewed):
    found = rows(reviewed, "select debate_id, role, count(*) as calls from debates.llm_calls group by all")
    by_debate: dict[str, dict[str, int]] = {}
    for row in found:
        by_debate.setdefault(row["debate_id"], {})[row["role"]] = row["calls"]
    assert len(by_debate) == 20
    assert [{r: calls[r] for r in CALLS} for calls in by_debate.values()] == [CALLS] * 20
    assert {role for calls in by_debate.values() for role in calls} - CALLS.keys() <= BESIDE


def test_tokens_are_counted(reviewed: Reviewed):
    [row] = rows(reviewed, "select min(tokens_in) as least_in, min(tokens_out) as least_out from debates.llm_calls")
    assert row["least_in"] > 0
    assert row["least_out"] > 0


def test_every_debate_has_its_three_report_files(reviewed: Reviewed):
    stored = rows(reviewed, "select markdown_path, html_path, json_path from debates.reports")
    assert len(stored) == 20
    assert all((reviewed.data / path).is_file() for row in stored for path in row.values())


def test_a_question_about_disagreements_answers_from_two_days(reviewed: Reviewed):
    found = zhengming("query", "disagreements", "--json", data=reviewed.data)
    assert found.code == 0, found.err
    assert len({row["trade_date"] for row in found.json["rows"]}) == 2
    assert all(row["metric"] for row in found.json["rows"])


def test_query_lists_at_least_six_questions_with_chinese_titles(reviewed: Reviewed):
    listed = zhengming("query", "--json", data=reviewed.data).json["questions"]
    assert len(listed) >= 6
    assert all(any("\u4e00" <= c <= "\u9fff" for c in question["title"]) for question in listed)


def test_no_number_of_any_untouched_report_fails(reviewed: Reviewed):
    for text in sorted(reviewed.data.glob("reports/2026-11-27/*.md")):
        pack = reviewed.data / "packs" / "2026-11-27" / f"{text.name.split('-')[0]}.json"
        checked = zhengming("verify", text, "--pack", pack)
        assert checked.code == 0, f"{text.name}\n{checked.out}"


@pytest.mark.parametrize("layer", ["warning", "summary", "full"])
def test_a_stored_report_can_be_read_by_layer(reviewed: Reviewed, layer: str):
    [debate] = rows(reviewed, "select debate_id from debates.runs order by debate_id limit 1")
    shown = zhengming("report", debate["debate_id"], "--layer", layer, data=reviewed.data)
    assert shown.code == 0
    assert "不构成任何投资建议" in shown.out


def test_snapshot_and_pack_are_cut_to_the_day(reviewed: Reviewed):
    snapshot = zhengming("snapshot", "605901.SH", "--as-of", "2026-11-26", data=reviewed.data).json
    pack = zhengming("pack", "605901.SH", "--as-of", "2026-11-26", data=reviewed.data).json
    assert "2026-11-27" not in json.dumps(snapshot)
    assert all(fact["published_at"] < "2026-11-27" for fact in pack["facts"] + pack["appendix"])


def test_a_day_before_the_first_bar_is_refused_and_gives_no_empty_pack(reviewed: Reviewed):
    for command in ("pack", "snapshot"):
        refused = zhengming(command, "605901.SH", "--as-of", "2001-01-05", data=reviewed.data)
        assert refused.code == 2
        assert "605901.SH 的行情始于 20" in refused.err


def test_the_stored_pack_is_the_pack_of_that_evening(reviewed: Reviewed):
    stored = json.loads((reviewed.data / "packs/2026-11-27/605901.SH.json").read_text(encoding="utf-8"))
    again = zhengming("pack", "605901.SH", "--as-of", "2026-11-27", data=reviewed.data).json
    assert again["facts"] == stored["facts"]


def test_an_injected_headline_is_quoted_flagged_and_obeyed_by_nobody(reviewed: Reviewed):
    texts = [p.read_text(encoding="utf-8") for p in reviewed.data.glob("reports/2026-11-27/*.md")]
    flagged = [text for text in texts if "试图指挥模型" in text]
    assert flagged
    assert not any("强烈推荐买入" in text.split("## 事实与来源")[0] for text in texts)


def test_no_page_carries_a_script(reviewed: Reviewed):
    for page in reviewed.data.glob("reports/*/*.html"):
        assert "<script" not in page.read_text(encoding="utf-8")


def test_output_fits_a_narrow_terminal(reviewed: Reviewed):
    shown = zhengming("query", "latest_debates", data=reviewed.data, COLUMNS="60")
    assert shown.code == 0
    assert max(len(line) for line in shown.out.splitlines()) <= 60


def test_doctor_finds_nothing_wrong(reviewed: Reviewed):
    found = zhengming("doctor", "--json", data=reviewed.data)
    assert found.code == 0, found.out
    assert {f["subject"] for f in found.json["findings"]} >= {"交易日历", "数据目录", "运行锁", "数据库", "模型"}


def test_the_database_is_where_data_says(reviewed: Reviewed):
    assert {p.name for p in reviewed.data.iterdir()} >= {"zhengming.duckdb", "journal", "packs", "reports"}
    assert isinstance(reviewed.data, Path)
