"""No text stops the checker: random mixed numerals, units, markup and turns of speech are read without an error."""

# ruff: noqa: SIM905 -- a split string stays readable as a line of words

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from flows.truth.binding import check_text
from flows.truth.compliance import neutralise
from flows.truth.speech.attribution import check_attribution, check_sources, form_faults
from flows.truth.verify import verify_document
from tests.factories import SYMBOL
from tests.unit.test_truth_binding import FACTS, NAMES

_NUMERALS = ("0 00 1 2 35 100 9999999999999 零 〇 一 二 三 十 百 千 万 亿 万亿 点 . , １２ ％ ").split()
_UNITS = (
    "% ‰ 成 个百分点 倍 股 元 元/股 分之 百分之 零分之 0分之 翻番 翻三番 腰斩 多 余 半年 年 季 月 日 第 名 "
).split()
_SIGNS = ("负 - + ± ~ — 至 到 由 从 近 约 逾 不足 超过 低于 高于 上调至 降至 占 合计 平均 复合 × x ÷ / ").split()
_NAMES = (
    "净利润 营业收入 市盈率 毛利率 每股收益 亏损 收窄 扩大 减持 增持 股东 LPR MA20 均线 52周 最高 最低 分位 每10股派 "
).split()
_TIMES = ("近十二三日 20日 2026年 2026Q3 13月 99月99日 三季报 上年同期 上一期 二〇二五年 连续三季 近 ").split()
_SPEECH = ("若 则 空方 多方 认为 承认 行业平均 示例甲 600519.SH 《2026年公告》 E1 A1 ").split()
_MARKS = [
    "，",
    "。",
    "；",
    "、",
    "（",
    "）",
    "《",
    "》",
    " ",
    "\n",
    "|",
    "\n|",
    "<p>",
    "</p>",
    "<table><tr><td>",
    "</td>",
    "&#99999999999;",
]
_TEXTS = st.lists(
    st.sampled_from([*_NUMERALS, *_UNITS, *_SIGNS, *_NAMES, *_TIMES, *_SPEECH, *_MARKS]), min_size=1, max_size=16
).map("".join)


@settings(deadline=None, max_examples=300)
@given(_TEXTS)
def test_any_text_is_checked_without_an_error(text: str) -> None:
    for check in check_text(text, FACTS, cited=None, subject=SYMBOL, names=NAMES):
        assert 0 <= check.start <= check.end <= len(text)
    assert isinstance(verify_document(text, FACTS, subject=SYMBOL).annotated, str)


@settings(deadline=None, max_examples=100)
@given(_TEXTS)
def test_any_text_is_searched_for_speakers_and_advice_without_an_error(text: str) -> None:
    assert all(0 <= c.start <= c.end <= len(text) for c in check_attribution(text, ()))
    assert all(0 <= c.start <= c.end <= len(text) for c in check_sources(text, ()))
    assert isinstance(neutralise(text)[0], str)
    assert isinstance(form_faults(text, text, text), list)
