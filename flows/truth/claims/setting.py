"""Numbers that claim nothing about the world: thresholds of a condition, expectations, the debate's own counters."""

from __future__ import annotations

import re

from flows.truth.claims.statement import Statement
from flows.truth.grammar.reading import Reading

_CONDITION = re.compile(
    r"(?:若|如果|倘若|假如|一旦|假设|只要|除非|要是|如)(?!按|以|从|上|此|下|何|期|同|图|表|需|今)[^，。；]{0,40}$"
)
_CONDITION_VERB = re.compile(
    r"低于|高于|跌破|升破|突破|超过|不足|不及|达到|回到|降至|升至|站上|失守|少于|多于|未能|落在|以上|以下|下修|上修|转"
)
_EXPECTATION = re.compile(
    r"(?:(?:多方|空方|正方|反方|支持方|反对方|双方|本方|对方|看多方|看空方)(?:的)?(?:预期值?|期望值?)|预期值|阈值"
    r"|门槛|触发线|证伪线|触发价|证伪|证伪条件|情景假设)[^，。；]{0,24}$"
)
_COUNTER = re.compile(
    r"(?:调用|消耗|耗时|用时|缓存|tokens?|Token|字数|轮次|回合|发言|回答|重试|采纳|隔离|剔除|略去|事实|论点|论据|证据"
    r"|材料|分歧|条目|检查|校验|核对|要点|理由|问题|质询)[^，。；]{0,10}$"
)
_COUNTER_UNITS = frozenset({"count", "轮", "字", "秒", "分钟", "小时", "次", ""})
_AFTER_COUNTER = re.compile(
    r"^\s*(?:个|条|项|处|次|轮|句|大|类|种|点|方面|套|组|段)?\s*(?:有效)?(?:事实|论点|论据|证据|材料|分歧|调用|理由"
    r"|方面|问题|要点|原因|因素|维度|角度|条件|假设|情景|信号|步骤|指标|观察|角色|tokens?|Token|字|观察值|样本|判断"
    r"|结论|质询|检查|数字|风险点|风险|看点|逻辑|阶段|类|种|回答|重试|发言|尝试|步(?!伐)|轮次)|^\s*条?(?:新闻|公告"
    r"|研报|记录|消息|报道)[^，。；]{0,12}(?:不涉及|未收录|缺失)"
)
#: 81 处，未通过核对 3 处: places counted in a text.
_PLACES = re.compile(r"^\s*处(?=[，。；、：:)）\s]|$|有据|无据|不符|未)")
#: 重回55元了吗？ 离50%的线: what is only asked, and a line that is only measured by.
_ASKED = re.compile(r"[^，。；！\n？?]{0,6}吗[？?]")
_MARK = re.compile(r"(?:的|这条|这道)?(?:荣枯线|控股线|整数关口?|关口|中轴|红线|线(?!下|上|性)|(?:还)?更[近远])")
_DURATION_UNITS = frozenset(
    {"年", "个月", "个季度", "季度", "季", "周", "期", "小时", "分钟", "秒", "字", "岁", "轮", "批"}
)


#: 把营收看成100%, 以2024Q3为100: what a ratio is reckoned from.
_RECKONED = re.compile(
    r"(?:以|把|将|设|按|拿|用|令|如果|假设|假定|倘若|若)[^，。；]{2,30}?(?:看成|看作|当作|当成|视为|视作|作为|记[作为]|算作|计作|定为|当|为|是)\s*$"
)


#: x÷y－1
_LESS_ONE = re.compile(r"(?:÷|/|除以)[^，。；÷/]{2,24}(?:减|[-−])?\s*$")


def no_claim(reading: Reading, s: Statement) -> str:
    """Why the number of *s* claims nothing, in Chinese; empty if it does claim something."""
    q = s.quantity
    before = reading.plain[s.clause[0] : q.number_start]
    after = reading.plain[q.end : q.end + 10]
    if is_condition(reading, s):
        return "条件中的阈值"
    if q.value in {0.0, 1.0, 100.0} and (_RECKONED.search(before) or _LESS_ONE.search(before)):
        return "折算的基数"
    if _ASKED.match(reading.plain, q.end) or _MARK.match(reading.plain, q.end):
        return "只是问及，或用作界线的数"
    if _EXPECTATION.search(before):
        return "一方的预期或阈值，留待结算"
    if _is_counter(s, before, after):
        return "行文或过程计数"
    return "时长" if q.unit in _DURATION_UNITS and not s.concept and not s.label else ""


_THEN = re.compile(r"[^，。；\n]{0,6}[，,]\s*(?:则|那么|就|即|可视为|视为)")


def is_condition(reading: Reading, s: Statement) -> bool:
    """Whether the number is the threshold of a condition: 若净利润低于1亿元, 跌破9元则…."""
    q = s.quantity
    before = reading.plain[s.clause[0] : q.number_start]
    if _THEN.match(reading.plain, q.end) and _CONDITION_VERB.search(before):
        return True
    if not _CONDITION.search(before):
        return False
    after = reading.plain[q.end : q.end + 10].lstrip(" 元%倍")
    return bool(_CONDITION_VERB.search(before) or _CONDITION_VERB.match(after))


def _is_counter(s: Statement, before: str, after: str) -> bool:
    q = s.quantity
    if q.unit not in _COUNTER_UNITS or q.is_scaled or s.mention is not None:
        return False
    return bool(_AFTER_COUNTER.match(after) or _PLACES.match(after) or _COUNTER.search(before))
