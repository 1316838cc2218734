"""Whom a text speaks to, and whom it quotes (PRODUCT T4): 请多方回应 passes nothing on, “…”由多方提出 does."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.truth.speech.attribution import check_attribution
from tests.recorded_claims import CLAIMS, NOBODYS, OTHERS, OWN

QUOTED = [
    "论点“{said}”由多方提出。", "{said}——这是多方的主张。", "{said}，此系多方首轮陈述之一。", "多方那句“{said}”我不同意，请拿证据。",
    "“{said}”一语为多方所言。", "{said}，这条是多方写下的。", "针对多方“{said}”的说法，请给出推演过程。", "多方既然主张“{said}”，就请给出依据。",
    "@多方 您说过“{said}”，麻烦展开讲讲。", "主持人转述：多方坚持{said}。", "裁判小结：多方认为，{said}。", "多方的论点之一：{said}。",
    "裁判归纳争点时写道，多方的意见之一是{said}。", "我替大家复述多方的观点：{said}。", "多方所谓“{said}”，能否成立？",
]  # fmt: skip
ASKED = [
    "问：多方说了什么？\n答：{said}。", "问：多方首轮怎么说？答：{said}。", "谁主张{said}？答：多方。", "“{said}”是谁的主张？答：多方的。",
    "请多方解释，凭什么说{said}？", "请多方说明，为什么认为{said}。", "请问多方，您凭什么断定{said}？",
]  # fmt: skip


OTHER_BUILDS = [
    "【多方】{said}", "| 论点 | 提出方 |\n|---|---|\n| {said} | 多方 |", "### 多方论点\n{said}", "多方论点如下。\n{said}", "多方的话我原样抄录：\n{said}",
    "Q：多方的核心论点？A：{said}。", "多方不是说{said}吗？", "别装没听见，多方可是说了：{said}。", "各位听听多方怎么讲的：{said}。", "{said}（语出多方）。",
]  # fmt: skip


@pytest.mark.parametrize("template", [*QUOTED, *ASKED, *OTHER_BUILDS])
def test_a_quotation_answers_to_the_roles_record_however_it_is_built(template: str) -> None:
    for said, is_right in ((OWN, True), (OTHERS, False), (NOBODYS, False), (OWN.replace("16.2", "19.2"), False)):
        found = check_attribution(template.format(said=said), CLAIMS)
        assert any(c.verdict.is_failure for c in found) is not is_right, (said, found)


@pytest.mark.parametrize("template", [*QUOTED, *ASKED])
def test_a_role_without_a_record_is_not_quoted(template: str) -> None:
    assert any(c.verdict.is_failure for c in check_attribution(template.format(said=OTHERS), CLAIMS[1:]))


FACT = "云岭股份2025年净利润为12.3亿元"
SPOKEN_TO = [
    "请多方注意措辞，{fact}，就按这个数来谈。", "请教多方：{fact}，能支撑您刚才那个结论吗？", "对方说了半天，不如看一个数：{fact}。",
    "空方请看每股口径，{fact}。", "论市净率，公司不及行业平均，我就问空方：这一点您认不认？", "{fact}，我把它写进空方清单。",
    "空方与多方都可核对：{fact}。", "{fact}，空方多方都绕不开。", "{fact}，空方请正面回应。", "多方别拿2024Q3的5.9%说事，{fact}。",
    "多方要谈赚钱效应，那就用这个数说话：{fact}。", "空方要谈底，从这个数谈起：{fact}。", "{fact}——请多方先认下这个变化，再谈未来。",
    "替多方算一笔账：{fact}。", "留给空方的问题：{fact}，怎么解释？", "空方辩友，{fact}，您怎么看？", "多方不妨先看看{fact}。",
    "{fact}，供空方参考。", "多方怎么解释{fact}？", "让多方自己算，{fact}。", "空方对{fact}避而不谈。", "财务数据方向一致，{fact}。",
]  # fmt: skip
OWN_WORDS = [
    "空方提到估值，那我补充：{fact}。", "针对空方的质疑，我给出的数是：{fact}。", "作为空方，我先报数：{fact}。", "我方（多方）列出：{fact}。", "如果空方质疑，数据是{fact}。",
    "多方刚才漏了一个数：{fact}。", "回应空方：{fact}。", "答多方问：{fact}。", "给空方提个醒，{fact}。", "跟空方讲清楚：{fact}。", "对空方而言，{fact}是个麻烦。",
    "{fact}，多方认账吗？", "各位多方同仁请看：{fact}。",
]  # fmt: skip
JUDGED = [
    "裁判结论：{fact}。", "裁判摘录：{fact}。此为公司的客观事实。", "我提请裁判注意：{fact}，这是供给端的事实。", "主持人提示：{fact}。",
    "裁判请记录：{fact}。", "{fact}，由裁判判断含义。", "审计员核对结果：{fact}。", "裁判认定{fact}。",
]  # fmt: skip


@pytest.mark.parametrize("template", [*SPOKEN_TO, *OWN_WORDS, *JUDGED])
def test_speaking_to_a_role_or_a_judges_finding_quotes_nobody(template: str) -> None:
    """No check at all: one would hide the numbers of the same words from the number check."""
    assert check_attribution(template.format(fact=FACT), CLAIMS) == ()


def test_a_judges_opinion_is_quoted() -> None:
    assert [c.verdict.is_failure for c in check_attribution("裁判认为估值已经充分反映利好。", CLAIMS)] == [True]
