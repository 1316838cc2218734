"""Terse notes, operands of a quotient and counts, read as the short sentences they are (PRODUCT T1, T2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.contracts.packs import Pack
from flows.truth.speech.attribution import find_attributions
from flows.truth.verify import verify_document

PACK = Path(__file__).resolve().parents[1] / "fixtures" / "sample_pack_605901.json"

TERSE = [
    ("收54.49 元。乌有酒业。", True), ("收55.49 元。乌有酒业。", False),
    ("质押1.10%，乌有酒业，留意。", True), ("质押2.10%，乌有酒业，留意。", False),
    ("现金流：2026年前三季度11.68亿元。", True), ("现金流：2026年前三季度16.20亿元。", False),
    ("扣非相当于营业收入的30.1%，2026年前三季度。", True), ("扣非相当于营业收入的32.5%，2026年前三季度。", False),
    ("有人问乌有酒业PE多少，19.42x。", True), ("有人问乌有酒业PE多少，17.82x。", False),
    ("公司市盈率＝行业平均的1.09倍。", True), ("公司市盈率＝行业平均的1.29倍。", False),
    ("推导：19.42倍÷10.79倍，即公司的PE为黄粱食品的1.80倍。", True),
    ("推导：10.79倍÷19.42倍，即公司的PE为黄粱食品的1.80倍。", False),
    ("乌有酒业归母净利润十七点一七亿元，不及上年同期，对吧？", True),
    ("乌有酒业归母净利润十七点五一亿元，不及上年同期，对吧？", False),
    ("黄粱食品披露的数据显示，该公司市盈率为10.79倍。", True),
    ("黄粱食品披露的数据显示，该公司市盈率为19.42倍。", False),
    ("与黄粱食品相比，该公司市盈率为19.42倍。", True),
    ("报54.49元，接近52周低点——股价眼下就是这样。", True), ("报55.49元，接近52周低点——股价眼下就是这样。", False),
    ("乌有酒业破没破净，看PB就知道：3.42x。", True), ("乌有酒业已经破净，看PB就知道：3.42x。", False),
    ("提问者想知道乌有酒业的PB。直接回答：3.42倍。", True), ("提问者想知道乌有酒业的PB。直接回答：3.82倍。", False),
    ("股东每投一块钱能换回多少？净资产收益率给出的答案是13.73%。", True),
    ("股东每投一块钱能换回多少？净资产收益率给出的答案是15.73%。", False),
    ("20日均线现为54.12元，股价高于该均线，最新54.49元。", True),
    ("20日均线现为54.12元，股价高于该均线，最新56.49元。", False),
    ("问：乌有酒业现在什么价？答：54.49元。", True), ("问：乌有酒业现在什么价？答：56.49元。", False),
    ("营收同比增长0.30%！公司2026年三季报的成绩单出来了。", True),
    ("营收同比增长0.30%！公司2025年三季报的成绩单出来了。", False),
    ("公司2026年三季报收入高于上年同期水平（该期52.85亿元，上年同期52.70亿元）。", True),
    ("公司2026年三季报收入高于上年同期水平（该期52.70亿元，上年同期52.85亿元）。", False),
    ("股价现在接近250日均线，最新就54.49元/股。", True), ("股价现在接近250日均线，最新就58.49元/股。", False),
    ("问：公司ROE同比变了多少？答：降低1.53个百分点。", True),
    ("问：公司ROE同比变了多少？答：提高1.53个百分点。", False),
    ("公司近60个交易日里上涨了24天。", True), ("公司近60个交易日里上涨了25天。", False),
    ("现价只是拉锯中的一个点，不是均衡。", True), ("毛利率同比提高了三个点。", False),
    ("公司PB是否高于行业平均？是。", True), ("公司PB是否低于行业平均？是。", False),
    ("有人问公司的PE和黄粱食品比谁高，答案是前者高于后者。", True),
    ("有人问公司的PE和黄粱食品比谁高，答案是前者低于后者。", False),
    ("问：近60个交易日公司涨了几天？答：24天。", True), ("问：近60个交易日公司涨了几天？答：25天。", False),
    ("如果要问公司净资产收益率往哪个方向走，答案是连续两年增长。", False),
    ("扣掉非经常性损益，公司2026年三季报的归母净利润为15.91亿元。", True),
    ("扣掉非经常性损益，公司2026年三季报的归母净利润为17.17亿元。", False),
    ("近5年当中，有2.70%的日子市净率低于公司现在的水平。", True),
    ("近5年当中，有12.70%的日子市净率低于公司现在的水平。", False),
    ("按扣非口径，公司的净利润在2026年三季报是15.91亿元。", True),
    ("按扣非口径，公司的净利润在2026年三季报是17.17亿元。", False),
    ("剔除非经常性损益后，公司2025年三季报的净利润是16.11亿元。", True),
    ("剔除非经常性损益后，公司2025年三季报的净利润是17.51亿元。", False),
    ("近60日这段行情里，公司以上涨报收的日子加起来有24天。", True),
    ("近60日这段行情里，公司以上涨报收的日子加起来有16天。", False),
    ("大盘怎么走先不管，黄粱食品自身市盈率19.42倍。", False),
    ("分位2.70%，市净率近五年，数值越大代表相对自身历史越贵。", True),
]  # fmt: skip

COUNTS = [
    ("近60日上涨天数24天，涨停0天，跌停0天。", True), ("近60日上涨天数24天，涨停1天，跌停0天。", False),
    ("近60日有24个交易日上涨。", True), ("近60日有26个交易日上涨。", False),
    ("近7日提及乌有酒业的新闻4条，偏正面2条，偏负面1条。", True),
    ("近7日提及乌有酒业的新闻4条，偏正面1条，偏负面2条。", False),
]  # fmt: skip


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Pack.model_validate_json(PACK.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "is_right"), [*TERSE, *COUNTS])
def test_a_terse_sentence_holds_only_with_the_right_number(pack: Pack, text: str, is_right: bool) -> None:
    failures = verify_document(text, (*pack.facts, *pack.appendix), subject=pack.symbol).failures
    assert (not failures) is is_right, [(c.text, c.reason) for c in failures]


def test_a_field_that_is_spoken_of_is_no_role() -> None:
    assert find_attributions("两融数据方面，乌有酒业最新融资余额8.35亿元。") == []
    assert [a.role for a in find_attributions("风险方认为估值仍高。")] == ["风险方"]
