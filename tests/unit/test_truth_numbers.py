"""The number grammar of PRODUCT T1 as a table: what is written → what is read, and what is no quantity."""

from __future__ import annotations

from itertools import pairwise

import cn2an
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.contracts.units import Unit
from flows.truth.grammar.numbers import Kind, Quantity, Rough, find_quantities, normalise
from flows.truth.grammar.numerals import read_number

CNY, PCT, PP, X, SHARES = Unit.CNY, Unit.PCT, Unit.PP, Unit.MULTIPLE, Unit.SHARES


def the(text: str) -> Quantity:
    """The one number of *text*."""
    (found,) = find_quantities(text)
    return found


#: text, value, unit, step of the last digit written
LEVELS = [
    ("1.23亿元", 1.23e8, CNY, 1e6), ("12345万元", 1.2345e8, CNY, 1e4), ("1.2万亿元", 1.2e12, CNY, 1e11),
    ("5千万元", 5e7, CNY, 1e7), ("1,234,567.89元", 1234567.89, CNY, 0.01), ("12.5 亿元", 1.25e9, CNY, 1e7),
    ("12.5亿", 1.25e9, "", 1e7), ("3亿5000万元", 3.5e8, CNY, 1e7), ("三亿五千万元", 3.5e8, CNY, 1e7),
    ("十二点五亿元", 1.25e9, CNY, 1e7), ("二十三倍", 23, X, 1), ("十倍", 10, X, 1), ("两千万股", 2e7, SHARES, 1e6),
    ("十七亿一千七百万元", 1.717e9, CNY, 1e6), ("17亿1700万元", 1.717e9, CNY, 1e6),
    ("三亿五千零二十万元", 3.502e8, CNY, 1e5),
    ("１２．５％", 12.5, PCT, 0.1), ("６．８亿元", 6.8e8, CNY, 1e7), ("－６．８％", -6.8, PCT, 0.1),
    ("6.8%", 6.8, PCT, 0.1), ("6.80%", 6.8, PCT, 0.01), ("3.5‰", 0.35, PCT, 0.01), ("百分之十二点五", 12.5, PCT, 0.1),
    ("千分之三", 0.3, PCT, 0.1), ("三分之一", 100 / 3, PCT, 1), ("三成", 30, PCT, 10), ("三成五", 35, PCT, 1),
    ("9成", 90, PCT, 10), ("1.5pct", 1.5, PP, 0.1), ("1.5个百分点", 1.5, PP, 0.1), ("25bp", 0.25, PP, 0.01),
    ("25个基点", 0.25, PP, 0.01), ("18.5倍", 18.5, X, 0.1), ("18.5x", 18.5, X, 0.1), ("1.3 倍", 1.3, X, 0.1),
    ("3000万股", 3e7, SHARES, 1e4), ("5000手", 5e5, SHARES, 100), ("0.73元/股", 0.73, Unit.CNY_PER_SHARE, 0.01),
    ("12个交易日", 12, Unit.SESSIONS, 1), ("第35名", 35, Unit.RANK, 1), ("50.2点", 50.2, Unit.INDEX, 0.1),
    ("2.5亿美元", 2.5e8, "美元", 1e7), ("3万吨", 3e4, "吨", 1e4), ("-6.8%", -6.8, PCT, 0.1), ("+3.2%", 3.2, PCT, 0.1),
    ("负3.2%", -3.2, PCT, 0.1), ("−3.2%", -3.2, PCT, 0.1), ("市盈率18.5", 18.5, "", 0.1), ("流动比率1.8", 1.8, "", 0.1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "unit", "step"), LEVELS, ids=[row[0] for row in LEVELS])
def test_level_is_read_with_its_unit_and_its_rounding(text: str, value: float, unit: str, step: float) -> None:
    found = the(text)
    assert found.kind is Kind.QUANTITY
    assert (found.value, found.unit, found.step) == (pytest.approx(value), unit, pytest.approx(step))


#: text, signed value, whether the direction only says how a level was reached
DIRECTED = [
    ("下降6.8%", -6.8, False), ("下降-6.8%", -6.8, False), ("增长了12.3%", 12.3, False),
    ("同比减少约3.1%", -3.1, False), ("6.8%的跌幅", -6.8, False), ("跌幅6.8%", -6.8, False), ("涨幅达6.8%", 6.8, False),
    ("回落1.5个百分点", -1.5, False),
    ("净流出5430万元", -5.43e7, False), ("净流入5430万元", 5.43e7, False), ("亏损1.2亿元", -1.2e8, False),
    ("降至6.8%", 6.8, True), ("升到18.5倍", 18.5, True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "signed", "is_target"), DIRECTED, ids=[row[0] for row in DIRECTED])
def test_direction_word_is_the_sign_unless_it_leads_to_a_level(text: str, signed: float, is_target: bool) -> None:
    found = the(text)
    assert found.direction != 0
    assert found.is_target is is_target
    assert found.signed(found.value) == pytest.approx(signed)


@pytest.mark.parametrize(
    ("text", "value"), [("翻番", 100), ("翻一番", 100), ("翻了两番", 300), ("腰斩", -50), ("减半", -50)]
)
def test_doubling_and_halving_are_growth_in_percent(text: str, value: float) -> None:
    found = the(text)
    assert (found.value, found.unit, found.rough) == (value, PCT, Rough.ABOUT)


@pytest.mark.parametrize("text", ["由盈转亏", "扭亏为盈", "千方百计", "万一如此", "一季报尚未披露时"])
def test_words_without_a_number_yield_no_quantity(text: str) -> None:
    assert [q for q in find_quantities(text) if q.is_quantity] == []


RANGES = [
    ("3-4亿元", 3e8, 4e8, CNY), ("3亿元-4亿元", 3e8, 4e8, CNY), ("3.2亿元至4.1亿元", 3.2e8, 4.1e8, CNY),
    ("12%~15%", 12, 15, PCT), ("15%-20%", 15, 20, PCT), ("-5%至3%", -5, 3, PCT), ("15到20倍", 15, 20, X),
]  # fmt: skip


@pytest.mark.parametrize(("text", "low", "high", "unit"), RANGES, ids=[row[0] for row in RANGES])
def test_range_is_one_quantity_with_both_ends(text: str, low: float, high: float, unit: str) -> None:
    found = the(text)
    assert (found.value, found.high, found.unit) == (low, high, unit)


HEDGES = [
    ("约1.23亿元", Rough.ABOUT), ("1.23亿元左右", Rough.ABOUT), ("逾3000万股", Rough.OVER), ("超过15%", Rough.OVER),
    ("20余家", Rough.OVER), ("30%以上", Rough.OVER), ("近20亿元", Rough.NEARLY), ("不足1%", Rough.UNDER),
    ("≥60%", Rough.ABOVE), ("低于20倍", Rough.BELOW), ("1.23亿元", Rough.EXACT),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rough"), HEDGES, ids=[row[0] for row in HEDGES])
def test_hedge_goes_with_its_number(text: str, rough: Rough) -> None:
    assert the(text).rough is rough


NO_QUANTITIES = [
    *((t, Kind.DATE) for t in ("2026-11-27", "2026年11月27日",
                               "11月27日", "2026/11/27", "20261127", "二〇二五年三月")),
    ("08-10（一）", Kind.DATE),
    ("14:30", Kind.TIME), ("2026-11-27 20:30", Kind.DATE),
    *((t, Kind.PERIOD) for t in (
        "2025Q3", "2025年三季报", "2025年前三季度", "上半年", "2025H1", "1-9月",
        "三季报", "2025年", "2025年度", "25Q3", "第三季度",
    )),
    *((t, Kind.WINDOW) for t in ("近20日", "近三年", "近52周", "20/50/200日", "连续三季", "未来6个月")),
    ("过去5个交易日", Kind.WINDOW),
    ("第三轮", Kind.ORDINAL), ("第二大", Kind.ORDINAL),
    *((t, Kind.SCORE) for t in ("置信度 6/10", "评分 82分", "置信度从55%升至60%", "8/10")),
    *((t, Kind.CODE) for t in ("600519", "600519.SH", "sh600519", "r1-bull-2", "5G", "https://a.example/1")),
    ("00700.HK", Kind.CODE),
    ("E12", Kind.FACT_ID), ("E1、E2、E31", Kind.FACT_ID),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), NO_QUANTITIES, ids=[row[0] for row in NO_QUANTITIES])
def test_number_that_is_no_quantity_is_told_apart(text: str, kind: Kind) -> None:
    found = the(text)
    assert (found.text, found.kind) == (text, kind)


@pytest.mark.parametrize(
    "text", ["1. 要点", "1）要点", "（二）要点", "①要点", "- 2. **要点**", "二、估值", "见下：3、结论"]
)
def test_list_number_is_no_quantity(text: str) -> None:
    assert the(text).kind is Kind.LIST_NUMBER


def test_small_counts_in_running_text_are_turns_of_speech() -> None:
    assert [q.kind for q in find_quantities("两家公司都指出一点：三个理由。")] == [Kind.ORDINAL] * 3


def test_number_with_several_faces_in_one_sentence() -> None:
    text = "1. 600519.SH 2025Q3（截至2025-09-30）净利润约12.35亿元，同比下降6.8%，近20日20日均线上方[E7]。"
    found = {q.text: q.kind for q in find_quantities(text)}
    quantities = [t for t, kind in found.items() if kind is Kind.QUANTITY]
    assert quantities == ["12.35亿元", "下降6.8%"]
    assert found["2025Q3"] is Kind.PERIOD
    assert found["2025-09-30"] is Kind.DATE
    assert found["E7"] is Kind.FACT_ID


def test_per_ten_shares_keeps_the_amount_and_the_base_apart() -> None:
    found = [(q.value, q.unit) for q in find_quantities("每10股派3.5元（含税）") if q.is_quantity]
    assert found[-1] == (3.5, CNY)
    assert all(unit in {CNY, SHARES} for _, unit in found)


def test_offsets_refer_to_the_text_as_given() -> None:
    text = "净利润１２．３５亿元，　同比下降６．８％。"
    found = [q for q in find_quantities(text) if q.is_quantity]
    assert [text[q.start : q.end] for q in found] == ["１２．３５亿元", "下降６．８％"]
    assert len(normalise(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一万二千股", 12_000),
        ("三十五万股", 350_000),
        ("一百零五万股", 1_050_000),
        ("二千三百万股", 23_000_000),
    ],
)
def test_mixed_chinese_scales_are_one_number(text: str, value: float) -> None:
    assert [q.value for q in find_quantities(text)] == [value]


@given(st.integers(1, 9999), st.sampled_from(["", "万", "亿"]))
def test_chinese_integers_agree_with_another_reader(number: int, scale: str) -> None:
    written = cn2an.an2cn(number, "low")
    size = {"": 1, "万": 1e4, "亿": 1e8}[scale]
    assert read_number(f"{written}{scale}")[0] == pytest.approx(number * size)


@given(st.decimals(0, 99999, places=3), st.sampled_from(["", "万", "亿", "万亿"]), st.integers(0, 3))
def test_written_number_is_within_half_a_step_of_its_value(value: object, scale: str, places: int) -> None:
    written = f"{value:.{places}f}{scale}元"
    found = the(written)
    size = {"": 1, "万": 1e4, "亿": 1e8, "万亿": 1e12}[scale]
    assert found.step == pytest.approx(10**-places * size)
    assert abs(found.value - float(str(value)) * size) <= found.step * 0.5000001


@pytest.mark.parametrize("text", ["净利润0万万元", "3亿万"])
def test_nonsense_scale_does_not_stop_the_reader(text: str) -> None:
    assert isinstance(find_quantities(text), list)


_LETTERS = "0123456789.,%-+年月日元股倍第至近约下降增长（）E |\n一二三Qq"


@given(st.lists(st.one_of(st.text(_LETTERS, max_size=6), st.sampled_from(["3万元", "1.2亿", "五千万股"])), max_size=8))
def test_any_text_is_read_without_overlap(parts: list[str]) -> None:
    text = "，".join(parts)
    found = find_quantities(text)
    assert all(text[q.start : q.end] == q.text for q in found)
    assert all(a.number_start < b.number_start for a, b in pairwise(found))
