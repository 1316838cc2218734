"""Advice words in any output (PRODUCT T6): found, told apart from data, made neutral or refused.

The rating of a broker, what a holder did, money flows and accounting terms are data and stay. What tells a reader to
act is removed as a whole clause; a bare advice word in our own voice is replaced by what it would have argued.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.errors import ModelAnswerInvalid


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice: its span and the word that makes it one."""

    start: int
    end: int
    text: str
    word: str


@dataclass(frozen=True, slots=True)
class Change:
    """One rewriting: what stood there and what stands there now."""

    before: str
    after: str


_WORDS = {
    "强烈推荐": "明显偏多", "强烈买入": "明显偏多", "买入": "偏多", "卖出": "偏空", "持有": "中性", "增持": "偏多",
    "减持": "偏空", "加仓": "偏多程度上升",
    "减仓": "偏多程度下降", "建仓": "偏多", "清仓": "偏空", "补仓": "偏多程度上升", "止损位": "判断失效价位",
    "止损线": "判断失效价位",
    "止损点": "判断失效价位", "止损": "判断失效", "止盈位": "情景上沿", "止盈": "情景兑现", "目标价位": "情景价位",
    "目标价": "情景价位", "目标位": "情景价位",
    "抄底": "偏多", "低吸": "偏多", "高抛": "偏空", "追高": "追随上涨", "追涨": "追随上涨", "割肉": "亏损离场",
    "做多": "偏多", "做空": "偏空", "满仓": "偏多",
    "重仓": "偏多", "轻仓": "谨慎", "空仓": "偏空", "半仓": "中性", "仓位": "立场强度", "入场": "偏多",
    "离场": "偏空", "介入": "偏多", "观望": "中性",
    "上车": "偏多", "逢低": "", "逢高": "", "布局": "关注", "配置": "关注", "超配": "偏多", "低配": "偏空",
    "买点": "偏多情形", "卖点": "偏空情形", "开仓": "偏多",
    "平仓": "偏空", "抛售": "偏空", "抛出": "偏空", "套现": "偏空", "落袋为安": "偏空", "做T": "短线", "回避": "偏空",
    "规避": "偏空",
}  # fmt: skip
#: Words that are advice wherever they stand in our own voice.
_STRONG = (
    "强烈推荐", "强烈买入", "买入", "卖出", "加仓", "减仓", "建仓", "清仓", "补仓", "止损位", "止损线", "止损点",
    "止损", "止盈位", "止盈", "目标价位", "目标价", "目标位",
    "抄底", "低吸", "高抛", "割肉", "满仓", "重仓", "轻仓", "半仓", "空仓", "买点", "卖点", "上车", "落袋为安", "做T",
    "开仓", "追高", "追涨",
)  # fmt: skip
#: Words that are advice only beside an urging word.
_WEAK = (
    "持有", "增持", "减持", "布局", "配置", "超配", "低配", "观望", "入场", "离场", "介入", "做多", "做空", "平仓",
    "抛售", "抛出", "套现", "仓位", "回避", "规避",
)  # fmt: skip
_ENGLISH = (
    r"(?<![A-Za-z-])(?:strong\s+(?:buy|sell)|buy|sell|hold|accumulate|overweight|underweight|take[\s-]profits?"
    r"|stop[\s-]loss|target\s+price|price\s+target|go\s+(?:long|short)"
    r"|add\s+(?:to\s+)?positions?|reduce\s+(?:exposure|positions?)|buy\s+the\s+dip)(?![A-Za-z-])"
)
_ENGLISH_DATA = re.compile(
    r"sell[\s-]?(?:off|side)|buy[\s-]?(?:back|side|out)|holdings?|holder|hold\s+(?:shares|stakes?)|sell[\s-]?through",
    re.IGNORECASE,
)
_URGE = (
    r"建议|应当?(?!收|付|对|用|计|声|力)|宜|可以?(?!能|见|比|转|供|靠|再生)|不妨|适合|推荐|逢低|逢高|分批|果断|立即"
    r"|坚决|严禁|不要|切勿|切忌|务必|择机|适当|适度|谨慎|优先|继续(?=持有|观望|布局|配置|增持)|保持(?=观望)"
    r"|考虑|等待|投资者|持仓者|空仓者|操作|策略|评级[:：]|结论[:：]|最终|机会|时机|提前|积极|重点|左侧|右侧"
    r"|低位(?=布局)|坚定"
)
_STRONG_RE = re.compile("|".join(sorted(_STRONG, key=len, reverse=True)) + f"|{_ENGLISH}", re.IGNORECASE)
_WEAK_RE = re.compile("|".join(sorted(_WEAK, key=len, reverse=True)))
_URGE_RE = re.compile(_URGE)
_CLAUSE = re.compile(r"[^，。；！？!?;\n|]+")

_HOLDER = (
    r"(?:股东|董事|监事|高管|实控人|实际控制人|控股|一致行动人|员工持股|持股计划|基金|社保|险资|机构|北向|外资|沪股通"
    r"|深股通|陆股通|席位|游资|主力|大宗交易|国家队|汇金|产业资本|创始人|董监高|券商自营|融资|两融|公司|集团|母公司"
    r"|管理层|散户|资金|龙虎榜|上榜|营业部|持有人)"
)
_DATA = re.compile(
    r"[“\"'‘「『《]\s*(?:强烈推荐|推荐|买入|卖出|持有|增持|减持|中性|观望|超配|低配|BUY|SELL"
    r"|HOLD)[-+A-Z]*\s*[”\"'’」』》]"
    r"|(?:评级|投资评级)\s*(?:为|是|由|从|至|到|维持|上调|下调|调至|给予|首次覆盖)*\s*(?:买入|卖出|持有|增持|减持"
    r"|中性|推荐|强烈推荐)"
    r"|(?:买入|卖出|持有|增持|减持|中性|强烈推荐|推荐)\s*[”\"’」』]?\s*(?:的)?\s*(?:投资)?评级"
    r"|(?:维持|给予|首予|重申|上调至|下调至|调至|予以)\s*[“\"]?(?:买入|卖出|持有|增持|减持|强烈推荐"
    r"|推荐)[”\"]?(?!机会|点|时机)"
    r"|(?:净|主动|合计|累计|大单|超大单|融资|席位|机构|前五|大宗)(?:买入|卖出)|(?:买入|卖出)(?:额|金额|席位|量|占比"
    r"|方|盘|营业部|价款|前五|总额|均价|总计|合计)"
    r"|(?:不|无)?减持(?:计划|股份|股数|数量|比例|期间|公告|承诺|完成|完毕|进展|主体|方式|价格|金额|预披露|事项|情况"
    r"|行为|压力|结果|公司)|增持(?:计划|股份|股数|数量|比例|期间|公告|承诺|完成|进展|主体|金额|事项|情况|结果|公司)"
    r"|持有(?:人|期|待售|至到期|的?(?:公司|本公司|上市公司|该公司|其)|公司|本公司|上市公司|\s*[\d.,]+\s*(?:%|万|亿"
    r"|股)|股份|股票|股权|限售|型|量)|(?:合计|直接|间接|共同|仍|分别|共|累计|所)持有"
    r"|(?:业务|产业|产能|全球|海外|国内|市场|战略|渠道|区域|全国|专利|产品|技术|研发|生态|赛道)(?:的)?(?:布局|配置)"
    r"|(?:布局|配置)(?:了|于|海外|产能|业务|新能源|完善|完成|领域|赛道|生产|研发|全球|多个|在)"
    r"|资产配置|资源配置|配置文件|止损(?:盘|抛压|单|卖盘)|卖出回购|买入返售|融券卖出|观望(?:情绪|气氛|氛围|态度)"
    r"|市场观望|(?:规避|回避)(?:风险|表决|制度)|回避表决|介入(?:诊疗|治疗|手术|器械|类|影像|产品)|入场(?:费|券)"
    r"|平仓(?:线|风险|预警|盈亏)|重仓(?:股|基金|持股)|仓位(?:数据|比例变化)|离场(?:资金)|套现(?:约|金额|\d)"
    rf"|{_HOLDER}[^，。；\n]{{0,24}}?(?:增持|减持|买入|卖出|持有|建仓|加仓|减仓|抛售|抛出|套现|介入|离场|入场|清仓"
    rf"|布局|配置|重仓|空仓|平仓)(?![位点])"
    r"|(?:研报|机构|券商|证券|分析师|投行|研究所|评级)[^。；\n]{0,30}目标价|目标价[^，。；\n]{0,12}(?:研报|机构|券商"
    r"|证券)"
    r"|(?:不构成|不作|不提供|不给出|不含|不是|没有|并非|不涉及|禁止|无)[^。；\n]{0,24}(?:建议|推荐|买入|卖出|持有|交易)"
)
_REMOVED = "（此处为操作建议，按规定略去）"


def find_advice(text: str) -> list[Advice]:
    """Pieces of advice in *text*, left to right; quotations of ratings and actions of holders are not advice."""
    shielded = _shield(text)
    found: list[Advice] = []
    for clause in _CLAUSE.finditer(shielded):
        urged = _URGE_RE.search(clause[0]) is not None
        found += [_advice(text, clause, m, urged=urged or m[0].isascii()) for m in _STRONG_RE.finditer(clause[0])]
        if urged:
            found += [
                _advice(text, clause, m, urged=True)
                for m in _WEAK_RE.finditer(clause[0])
                if not _covered(m, clause, found)
            ]
    return sorted({(a.start, a.end): a for a in found}.values(), key=lambda a: a.start)


def _covered(match: re.Match[str], clause: re.Match[str], found: list[Advice]) -> bool:
    at = clause.start() + match.start()
    return any(a.start <= at < a.end for a in found)


def _advice(text: str, clause: re.Match[str], match: re.Match[str], *, urged: bool) -> Advice:
    if urged:
        start, end = clause.span()
        while start < end and text[start] in " \t-*>#·•":
            start += 1
        return Advice(start, end, text[start:end], match[0])
    start, end = clause.start() + match.start(), clause.start() + match.end()
    return Advice(start, end, text[start:end], match[0])


def _shield(text: str) -> str:
    """*text* with its data uses of advice words blanked, same length."""
    blanked = _DATA.sub(lambda m: "　" * len(m[0]), text)
    return _ENGLISH_DATA.sub(lambda m: "　" * len(m[0]), blanked)


def neutralise(text: str) -> tuple[str, list[Change]]:
    """*text* without advice, and what was changed.

    Raises:
        ModelAnswerInvalid: advice remains after rewriting, so the text must not be published.
    """
    changes: list[Change] = []
    pieces, position = [], 0
    for advice in find_advice(text):
        if advice.start < position:
            continue
        after = _REMOVED if advice.text != advice.word else _neutral_word(advice.word)
        pieces += [text[position : advice.start], after]
        changes.append(Change(advice.text, after))
        position = advice.end
    result = "".join((*pieces, text[position:]))
    if changes and find_advice(result):
        raise ModelAnswerInvalid("文字里的操作建议无法改写为中性表述，拒绝输出；请重写这一段，只陈述事实与判断依据。")
    return result, changes


def _neutral_word(word: str) -> str:
    return _WORDS.get(word, _REMOVED)
