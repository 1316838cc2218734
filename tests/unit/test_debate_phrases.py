"""Every phrase of the offline model obeys the discipline it is meant to show."""

import re

import pytest

from flows.contracts.packs import Dimension
from flows.contracts.transcripts import Claim, Side
from flows.debate.answers import Argument, EvidenceType
from flows.debate.constraints import overheated_word, unreasoned_hedge
from flows.debate.offline import speaking
from flows.debate.offline.phrasebook_events import OTHER
from flows.debate.offline.reading import Seen
from flows.debate.offline.relations import ANSWERS
from flows.debate.offline.topics import TOPICS, topic_of
from flows.truth.binding import check_claim
from flows.truth.compliance import find_advice
from flows.truth.speech.attribution import check_attribution, check_sources, form_faults
from tests.unit.debate_packs import DAY, pack

PACK = pack()
FILLED = {"measure": "净利润", "window": "近1年", "title": "关于日常事项的公告", "up": "近60日", "down": "近20日"}


def _directions():
    for topic in (*TOPICS, OTHER):
        for lines in (topic.good, topic.bad):
            if lines:
                yield topic, lines


def _texts():
    """Every reasoning, doubt and preempt at least once, in the place it takes in an argument."""
    for topic, lines in _directions():
        for reasoning in lines.reasonings:
            yield topic.key, reasoning
            for doubt in lines.doubts:
                yield topic.key, f"回应对面的{lines.name}：{doubt}{reasoning}"
        for doubt in lines.doubts:
            for preempt in speaking._PREEMPTS:
                yield topic.key, preempt.format(name=lines.name, doubt=doubt)
        yield topic.key, speaking._NOTHING_NEW + lines.reasonings[0]


TEXTS = sorted(set(_texts()))
CONCLUSIONS = [c.format(**FILLED) for _, lines in _directions() for c in lines.conclusions]
PLAIN = "收盘价低于参照"


def _argument(conclusion, reasoning):
    return Argument(
        dimension=Dimension.FUNDAMENTALS, conclusion=conclusion, basis="收盘价为12.34元（E1）。", reasoning=reasoning,
        facts=("E1",), source=EvidenceType.HISTORY,
    )  # fmt: skip


def _claim(reasoning):
    return Claim(
        claim_id="r1-bull-1", turn_no=1, round_no=1, role="bull", side=Side.FOR, dimension=Dimension.FUNDAMENTALS,
        conclusion="收盘价已披露。", basis="收盘价为12.34元（E1）。", reasoning=reasoning, fact_ids=("E1",),
        evidence_type="历史数据",
    )  # fmt: skip


def _fact(sentence, metric=None, kind="数据", polarity="+", value=None):
    return Seen("E1", polarity, sentence, "基本面", kind, DAY, metric, value)


def test_every_direction_has_a_name_conclusions_reasonings_and_doubts():
    assert len(TEXTS) > 200
    for topic, lines in _directions():
        assert lines.name, topic.key
        assert lines.conclusions, topic.key
        assert lines.reasonings, topic.key
        assert lines.doubts, topic.key
        assert topic.group in ANSWERS


def test_no_reasoning_claims_a_number_or_comparison_without_a_fact():
    failed = {
        (key, check.text, check.reason)
        for key, reasoning in TEXTS
        for check in check_claim(_claim(reasoning), PACK)
        if check.verdict.is_failure
    }
    assert failed == set()


def test_no_conclusion_carries_a_number_of_its_own():
    assert [c for c in CONCLUSIONS if re.search(r"\d", re.sub("近1年|近60日|近20日|52周", "", c))] == []


def test_phrases_hedge_with_reasons_and_stay_calm():
    faults = [
        (reasoning, word)
        for _, reasoning in TEXTS
        if (word := unreasoned_hedge(_argument(PLAIN, reasoning)) or overheated_word(reasoning, ()))
    ]
    assert faults == []


def test_phrases_give_no_advice_and_put_nothing_in_anybodys_mouth():
    for text in (*CONCLUSIONS, *(reasoning for _, reasoning in TEXTS)):
        assert find_advice(text) == [], text
        assert not [c for c in check_attribution(text, [], speaker=Side.FOR) if c.verdict.is_failure]
        assert not [c for c in check_sources(text, []) if c.verdict.is_failure], text


def test_phrases_have_no_fault_of_form():
    assert [r for _, r in TEXTS if form_faults(PLAIN, "收盘价为12.34元（E1）。", r)] == []


@pytest.mark.parametrize(
    ("sentence", "metric", "kind", "expected"),
    [
        (
            "2026Q3（前三季度累计）净利润同比增长51.48%（两期均为亏损，亏损收窄）",
            "net_profit_yoy_pct",
            "数据",
            "loss_change",
        ),
        ("2026Q3（前三季度累计）净利润同比增长15.62%", "net_profit_yoy_pct", "数据", "profit_growth"),
        ("2026Q3（前三季度累计）净资产收益率为-8.36%", "roe_pct", "数据", "negative_returns"),
        ("2026Q3净资产收益率同比上升1.12个百分点", None, "数据", "roe_change"),
        ("2026Q3（前三季度累计）净资产收益率为12.51%", "roe_pct", "数据", None),
        ("市盈率(TTM)为-118.59倍，亏损，不计算分位", "pe_ttm", "数据", "no_earnings_multiple"),
        ("市盈率(TTM)为19.42倍", "pe_ttm", "数据", None),
        ("行业平均（电子）市盈率(TTM)为60.14倍（可比公司4家的均值）", None, "数据", None),
        ("公告《关于终止上市的风险提示公告》第2页：公司逾期债务本金合计4.37亿元", None, "公告", "overdue"),
        ("公告《关于终止上市的风险提示公告》第1页：公司前三季度亏损收窄51.48%", None, "公告", "delisting"),
        ("公告（诉讼）《关于重大诉讼的公告》", None, "公告", "lawsuit"),
        ("公告（风险提示）《关于控股股东股份被司法冻结的公告》", None, "公告", "frozen"),
        ("新闻：水月芯片被诉专利侵权 涉案金额1.2亿元", None, "新闻", "news"),
        ("演示证券预测2026年每股收益为2.90元（卖方预测，非实际值）", None, "研报", "sell_side_eps"),
        ("知识：签订合同不等于已确认收入", None, "知识", None),
        ("公告（解禁）《限售股份解除限售上市流通的提示性公告》", None, "公告", "noted"),
        ("公告（增减持）《关于提前终止减持计划的公告》", None, "公告", "noted"),
        ("公告（诉讼）《关于撤回起诉的公告》", None, "公告", "lawsuit"),
    ],
)
def test_a_fact_is_argued_as_what_it_says(sentence, metric, kind, expected):
    topic = topic_of(_fact(sentence, metric, kind))
    assert (topic.key if topic else None) == expected


def test_a_warning_that_a_stock_will_be_delisted_supports_nothing():
    fact = _fact("公告《关于终止上市的风险提示公告》第1页：公司前三季度亏损收窄51.48%", kind="公告")
    assert topic_of(fact).lines(is_for=True) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("公告《关于重大合同终止的公告》第1页：双方协商终止合同，终止部分金额为7400万元", "contract_end"),
        ("公告《关于重大合同终止的公告》第1页：已发生的投入约1150万元，能否全额收回存在不确定性", "contract_end"),
        ("公告《带量采购结果的公告》第1页：公司两个产品中选本次集采，中选价格较原挂网价下降52%", "price_cut"),
        ("公告《关于签订销售合同的公告》第2页：若组件价格下跌10%，合同毛利率预计下降约4个百分点", "noted"),
        ("公告《解除限售的公告》第1页：本次解除限售股份数量占公司总股本的21.30%", "unlock"),
    ],
)
def test_an_adverse_filing_has_words_whatever_its_matter(sentence, expected):
    topic = topic_of(_fact(sentence, kind="公告", polarity="-"))
    assert topic
    assert topic.key == expected
    assert topic.bad
