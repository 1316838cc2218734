import json
import re
from datetime import UTC, date, timedelta
from pathlib import Path

import pytest

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.packs import Polarity
from flows.contracts.transcripts import (
    Audit,
    ConfidenceChange,
    Disagreement,
    Falsifier,
    Indicator,
    Judgement,
    Side,
    Turn,
)
from flows.errors import UsageError
from flows.reports import charts
from flows.reports.chart_data import Bar, ChartData, Mark, PercentilePoint, read_chart_data
from flows.reports.checked import with_report_checks
from flows.reports.render import render_html, render_layer, render_markdown, write_report
from flows.reports.segments import claim_parts, plain, quantity
from flows.reports.templating import escape_markdown
from flows.reports.view import build_view
from flows.reports.words import DISCLAIMER, OFFLINE_NOTE, SAMPLE_NOTE
from flows.truth.consequences import segments
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
    assert "~~28.5倍~~（应为18.5倍）" in render_markdown(view)
    assert "28.5倍</del><ins>（应为18.5倍）</ins>" in render_html(view, ChartData())


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
    parts = claim_parts(said, (good,))
    assert [s.text for s in parts["basis"] if s.verdict] == ["18.5倍"]
    assert "".join(plain(part) for part in parts.values()) == said.text


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


WRONG = "市盈率(TTM)为28.5倍"
RIGHT = "市盈率(TTM)为18.5倍"


def spoken(text: str) -> dict[str, object]:
    """A debate that says *text* in every place a report has."""
    conclusion = transcript().conclusion
    assert conclusion is not None
    items = {"metric": "pe_ttm", "unit": "x", "due_date": None}
    return {
        "claims": (claim(basis=f"{text}。"),),
        "conclusion": conclusion.model_copy(
            update={"warning": f"{text}。", "core": f"{text}。", "points": (f"{text}。",), "title": f"{text}之争"}
        ),
        "disagreements": (
            Disagreement(
                disagreement_id="d1", for_value=None, against_value=None, for_probability=None,
                assumption=f"{text}。", **items,
            ),
        ),
        "indicators": (Indicator(indicator_id="i1", description=f"{text}。", threshold=18.5, direction="", **items),),
        "falsifiers": (
            Falsifier(
                falsifier_id="f1", side=Side.FOR, description=f"{text}。", operator=None, threshold=None, **items
            ),
        ),
        "audits": (Audit(claim_id="r1-bull-1", fallacy="滑坡", explanation=f"{text}。"),),
    }  # fmt: skip


def sections(markdown: str) -> dict[str, str]:
    """Heading → text of its section; what stands above the first is under the empty heading."""
    parts = re.split(r"^##+ (.+)$", markdown, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


@pytest.mark.parametrize(
    "where",
    ["", "避雷提醒", "五点摘要", "核心结论", "分歧在哪个数字上", "什么情况说明谁错了", "接下来看哪些数字", "审计"],
)
def test_a_wrong_number_is_struck_in_every_section(where: str):
    view = build_view(with_report_checks(transcript(**spoken(WRONG)), pack()), pack(), EVENING)
    assert "~~28.5倍~~（应为18.5倍" in sections(render_markdown(view))[where]
    assert "没有发现不符" in render_markdown(build_view(transcript(**spoken(RIGHT)), pack(), EVENING))


def test_nothing_is_struck_where_every_section_is_right():
    view = build_view(with_report_checks(transcript(**spoken(RIGHT)), pack()), pack(), EVENING)
    assert "~~" not in render_markdown(view)
    assert "<del" not in render_html(view, ChartData())


def test_a_wrong_present_value_of_ours_is_struck_too():
    held = transcript(indicators=(Indicator(**spoken(RIGHT)["indicators"][0].model_dump() | {"threshold": 38.24}),))  # type: ignore[index]
    told = sections(render_markdown(build_view(held, pack(), EVENING)))["接下来看哪些数字"]
    assert "~~38.24倍~~（应为18.5倍" in told


def test_coverage_counts_what_was_checked_and_what_was_struck():
    said = spoken(WRONG)
    [argument] = said["claims"]  # type: ignore[misc]
    wrong = check("28.5倍", argument.text, CheckVerdict.MISMATCH, claim_id="r1-bull-1", expected=18.5, unit="x")
    held = with_report_checks(transcript(**said, checks=(wrong,)), pack())
    page = render_markdown(build_view(held, pack(), EVENING))
    assert "数字与比较 11 处，划去不符或不实的 9 处" in page
    assert page.count("~~") == 2 * 9
    html = render_html(build_view(held, pack(), EVENING), ChartData())
    assert "划去不符或不实的 9 处" in html
    assert html.count("<del") == 9


def judged(reason: str) -> dict[str, object]:
    """A judge and a moderator who put *reason* into a mouth; only the debate's own check knows it is not so."""
    reading = Judgement(
        order="for_first", verdict="for", for_score=None, against_score=None, dimensions={},
        reasons=(f"{reason}。", "两边都有公告。"), cited_claim_ids=(),
    )  # fmt: skip
    turns = (
        Turn(
            turn_no=3, round_no=2, role="moderator", act="moderate", status="ok", speech=f"上一轮：{reason}。\n请答。"
        ),
        Turn(turn_no=4, round_no=3, role="judge", act="judge", status="ok", speech=f"{reason}。\n两边都有公告。"),
    )
    failed = {"verdict": CheckVerdict.UNSUPPORTED, "reason": "空方没有这样的论点（内容对不上）"}
    checks = tuple(check(reason, f"{reason}。", claim_id=f"turn-{turn.turn_no}", **failed) for turn in turns)
    return {"judgements": (reading,), "turns": turns, "checks": checks}


def test_what_judge_and_moderator_put_into_a_mouth_is_struck_with_the_reason_beside():
    view = view_of(**judged("空方承认估值不高"))
    marked = "~~空方承认估值不高~~（空方没有这样的论点〔内容对不上〕）"
    told = sections(render_markdown(view))
    assert marked in told["裁判怎么看"]
    assert marked in told["逐轮记录"]
    assert "划去不符或不实的 2 处" in told[""]
    page = render_html(view, ChartData())
    assert page.count("空方承认估值不高</del>") == 2


def test_an_argument_stands_once_and_is_only_named_in_the_record():
    said = claim()
    speech = f"立场：支持命题。\n{said.claim_id}｜估值｜{said.text}（E1）\n预判：对方会谈增长。"
    turn = Turn(turn_no=2, round_no=1, role="bull", act="argue", status="ok", speech=speech)
    told = sections(render_markdown(view_of(claims=(said,), turns=(turn,))))["逐轮记录"]
    assert "多方 · 立论：r1-bull-1（见论据）" in told
    assert "预判：对方会谈增长。" in told
    assert "18.5倍" not in told


def test_a_claim_that_failed_is_never_under_the_conclusion():
    said = claim(basis="市盈率(TTM)为28.5倍。")
    wrong = check("28.5倍", said.text, CheckVerdict.MISMATCH, claim_id=said.claim_id, expected=18.5, unit="x")
    assert view_of().rests_on == ("r1-bull-1",)
    assert view_of(claims=(said,), checks=(wrong,)).rests_on == ()


def test_an_id_that_ends_in_digits_is_no_number():
    held = transcript(debate_id="600999.SH-20261127-bull_bear-270006b3")
    page = render_markdown(build_view(held, pack(), EVENING))
    assert "辩论编号 `600999.SH-20261127-bull_bear-270006b3`" in page
    assert "没有发现不符" in page


def test_a_fact_is_a_footnote_with_name_date_and_link():
    said = fact(
        sentence="2026Q3净利润同比下降1.96%（2026-10-22披露，演示财务指标）。", field="net_profit_yoy_pct", value=-1.96,
        unit="pct", source="演示财务指标", url="https://example.com/a_(1).pdf?x=1&y=2", period="2026Q3",
    )  # fmt: skip
    view = build_view(transcript(), pack(said), EVENING)
    assert (
        "- **E1** 2026Q3净利润同比下降1.96% —— 演示财务指标，数据，2026-10-22披露，"
        "[原文](https://example.com/a_%281%29.pdf?x=1&y=2)" in render_markdown(view)
    )
    page = render_html(view, ChartData())
    assert 'href="https://example.com/a_%281%29.pdf?x=1&amp;y=2"' in page


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "//host/x", 'https://x/"onmouseover=1', None]
)
def test_only_a_plain_web_address_is_linked(url: str | None):
    view = build_view(transcript(), pack(fact(url=url)), EVENING)
    assert "原文](" not in render_markdown(view)
    assert "原文</a>" not in render_html(view, ChartData())


@pytest.mark.parametrize(
    ("protocol", "names"),
    [("bull_bear", ("多方", "空方")), ("four_stance", ("多方", "空方")), ("targeted", ("正方", "反方"))],
)
def test_sides_have_one_name_each(protocol: str, names: tuple[str, str]):
    role = "pro" if protocol == "targeted" else "bull"
    told = render_markdown(view_of(protocol=protocol, claims=(claim(role=role),)))
    assert f"## {names[0]}论据" in told
    assert f"## {names[1]}论据" in told
    assert set(re.findall("(?<!双)[多空正反]方", told)) == set(names)


def test_times_are_minutes_of_shanghai():
    told = render_markdown(build_view(transcript(), pack(), EVENING.astimezone(UTC)))
    assert "生成于 2026-11-27 20:30" in told


def test_tables_become_cards_on_a_phone():
    page = render_html(build_view(transcript(**spoken(RIGHT)), pack(), EVENING), ChartData(bars(120)))
    assert 'data-label="多方预期"' in page
    assert page.count("前复权日线（元）") == 2
    assert page.count('class="up"') == 120 + charts.NARROW.sessions


class Store:
    """Answers the chart's queries of a stock with five bars and the given percentiles."""

    def __init__(self, **percentiles: float | None) -> None:
        self._percentiles = percentiles
        self._rows: list[tuple[object, ...]] = []

    def execute(self, query: str, _parameters: object = None) -> "Store":
        if "adjusted_bars_asof" in query:
            self._rows = [(b.trade_date, b.open_cny, b.high_cny, b.low_cny, b.close_cny) for b in reversed(bars(5))]
        elif "valuation_percentiles" in query:
            value = next((v for column, v in self._percentiles.items() if column in query), None)
            self._rows = [(bar.trade_date, value) for bar in bars(5)]
        else:
            self._rows = []
        return self

    def fetchall(self) -> list[tuple[object, ...]]:
        return self._rows


@pytest.mark.parametrize(
    ("store", "named"),
    [
        (Store(pe_ttm_pct_3y=60.0, pb_pct_3y=5.0), "市盈率(TTM)近3年分位"),
        (Store(pe_ttm_pct_1y=60.0, pb_pct_3y=5.0), "市盈率(TTM)近1年分位"),
        (Store(pb_pct_3y=5.0), "市净率近3年分位"),
        (Store(), "没有估值分位"),
    ],
)
def test_a_loss_maker_is_shown_by_its_book_value(store: Store, named: str):
    data = read_chart_data(store, "600999.SH", bars(5)[-1].trade_date)
    assert [bar.trade_date for bar in data.bars] == [bar.trade_date for bar in bars(5)]
    assert named in charts.candles(data, "示例")


def test_a_filing_from_before_the_picture_is_left_out_of_it():
    data = ChartData(bars(120), filings=(Mark(bars(120)[0].trade_date, "公告"),))
    assert charts.candles(data, "示例").count("mark-filing") == 1
    assert charts.candles(data, "示例", charts.NARROW).count("mark-filing") == 0


def bars(n: int) -> tuple[Bar, ...]:
    return tuple(Bar(date(2026, 1, 1) + timedelta(days=i), 10 + i, 12 + i, 9 + i, 11 + i) for i in range(n))


def test_a_session_without_percentile_breaks_the_line():
    days = [bar.trade_date for bar in bars(5)]
    points = tuple(PercentilePoint(d, None if i == 2 else 50.0) for i, d in enumerate(days))
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
        (123_450_000.0, "CNY", "1.23亿元"), (18.5, "x", "18.50倍"), (-6.8, "pct", "-6.80%"),
        (9.5, "CNY/share", "9.50元"), (12_000.0, "shares", "1.20万股"), (3.0, "没有的单位", "3.00没有的单位"),
    ],
)  # fmt: skip
def test_quantities_are_written_as_the_facts_write_them(value: float, unit: str, shown: str):
    assert quantity(value, unit) == shown
