"""Numbers that no fact states and the sentence's own arithmetic gives: sums, shares, growth, implied values, parts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.packs import Pack
from flows.truth.verify import verify_document

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
NAME = "乌有酒业"


@cache
def _pack() -> Pack:
    return Pack.model_validate_json((FIXTURES / "sample_pack_605901.json").read_text("utf-8"))


def _cases() -> list[tuple[str, str, str]]:
    lines = (FIXTURES / "truth_workings.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(verdict, kind, text) for verdict, kind, text in rows]


def _checks(text: str) -> tuple[Check, ...]:
    pack = _pack()
    facts = (*pack.facts, *pack.appendix)
    return verify_document(text, facts, subject=pack.symbol, names={NAME: pack.symbol}).checks


def _failed(text: str) -> list[tuple[str, str]]:
    return [(c.text, c.reason) for c in _checks(text) if c.verdict.is_failure]


@pytest.mark.parametrize(("verdict", "kind", "text"), _cases())
def test_sentence_of_an_outsider(verdict: str, kind: str, text: str) -> None:
    assert bool(_failed(text)) is (verdict == "wrong"), (kind, _failed(text))


def _formula(text: str, span: str) -> str | None:
    check = next(c for c in _checks(text) if c.text == span)
    assert check.verdict is CheckVerdict.DERIVED, check
    return check.formula


@pytest.mark.parametrize(
    ("text", "span", "formula"),
    [
        ("19.42倍市盈率配54.49元股价，倒推出滚动每股收益约2.81元。", "2.81元", "E1 / E29"),
        ("前三季度毛利约39.26亿元。", "39.26亿元", "E44 × E49"),
        ("收盘54.49元、涨0.42%，前一日收盘就是54.26元。", "54.26元", "E1 / (1 + E2)"),
        ("近三年里约八成半的交易日，市盈率都比现在高。", "八成半", "1 - E31"),
        ("按54.49元的收盘价估，控股股东这584万股值3.18亿元。", "3.18亿元", "E1 × E82"),
        ("瑶池饮品23.12倍，广寒乳业19.56倍，两者相差3.56倍。", "3.56倍", "E104 - E103"),
        ("距52周最高价64.17元还差9.68元，得涨17.8%才够得着。", "涨17.8%", "(E1 - E3) / E1"),
    ],
)
def test_formula_of_a_calculated_number_names_its_facts(text: str, span: str, formula: str) -> None:
    assert _formula(text, span) == formula


@pytest.mark.parametrize(
    "text",
    [
        "19.42倍市盈率配54.49元股价，倒推出滚动每股收益约2.91元。",
        "前三季度毛利约38.26亿元。",
        "收盘54.49元、涨0.42%，前一日收盘就是54.36元。",
        "近三年里约八成半的交易日，市盈率都比现在低。",
        "近三年里约七成半的交易日，市盈率都比现在高。",
        "市净率比近三年96%以上的交易日贵。",
        "按54.49元的收盘价估，控股股东这584万股值3.38亿元。",
        "瑶池饮品23.12倍，广寒乳业19.56倍，两者相差2.56倍。",
        "从17.17亿元到17.51亿元，前三季度少赚了3425万元。",
        "毛利率从75.97%收窄到74.28%，丢了1.96个百分点。",
        "20日均线比60日均线高3.03元。",
        "控股股东先后买了336万股和258万股。",
        "一年期LPR比五年期以上低了整整一个百分点。",
        "控股股东持股已过半。",
    ],
)
def test_wrong_arithmetic_is_flagged(text: str) -> None:
    assert _failed(text)


@pytest.mark.parametrize(
    "text",
    [
        "20日均线比60日均线低3.03元。",
        "控股股东离50%的线还差3.27个百分点。",
        "制造业PMI高出荣枯线0.9个点。",
        "盈利收益率比一年期LPR高出2.15个百分点。",
        "比起三年最高价65.28元，现在跌去了16.5%，也就是约六分之一。",
        "公司市净率是行业平均的1.42倍，溢价四成多。",
        "市盈率的三年分位比一年分位高近4个百分点。",
        "股价重回55元了吗？没有，收盘54.49元。",
        "营收与归母净利润同比一增一降，分别为0.30%和1.96%。",
    ],
)
def test_right_arithmetic_of_other_builds_is_left_alone(text: str) -> None:
    assert _failed(text) == []
