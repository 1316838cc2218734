"""Whether a sentence that names a role puts a statement into its mouth, by how the sentence is built."""

from __future__ import annotations

import re

from flows.truth.grammar.lexicon import mentions
from flows.truth.grammar.numbers import find_quantities
from flows.truth.speech.clauses import SHORTEST_STATEMENT, han, is_plain_fact

#: Words of speaking, holding and presenting, wherever they stand beside the role.
_TELLING = re.compile(
    r"回应|支撑|异议|论据|主线|发言|论证|立论|押注|强调|坚持|主张|否认|辩护|自圆|依仗|寄望|寄托|搬出|拿出|抛出|提法"
    r"|措辞|口径|讲法|说过|说到|表过态|意思|原话|落笔|写着|写下|台面|之口|口中|嘴里|口头|陈词|开场|定调|直言|坦言|放话"
    r"|喊话|陈述|所[言说称讲写提述]|信奉|深信|笃定|认定|断言|一句话|大意|主旨|底牌|王牌|亮出|摆出|端出|祭出|甩出|抬出|念叨|唠叨|鼓吹|宣扬|宣讲|给出|提出|声称|宣称|相信|认为|觉得|看重"
)
#: 提出…的是空方; 说…的，正是多方.
_CLEFT = re.compile(r"的[，,]?(?:不是别人[，,]?)?(?:其实|正|就|便|恰恰|恰)?是$")
#: Words about how the debate went, what a side lacks, or what would be: no statement is passed on.
_OF_THE_DEBATE = re.compile(
    r"不利|有利|上风|下风|占优|占据|优势|劣势|得分|评分|置信|胜|负于|更[强弱重轻]|更充分|忽略|忽视|高估|低估|没有考虑|未考虑"
    r"|没有解释|未解释|没有说明|需要?(?!要|说明|指出|注意|补充|强调|提醒|转述|记录)|应当|应该|应|必须|失效|推翻|削弱|支持|动摇|站住|站不住|成立|存疑|缺乏|证伪|若|如果|一旦|假如"
    r"|是否|能否|为何|为什么|怎么|如何|请|何以|哪|\?|？|麻烦|难题|软肋|坏消息|好消息|机会来|认账|漏了|漏掉|遗漏"
)
#: 多方抓住的是…; 多方的解读是…; 多方把…当作核心: what stands behind is what the role holds.
_HOLDING = re.compile(
    r"[^，,:：]{0,10}?(?<!不)(?<!还)(?<!正)是|(?:阵营|这边|一侧)?(?:就|便|只|一直|总)?(?:把|拿|用|以|靠|凭|将)"
)
#: …是多方的论点; “…”（多方）; 多方 | …
_OWNED = re.compile(
    r"(?:是|系|为|属|属于|算是|来自|出自|源自|语出|引自|见于|取自|源于)[^，,:：]{0,4}$|[(（|【〖〔\[［/]\s*(?:据|引自|见|来自|摘自|by\s*)?$"
)
_CLAUSE = re.compile(r"[^，,:：“”「」『』]+")
#: A frame is no longer than this.
_LONGEST_FRAME, _LONGEST_LEAD = 18, 6


def told(sentence: str, role: tuple[int, int]) -> str | None:
    """The statement *sentence* puts into the mouth of the role at *role*; None if it passes none on."""
    clause = next((m.span() for m in _CLAUSE.finditer(sentence) if m.start() <= role[0] < m.end()), (0, len(sentence)))
    frame, others = sentence[clause[0] : clause[1]], _rest(sentence, clause)
    is_alone = len(han(others)) < SHORTEST_STATEMENT
    if _CLEFT.search(sentence, 0, role[0]) or (_TELLING.search(frame) and not _is_relative(sentence, role)):
        return _rest(sentence, role)
    if of_the_debate(sentence):
        return None
    if is_alone or not _is_frame(frame):
        return _rest(sentence, role) if _holds(sentence, role) or _asserts(sentence, role) else None
    return None if is_plain_fact(others) else others


_RELATIVE = re.compile(r"[^，,。:：是]{1,6}的")


def _is_relative(sentence: str, role: tuple[int, int]) -> bool:
    """空方看重的净利润，公司是12亿元: the word of telling only picks out a topic that gets its number."""
    picked = _RELATIVE.match(sentence, role[1])
    if picked is None or not is_plain_fact(sentence):
        return False
    topic = sentence[picked.end() :]
    return topic.startswith(("问题", "质疑", "疑问")) or any(m.start == 0 for m in mentions(topic))


def of_the_debate(text: str) -> bool:
    """Whether *text* weighs, asks or supposes, rather than says what a role said."""
    return _OF_THE_DEBATE.search(text) is not None


def _holds(sentence: str, role: tuple[int, int]) -> bool:
    """Whether the role is the subject or the owner of what the sentence says."""
    if _HOLDING.match(sentence, role[1]) or re.match(r"\s*\|", sentence[role[1] :]):
        return True
    return bool(_OWNED.search(sentence[: role[0]])) and len(han(sentence[role[1] :])) <= SHORTEST_STATEMENT


#: （多方）…; 多方＞…; 多方·首轮·…; 多方观点摘编｜…
_LABEL = re.compile(r"[^，,。:：|/·>→]{0,6}\s*[|)）】〗〕\]］/·>→⇒]")
_LABEL_LEAD = re.compile(r"[\s\W]*(?:转述|引述|引用|摘录?|观点|论点|发言)?[\s\W]*")
#: 在多方的…; 让空方…: the role is no subject.
_NO_SUBJECT = re.compile(r"[对给让使令与和跟同向为替由把将被比在从据于]$|的$")
_OWNER = re.compile(r"[的之与和跟同、]|(?:这边|那边|一方)?(?:没|未|不[知见懂曾]|无视|忘|只看|看不)")


def _asserts(sentence: str, role: tuple[int, int]) -> bool:
    """Whether the role labels the sentence, or is the subject of an argument: 多方一口咬定…."""
    lead, rest = sentence[: role[0]], sentence[role[1] :]
    if _LABEL_LEAD.fullmatch(lead) and _LABEL.match(rest):
        return True
    lead = _CLAUSE.findall(lead)[-1] if lead and _CLAUSE.fullmatch(lead[-1]) else ""
    if len(han(lead)) > _LONGEST_LEAD or mentions(lead) or _NO_SUBJECT.search(lead) or _OWNER.match(rest):
        return False
    return len(han(rest)) >= SHORTEST_STATEMENT and not is_plain_fact(rest)


def _is_frame(clause: str) -> bool:
    """A short clause that says nothing about the company itself."""
    if len(clause) > _LONGEST_FRAME or mentions(clause):
        return False
    return not any(q.is_quantity for q in find_quantities(clause))


def _rest(sentence: str, span: tuple[int, int]) -> str:
    return (sentence[: span[0]] + sentence[span[1] :]).strip('，,:： “”"「」')
