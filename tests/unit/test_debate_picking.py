"""Which facts are argued with: no window picked against another, nothing told twice, no title beside its sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flows.debate.offline.bundles import bundles
from flows.debate.offline.picking import is_retold, opposite_window, percentiles_of_one_window, without_titles
from flows.debate.offline.reading import Scene, Seen
from tests.unit.debate_fakes import hold
from tests.unit.debate_packs import DAY


def seen(number: int, sentence: str, metric: str | None = None, value: float | None = None, **more: str) -> Seen:
    told = {"kind": "数据", "polarity": "0", "dimension": "基本面", **more}
    return Seen(f"E{number}", told["polarity"], sentence, told["dimension"], told["kind"], DAY, metric, value)


def scene(*facts: Seen) -> Scene:
    _, gate = hold()
    return replace(gate.scenes[0], facts=facts, claims=())


def returned(number: int, days: int, value: float) -> Seen:
    word, sign = ("上涨", "+") if value > 0 else ("下跌", "-")
    sentence = f"近{days}日{word}{abs(value):.2f}%"
    return seen(number, sentence, f"return_{days}d_pct", value, polarity=sign, dimension="技术")


def test_a_rise_names_the_longer_window_in_which_the_price_fell() -> None:
    up, fell, fell_long = returned(1, 5, 7.44), returned(2, 20, -6.48), returned(3, 60, -12.0)
    made = bundles(scene(up, fell, fell_long), is_for=True)
    assert [fact.id for fact in made[0].facts] == ["E1", "E3"]
    assert made[0].lines.conclusions == ("股价{up}上涨，{down}下跌",)


@pytest.mark.parametrize("other", [0.5, -0.5, 12.0])
def test_a_window_that_hardly_moved_or_moved_the_same_way_is_not_opposed(other: float) -> None:
    up = returned(1, 20, 8.0)
    assert opposite_window([up], [up, returned(2, 60, other)]) is None


@pytest.mark.parametrize(("averages", "argued"), [((9.0, 9.5), 1), ((9.0, 10.5), 0), ((10.0, 9.0), 0)])
def test_a_close_is_above_its_averages_only_if_above_all_that_are_shown(
    averages: tuple[float, float], argued: int
) -> None:
    facts = [
        seen(1, "收盘价为10.00元", "close_cny", 10.0),
        seen(2, f"60日均线为{averages[0]:.2f}元", "ma_60_cny", averages[0]),
        seen(3, f"250日均线为{averages[1]:.2f}元", "ma_250_cny", averages[1]),
    ]
    assert len(bundles(scene(*facts), is_for=True)) == argued


def placed(number: int, multiple: str, name: str, years: int, value: float) -> Seen:
    sentence = f"{name}处于近{years}年{value:.2f}%分位（有效观测727个）"
    return seen(number, sentence, f"{multiple}_pct_{years}y", value, polarity="+", dimension="估值")


def test_multiples_are_argued_once_in_the_window_most_of_them_share() -> None:
    facts = [
        placed(1, "pe_ttm", "市盈率(TTM)", 1, 5.0), placed(2, "pb", "市净率", 1, 6.0),
        placed(3, "pe_ttm", "市盈率(TTM)", 3, 4.0), placed(4, "pb", "市净率", 3, 3.0),
        placed(5, "ps_ttm", "市销率(TTM)", 5, 2.0),
    ]  # fmt: skip
    assert [fact.id for fact in percentiles_of_one_window(facts)] == ["E3", "E4"]
    assert len(bundles(scene(*facts), is_for=True)) == 1


def test_one_multiple_is_argued_with_its_windows() -> None:
    facts = [
        placed(1, "pb", "市净率", 1, 6.0),
        placed(2, "pb", "市净率", 3, 3.0),
        placed(3, "pe_ttm", "市盈率(TTM)", 5, 2),
    ]
    assert [fact.id for fact in percentiles_of_one_window(facts)] == ["E1", "E2"]


BOOKS = seen(1, "2026年前三季度净利润同比增长47.77%")
DEAL = seen(2, "公告《中标公告》第1页：中标金额为人民币1.86亿元", kind="公告")


@pytest.mark.parametrize(
    ("sentence", "kind", "retold"),
    [
        ("新闻：某公司前三季度净利润同比增长47.77%", "新闻", True),
        ("新闻：某公司中标智能产线项目 金额1.86亿元", "新闻", True),
        ("新闻：某公司中标项目 金额1.86亿元 前三季度净利润同比增长47.77%", "新闻", True),
        ("新闻：某公司中标第二个项目 金额2.10亿元", "新闻", False),
        ("新闻：某公司毛利率同比上升7.77%", "新闻", False),
        ("新闻：某公司新产线投产", "新闻", False),
        ("公告《三季报》第2页：净利润同比增长47.77%", "公告", True),
        ("公告《进展公告》第1页：中标金额为1.86亿元", "公告", False),
        ("卖方研报：净利润同比增长47.77%", "研报", False),
    ],
)
def test_a_report_that_only_repeats_figures_of_better_evidence_is_not_argued(
    sentence: str, kind: str, *, retold: bool
) -> None:
    assert is_retold(seen(3, sentence, kind=kind), [BOOKS, DEAL, seen(3, sentence, kind=kind)]) is retold


def test_the_title_of_a_quoted_document_says_nothing_more() -> None:
    body = seen(1, "公告《减持的预披露公告》第1页：拟减持不超过总股本的2.00%", kind="公告")
    title = seen(2, "公告（增减持）《减持的预披露公告》", kind="公告")
    other = seen(3, "公告（增减持）《减持计划实施完毕的公告》", kind="公告")
    assert without_titles([body, title, other]) == [body, other]
    assert without_titles([title, other]) == [title, other]
