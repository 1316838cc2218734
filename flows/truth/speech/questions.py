"""Questions that pass a statement on: 问：多方说了什么？答：…; 谁主张…？多方; 请空方解释，凭什么说…."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flows.truth.speech.clauses import is_plain_fact
from flows.truth.speech.roles import WHO

_SAYING = r"说|讲|主张|认为|提|写|称|怎么看|看法|论点|观点|意见|立场|理由|论据|依据|结论|判断|陈述|立论"
_WHAT = r"什么|啥|哪|怎么|怎样|如何|何"
_ANSWER = r"[？?]\s*(?:答案?|回答|答曰|答复|A)\s*(?:是|为)?[:：，,]?\s*"
_SAID = r"[“\"「]*(?P<what>[^。；！？?\n”\"」]{6,})"
#: 要问多方为什么这么看，理由是…; 空方为何看空？因为在它看来…; 记者问多方怎么看，对方回答：…
_LEAD = (
    r"(?:答(?=[:：曰案])[曰案]?|理由|原因|记录里?写的|记录里|记录显示|凭的|靠的|因为在?[它其他她]们?看来"
    r"|(?:对方|[它其他她])(?:回?答|说|表示|称)道?)"
)
_SIDE = r"(?:谁|哪一?方|哪边)"
_HOLD = r"(?:说|讲|主张|认为|提出|强调|指出|断言|断定|坚持|声称|相信|看好|看空)(?!明|服)(?:过|了|出)?"

_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # 问：多方首轮怎么说？答：…
        rf"(?P<role>{WHO})(?P<verb>(?=[^。！？!?\n]*(?:{_SAYING}))(?=[^。！？!?\n]*(?:{_WHAT}))[^。！？!?\n]{{0,16}}){_ANSWER}{_SAID}",
        # Q：多方的核心论点？A：…
        rf"(?P<role>{WHO})(?P<verb>的?[^。！？!?\n，,]{{0,6}}(?:论点|观点|主张|立场|看法|意见|结论|理由))(?:是|呢)?{_ANSWER}{_SAID}",
        # 多方不是说…吗
        rf"(?P<role>{WHO})(?:难道|岂)?不(?:就|也)?是(?P<verb>{_HOLD})[:：，,“\"]*(?P<what>[^。；！？?\n”\"」]{{6,}}?)[”\"」]?[吗嘛么]",
        # 谁主张…？答：多方
        rf"{_SIDE}(?P<verb>{_HOLD})的?[:：，,]*{_SAID}[”\"」]?的?(?:{_ANSWER}|[？?]\s*)(?:是|正是)?(?P<role>{WHO})",
        # …是谁的主张？多方
        rf"[“\"「]*(?P<what>[^。；！？?\n“”\"「」]{{6,}}?)[”\"」]?[，,]?(?:(?:这|此)?(?:话|一?句话|一?条)?(?:是|出自)|(?:这|此)(?:一?句)?话)"
        rf"{_SIDE}(?:的|之)?(?P<verb>主张|论点|观点|看法|口|说的|讲的|提的)(?:{_ANSWER}|[？?]\s*)(?:是|正是)?(?P<role>{WHO})",
        # 请空方解释，凭什么说…
        rf"(?P<role>{WHO})[^。！？!?\n“”]{{0,16}}?(?:凭什么|凭啥|为什么|为何|何以|缘何|怎么会|怎能|怎敢|根据什么|依据什么)"
        rf"(?:就|会|能|敢|还|要|可以)*(?P<verb>{_HOLD})[:：，,]*{_SAID}",
        # 要问多方为什么这么看，理由是…
        rf"(?P<role>{WHO})(?P<verb>(?![发反追提]?问)[^。！？!?\n，,“”]{{0,16}}(?:{_WHAT}|凭)[^。！？!?\n，,“”]{{0,10}})[，,？?]\s*{_LEAD}(?:是|为|[:：，,])*{_SAID}",
        # …，这不就是多方的观点吗
        rf"[“\"「]*(?P<what>[^。；！？?\n“”\"「」]{{6,}}?)[”\"」]?[，,—]+[这那此]?(?:难道|岂)?不(?:就|正|也)?是(?P<role>{WHO})"
        rf"(?P<verb>[^。；！？?\n，,]{{0,4}}?(?:{_SAYING}))的?[吗嘛么]",
    )
)


def passed_on_in_questions(plain: str) -> Iterator[re.Match[str]]:
    """Matches with groups *role*, *verb* and *what*: a question with its answer, or one that takes up a saying."""
    for pattern in _PATTERNS:
        yield from (m for m in pattern.finditer(plain) if not is_plain_fact(m["what"]))
