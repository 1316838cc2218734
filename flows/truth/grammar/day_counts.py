"""Days counted by what happened on them: 有3天录得涨停, 收涨的有17个交易日, 以跌停收盘的有2天."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.grammar.lexicon import Mention, concepts
from flows.truth.grammar.numbers import Kind, Quantity
from flows.truth.grammar.records import continues

_COUNTED = frozenset({"天", "日", "个交易日", "交易日", "次"})
#: 上涨 and 下跌 also move a price; they are counted only right beside the days.
_EVENT = re.compile(
    r"(?P<limit_up_days>涨停(?!板|价)|封板|(?<=[收封停][在于住死])涨停板|(?<=触及)涨停板)"
    r"|(?P<limit_down_days>跌停(?!板|价)|(?<=[收封停][在于住死])跌停板|(?<=触及)跌停板)"
    r"|(?P<up_days>收涨(?!停)|(?<![大收领补看暴急普])涨的(?=日子|交易日|天数?)|上涨(?=报收|收盘)|涨了?(?=(?:几|多少)(?:天|日|个交易日))|红(?=了?(?:有|共)*(?:几|多少|\s*[\d一二三四五六七八九十]+)(?:天|日|个?交易日))|收红|收阳|收高|红盘|飘红|翻红|(?<=[天日次])[里中]?(?:是|为|都|均|录得)?上?涨的?(?=[，。；、的？?]|$)"
    r"|上涨(?=[了的]?(?:有|共|合计|达到?|为)*\s*[\d一二三四五六七八九十]+\s*(?:天|日|个?交易日)))"
    r"|(?P<down_days>收跌(?!停)|(?<![下收领暴急普])跌的(?=日子|交易日|天数?)|下跌(?=报收|收盘)|跌了?(?=(?:几|多少)(?:天|日|个交易日))|绿(?=了?(?:有|共)*(?:几|多少|\s*[\d一二三四五六七八九十]+)(?:天|日|个?交易日))|收绿|收阴|收低|绿盘|飘绿|翻绿|(?<=[天日次])[里中]?(?:是|为|都|均|录得)?下?跌的?(?=[，。；、的？?]|$)"
    r"|下跌(?=的?(?:有|共|合计|达到?|为)*\s*[\d一二三四五六七八九十]+\s*(?:天|日|个?交易日)))"
)
#: 这三天收红, 涨停后3天: days that are pointed at, not counted.
_POINTED_AT = re.compile(r"(?:这|那|前|后|头|首|末|连|隔|每|满|第|当)\s*$")
_SENTENCE_END = re.compile(r"[。！!；;]|(?<![？?])\n|[？?](?!\n?[^。！!\n；;]{0,16}[\d一二两三四五六七八九十])")
#: 涨停统计⏎某公司：5天: a line of a few words that only says what is counted below it.
_TITLE = re.compile(r"(?:^|\n)[ \t#*]*[^，。；：:！？!?\n\d]{2,12}\**[ \t]*$")


def day_events(plain: str, known: Sequence[Mention], quantities: Sequence[Quantity]) -> list[Mention]:
    """Mentions of the events of *plain* that a number of days in the same sentence, or its answer, counts."""
    found: list[Mention] = []
    for match in _EVENT.finditer(plain):
        if any(m.start < match.end() and match.start() < m.end for m in known):
            continue
        start, stop = sentence_with_answer(plain, match.start())
        if any(start <= q.number_start < stop and is_count(q, plain) for q in quantities):
            found.append(Mention(*match.span(), match.lastgroup or ""))
    return found


def is_count(q: Quantity, plain: str) -> bool:
    """Whether a number may count days at all."""
    may_count = q.is_quantity or q.kind is Kind.ORDINAL
    return may_count and q.unit_word in _COUNTED and not _POINTED_AT.search(plain, max(0, q.start - 3), q.start)


def sentence_with_answer(plain: str, at: int, numbers: Sequence[tuple[int, int]] = ()) -> tuple[int, int]:
    """Bounds of the sentence around *at*, with the question it answers: 上涨天数有多少？24天.

    The lines of a record (项目：涨停天数⏎结果：8天) are one; *numbers* are the places of its quantities.
    """
    ends = [
        m.start()
        for m in _SENTENCE_END.finditer(plain)
        if m[0] != "\n" or not (continues(plain, m.start(), numbers) or _TITLE.search(plain, 0, m.start()))
    ]
    after = bisect_left(ends, at)
    return ends[after - 1] if after else 0, ends[after] if after < len(ends) else len(plain)


#: Lengths of time; a number of them is a window unless a counting word (上涨天数) asks for it.
_LENGTHS = frozenset({Unit.SESSIONS.value, "周", "个月", "个季度", "季度", "年"})


#: 窗口：60天
_SPAN_LABEL = re.compile(r"(?:窗口|区间|期间|时间|周期|范围|样本|长度|跨度)\**[ \t]*[:为是=][ \t]*$")


def as_window(q: Quantity, plain: str, found: list[Mention], numbers: Sequence[tuple[int, int]] = ()) -> Quantity:
    """五个交易日下来, 20日窗口: a length of time nobody counts is a window; 有三天涨停 is a number like 有3天."""
    may_be = q.is_quantity or q.kind is Kind.ORDINAL
    if not may_be or q.unit not in _LENGTHS or q.direction or not 0 < q.value <= 300:
        return q
    counting = [m for m in found if concepts()[m.concept].unit in {Unit.SESSIONS, Unit.COUNT}]
    if not counting or _DURATION.match(plain, q.end):
        return replace(q, kind=Kind.WINDOW)
    if _SPAN_LABEL.search(plain, max(0, q.start - 8), q.start):
        return replace(q, kind=Kind.WINDOW)
    start, stop = sentence_with_answer(plain, q.start, numbers)
    if not any(start <= m.start < stop for m in counting):
        return replace(q, kind=Kind.WINDOW)
    counts = q.kind is Kind.ORDINAL and is_count(q, plain) and any(_is_beside(plain, q, m) for m in counting)
    return replace(q, kind=Kind.QUANTITY) if counts else q


def _is_beside(plain: str, q: Quantity, mention: Mention) -> bool:
    """Whether nothing but a few words stand between a count and what it counts."""
    between = plain[mention.end : q.start] if mention.end <= q.start else plain[q.end : mention.start]
    return len(between) <= 6 and not re.search(r"[，。；,;]", between)


_DURATION = re.compile(r"\s*(?:窗口|下来|以来|期间|之间|之内|之后|里|内|中|后)")
