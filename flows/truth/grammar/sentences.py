"""Where sentences end: a question is one with its answer, a record one with all its lines."""

from __future__ import annotations

import re

from flows.truth.grammar.paired import paired_up
from flows.truth.grammar.records import continues

_SENTENCE_END = re.compile(r"[。！？!?\n]|(?<=[^\d])\.(?=\s)")
NUMERAL = re.compile(r"[0-9零〇一二三四五六七八九十百两.]")


def ends_of(pattern: re.Pattern[str], plain: str, inside: list[tuple[int, int]]) -> tuple[int, ...]:
    """Offsets of the matches of *pattern* that stand inside none of the numbers *inside*."""
    ends = (m.start() for m in pattern.finditer(plain))
    return tuple(e for e in ends if not any(a < e < b for a, b in inside))


#: 1.2亿元！这是公司的净利润: what only a demonstrative takes up is one sentence with it.
#: 下滑14.6%！某公司营收同比就是这个幅度: so is what ends in one.
#: 先说毛利率，39%；再说净利率，32%。两个数都取自2024年中报: so are numbers that one source is named for.
#: 59.76%。说的就是某公司的质押比例: so is what is said to have been spoken of.
TAKEN_UP = re.compile(
    r"\s*(?:这|那|此)(?:个数字?|一数字?)?(?:(?:正|就|便)?是|即?为|系|乃)"
    r"|\s*(?:前者|数据|数字|数值|读数|具体(?:数字|数值)?)(?:是|为|如下)?[:：，,]?(?=\s*[-\d一二三四五六七八九十百])"
    r"|\s*(?:以上|上述|上面|这)?[两二三](?:个|项|组)?(?:数字|数据|数值|指标|数|者)(?:都|均|全)?(?:取自|来自|出自|引自|见于|属于|源于)"
    r"|\s*(?:这里头|这中间|这其中|两者|二者|两数|两期)(?=[^。！？\n]{0,14}(?:差|比|相除|之和))"
    r"|\s*(?:(?:这里|以上|上面|前面|我|我们)?(?:说|问|讲|聊|谈|指)的(?:正|就|便|也)?(?:是|，)|指的?(?=[^，。；：]{2,14}的))"
    r"|[^。！？!?\n%元倍]{0,40}?(?:就是|便是|正是|也就是|等于)"
    r"(?:它(?!们)|(?:这个|这一|这样的|这)(?:幅度|数字?|水平|比例|结果|读数|金额|价|规模|速度))"
    r"|[^。！？!?\n%元倍]{0,40}?(?:这个数字?|这一数字?|该数字?|这个比例)(?:属于|归属于?|说的是|指的是|叫|对应的?是?)"
    r"|[^。！？!?\n%元倍]{0,24}?就(?:这么|这样)(?=[^。！？!?\n]{0,4}[卖减抛增买涨跌解走])"
)


#: - 2025Q3营收：…⏎- 2024Q3营收：…⏎- 差额：…: the last of three lines relates the two before it.
_SUM_LINE = re.compile(
    r"\n[ \t]*(?:[-*•·>]|\d{1,2}[.、)])?[ \t]*(?:两者|二者|两期|前后|两项|前者|后者)?"
    r"(?:之差|差额|差值|差距|(?:同比)?(?:变动|增减|变化)(?:幅度|比例|额|率)?|增减幅|变幅|同比(?:增[速幅])?|[增降]幅|增速|增长率"
    r"|相差|净增|净减|比值|之比"
    r"|(?:前者|后者)(?:[/÷]|除以|是|占|相当于)(?:前者|后者)的?|(?:结论|比较|对比)(?:结果)?(?=[:：](?:前者|后者)))[:：]"
)


def _summed_up(plain: str) -> set[int]:
    """Ends of the two lines above a line that tells their difference or ratio."""
    ends: set[int] = set()
    for match in _SUM_LINE.finditer(plain):
        if match.start() in ends:
            continue
        above = plain.rfind("\n", 0, match.start())
        first = plain[plain.rfind("\n", 0, max(0, above)) + 1 : max(0, above)]
        if NUMERAL.search(first) and NUMERAL.search(plain[above : match.start()]):
            ends |= {above, match.start()}
            following = _SUM_LINE.match(plain, plain.find("\n", match.end()))
            if following is not None:
                ends.add(following.start())
    return ends


#: 1.2亿元的差额怎么来的？
_ASKS_WHENCE = re.compile(
    r"(?:(?:怎么|如何|怎样|哪里?|从何(?:处|而)?|何以|从哪里?)(?:算|得|推|减|除|来|而来|求)(?:出来?|到|来)?的?|什么意思|何解|是(?:个|一个)?(?:什么|啥|哪个|谁的)(?:数字?|指标|读数)?)$"
)
#: 参照系选行业平均。: a sentence that only sets what the next is held against is one with it.
_SETS_REFERENCE = re.compile(
    r"[^，。；！？\n]{0,6}(?:参照|对照|比较|对比|基准|参考)(?:系|物|对象|组|方|标的|公司)?(?:就|则)?"
    r"(?:选|换成|换作|改为|取|为|是|用|定为|:)[^，。；！？\n]{2,16}"
)


def _is_move(text: str) -> bool:
    """下降27.9%！某公司…: a move that stands alone is told of what follows."""
    return re.match(r"(?:增|上升|提升|提高|下降|下滑|减|降|涨|跌|上涨|下跌)", text) is not None


def _holds(inside: list[tuple[int, int]], start: int, end: int) -> bool:
    return any(start <= a < end for a, _ in inside)


def sentence_ends(plain: str, inside: list[tuple[int, int]]) -> tuple[int, ...]:
    """Ends of sentences; a question without a number is one with its answer, a record one with all its lines."""
    ends = ends_of(_SENTENCE_END, plain, inside)
    kept, start, is_open = [], 0, False
    summed = _summed_up(plain) | paired_up(plain, ends, inside)
    for end in (end for end in ends if end not in summed):
        is_break = is_open and plain[end] == "\n" and not plain[start:end].strip()
        is_bare = not _holds(inside, start, end)
        is_asking = plain[end] in "?？" and (is_bare or _ASKS_WHENCE.search(plain, start, end) is not None)
        is_open = is_break or is_asking or (is_bare and _SETS_REFERENCE.fullmatch(plain, start, end) is not None)
        is_record = plain[end] == "\n" and continues(plain, end, inside)
        is_shout = (
            plain[end] in "!！" and _is_move(plain[start:end]) and any(a <= start and end <= b for a, b in inside)
        )
        if not (is_open or is_record or is_shout or TAKEN_UP.match(plain, end + 1)):
            kept.append(end)
        start = end + 1
    return tuple(kept)
