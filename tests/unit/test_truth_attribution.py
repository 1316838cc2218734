"""Statements put into a role's mouth, however the sentence, list or table is built (PRODUCT T4)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.transcripts import Side
from flows.truth.speech.attribution import check_attribution
from tests.factories import claim

OWN, OTHERS, NOBODYS = (
    "净资产收益率16.2%说明资本回报仍有支撑",
    "资产负债率45.0%限制了再投资的空间",
    "新产品毛利率明显高于老产品",
)
CLAIMS = (
    claim(conclusion=OWN),
    claim(claim_id="r1-bear-1", role="bear", side=Side.AGAINST, conclusion=OTHERS),
)

TELLING = [
    "多方的旗帜上写着：{said}。", "多方这回不再绕弯子，{said}。", "要论多方的底气，{said}。", "{said}，这话出自多方之口。", "一句话概括多方：{said}。",
    "多方 | {said}", "- 多方：{said}", "**多方**：{said}", "- **多方观点**：{said}", "### 多方\n\n- {said}", "多方观点：\n1. {said}\n2. 其余从略",
    "“{said}”——多方", "“{said}”（多方）", "站在多方的角度，{said}。", "多方抓住的是{said}。", "多方把{said}当作核心。", "在多方眼里，{said}。",
    "{said}，多方对此深信不疑。", "| 立场 | 观点 |\n|---|---|\n| 多方 | {said} |", "| 多方 | 空方 |\n|---|---|\n| {said} | 略 |",
    "| 编号 | 立场 | 内容 |\n|---|---|---|\n| 1 | 多方 | {said} |", "翻开记录，多方那一栏写的是{said}。", "{said}是多方的论点。", "别误会，说{said}的，是多方这一方。",
    "记录显示，提出{said}的是多方。", "{said}，多方把这一条摆上了台面。", "多方那边的意思很明白，{said}。",
]  # fmt: skip


@pytest.mark.parametrize("template", TELLING)
def test_a_statement_in_a_roles_mouth_answers_to_its_record(template: str) -> None:
    for said, is_right in ((OWN, True), (OTHERS, False), (NOBODYS, False), (OWN.replace("16.2", "19.2"), False)):
        found = check_attribution(template.format(said=said), CLAIMS)
        assert found, said
        assert any(c.verdict.is_failure for c in found) is not is_right, (said, found)


@pytest.mark.parametrize("template", TELLING)
def test_a_role_without_a_record_said_nothing(template: str) -> None:
    assert any(c.verdict.is_failure for c in check_attribution(template.format(said=OTHERS), CLAIMS[1:]))


SAID_IN_OTHER_WORDS = [
    "多方的意思是，资本回报仍有支撑，净资产收益率达16.2%。",
    "在多方看来，16.2%的净资产收益率说明资本回报仍有支撑。",
]


@pytest.mark.parametrize("text", SAID_IN_OTHER_WORDS)
def test_an_honest_paraphrase_passes(text: str) -> None:
    assert not any(c.verdict.is_failure for c in check_attribution(text, CLAIMS))


OF_THE_DEBATE = [
    "多方的证据更充分。", "多方需要解释现金流为何下滑。", "净利润下降对多方不利。", "现金流下滑支持空方的判断。",
    "若2026年报毛利率回升至75%，空方论点失效。", "多方忽略了经营现金流同比下降27.9%这一事实。", "空方占据上风，现金流下滑是主要原因。", "请空方说明毛利率下降的原因。",
    "市净率处于近五年低位，这一点对多方有利。", "多方的估值假设能否成立，取决于年报净利润。", "经营现金流同比下降，多方的增长逻辑存疑。",
]  # fmt: skip


@pytest.mark.parametrize("text", OF_THE_DEBATE)
def test_weighing_asking_and_supposing_pass_nothing_on(text: str) -> None:
    assert not any(c.verdict.is_failure for c in check_attribution(text, CLAIMS))


def test_spans_lead_back_through_emphasis_and_tables() -> None:
    text = f"**多方**：{NOBODYS}。\n\n| 立场 | 观点 |\n|---|---|\n| 多方 | {OTHERS} |\n"
    found = check_attribution(text, CLAIMS)
    assert [text[c.start : c.end] == c.text for c in found] == [True, True]
    assert found[1].text == OTHERS
