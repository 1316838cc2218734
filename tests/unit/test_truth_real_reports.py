"""A machine-written report against the database its model was given, and the sixteen claims a person labelled."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from datetime import UTC, date, datetime
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest

from flows.contracts.checks import Check
from flows.contracts.packs import Dimension, Fact, FactKind
from flows.contracts.units import Unit
from flows.truth.verify import verify_document
from tests.real_data import REAL, needs_real

pytestmark = [pytest.mark.real, needs_real]
FOLDER = REAL / "llm_reports"
SYMBOL, NAME = "600519.SH", "贵州茅台"
LAST = date(2026, 3, 13)


def _fact(number: int, field: str, value: float, unit: Unit, words: str) -> Fact:
    return Fact(
        id=f"E{number}", sentence=f"{words}为{value:g}", field=field, value=value, unit=unit, as_of=LAST,
        published_at=datetime(2026, 3, 13, 10, tzinfo=UTC), source="stock_analysis.db",
        dimension=Dimension.TECHNICAL, kind=FactKind.DATA, subject=SYMBOL,
    )  # fmt: skip


def _wilder_rsi(closes: list[float], length: int) -> float:
    moves = [b - a for a, b in pairwise(closes)]
    up, down = fmean(max(m, 0) for m in moves[:length]), fmean(max(-m, 0) for m in moves[:length])
    for move in moves[length:]:
        up, down = (up * (length - 1) + max(move, 0)) / length, (down * (length - 1) + max(-move, 0)) / length
    return 100 - 100 / (1 + up / down)


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """What the model was given: bars, the quote, the chip distribution; averages recomputed from the bars."""
    connection = sqlite3.connect(f"file:{FOLDER / 'a' / 'stock_analysis.db'}?mode=ro&immutable=1", uri=True)
    closes = [row[0] for row in connection.execute("select close from stock_daily order by date")]
    (snapshot,) = connection.execute("select context_snapshot from analysis_history").fetchone()
    connection.close()
    context: dict[str, Any] = json.loads(snapshot)
    quote, chips = context["realtime_quote"], context["chip_distribution"]
    rows = [
        ("close_cny", closes[-1], Unit.CNY_PER_SHARE, "收盘价"), ("change_pct", quote["change_pct"], Unit.PCT,
        "当日涨跌幅"),
        *((f"ma_{n}_cny", fmean(closes[-n:]), Unit.CNY_PER_SHARE, f"{n}日均线") for n in (5, 10, 20)),
        ("rsi_14", _wilder_rsi(closes, 12), Unit.INDEX, "RSI"), ("volume_ratio_5d", quote["volume_ratio"],
        Unit.MULTIPLE, "量比"),
        ("pe_ttm", quote["pe_ratio"], Unit.MULTIPLE, "市盈率"), ("pb", quote["pb_ratio"], Unit.MULTIPLE, "市净率"),
        ("turnover_pct", quote["turnover_rate"], Unit.PCT, "换手率"), ("chips.profit_ratio",
        chips["profit_ratio"] * 100, Unit.PCT, "获利比例"),
        ("chips.avg_cost", chips["avg_cost"], Unit.CNY_PER_SHARE, "平均成本"), ("chips.concentration_90",
        chips["concentration_90"] * 100, Unit.PCT, "集中度"),
    ]  # fmt: skip
    return [_fact(n, *row) for n, row in enumerate(rows, 1)]


#: The labelled claims as the report (or the field of the database) words them.
CLAIMS = {
    1: "当前价 1413.64", 2: "MA5 1400.9", 3: "MA10 1407.3", 4: "MA20 1448.69", 5: "乖离率(MA5) 0.91%",
    6: "RSI指标处于超卖区间(21.5)",
    7: "PE估值(19.66x)", 8: "PE估值处于历史相对低位", 9: "获利比例 23.22",
    10: "集中度 6.59", 11: "量比 1.17 (温和放量)",
    12: "ma5 1404.232", 13: "量比 113.757", 14: "放量下跌",
    15: "最高 23.85 / 最低 24.02 (收盘 24.02, 开盘 24.37)", 16: "振幅 -0.70%",
}  # fmt: skip


def _labels() -> dict[int, bool]:
    """Number → whether the label calls the claim true; the ambiguous one counts as not supported."""
    with (FOLDER / "labelled_number_claims.tsv").open(encoding="utf-8") as lines:
        return {int(row["id"]): row["verdict"].startswith("true") for row in csv.DictReader(lines, delimiter="\t")}


def _check(text: str, facts: list[Fact]) -> tuple[Check, ...]:
    return verify_document(text, facts, subject=SYMBOL, names={NAME: SYMBOL}).checks


def test_labelled_claims_are_judged_as_labelled(facts: list[Fact], record_property: Any) -> None:
    wrong = {}
    for number, is_true in _labels().items():
        checks = _check(CLAIMS[number], facts)
        holds = bool(checks) and not any(c.verdict.is_failure for c in checks)
        record_property(
            f"claim {number}", f"{CLAIMS[number]} -> {[(c.text, c.verdict.value, c.fact_id) for c in checks]}"
        )
        if holds != is_true:
            wrong[number] = [(c.text, c.verdict.value, c.reason) for c in checks]
    assert len(wrong) <= 1, wrong


def test_impossible_bar_and_amplitude_are_wrong_without_any_fact(facts: list[Fact]) -> None:
    reasons = {c.reason for n in (15, 16) for c in _check(CLAIMS[n], facts) if c.verdict.is_failure}
    assert "最高价低于收盘价" in reasons
    assert "这一指标不可能为负" in reasons


def test_false_unit_mix_names_the_right_value(facts: list[Fact]) -> None:
    (check,) = [c for c in _check(CLAIMS[13], facts) if c.verdict.is_failure]
    assert check.expected == pytest.approx(1.17)


def test_whole_report_separates_its_table_from_its_inventions(facts: list[Fact]) -> None:
    text = (FOLDER / "a" / "report_20260316.md").read_text(encoding="utf-8")
    result = verify_document(text, facts, subject=SYMBOL, names={NAME: SYMBOL})
    held = {c.text for c in result.checks if c.verdict.value in {"supported", "rounded", "derived"}}
    failed = {c.text for c in result.failures}
    assert {
        "1413.64",
        "1400.9",
        "1407.3",
        "1448.69",
        "0.91%",
        "1.17",
        "0.27%",
        "23.22",
        "1439.07",
        "6.59",
        "19.66x",
    } <= held
    assert {"21.5", "1370", "1380"} <= failed


@pytest.mark.parametrize("name", sorted(p.name for p in (FOLDER / "b").glob("*.md")) if FOLDER.is_dir() else [])
def test_negative_amplitudes_in_other_reports_are_flagged(name: str, facts: list[Fact]) -> None:
    text = (FOLDER / "b" / name).read_text(encoding="utf-8")
    failed = {c.text for c in verify_document(text, facts, subject=SYMBOL).failures}
    amplitudes = {
        cell.strip()
        for line in text.splitlines()
        if line.count("|") == 11
        for cell in [line.split("|")[8]]
        if re.match(r"-\d", cell.strip())
    }
    assert amplitudes
    assert amplitudes <= failed
