"""Direction words, where they stand to a number, and which way they point."""

from __future__ import annotations

import re
from dataclasses import dataclass

UP_WORDS = (
    "增长", "上升", "上涨", "上行", "提升", "提高", "增加", "扩大", "加大", "走高", "上浮", "反弹", "回升", "攀升",
    "飙升", "抬升", "改善", "多增",
    "净流入", "流入", "净买入", "涨幅", "增幅", "升幅", "大涨", "收涨", "高出", "多出", "溢价", "超出", "增厚",
    "盈利", "减亏", "上调", "上修", "调高", "升", "涨", "增", "高", "多",
)  # fmt: skip
DOWN_WORDS = (
    "下降", "下滑", "下跌", "下行", "减少", "降低", "回落", "回撤", "缩减", "缩小", "缩水", "萎缩", "走低", "下挫",
    "下调", "下修", "调低", "滑落", "回调", "少增", "恶化", "跌去",
    "负增长", "净流出", "流出", "净卖出", "跌幅", "降幅", "减幅", "大跌", "收跌", "折价", "缩窄", "收窄", "净亏损",
    "亏损", "净亏", "预亏", "增亏",
    "亏", "降", "跌", "减", "低", "少",
)  # fmt: skip

_FILL = (
    r"(?:了|幅度|幅|约|近|逾|超过|超|达到|达|为|多达|高达|仅|只|大约|左右|接近|不足|不到|至少|至多|合计|累计|共|已"
    r"|将近|的|是|在|:|：|,|，|\s|\*|`|\(|（|合|差不多|整整"
    r"|同比|环比|较上年|较上年同期|较去年同期|个|有|来到|录得|区间|范围|上限|下限|人民币|净额|金额|规模)*"
)
_TARGET = r"(?:至|到|为)?"
_UP = (
    "|".join(sorted(UP_WORDS, key=len, reverse=True))
    .replace("涨幅", "(?<!涨跌)涨幅")
    .replace("|高|多", "|高(?!达)|多(?!达)")
)
_DOWN = (
    "|".join(sorted(DOWN_WORDS, key=len, reverse=True)).replace("跌幅", "(?<!涨)跌幅").replace("|跌|", "|(?<!涨)跌|")
)
_BEFORE = re.compile(
    rf"(?:(?P<not>[未没不无]有?)?(?P<word>(?P<up>{_UP})|(?P<down>{_DOWN})))(?P<fill>{_FILL})(?P<target>[至到成])?"
    rf"(?P<tail>{_FILL})$"
)
_AFTER = re.compile(
    r"(?:左右|以上|上下)?(?:的|\s)*(?:同比|环比|累计|年度|净利润|营收|单日)?(?P<word>(?P<up>涨幅|增幅|升幅|增速|溢价|(?:增长|上涨|提升)(?!了?(?:约|近|逾|超过?)?\s*(?:\d|百分之)))|(?P<down>跌幅|降幅|减幅|下降|下滑|下跌|回撤|负增长|亏损|折价)(?=[，。；、,;)）\s|的与和后并]"
    r"|$))"
)
_NOT_DIRECTION_BEFORE = re.compile(r"(?:最|新|提|较|更|走|偏|处于|不|至|年内|阶段|历史|多)$")


@dataclass(frozen=True, slots=True)
class Direction:
    """A direction word beside a number.

    Attributes:
        sign: +1 or -1; of a loss that moves (亏损收窄) the direction of the profit; 0 where there is no word.
        start: Offset where the wording begins.
        end: Offset where it ends if it stands behind the number.
        is_target: Whether the word says how a level was reached (降至).
        of_loss: Whether a loss is what stands or moves.
    """

    sign: int = 0
    word: str = ""
    start: int = 0
    end: int = 0
    is_target: bool = False
    of_loss: bool = False


_WINDOW = 18
#: 119.9亿元减111.4亿元: what stands between two numbers is an operator.
_OPERAND = re.compile(r"[\d%元倍股点)]\s*$")
_STANDING_LOSS = frozenset({"亏损", "净亏损", "净亏", "预亏", "亏"})
_MOVING_LOSS = frozenset({"减亏", "增亏"})
_LOSS_BEFORE = re.compile(
    r"(?:净?亏损|预亏)(?:额|幅度|金额|规模|总额)?(?P<base>[从由][^，。；]{1,12})?"
    r"(?:同比|环比|较(?:上年|去年)(?:同期)?|进一步|继续|大幅|明显|显著|持续|有所|小幅|预计|将|\s)*$"
)


def _is_no_move(before: str, fill: str) -> bool:
    """最高2元, 处于低位; 低的4.7亿元，高的5.9亿元 are two ends."""
    return bool(_NOT_DIRECTION_BEFORE.search(before)) or (fill == "的" and before.endswith(("，", ",")))


def before_direction(text: str, position: int) -> Direction:
    """The direction word directly before *position*."""
    base = max(0, position - _WINDOW)
    window = text[base:position]
    match = _BEFORE.search(window)
    if match is None:
        return Direction(start=position)
    word, start = match["word"], base + match.start("word")
    if word == "减" and _OPERAND.search(window[: match.start("word")]):
        return Direction(start=position)
    if word in {"高", "低", "多", "少"} and _is_no_move(window[: match.start("word")], match["fill"]):
        return Direction(start=position)
    sign = 0 if match["not"] in {"未", "没有", "没"} else (1 if match["up"] else -1)
    is_target = bool(match["target"])
    if word in _STANDING_LOSS or word in _MOVING_LOSS:
        return Direction(sign, word, start, is_target=is_target, of_loss=True)
    loss = _LOSS_BEFORE.search(text, max(0, start - 2 * _WINDOW), start)
    if loss is not None:
        begins = start if loss["base"] else loss.start()
        return Direction(-sign, word, begins, is_target=is_target, of_loss=True)
    return Direction(sign, word, start, is_target=is_target)


def after_direction(text: str, position: int) -> Direction:
    """The direction noun directly after a number (6.8%的跌幅)."""
    match = _AFTER.match(text, position)
    if match is None or match["word"] == "增速":
        return Direction(end=position)
    return Direction(1 if match["up"] else -1, match["word"], end=match.end(), of_loss=match["word"] == "亏损")


_ANY = re.compile(rf"(?P<up>{_UP})|(?P<down>{_DOWN})")


def directions_in(text: str) -> list[tuple[int, int, int]]:
    """All direction words of *text*: (start, end, direction)."""
    return [(m.start(), m.end(), 1 if m["up"] else -1) for m in _ANY.finditer(text)]
