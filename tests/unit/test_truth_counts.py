"""Days counted by what happened on them, ranks, and numbers that count nothing (PRODUCT T1, T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Fact
from flows.contracts.units import Unit
from flows.truth.binding import check_text
from flows.truth.grammar.numbers import Kind, find_quantities
from tests.factories import SYMBOL
from tests.unit.test_truth_binding import NAMES, of

COUNTED: tuple[Fact, ...] = (
    of(1, "up_days_60d", 31.0, Unit.SESSIONS, "近60日上涨31天。", "近60日"),
    of(2, "limit_up_days_60d", 4.0, Unit.SESSIONS, "近60日涨停4天。", "近60日"),
    of(3, "limit_down_days_60d", 2.0, Unit.SESSIONS, "近60日跌停2天。", "近60日"),
    of(4, "close_cny", 11.37, Unit.CNY_PER_SHARE, "收盘价为11.37元。"),
    of(5, "popularity_rank", 819.0, Unit.RANK, "人气排名第819名。"),
)
UP = [
    "近60日，公司有{n}天收涨。", "公司近60日中收红的日子合计{n}天。", "近60日里公司收涨{n}个交易日，体感未必一样。", "公司近60日收涨的有{n}个交易日。",
    "要问公司近60日红盘多少天，答案是{n}天。", "近60日，公司有{n}个交易日以红盘收市。", "公司近60日上涨的有{n}天。", "近60日{n}天上涨，主体是公司。",
]  # fmt: skip
LIMIT_UP = [
    "公司近60个交易日共有{n}天录得涨停。", "近60日之内，公司以涨停报收的日子数为{n}天。", "涨停这事，公司近60日发生过{n}天，怎么说。",
    "公司，近60日，涨停天数，{n}天，数据贴这儿了。", "涨停板出现的日子有{n}天，统计区间为近60日，标的为公司。", "近60日里，公司封板{n}次。",
]  # fmt: skip
LIMIT_DOWN = [
    "以跌停收盘的有{n}天，这是公司近60日的统计。", "公司在近60日里有{n}个交易日收于跌停。", "跌停统计：公司，近60日，{n}天。", "{n}天跌停，说的是公司近60日的记录。",
    "近60日跌停天数是多少？公司，{n}天。", "公司近60日有4天收于涨停、{n}天收于跌停。",
]  # fmt: skip


def fails(text: str) -> bool:
    return any(c.verdict.is_failure for c in check_text(text, COUNTED, cited=None, subject=SYMBOL, names=NAMES))


@pytest.mark.parametrize(
    ("template", "n"),
    [*((t, 31) for t in UP), *((t, 4) for t in LIMIT_UP), *((t, 2) for t in LIMIT_DOWN)],
)
def test_a_count_of_days_holds_only_with_its_number_window_and_company(template: str, n: int) -> None:
    right = template.format(n=n)
    assert not fails(right)
    assert fails(template.format(n=n + 10))
    assert fails(right.replace("近60", "近20"))
    assert fails(right.replace("公司", "海市蜃楼科技"))


def test_a_count_written_in_characters_is_checked_too() -> None:
    assert not fails("近60日公司涨停四天。")
    assert fails("近60日公司涨停六天。")


@pytest.mark.parametrize("text", ["涨停后3天公司回落。", "这三天公司都收红。", "公司跌停打开后的5个交易日里成交清淡。"])
def test_days_that_are_pointed_at_are_no_count(text: str) -> None:
    assert not fails(text)


@pytest.mark.parametrize(
    "template", ["论关注度，公司的名次是第{n}名。", "人气这块，公司排第{n}位。", "公司热度排在第{n}名。"]
)
def test_a_rank_is_one_of_attention(template: str) -> None:
    assert not fails(template.format(n=819))
    assert fails(template.format(n=719))


@pytest.mark.parametrize(
    "text",
    ["1、2023Q3：见下表", "1)2024年年报：见下表", "2.2025年三季报：见下表", "用百分点说：见下表", "百分位怎么看"],
)
def test_list_numbers_and_names_of_units_are_no_quantities(text: str) -> None:
    assert [q.text for q in find_quantities(text) if q.kind is Kind.QUANTITY] == []


def test_lines_that_begin_with_windows_stay_windows() -> None:
    assert [q.kind for q in find_quantities("5、10、20日均线")] == [Kind.WINDOW]
