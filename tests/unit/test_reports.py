import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from flows.contracts.packs import Polarity
from flows.contracts.transcripts import Check, CheckVerdict, ConfidenceChange
from flows.errors import UsageError
from flows.reports import charts
from flows.reports.chart_data import Bar, ChartData, Mark, PercentilePoint
from flows.reports.render import escape_markdown, render_html, render_layer, render_markdown, write_report
from flows.reports.segments import claim_segments, quantity, segments
from flows.reports.view import DISCLAIMER, OFFLINE_NOTE, SAMPLE_NOTE, build_view
from tests.factories import EVENING, claim, fact, pack, transcript

HOSTILE = "<script>alert(1)</script>|[点我](javascript:alert(2))<img src=x onerror=alert(3)>"


def check(text: str, where: str, verdict: CheckVerdict, **given: object) -> Check:
    start = where.index(text)
    return Check(text=text, start=start, end=start + len(text), verdict=verdict, **given)


def view_of(**given: object):
    held = transcript(**given)
    return build_view(held, pack(), EVENING)


def test_a_wrong_number_is_struck_through_with_the_right_one_beside_it():
    said = claim(basis="市盈率(TTM)为28.5倍。")
    wrong = check("28.5倍", said.text, CheckVerdict.MISMATCH, claim_id=said.claim_id, expected=18.5, unit="x")
    view = view_of(claims=(said,), checks=(wrong,))
    assert "~~28.5倍~~（应为 18.5 倍）" in render_markdown(view)
    assert "28.5倍</del>" in render_html(view, ChartData())
    assert "应为 18.5 倍" in render_html(view, ChartData())


def test_a_number_without_a_fact_is_struck_through_as_unsupported():
    said = claim(reasoning="目标是99倍。")
    wrong = check("99倍", said.text, CheckVerdict.UNSUPPORTED, claim_id=said.claim_id)
    assert "~~99倍~~（无据）" in render_markdown(view_of(claims=(said,), checks=(wrong,)))


def test_supported_numbers_stay_plain():
    said = claim()
    good = check("18.5倍", said.text, CheckVerdict.SUPPORTED, claim_id=said.claim_id, fact_id="E1")
    assert "~~" not in render_markdown(view_of(claims=(said,), checks=(good,)))


def test_offsets_run_through_the_three_parts_of_a_claim():
    said = claim()
    good = check("18.5倍", said.text, CheckVerdict.SUPPORTED)
    parts = claim_segments(said, (good,))
    assert [s.text for s in parts["basis"] if s.verdict] == ["18.5倍"]
    assert "".join(s.text for part in parts.values() for s in part) == said.text


def test_overlapping_spans_lose_no_text():
    text = "从18.5倍到20倍"
    checks = (check("18.5倍到20倍", text, CheckVerdict.SUPPORTED), check("20倍", text, CheckVerdict.MISMATCH))
    assert "".join(s.text for s in segments(text, checks)) == text


def test_html_and_script_in_a_title_come_out_as_text():
    hostile = fact(sentence=f"新闻：{HOSTILE}", url="javascript:alert(4)", source=HOSTILE)
    view = build_view(transcript(), pack(hostile), EVENING)
    page = render_html(view, ChartData(filings=(Mark(date(2026, 11, 27), HOSTILE),)))
    assert "<script" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert "&lt;script&gt;" in page


def test_markdown_escapes_markup_and_line_breaks():
    assert escape_markdown("a|b\n# c <b>") == r"a\|b \# c &lt;b&gt;"
    assert "<script" not in render_markdown(build_view(transcript(), pack(fact(sentence=HOSTILE)), EVENING))


def test_the_page_loads_nothing_from_outside():
    page = render_html(view_of(), ChartData())
    assert "default-src 'none'" in page
    assert " src=" not in page
    assert "<link" not in page


def test_disclaimer_cutoff_and_generation_time_stand_on_top():
    top = render_markdown(view_of()).split("## 避雷提醒")[0]
    assert DISCLAIMER in top
    assert "数据截至 2026-11-27 20:30" in top
    assert "生成于 2026-11-27 20:30" in top


def test_the_offline_model_and_the_sample_market_are_named_first():
    assert view_of().notes[:2] == (OFFLINE_NOTE, SAMPLE_NOTE)


def test_an_injection_attempt_is_said():
    view = build_view(transcript(), pack(fact(flags=("injection",))), EVENING)
    assert any("试图指挥模型" in note for note in view.notes)


def test_judgement_claim_fact_and_source_are_linked():
    page = render_html(view_of(), ChartData())
    assert 'href="#c-r1-bull-1"' in page
    assert 'id="c-r1-bull-1"' in page
    assert 'href="#E1"' in page
    assert 'id="E1"' in page


def test_three_layers_grow():
    warning, summary, full = (render_layer(view_of(), layer) for layer in ("warning", "summary", "full"))
    assert "避雷提醒：留意估值。" in warning
    assert "5. 五" in summary
    assert len(warning) < len(summary) < len(full)


def test_the_three_files_are_written_and_json_holds_the_transcript(tmp_path: Path):
    held = transcript()
    files = write_report(build_view(held, pack(), EVENING), ChartData(), tmp_path)
    assert files.html.relative_to(tmp_path).as_posix() == "2026-11-27/600999.SH-bull_bear.html"
    stored = json.loads(files.json.read_text(encoding="utf-8"))
    assert stored["transcript"] == held.model_dump(mode="json")
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize("given", [{"symbol": "../../etc/passwd"}, {"protocol": "../x"}])
def test_no_untrusted_text_becomes_a_path(tmp_path: Path, given: dict[str, str]):
    with pytest.raises(UsageError):
        write_report(build_view(transcript(**given), pack(), EVENING), ChartData(), tmp_path)
    assert not list(tmp_path.rglob("*.html"))


def bars(n: int) -> tuple[Bar, ...]:
    return tuple(Bar(date(2026, 1, 1) + timedelta(days=i), 10 + i, 12 + i, 9 + i, 11 + i) for i in range(n))


def test_a_session_without_percentile_breaks_the_line():
    days = [bar.trade_date for bar in bars(5)]
    points = tuple(PercentilePoint(d, 10.0, None if i == 2 else 50.0) for i, d in enumerate(days))
    assert charts.candles(ChartData(bars(5), percentiles=points), "示例").count("<polyline") == 2


def test_up_is_hollow_and_down_is_filled():
    two = (Bar(date(2026, 1, 5), 10, 12, 9, 11), Bar(date(2026, 1, 6), 11, 12, 9, 10))
    picture = charts.candles(ChartData(two), "示例")
    assert picture.count('class="up"') == 1
    assert picture.count('class="down"') == 1


def test_without_bars_there_is_no_picture():
    assert charts.candles(ChartData(), "示例") == ""


def test_a_filing_of_a_closed_day_is_drawn_at_the_next_session():
    data = ChartData((bars(1)[0], Bar(date(2026, 1, 5), 10, 12, 9, 11)), filings=(Mark(date(2026, 1, 3), "公告"),))
    assert charts.candles(data, "示例").count("mark-filing") == 1


def test_histogram_counts_every_return():
    returns = [0.5] * 12 + [-1.5] * 18
    picture = charts.distribution(returns)
    assert picture.count("-fill") == 2
    assert charts.distribution(returns[:19]) == ""


def test_evidence_balance_counts_by_polarity():
    facts = [fact(1, polarity=Polarity.POSITIVE), fact(2, polarity=Polarity.NEGATIVE), fact(3)]
    assert "估值（1）" in charts.evidence_balance(facts)


def test_confidence_starts_at_the_first_step():
    change = ConfidenceChange(seq=1, cause="证据", claim_id=None, confidence_from=50, confidence_to=61.5)
    assert "50 → 61.5" in charts.confidence((change,))


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (123_450_000.0, "CNY", "1.23 亿元"), (18.5, "x", "18.5 倍"), (-6.8, "pct", "-6.8%"),
        (2.5e12, "CNY", "2.5 万亿元"), (9.5, "CNY/share", "9.5 元"), (12_000.0, "shares", "1.2 万股"),
    ],
)  # fmt: skip
def test_quantities_read_as_a_chinese_reader_writes_them(value: float, unit: str, shown: str):
    assert quantity(value, unit) == shown
