"""Readings that once went wrong: headlines, ids behind numbers, titles, quarters without a year, words inside words."""

from __future__ import annotations

from datetime import date

import pytest

from flows.contracts.checks import CheckVerdict
from flows.contracts.packs import FactKind, Pack
from flows.contracts.units import Unit
from tests.sample_pack import holds
from tests.unit.test_truth_binding import FACTS, checked, of

HEADLINE = of(21, "news.title", None, Unit.TEXT, "新闻：示例甲下跌6.30% 主力资金净流出。", kind=FactKind.NEWS)
TODAY = of(22, "change_pct", 1.98, Unit.PCT, "当日上涨1.98%。")
SEATS = (
    of(31, "top_list.net_buy_cny", -2.31e7, Unit.CNY, "上榜席位当日净卖出2310.00万元（2026-11-20）。",
       as_of=date(2026, 11, 20)),
    of(32, "top_list.net_buy_cny", 8.64e7, Unit.CNY, "上榜席位当日净买入8640.00万元（2026-11-19）。",
       as_of=date(2026, 11, 19)),
)  # fmt: skip
TITLE = of(41, "announcements.title", None, Unit.TEXT, "公告《2026年第三季度报告》。", kind=FactKind.ANNOUNCEMENT)
LINES = (of(51, "ma_20_cny", 12.5, Unit.CNY_PER_SHARE, "20日均线为12.50元。"),
         of(52, "low_52w_cny", 9.85, Unit.CNY_PER_SHARE, "52周最低价为9.85元。", "近52周"))  # fmt: skip


def failed(text: str, *facts: object) -> list[str]:
    found = checked(text, facts=(*FACTS, *facts))  # type: ignore[arg-type]
    return [c.text for c in found if c.verdict.is_failure]


@pytest.mark.parametrize(
    ("text", "wrong"), [("示例甲下跌6.30%，见报道", []), ("示例甲上涨6.30%，见报道", ["上涨6.30%"])]
)
def test_move_in_a_headline_is_the_price_s_not_what_follows_the_blank(text: str, wrong: list[str]) -> None:
    assert failed(text, HEADLINE, TODAY) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("上榜席位当日净买入8640万元（E32）", []),
        ("上榜席位当日净买入8640万元", ["净买入8640万元"]),
        ("上榜席位当日净卖出8640万元（E32）", ["净卖出8640万元"]),
    ],
)
def test_id_behind_a_number_says_which_day_it_is_of(text: str, wrong: list[str]) -> None:
    assert failed(text, *SEATS) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("公司披露《2026年第三季度报告》", []),
        ("公司披露《2027年第三季度报告》", ["2027年第三季度报告"]),
        ("《关于重大资产重组的公告》已发布", ["关于重大资产重组的公告"]),
        ("依照《上市公司股东减持股份管理暂行办法》", []),
    ],
)
def test_title_of_a_filing_must_be_one_that_a_fact_quotes(text: str, wrong: list[str]) -> None:
    assert failed(text, TITLE) == wrong


@pytest.mark.parametrize(("text", "wrong"), [("股价目前低于20日均线", []), ("股价目前高于20日均线", ["高于"])])
def test_present_tense_is_no_earlier_low(text: str, wrong: list[str]) -> None:
    assert failed(text, *LINES) == wrong


@pytest.mark.parametrize(("text", "fails"), [("前三季度毛利率31.25%", False), ("前三季度毛利率29.75%", True)])
def test_quarter_without_a_year_is_the_latest(text: str, fails: bool) -> None:
    assert bool(failed(text)) is fails


@pytest.mark.parametrize(("text", "fails"), [("毛利率升至31.25%", False), ("毛利率降至31.25%", True)])
def test_way_to_a_level_is_a_claim_too(text: str, fails: bool) -> None:
    assert bool(failed(text)) is fails


def test_one_session_after_a_verb_of_being_is_a_count() -> None:
    days = of(61, "limit_down_days_60d", 1.0, Unit.SESSIONS, "近60日跌停天数为1个交易日。", "近60日")
    (found,) = checked("近60日跌停天数为1个交易日", facts=(days,))
    assert found.verdict is CheckVerdict.SUPPORTED
    assert failed("近60日跌停天数为2个交易日", days) == ["2个交易日"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (
            "公司毛利率一年下来下降1.69个百分点，2026年三季报是74.28%",
            "公司毛利率一年下来下降1.29个百分点，2026年三季报是74.28%",
        ),
        ("一年之间，公司毛利率下降1.69个百分点", "一年之间，公司毛利率提升1.69个百分点"),
        (
            "收盘高于20日均线，分别报54.49元（前者）和54.12元（后者）",
            "收盘高于20日均线，分别报54.12元（前者）和54.49元（后者）",
        ),
        (
            "收盘高于20日均线，分别报54.12元（后者）和54.49元（前者）",
            "收盘高于20日均线，分别报54.49元（后者）和54.12元（前者）",
        ),
        ("质押这块，公司是1.10%，心里有个数就行", "质押这块，公司是1.70%，心里有个数就行"),
    ],
)
def test_a_year_that_passes_a_bracket_that_sorts_out_and_a_topic_in_short(pack: Pack, right: str, wrong: str) -> None:
    assert holds(pack, right)
    assert not holds(pack, wrong)


def test_software_that_shows_prices_is_no_company(pack: Pack) -> None:
    assert holds(pack, "照行情软件上的读法，公司20日均线为54.12元")
