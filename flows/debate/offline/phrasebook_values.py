"""Phrases about the values a metric may come to stand at: their names, and why a side stands on one of them."""

from __future__ import annotations

from flows.contracts.metrics import METRICS
from flows.debate.offline.phrasebook import Lines, Topic

#: Kind of a value → what it is called, in the words of the table of disagreements.
NAMES = {
    "latest": "最近一期的值",
    "quarter": "最近单季的同比",
    "year_before": "上年同期值",
    "revenue": "营业收入同比",
    "consensus": "卖方预测的全年增幅",
    "forecast": "公司业绩预告",
    "broker": "卖方预测",
    "trailing": "近四个季度的每股收益",
}
#: Metric → group of the topics it bears on.
VALUE_GROUPS = {
    "net_profit_yoy_pct": "result",
    "revenue_yoy_pct": "revenue",
    "gross_margin_pct": "margin",
    "roe_pct": "margin",
    "operating_cash_flow_cny": "cash",
    "debt_ratio_pct": "debt",
    "eps_cny": "result",
}
#: Which of two values an argument stands on.
STANDS_ON = "{zh}应以{mine}为准，而不是{theirs}"
_SO_FAR = "累计数是已经实现的部分"
#: Kind of one's own value and of the other side's, and whether one's own is the higher → why one stands on it.
_AGAINST: dict[tuple[str, str, bool], str] = {
    (
        "latest",
        "quarter",
        True,
    ): f"一个季度只是全年的一部分，要让全年落到单季的同比，余下的季度必须比这个单季更弱；{_SO_FAR}。",
    (
        "latest",
        "quarter",
        False,
    ): f"一个季度只是全年的一部分，要让全年达到单季的同比，余下的季度必须比这个单季更强；{_SO_FAR}。",
    (
        "latest",
        "revenue",
        True,
    ): "利润与收入之间的差额来自毛利率与费用的变化，这些变化已经进入报表；要让差额消失，须先拿出新的事实。",
    (
        "latest",
        "revenue",
        False,
    ): "利润与收入之间的差额来自毛利率与费用的变化，这些变化已经进入报表；要让差额消失，须先拿出新的事实。",
}
#: Kind of one's own value, and whether it is the higher one → why one stands on it, whatever the other side's.
_ALONE: dict[tuple[str, bool], str] = {
    (
        "latest",
        True,
    ): f"{_SO_FAR}，是已经披露的最近状态；要取另一个数，须先拿出会让它变动的新事实，举证在取那个数的一方。",
    (
        "latest",
        False,
    ): f"{_SO_FAR}，是已经披露的最近状态；要取另一个数，须先拿出会让它变动的新事实，举证在取那个数的一方。",
    (
        "quarter",
        True,
    ): "最近一个单季强于累计，改善先出现在单季里，累计数被前面的季度拖低；方向若延续，下一期累计会向单季靠拢。",
    (
        "quarter",
        False,
    ): "最近一个单季弱于累计，放缓先出现在单季里，累计数被前面的季度垫高；方向若延续，下一期累计会向单季靠拢。",
    ("year_before", True): "上年同期是口径与季节都相同时达到过的水平，本期与它的差距还没有证明会长期存在。",
    ("year_before", False): "上年同期是口径与季节都相同时出现过的水平，本期与它的差距还没有证明能够留住。",
    ("revenue", True): "利润与收入之间的差额来自利润率与费用，差额不再扩大，利润就会向收入的速度靠拢。",
    ("revenue", False): "利润与收入之间的差额来自利润率与费用，利润率不能一直扩张，利润终究要回到收入的速度。",
    ("consensus", True): "卖方立场偏多，需要打折；但它是全年口径的数，报告期的累计数里还没有最后一个季度。",
    ("consensus", False): "卖方通常偏多，连它给出的全年增幅都低于已报告的速度，说明它对余下季度的看法更低。",
    ("forecast", True): "预告由公司自己给出并承担责任，又是全年口径，它与累计数的差额就是余下季度要补上的部分。",
    ("forecast", False): "预告由公司自己给出并承担责任，又是全年口径，它低于累计数，等于说余下季度比已报告的更慢。",
    ("broker", True): "卖方立场偏多，需要打折；它与已实现利润的差额就是余下季度要确认的部分，年报出来即可核对。",
    ("broker", False): "卖方通常偏多，连它也有更低的数，取更高的数就需要比卖方更乐观的理由。",
    ("trailing", True): "这是由收盘价与市盈率推出的已实现利润，不含任何预测；更低的预测等于假定余下季度变差。",
    ("trailing", False): "这是由收盘价与市盈率推出的已实现利润，不含任何预测；更高的预测要靠余下季度补足差额。",
}


def reason_for(mine: str, theirs: str, *, is_higher: bool) -> str:
    """Why one stands on a value of kind *mine* against one of kind *theirs*."""
    return _AGAINST.get((mine, theirs, is_higher)) or _ALONE[mine, is_higher]


_DOUBTS = (
    "所取的只是几个参照值里的一个，其余的参照值同样有出处，取哪一个要由下一期报告来定。",
    "参照值只是起点，它离报告期末还有距离，中间的变化要另行说明。",
)


def _topic(metric: str) -> Topic:
    zh = METRICS[metric].zh
    words = STANDS_ON.format(zh=zh, mine="{mine}", theirs="{theirs}")
    lines = Lines(f"{zh}的取值", (words,), tuple(dict.fromkeys((*_AGAINST.values(), *_ALONE.values()))), _DOUBTS)
    return Topic(f"value_of_{metric}", VALUE_GROUPS[metric], "(?!)", lines, lines, weight=4)


#: One topic for each metric; nothing fits it by itself, it is argued against an expected value only.
VALUE_TOPICS: tuple[Topic, ...] = tuple(_topic(metric) for metric in VALUE_GROUPS)
