"""Relations between two values of a sentence, checked against the values however it is turned (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

POINTED_BACK = [
    ("二十日均线在54.12元，收盘54.49元，高于这条均线。", True), ("二十日均线在54.12元，收盘54.49元，低于这条均线。", False),
    ("挂在60日均线（57.15元）旁边看，收盘价54.49元低于均线。", True),
    ("挂在60日均线（57.15元）旁边看，收盘价54.49元高于均线。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), POINTED_BACK)
def test_an_average_without_its_days_is_the_one_named_before(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


SIDES = [
    ("MA60是57.15元，股价54.49元，还在均线之下。", True), ("MA60是57.15元，股价54.49元，已在均线之上。", False), ("60日均线57.15元，收盘54.49元在它下方。", True),
    ("60日均线57.15元，收盘54.49元在它上方。", False), ("收盘价54.49元并未跌破20日均线。", True), ("收盘价54.49元并未跌破60日均线。", False),
    ("股价没有站上60日均线。", True), ("股价没有站上20日均线。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), SIDES)
def test_the_side_of_an_average_is_read_from_close_and_average(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


DENIED = [
    ("归母净利润并未增长。", True), ("归母净利润并未下降。", False), ("营收没有下滑，同比增长0.30%。", True), ("营业收入没有增长。", False),
    ("毛利率没有提升。", True), ("毛利率没有下降。", False), ("近60日股价没有上涨。", True), ("近20日股价没有上涨。", False),
    ("公司没有破净，市净率3.42倍。", True), ("公司已经破净，市净率3.42倍。", False), ("破净？没有，市净率3.42倍。", True), ("公司未出现破净。", True),
    ("收盘54.49元，不低于20日均线54.12元。", True), ("收盘54.49元，不高于20日均线54.12元。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), DENIED)
def test_a_denied_move_is_a_claim_too(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


MULTIPLES = [
    ("市净率3.42倍，不到行业平均2.40倍的两倍。", True), ("公司市净率3.42倍，是行业平均2.40倍的两倍多。", False), ("市净率是行业平均的两倍多。", False),
    ("市净率是行业平均的一倍多。", True), ("市净率不到行业平均的一半。", False), ("广寒乳业的市盈率是黄粱食品的近两倍。", True), ("广寒乳业的市盈率是黄粱食品的一半。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), MULTIPLES)
def test_how_many_times_a_value_is_of_another_is_divided_out(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


AMONG = [
    ("四家公司里黄粱食品的市盈率最低。", True), ("四家公司里瑶池饮品的市盈率最低。", False), ("同行里瑶池饮品的市盈率最高。", True), ("同行里广寒乳业的市盈率最高。", False),
    ("比公司市盈率更高的有广寒乳业和瑶池饮品两家。", True), ("比公司市盈率更高的有三家。", False), ("市盈率高于公司的有三家：黄粱食品、广寒乳业和瑶池饮品。", False),
    ("比公司市盈率更低的只有黄粱食品一家。", True), ("比公司市盈率更低的是瑶池饮品。", False), ("资产负债率22.34%，为可比公司中最低。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), AMONG)
def test_a_place_among_companies_is_counted_out(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


STALE = [
    "公司最新披露的前三季度归母净利润是17.51亿元。", "目前公司的归母净利润为17.51亿元。", "本期毛利率75.97%。", "这一季的扣非净利润为16.11亿元。", "最新三季报营收52.70亿元。",
    "本报告期营业收入为52.70亿元。", "今年前三季度营收52.70亿元。", "最近一期的经营现金流净额16.20亿元。", "公司眼下的毛利率为75.97%。",
]  # fmt: skip


@pytest.mark.parametrize("text", STALE)
def test_an_older_value_told_as_the_latest_fails(pack: Pack, text: str) -> None:
    assert not holds(pack, text)


TWO_VALUES = [
    ("经营现金流11.68亿元，少于去年同期的16.20亿元。", True), ("经营现金流11.68亿元，多于去年同期的16.20亿元。", False), ("经营现金流11.68亿元，不及归母净利润17.17亿元。", True),
    ("扣非净利润15.91亿元，高于归母净利润17.17亿元。", False), ("归母净利润17.17亿元，超过去年同期的17.51亿元。", False), ("市盈率19.42倍，低于行业平均的17.82倍。", False),
    ("2025年前三季度毛利率75.97%，低于2026年前三季度的74.28%。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), TWO_VALUES)
def test_the_word_between_two_values_answers_to_them(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
