"""Form is repaired, content never: what is read equals what was written, or nothing is read (fault L1)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.debate.repair import Unreadable, read_object, without_think

REQUIRED = ("stance", "points")
GOOD = {"stance": "支持", "points": ["净利润下降6.8%"]}
TEXT = json.dumps(GOOD, ensure_ascii=False)


def read(text: str) -> dict[str, Any]:
    return read_object(text, REQUIRED).data


def cause(text: str) -> str:
    with pytest.raises(Unreadable) as caught:
        read(text)
    return caught.value.cause


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        (TEXT, ()),
        (f"\ufeff\n{TEXT}\n", ()),
        (f"<think>{{先}}列要点</think>{TEXT}", ("think",)),
        (f"<thinking>x</thinking>\n\n{TEXT}", ("think",)),
        (f"<think>a</think><think>b</think>{TEXT}", ("think",)),
        (f"```json\n{TEXT}\n```", ("prose",)),
        (f"```\n{TEXT}\n```\n以上。", ("prose",)),
        (f"根据{{材料}}：{TEXT}", ("prose",)),
        ('{"stance": "支持", "points": ["净利润下降6.8%",],}', ("trailing comma",)),
        ('｛"stance"："支持"，"points"：［"净利润下降6.8%"］｝', ("full-width",)),
        ("{“stance”: “支持”, “points”: [“净利润下降6.8%”]}", ("quotes",)),
        ("{'stance': '支持', 'points': ['净利润下降6.8%']}", ("quotes",)),
        ('{stance: "支持", points: ["净利润下降6.8%"]}', ("bare name",)),
        (f'{{"result": {TEXT}}}', ("wrapper",)),
        (f"[{TEXT}]", ("prose",)),
    ],
)
def test_form_is_repaired(text: str, repairs: tuple[str, ...]) -> None:
    reading = read_object(text, REQUIRED)
    assert reading.data == GOOD
    assert set(repairs) <= set(reading.repairs)
    assert bool(reading.repairs) == bool(repairs)


@pytest.mark.parametrize(
    "written",
    [
        "集合 {E1} 与 } 号",
        "他说：“增长”，其实是下降",
        "含 </think> 标签的原文",
        "```json 不是代码```",
        "逗号,] 与 ,} 在字符串里",
        "全角，：｛｝［］在字符串里",
    ],
)
def test_marks_inside_strings_are_content(written: str) -> None:
    plain = {"stance": "支持", "points": [written]}
    assert read(json.dumps(plain, ensure_ascii=False)) == plain
    loose = json.dumps(plain, ensure_ascii=False)[:-1] + ",}"
    assert read(loose) == plain


def test_quotation_marks_inside_a_string_stay_where_they_are() -> None:
    assert read('{"stance": "支持", "points": ["公司称"稳健"经营"]}')["points"] == ['公司称"稳健"经营']


def test_line_breaks_inside_a_string_stay() -> None:
    assert read('{"stance": "支持", "points": ["第一行\n第二行"]}')["points"] == ["第一行\n第二行"]


def test_numbers_and_constants_are_read_as_json_says() -> None:
    text = '{"stance": null, "points": [-6.8, 1e3, True, None, 0],}'
    assert read(text) == {"stance": None, "points": [-6.8, 1000.0, True, None, 0]}


@pytest.mark.parametrize("number", ["12.3%", "1.2亿", "+5", "1,5%", ".5", "0x1F", "NaN", "-Infinity", "一百", "12．3"])
def test_a_number_that_is_no_json_number_is_not_guessed(number: str) -> None:
    assert cause(f'{{"stance": "支持", "points": [{number}]}}')


def test_two_equal_answers_are_one() -> None:
    assert read(f"{TEXT}\n\n{TEXT}") == GOOD


def test_two_different_answers_are_none() -> None:
    assert "2 个不同的 JSON 回答" in cause(TEXT + TEXT.replace("支持", "反对"))


def test_a_name_written_twice_with_two_values_is_refused_in_strict_and_loose_json() -> None:
    assert "出现了两次" in cause('{"stance": "支持", "stance": "反对", "points": ["一"]}')
    assert "出现了两次" in cause('{"stance": "支持", "stance": "反对", "points": ["一"],}')


def test_an_example_beside_the_answer_is_not_the_answer() -> None:
    assert read(f'格式是 {{"name": "值"}}，我的回答：{TEXT}') == GOOD


@pytest.mark.parametrize(
    "text",
    [
        "<think>还在想",
        "<think>{}",
        '{"stance": "支持"',
        '{"stance": "支持", "points": ["净利',
        f"{TEXT} 不对，改为：{{",
    ],
)
def test_a_cut_answer_says_so(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert caught.value.is_truncated


@pytest.mark.parametrize("text", ["", "   ", "最终评级：卖出", "不要买入，回避", "Sell-off risk", "[]", "null", "42"])
def test_no_object_is_no_answer(text: str) -> None:
    assert cause(text)


def test_an_inner_object_of_a_broken_answer_is_not_taken_for_the_answer() -> None:
    broken = '{"stance": 支持, "points": [{"a": 1}]}'
    assert "有错" in cause(broken)
    with pytest.raises(Unreadable):
        read_object(broken)


def test_depth_is_bounded() -> None:
    assert "嵌套太深" in cause('{"a":' * 500 + "1" + "}" * 500 + ",")
    assert cause('{"a":' * 100_000)


def test_only_a_leading_think_block_is_thinking() -> None:
    assert without_think("<think>a</think> b") == ("b", True)
    assert without_think("b") == ("b", False)
    assert without_think("<think>a") == ("", True)


_scalars = st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=20)
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
_objects = st.dictionaries(st.text(max_size=8), _values, min_size=1, max_size=4)


@settings(max_examples=150, deadline=None)
@given(_objects, st.booleans())
def test_any_object_survives_fences_prose_and_a_trailing_comma(value: dict[str, Any], is_ascii: bool) -> None:
    plain = json.dumps(value, ensure_ascii=is_ascii)
    loose = plain[:-1] + ",}"
    for text in (plain, f"```json\n{plain}\n```", f"<think>好</think>{plain}", loose, f"好的。{loose}"):
        assert read_object(text, value.keys()).data == value


@settings(max_examples=150, deadline=None)
@given(_objects, st.data())
def test_no_beginning_of_an_answer_is_ever_read_as_the_answer(value: dict[str, Any], data: st.DataObject) -> None:
    plain = json.dumps(value, ensure_ascii=False)
    cut = plain[: data.draw(st.integers(0, len(plain) - 1))]
    with pytest.raises(Unreadable):
        read_object(cut, value.keys())
