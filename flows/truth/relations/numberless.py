"""Where a text claims something without a number: 低于行业平均, 创三年新高, 连续三季下滑, 由盈转亏, 持续上涨.

A conditional, a question or a forecast is no claim about what is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.truth.grammar.reading import Reading
from flows.truth.judging.scenes import Scene

#: 降低二点零三亿元, 减少百分之十二: a number in words.
_CHINESE_NUMBER = r"(?:[零〇一二两三四五六七八九十百]+(?:点|[亿万成倍元])|百分之)"

_OVER_WORDS = "高于|优于|好于|超过|超出|领先于|领先|强于|大于|多于|快于|跑赢|贵于|胜过|好过|高过"

_UNDER_WORDS = "低于|不及|逊于|逊色于|落后于|落后|弱于|小于|少于|慢于|跑输|便宜于|比不上|低过"

_COMPARE = re.compile(
    rf"(?P<not>不|并不|并未|未|没有)?(?:明显|显著|大幅|远|略|小幅|稍|持续|长期|整体|均|都|仍|已|要|还"
    rf"|较为)*(?P<word>(?P<over>{_OVER_WORDS})|(?P<under>{_UNDER_WORDS}))"
)

_BI = re.compile(
    r"(?:较|比|与|跟|和|相对于?|对比)(?P<what>[^，。；谁\n]{2,14}?)(?:相比|而言|来说)?(?:要|都|更|还|明显|显著|略"
    r"|稍)*(?<![越谁])(?P<word>(?P<over>更?高|偏高|较高|更?贵|更?好|更?强|更?大|更?快|领先|占优)|(?P<under>更?低|偏低|较低"
    r"|更?便宜|更?(?<![之相落的])(?<!落)差|更?弱|更?小|更?慢|落后))(?=[，。；、\s的]|$)"
)

_AMONG = re.compile(
    r"(?:在|于|处于)?(?:所属|所在)?(?P<what>行业|同业|同行|板块|可比公司)(?:内|中|当中"
    r"|里)(?:的)?[^，。；\n]{0,8}?(?:处于|属于|排名|位居|位列)?(?:相对|整体|明显)*(?P<word>(?P<over>偏高|较高|领先"
    r"|靠前|居前|前列|前茅|高位|最高|上游)|(?P<under>偏低|较低|落后|靠后|垫底|低位|最低|下游|末位))"
)

_RANKING = re.compile(
    r"(?:行业|全国|全球|国内|世界|市占率|市场份额|亚洲|细分领域|细分市场|规模|销量"
    r"|产能)[^，。；\n]{0,8}?(?:第[一二三1-3](?!季|轮|步|点|条)(?:名|位)?|首位|榜首|居首|之首|最大|龙头地位|绝对龙头)"
)

_EXTREME = re.compile(
    r"(?P<reach>创(?:下|出)?|刷新|达到|触及|处于|位于|处在|站上|跌至|升至|回到|接近|逼近|靠近|邻近|临近|属于|徘徊于?"
    r"|在|为)(?:了|其)?(?:自)?"
    r"(?P<span>近?(?:[一二三五十两]|\d{1,2})年(?:来|以来|内)?(?:的)?|历史(?:上)?(?:的)?|近?52周(?:来|以来|内)?(?:的)?"
    r"|年内(?:的)?|上市以来(?:的)?|阶段(?:性)?(?:的)?|近?\d{2,3}(?:个交易)?日(?:来|以来)?(?:的)?"
    r"|近?[一二三六\d]+个月(?:来|以来)?(?:的)?|有记录以来(?:的)?|同期)?"
    r"(?:估值|价格|股价|分位|区间)?(?:的)?(?:相对|绝对|较|偏|极|次)?(?P<what>新高|新低|高位|低位|高点|低点|底部|顶部"
    r"|最高点?(?!价)|最低点?(?!价)|高水平|低水平|高分位|低分位|最好水平|最差水平|峰值|谷底|上沿|下沿|高区间|低区间|中枢)"
)

_STREAK = re.compile(
    r"(?:已|已经)?连续(?:第)?(?P<n>[一二两三四五六七八九十]|\d{1,2})(?:个)?(?P<unit>季度|季|期|年度?|报告期|交易日|日"
    r"|天|个月|月|周|半年)(?:以来|的|来)?(?:净利润|营收|业绩|股价|实现|出现|录得|保持|维持|主力资金|主力|同比|环比"
    r"|双双|正|呈|均|都|持续)*"
    r"(?P<move>增长|上升|提升|提高|改善|上涨|走高|回升|攀升|增加|盈利|净流入|流入|下滑|下降|下跌|走低|回落|恶化|减少"
    r"|降低|亏损|净流出|流出|萎缩|收窄|负增长|阴跌|涨停|跌停|缩水|新高|新低|扩大)"
)

_TURN = re.compile(
    r"(?P<down>由盈转亏|盈转亏|转为亏损|转亏|首亏|由正转负|由升转降|由增转降|由涨转跌|陷入亏损)|(?P<up>扭亏为盈|扭亏"
    r"|由亏转盈|转盈|转为盈利|由负转正|由降转升|由降转增|由跌转涨|恢复盈利)"
)

_TREND = re.compile(
    r"(?P<pre>(?:持续|不断|一路|连续|稳步|稳定|稳健|大幅|明显|显著|快速|高速|急剧|加速|小幅|继续|逐步|逐季|逐年|同比"
    r"|环比|双双|保持|呈|呈现|出现|实现|有所|仍在|正在|正|在(?!于)|强劲|轻微|温和|进一步|整体|趋势性)+(?:的)?)"
    r"(?P<move>增长|上升|提升|提高|改善|上涨|走高|回升|攀升|增加|净流入|下滑|下降|下跌|走低|回落|恶化|减少|降低"
    r"|净流出|萎缩|负增长|阴跌|缩水|走弱|走强|变差|变弱|转差|转弱|变好|变强|转好|转强|好转|下行|上行|扩大|收缩)(?!至"
    rf"|\s*(?:了|约|近|超|逾)*\s*{_CHINESE_NUMBER}"
    r"|到|趋势线|(?:的)?(?:区间|范围|上限|下限|上下限|幅度(?=[^，。；]{0,4}\d)|两端|跨度)|通道线|空间|潜力|动力|预期|压力位|点|风险|\s*(?:了|约|近|超|逾)?\s*\d)"
)

_LOSS = re.compile(
    r"净?亏损(?:额|幅度|规模)?(?:同比|环比|较(?:上年|去年)同期|进一步|继续|大幅|明显|持续|有所|逐步|正在|在|显著|小幅)*"
    r"(?P<word>(?P<down>扩大|加大|加剧|增加)|(?P<up>收窄|缩小|缩窄|减少))(?!至|到|了?\s*(?:约|近|超|逾)?\s*\d)"
)

_TRADE = re.compile(
    r"(?<!上市公司)(?:股东|高管|董监高|实控人|实际控制人|一致行动人|管理层)(?:继续|持续|近期|已|正在|再次|累计|大幅|连续|一直|在"
    r"|又|也|密集)*(?P<word>增持|减持)"
    r"(?!股份管理|管理|股份的?规定|规定|新规|规则|计划|的|应|须|不得)"
)

_MOVES = "增长|上升|提升|提高|改善|上涨|走高|回升|增加|下滑|下降|下跌|走低|回落|恶化|减少|降低|萎缩|缩水"
#: 并未下降: a move denied is a claim too; 没有增长至… and 没有增长空间 are not.
_DENIED = re.compile(
    rf"(?:并没有|没有|并未|未曾|未见|从未|未)(?:出现|发生|实现|有所|明显|同比|环比)*(?P<move>{_MOVES})"
    r"(?=[，。；、！\s]|$)"
)

#: 已经破净, 没有破净: the price against the book value of a share.
_BOOK = re.compile(
    r"(?P<not>并没有|没有|并未|尚未|未曾|未|不曾)?(?:已经|已|出现|发生|持续|长期|再度|跌)*(?<!破没)破净(?![的率股，,]?(?:股|率|的))"
)

#: 行业平均的两倍多, 去年同期的一半: how many times a value is of another the sentence names.
_TIMES = re.compile(
    r"(?:(?:是|为|达到?|相当于)(?:了|其)?)?(?P<rough>不到|不足|超过|多于|高于|逾|略多于|略低于|接近|近|约)?"
    r"(?<=[是为达到于了其足过逾近约])[^，。；]{1,24}?的(?P<n>一半|[一两二三四五六七八九十]倍)(?P<more>多|有余|以上|还多)?"
)

#: 四家公司里某公司的市盈率最低.
_RANKED = re.compile(
    r"(?:[两二三四五六七八九十\d]+家|几家|可比公司|同行|同业)(?:可比)?(?:公司|企业)?(?:里|中|内|当中|之中)(?:头)?"
    r"[^。；]{0,24}?(?P<word>最(?:高|贵|大)(?P<over>)|最(?:低|便宜|小)(?P<under>))"
)

#: 比某公司更高的有两家: the companies that stand higher or lower, and how many they are.
_COUNTED = re.compile(
    r"(?:比(?P<what>[^，。；\d—]{2,16}?)(?:的)?(?:更|还|要)?(?:(?P<over>高|贵)|(?P<under>低|便宜))"
    r"|(?:(?P<above>高于|贵于)|(?P<below>低于))(?P<whom>[^，。；\d—的]{2,16}?)(?=的(?:公司|同行|同业)?(?:只|仅|共|一共|恰好)?(?:有|包括)))"
    r"的(?:公司|同行|同业)?(?:只|仅|共|一共|恰好)?(?:有|是|为|包括)(?P<rest>[^。；]*)"
)

DOWN_MOVES = frozenset({
    "下滑", "下降", "下跌", "走低", "回落", "恶化", "减少", "降低", "亏损", "净流出", "流出", "萎缩", "负增长",
    "阴跌", "跌停", "缩水", "新低", "走弱", "变差", "变弱", "转差", "转弱", "下行", "收缩", "收窄"},
)  # fmt: skip

UNREAL = re.compile(
    r"若|如果|倘若|假如|假设|一旦|是否|能否|会不会|可能|或(?:将|许|会|者)|有望|预计|预期|预测|将(?!近)|未来|后续|待"
    r"|等待|除非|只要|担心|担忧|防止|避免|警惕|风险|取决于|需要|需(?:观察|关注|跟踪|验证)|观察|关注|跟踪|假定|尚未"
    r"|并未|没有|未必|不一定|并非|不是|不能|难以|未能|未见|无法|应当|应该|才能|方能|意味着只|何时|多少|吗|？|\?|能够"
    r"|判断失效|证伪|落在|目标|计划|拟"
)

#: 需要说明的是 and its like introduce a claim, they do not make it unreal.
_MANNER = re.compile(
    r"(?:需要|应当|应该|必须|可以|值得)(?:说明|指出|强调|注意|补充|看到|承认|提醒|关注)(?:的是|的一点|一点|到)?"
    r"|(?:观察|关注)(?:到|的是)"
)

_UNREAL_AFTER = ("的风险", "的可能", "吗", "？", "风险", "压力", "预期", "则", "的话", "与否")
_SUPPOSED = re.compile(
    r"(?:若|如果|假设|一旦|倘若|假如|除非|只要)"
    r"(?!只|仅|单|要问|问|论|看|以|按|从|用|拿|说|把|要说|非|一定|对比|放|就|将)[^。；]*$"
)
#: …低于10%，则…: what stands before it is a condition.
_THEN = re.compile(r"[，,]\s*(?:则|那么|可视为|视为)")


#: PB是否低于行业平均？是。
_AFFIRMED = re.compile(r"[^。？?\n]{0,16}[？?]\s*(?:答\s*[:：])?\s*(?:是|对|没错|确实)(?![不否])")


#: 哪项指标连续三年下滑？某公司的净利润。: what asks which takes for granted that it is so.
_WHICH = re.compile(r"哪一?[项个家只]|谁(?!都|也)")
_ANSWERED = re.compile(r"\s*[？?]\s*[^。？?\n\s]")


@dataclass(frozen=True, slots=True)
class Claimed:
    """A numberless claim found in a text."""

    start: int
    end: int
    kind: str
    match: re.Match[str]


PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("counted", _COUNTED), ("ranked", _RANKED), ("denied", _DENIED), ("book", _BOOK), ("times", _TIMES),
    ("streak", _STREAK), ("turn", _TURN), ("loss", _LOSS), ("trade", _TRADE),
    ("extreme", _EXTREME), ("ranking", _RANKING), ("among", _AMONG),
    ("compare", _COMPARE), ("bi", _BI), ("trend", _TREND),
)  # fmt: skip


def found_claims(reading: Reading) -> list[Claimed]:
    """Numberless claims of a text in order; of overlapping ones the more telling kind."""
    found: list[Claimed] = []
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(reading.plain):
            if not any(c.start < match.end() and match.start() < c.end for c in found):
                found.append(Claimed(match.start(), match.end(), kind, match))
    return sorted(found, key=lambda c: c.start)


def is_unreal(scene: Scene, claimed: Claimed) -> bool:
    """Whether the clause of a claim only supposes, asks or expects it."""
    plain = scene.reading.plain
    head = plain[scene.clause[0] : claimed.start]
    head = _MANNER.sub("", re.split(r"[:：]", head)[-1])
    if _WHICH.search(head) and _ANSWERED.match(plain, claimed.end):
        return False
    if "是否" in head and _AFFIRMED.match(plain, claimed.end):
        return False
    if _THEN.match(plain, scene.clause[1]):
        return True
    return bool(UNREAL.search(head)) or plain.startswith(_UNREAL_AFTER, claimed.end)


def is_supposed(scene: Scene, claimed: Claimed) -> bool:
    """Whether the clauses before a claim suppose something it may follow from: 假如…，那么…高于…."""
    plain = scene.reading.plain
    asked = "是否" in plain[scene.clause[0] : claimed.start] and _AFFIRMED.match(plain, claimed.end)
    return not asked and bool(_SUPPOSED.search(plain[scene.sentence[0] : scene.clause[0]]))
