"""What a cell of a table is, by its content: a value, a time, the name of a quantity, or any other name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from flows.truth.grammar.numbers import Kind, Quantity, find_quantities
from flows.truth.grammar.reading import Reading, read

VALUE, TIME, METRIC, NAME, TOLD = "value", "time", "metric", "name", "told"

#: Longer cells speak in sentences.
_LONGEST_NAME = 24
_TELLS = re.compile(r"[，。；！？,;!?]|[高低大小多少]于|超过|不及|^(?:优于|逊于|连续|处于|接近|由[盈亏]|扭亏|转[盈亏])")
_AROUND_TIMES = re.compile(r"[\s\-—~至()（）的为在]|截至|统计|口径|区间|窗口|报告期|期间|分位")
_BASIS = re.compile(r"(?:同比|环比|较上年同期|单季度?|累计)(?:增减|变动|变化|口径)?")
_BARE = re.compile(r"[-+−]?[\d,]*\.?\d+")


@lru_cache(maxsize=4_096)
def sort_of(text: str) -> str:
    """The sort of a cell: 7.2倍 a value, 近三年 a time, 市盈率(TTM) a metric, 某公司 a name, 增持了1亿股 told."""
    said = text.strip()
    if not said or _BARE.fullmatch(said):
        return VALUE if said else ""
    reading = read(said, {})
    if any(q.kind in _AMOUNTS and _is_whole(said, q) for q in find_quantities(said)):
        return TIME if _DAYS.fullmatch(said) else VALUE
    numbers = [q for q in reading.quantities if q.is_quantity]
    if numbers or len(said) > _LONGEST_NAME or _TELLS.search(said):
        return TOLD
    if _is_time(reading):
        return TIME
    return METRIC if reading.mentions else NAME


_AMOUNTS = frozenset({Kind.QUANTITY, Kind.ORDINAL})
_HEDGE_BEFORE = re.compile(r"\s*(?:约|近|逾|超过?|大约|不足|不到|达)?\s*")
_HEDGE_BEHIND = re.compile(r"\s*(?:左右|上下|以上|以下)?\s*")
#: 60日 is a window; days counted are 8天 or 8个交易日.
_DAYS = re.compile(r"\d{1,3}日")


def _is_whole(said: str, q: Quantity) -> bool:
    return bool(_HEDGE_BEFORE.fullmatch(said[: q.start]) and _HEDGE_BEHIND.fullmatch(said[q.end :]))


def _is_time(reading: Reading) -> bool:
    """2025Q3, 近120个交易日, 2025年前三季度（累计）, 同比: a cell of nothing but a time or a basis."""
    spans = [(w.start, w.end) for group in (reading.periods, reading.windows, reading.days) for w in group]
    rest, position = "", 0
    for start, end in sorted(spans):
        rest, position = rest + reading.plain[position:start], max(position, end)
    rest = _AROUND_TIMES.sub("", rest + reading.plain[position:])
    return (bool(spans) and not rest) or _BASIS.fullmatch(rest) is not None


#: Heads of columns and of the fields of a record, whose words say nothing of a number: 估值指标, 代码/简称, 统计窗口.
_HEAD = re.compile(
    r".{0,4}(?:指标|项目|科目|统计项?|[比对]较项?|对照项?|项|名称|简称|代[码号]|(?<!定)期间?|窗口|区间|口径|时间|时点|日期|年份|年度|季度|事项"
    r"|类别|类型|维度|主体|对象|标的|参照|基准|数据|情况|表现?|一览|概览|摘要|内容|字段|结论|趋势|位置|立场|角色|发言方|提出[方者]|出自)"
    r"|(?:上市|所[指属]|本|该|目标|相关|对应|归属)?(?:公司|股票|证券|个股|企业)(?:名称|简称)?|估值|均线|预告|价格|变动|股东变动"
)
_OWNER_HEAD = re.compile(
    r"公司|股票|证券|标的|主体|对象|个股|简称|名称|代[码号]|企业|所[指属]|归属|谁|立场|角色|[发辩]言?[方人]|提出[方者]|主张方|出自"
)
#: Heads of a column of values that name no quantity where the row names it: 倍数, 最新值, 数量（万股）.
_VALUE_HEAD = re.compile(
    r"(?:具体|最新|当前|实际|对应|披露|公告|统计|目前|本期)?(?:数值?|数[字据量额]|读数|倍数?|结果|取值|金额|水平|比例|比率|百分比|幅度|价格|股价|价位"
    r"|股[份票]?数量?|天数|次数|名次|位次|排名|规模|录得|所得|值|元|录值|答案|量|点位|报价)"
)
_BRACKETED = re.compile(r"[(（\[][^()（）]*[)）\]]")


def _bare(head: str) -> str:
    return _BRACKETED.sub("", head).strip()


def is_head(text: str) -> bool:
    """Whether a corner or label only says what stands in its column or row."""
    return not text.strip() or any(_HEAD.fullmatch(part.strip()) for part in re.split(r"[/、或]", _bare(text)))


def is_owner_head(text: str) -> bool:
    """Whether a head announces companies: 证券, 代码/简称, 所属公司."""
    return bool(_OWNER_HEAD.search(_bare(text)))


def is_value_head(text: str) -> bool:
    """Whether a head announces values and says nothing of what they are."""
    return bool(_VALUE_HEAD.fullmatch(_bare(text)))


def is_bare(text: str) -> bool:
    """Whether a cell is a number without a unit."""
    return _BARE.fullmatch(text.strip()) is not None


def is_headless(row: Sequence[str]) -> bool:
    """Whether the first row of a table already tells values, with units, so that no row heads the others."""
    return any(sort_of(cell) == VALUE and not is_bare(cell) for cell in row)


def nearest(row: Sequence[str], column: int, sort: str) -> list[int]:
    """Columns of the cells of *sort* a value answers to: those between it and the value before it, else the next."""
    told = max((n for n in range(column) if sort_of(row[n]) == VALUE), default=-1)
    near = [n for n in range(told + 1, column) if sort_of(row[n]) == sort]
    others = (*range(column + 1, len(row)), *range(told + 1))
    return near or [n for n in others if sort_of(row[n]) == sort][:1]
