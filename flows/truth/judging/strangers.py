"""Companies a text names although no fact knows them: leaked examples, wrong names, foreign codes (PRODUCT T2)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from flows.contracts.checks import Check, CheckVerdict
from flows.truth.facts.ledger import Ledger
from flows.truth.grammar.numbers import Kind
from flows.truth.grammar.reading import Reading

_CONNECTORS = (
    "近期|近日|日前|此前|如今|现在|目前|当前|今年|去年|这家|该|另一家|而|但|其中|同时|此外|相比之下|作为对比|对比"
    "|相较|根据|截至|例如|比如|以|像|与|和|反观|再看|关于|至于|说到|就|从|看|对|对于|即便|虽然|由于|按"
)
#: Endings that only companies have, and endings that companies share with trades (those need a subject's place).
_SUFFIXES = (
    "股份|集团|药业|制药|乳业|酒业|味业|锂业|矿业|种业|牧业|纸业|水务|控股|实业|重工|微电|光电|新材|新能|科技|生物"
    "|电子|银行|证券|保险|能源|电力|汽车|机械|化工|化学|材料|食品|医药"
    "|医疗|智能|软件|通信|半导体|电气|环保|地产|置业|物流|航空|机场|港口|钢铁|有色|黄金|稀土|水泥|玻璃|家居|服饰|传媒"
    "|酒店|农业|精密|激光|装备|燃气|时代|电器|电机"
    "|仪器|新源|轮胎|石化|船舶|百货|超市|园林|纺织|数码|互联|航天|光学|股份有限公司"
)
#: No company's name has these in its stem.
_FUNCTION = re.compile(
    r"[可用前后不无的了及或等各其该此这那为是需要能会将已未更最很被把从向对由在于按据如若则都也还就只仅再又并且但而因所以没让给使着过去来里内外间时与和跟同比较称说讲]"
)
_GENERIC = re.compile(
    r"^(?:[照依]?行情|打开|看盘|炒股|交易|多少|[一二三这那本该首几每两]批|每[一二两]?股|每一|[聊谈提讲说论轮]到|推演|结论|依据|最新|累计|剩余|本次|首发|定增|增发|配售|激励|存量|流动|目前|当前|截至|近期|其中|上述|此次"
    r"|所持|已|未|共|其|本|非|商业|国有|大型|股份制|城商|头部|上市|中小|龙头|传统|人工|数字|新兴|高端|智能|先进|基础"
    r"|核心|公司|行业|我国|中国|国内|全球|海外|本地|该|其他|相关|这家|多家|创新|清洁|可再生|绿色|新|旧|以|从|在|对|与"
    r"|和|而|但|由|因|于"
    r"|上海证|深圳证|北京证|发行|股东|账户|.权|表示|人民|全国|发布|收购|制人|动人|.股|限售|解禁|质押|持有|流通|减持"
    r"|增持|回购|普通|优先|合计|部分|全部|无限售|有限售|控股|参股|企业|移动|电子商务|金融|财务|信用|互联网|大数据"
    r"|云计算|生产|研发|市场|经济|技术|产业|业务|战略|可持续|高质量|快速|稳健|持续|长期|健康|未来|自身|新材料|原|动力"
    r"|通|主营|母|子|国产|工业|办公|应用).{0,4}?$"
)
_NAME = re.compile(rf"(?P<lead>{_CONNECTORS})?(?P<name>[一-鿿]{{2,4}}?(?:{_SUFFIXES}))")
_BOUNDARY = re.compile(
    r"(?:^|[，,。；;？?！!、—–…·\s()（）【】〖〗『』》“”:：|>*\"「《]"
    r"|[较比于与和及跟对是像以即给把按看论谈就由从为到拿起说提成着了的过向让使被凭靠里中内问认]|知道|[面场会台]上|(?:名单|榜单|行列|当中|其中|之列)[中里内上]?(?:有|包括|含|是)|[减增]持|买入|卖出)(?=[一-鿿])"
)
#: After these a word with a company's ending is a trade, a product or a sector.
_TRADE = re.compile(
    r"交易所|从业|法(?!的)|业协会|监管局|板块|行业|产业|产品|业务|价格(?!区间|边界|表)|市场|领域|公司|企业|设备|材料|需求|销量|供应"
    r"|供给|赛道|概念|主题|指数|龙头|出口|进口|制造|工程|项目|基地|园区|政策|服务|平台|系统|周期|景气|化|类|业(?!绩)|链|品"
    r"|厂商|客户|渠道|终端"
    r"|装机|资源|成本|行情|股票|股民|板|电池|技术|研发|生产|贸易|投资|建设|改造|转型|升级|安全|标准|创新|应用|商|人才"
    r"|团队|部门|管理|运营|规模|产能|订单|整机|元件|器件|芯片|电缆|设施|监管|改革|发展|进程|信息|方面|环节|属性"
)


@cache
def _famous() -> re.Pattern[str]:
    table = tomllib.loads(Path(__file__).with_name("company_names.toml").read_text(encoding="utf-8"))
    names = table["names"].split()
    return re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))


_DECORATION = re.compile(r"^(?:[*]?ST|[NCUX])")


def strangers(reading: Reading, ledger: Ledger, claim_id: str) -> Iterator[Check]:
    """An ``unsupported`` check per company name or code that neither facts nor *names* know."""
    taken: list[tuple[int, int]] = [(c.start, c.end) for c in reading.companies]
    for start, end in _names(reading, ledger):
        if not any(a < end and start < b for a, b in taken):
            taken.append((start, end))
            yield Check(
                claim_id=claim_id, text=reading.text[start:end], start=start, end=end, verdict=CheckVerdict.UNSUPPORTED,
                reason=f"事实里没有“{reading.text[start:end]}”这家公司",
            )  # fmt: skip


def _names(reading: Reading, ledger: Ledger) -> Iterator[tuple[int, int]]:
    for match in _famous().finditer(reading.plain):
        if not _is_known(match[0], ledger):
            yield match.span()
    yield from _unlisted(reading, ledger)
    for q in reading.quantities:
        code = reading.plain[q.start : q.end]
        if q.kind is Kind.CODE and re.fullmatch(r"(?:[sS][hHzZ]|[bB][jJ])?\d{6}(?:\.[A-Za-z]{2})?", code):
            digits = re.sub(r"\D", "", code)
            if digits not in ledger.names and not ledger.mentions(digits):
                yield q.start, q.end


def _unlisted(reading: Reading, ledger: Ledger) -> Iterator[tuple[int, int]]:
    """Names that only their ending gives away, where a sentence's subject or a comparison's other side stands."""
    starts = {m.end() for m in _BOUNDARY.finditer(reading.plain)}
    starts |= {w.end for group in (reading.periods, reading.days, reading.windows) for w in group}
    found = [m.span("name") for start in sorted(starts) if (m := _NAME.match(reading.plain, start)) is not None]
    ends = (m.end() for m in _SUFFIX.finditer(reading.plain))
    follows = {m.start for m in reading.mentions} | {w.start for w in (*reading.periods, *reading.windows)}
    found += [
        (m.start(), end)
        for end in ends
        if (end in follows or _STOPS.match(reading.plain, end))
        and (m := _SHORT.search(reading.plain, max(0, end - 4), end))
    ]
    for start, end in found:
        name = reading.plain[start:end]
        is_trade = _TRADE.match(reading.plain, end) and not _is_traded(reading.plain, start, end)
        if not (_is_generic(name) or _is_known(name, ledger) or is_trade or _cuts_a_word(reading, start, end)):
            yield start, end


def _cuts_a_word(reading: Reading, start: int, end: int) -> bool:
    """先看股份|质押比例: what ends inside the name of a quantity is no company's name."""
    return any(start < m.start < end < m.end for m in reading.mentions)


#: 减持某公司股票, 对象为某公司股票: what is dealt in or meant is a company's; so is 某公司股票的 at the head.
_DEALT = re.compile(r"(?:股|[减增]持|买入|卖出|抛出|持有)了?$|(?:对象|样本|标的|主体|所指)(?:为|是|系|:)?$")
_ITS_STOCK = re.compile(r"股票(?:的|累计|合计|共|收[于在涨跌]|在(?=近|过去|最近)|上涨|下跌|[涨跌](?!停板块))")
_OPENS = re.compile(r"(?:^|[，。；：:,;\s])$")


def _is_traded(plain: str, start: int, end: int) -> bool:
    before = plain[max(0, start - 4) : start]
    opens = _ITS_STOCK.match(plain, end) and _OPENS.search(before)
    return bool(opens or (plain.startswith("股票", end) and _DEALT.search(before)))


_SUFFIX = re.compile(_SUFFIXES)
_STOPS = re.compile(
    r"[的在为是，。？！,;：:()（）】#$”》]|定期报告|公告|财报|年报|报表|股票(?=[，。,被的]|$)|身上|这|自己|本身|而言|来说|$"
)
#: Two characters and an ending are a name wherever a company's place follows.
_SHORT = re.compile(rf"[一-鿿]{{2}}(?:{_SUFFIXES})$")


def _is_generic(name: str) -> bool:
    return bool(_GENERIC.match(name) or _FUNCTION.search(name[:-2]))


def _is_known(name: str, ledger: Ledger) -> bool:
    """Whether the facts name it, perhaps behind a word that only touches it (提到某公司, 周五某公司)."""
    bare = _DECORATION.sub("", name)
    if any(bare in known or known in bare for known in ledger.names if len(known) >= 2):
        return True
    return any(ledger.mentions(bare[start:]) for start in range(max(1, len(bare) - _SHORTEST_NAME + 1)))


#: Two characters and a company's ending.
_SHORTEST_NAME = 4
