"""Where the words a sentence passes on stand when they are not behind its verb of speaking (PRODUCT T4)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.truth.speech.attribution import check_attribution
from flows.truth.speech.clauses import is_finding, is_frame, is_plain_fact, statement_in
from tests.recorded_claims import CLAIMS, NOBODYS, OTHERS, OWN

BESIDE_ITS_FRAME = [
    "我转述多方的话，不加评论：{said}。", "“{said}”这句话，不是别人说的，正是多方说的。", "以下内容为多方原话，未作改动：{said}。", "“{said}”是多方的原话，我没有添字。",
    "如果我没记错，多方说的是{said}。", "这话不是裁判讲的，是多方讲的：“{said}”。", "{said}，用多方的话说就是这样。", "争点：{said}（多方提出）", "{said}，这是按多方的说法。",
]  # fmt: skip
BEFORE_ITS_FRAME = [
    "“{said}。”这是多方的原话。", "“{said}。”——多方", "{said}。这是多方的意思，不是我的。", "{said}；以上出自多方。", "{said}。说这话的是多方。", "{said}。（多方）",
    "{said}。多方如此表态。", "{said}。前述观点由多方提出。", "{said}，这是谁的论点呢？是多方的。", "“{said}”——这话谁说的？多方说的。", "【观点】{said}（多方，关于云岭股份）",
]  # fmt: skip
SIGNED = [
    "> {said}\n\n——多方", "“{said}。”\n——多方", "{said}。发言人：多方。", "{said}（据多方）", "{said}［多方］", "“{said}”，多方原话，一字未改。", "需要说明，“{said}”系多方一家之言。",
]  # fmt: skip
RECORDED = [
    "发言人：多方\n标的：云岭股份\n观点：{said}", "论点：{said}\n提出方：多方", "- 论点：{said}\n- 提出方：多方", "观点：{said}；提出者：多方；标的：云岭股份", "角色={role}；论点={said}".replace("{role}", "多方"),
    "| 论点 | 归属 |\n|---|---|\n| {said} | 多方 |", "| 项目 | 内容 |\n|---|---|\n| 发言方 | 多方 |\n| 论点 | {said} |",
]  # fmt: skip
LABELLED = [
    "（多方）{said}。", "（转述多方）{said}。", "多方＞{said}", "多方 → {said}", "多方/首轮/{said}", "多方·首轮·{said}", "〖多方〗{said}", "多方观点摘编｜{said}", "## 多方\n\n{said}。", "**多方首轮**\n\n{said}。",
    "多方观点如下：\n\n{said}。", "多方的原话：\n\n> {said}",
]  # fmt: skip
OPEN_VERBS = [
    "不管你同不同意，多方确实讲过{said}。", "多方一口咬定{said}。", "笑死，多方还在说{said}", "多方笑称{said}。", "“{said}。”多方这样评价云岭股份。", "要转述多方，就得引这句：{said}。", "把话筒交给多方——{said}。",
    "替多方传句话：{said}。", "先听多方怎么讲：{said}。", "说到多方的理由，无非是{said}。", "多方有何高见？{said}。", "“{said}”这句，记在多方账上。", "要问多方为什么这么看，理由是{said}。", "记者问多方怎么看云岭股份，对方回答：{said}。", "说起来，{said}，这不就是多方的观点吗。",
]  # fmt: skip
BEHIND_ITS_FRAME = [
    "多方怎么说的？{said}。", "多方的理由呢？{said}。", "关于云岭股份，多方说了什么？一句话：{said}。", "多方凭什么看好或看空云岭股份？凭的是{said}。", "多方怎么看云岭股份？{said}。",
    "多方的论点\n{said}", "多方发言\n{said}。", "下面是多方的原话。{said}。",
]  # fmt: skip


@pytest.mark.parametrize(
    "template", [*BESIDE_ITS_FRAME, *BEFORE_ITS_FRAME, *BEHIND_ITS_FRAME, *SIGNED, *RECORDED, *LABELLED, *OPEN_VERBS]
)
def test_a_frame_points_at_what_it_passes_on(template: str) -> None:
    for said, is_right in ((OWN, True), (OTHERS, False), (NOBODYS, False), (OWN.replace("16.2", "19.2"), False)):
        found = check_attribution(template.format(said=said), CLAIMS)
        assert any(c.verdict.is_failure for c in found) is not is_right, (said, found)


FACT = "云岭股份2025年净利润为12.3亿元"
OWN_WORDS = [
    "空方怎么看这个数？{fact}。", "空方怎么看？{fact}。", "空方这么说，但{fact}。", "空方的说法我不同意，{fact}。", "请空方说明，这是什么道理？{fact}。", "{fact}。空方怎么看？",
    "不偏向多方也不偏向空方，{fact}。", "不管站多方还是空方，{fact}。", "无论多方空方，都绕不过这个数：{fact}。", "多方空方都同意{fact}。", "{fact}，这个数多方引用过，空方也核对过。", "就算站在空方角度，{fact}也不会变。",
    "空方提到的净利润，云岭股份2025年实际为12.3亿元。", "就空方提出的问题，{fact}。", "向空方出示证据：{fact}。", "要说服多方，得看{fact}。", "空方问：净利润几何？答：12.3亿元。", "多方发问，净利润多少？12.3亿元。",
    "跟多方对一下数：{fact}。", "据实告诉多方：{fact}。", "给多方的数据：{fact}。", "多方看重的净利润，云岭股份2025年为12.3亿元。", "有空方同学问净利润是多少，答案是12.3亿元。",
]  # fmt: skip


@pytest.mark.parametrize("template", OWN_WORDS)
def test_a_fact_beside_a_question_or_an_objection_is_the_speakers_own(template: str) -> None:
    assert not any(c.verdict.is_failure for c in check_attribution(template.format(fact=FACT), CLAIMS))


@pytest.mark.parametrize(
    "text",
    [
        "裁判意见：就净利润而言，云岭股份2025年的12.3亿元高于2024年的11.2亿元，该事实不再争论。",
        "裁判认为，云岭股份2025年净利润为12.3亿元属实。", "裁判观点：公司净利润连续两年回落，此点成立。", "审计员意见：公司毛利率31.2%与事实包一致。", "在裁判看来，毛利率31.2%是双方共同的起点。",
    ],
)  # fmt: skip
def test_a_judges_own_reckoning_quotes_nobody(text: str) -> None:
    assert check_attribution(text, CLAIMS) == ()


def test_an_objection_behind_the_words_leaves_them_the_roles() -> None:
    (found,) = check_attribution("空方认为估值过高，但这一看法没有考虑盈利的增长。", ())
    assert found.verdict.is_failure


def test_a_judge_who_sums_up_a_side_quotes_that_side() -> None:
    for said, is_right in ((OWN, True), (OTHERS, False)):
        found = check_attribution(f"裁判归纳多方意见如下：{said}。", CLAIMS)
        assert [c.verdict.is_failure for c in found] == [not is_right]


def test_a_frame_says_nothing_of_the_company() -> None:
    assert all(map(is_frame, ("不加评论", "未作改动", "不是别人说的", "如果我没记错", "关于云岭股份")))
    assert not any(map(is_frame, ("库存去化接近尾声", "毛利率偏低", "净利润12亿元", "管理层更迭会打断扩产节奏")))
    assert statement_in(f"我来转述，不加评论：{OWN}") == OWN


def test_a_plain_fact_only_gives_numbers() -> None:
    assert is_plain_fact(FACT)
    assert is_plain_fact("毛利率高于行业平均，差距3个百分点")
    assert is_finding("毛利率高于行业平均")
    assert not is_plain_fact("毛利率高于行业平均")
    assert not any(map(is_plain_fact, (OWN, OTHERS, NOBODYS)))
