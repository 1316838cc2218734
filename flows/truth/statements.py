"""What a number claims: of which company and quantity, in which form, for which period.

A number is read with its clause; what the clause leaves out is inherited from the clauses before it in the sentence.
Inherited company and period are *soft*: they may be wrong about this clause, so they permit more than they demand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from flows.contracts.units import Unit
from flows.truth.companies import INDUSTRY, MARKET, SUBJECT, CompanyMention
from flows.truth.lexicon import CHANGE, DIFFERENCE, LEVEL, PERCENTILE, RATIO, SHARE, Mention, concepts
from flows.truth.numbers import Quantity
from flows.truth.periods import Period
from flows.truth.reading import Reading, When


@dataclass(frozen=True, slots=True)
class Statement:
    """One quantity with what it is said of.

    Attributes:
        concept: Concept name, empty if no known word names it.
        label: What is left of the clause before the number once known words are taken out.
        basis: ``yoy``, ``qoq`` or empty; a window for window changes stands in *window*.
        company: Canonical key; ``@subject`` if none is named.
        is_company_said, is_period_said: False where inherited from another clause.
        bare_ok: Whether a missing unit may be read from the label (table cell, ``量比 1.17``).
    """

    quantity: Quantity
    concept: str = ""
    label: str = ""
    form: str = LEVEL
    basis: str = ""
    company: str = SUBJECT
    statistic: str = ""
    is_company_said: bool = False
    period: Period | None = None
    is_period_said: bool = False
    is_period_carried: bool = False
    window: str = ""
    day: When | None = None
    clause: tuple[int, int] = (0, 0)
    bare_ok: bool = False
    mention: Mention | None = None
    is_forecast: bool = False
    is_rule: bool = False
    against: str = ""
    base: Period | None = None


_Span = TypeVar("_Span", Mention, CompanyMention, When)
_RULE = re.compile(
    r"规则|规定|警戒|监管|一般(?!企业)|通常|上限|下限|限制|不超过|不低于|不得|不大于|不小于|主板|科创板|创业板|北交所|门槛|红线|经验|标准|要求|须|应当|税率|办法|指引|准则"
)
_FORECAST = re.compile(r"预计|预期|区间|预告|预增|预减|预亏|预盈|快报|指引|预估|预测|展望")
_YOY = re.compile(r"同比|(?:较|比|与)(?:上年|去年)(?:同期)?|年增")
_QOQ = re.compile(r"环比|较上(?:一)?季度?|较上月|较三季度末|较上季末")
_YTD = re.compile(r"较年初|比年初|较上年末|较期初")
_PERCENTILE = re.compile(r"分位|百分位")
_SHARE = re.compile(r"占(?!用|领|据|优)|比重|占比|相当于|之比|比值|除以|比例")
#: 净利润/营收为10%, 以净利润比营收, 营收中有10%
_QUOTIENT = re.compile(r"[一-鿿A-Za-z)]\s*[/÷]\s*[一-鿿A-Za-z]|[中里内](?:有|的)?(?:大约|约|近)?\s*$")
_AS_QUOTIENT = re.compile(r"以[^，。；]{2,20}比[^，。；]{2,16}[，,]")
_GAP = re.compile(r"(?:相差|差距|差额|之差|差值|落差|价差|差)(?:了|为|达|约|是|有|\s)*$")
_GROWTH = re.compile(r"同比|环比|增速|增幅|增长率|变动|变化|涨幅|跌幅|涨跌|增长")
_DIFF_WORDS = frozenset({"增加", "减少", "下降", "上升", "提高", "提升", "降低", "多增", "少增", "高出", "多出", "超出", "增长", "上涨", "下跌", "下滑", "回落", "扩大", "收窄", "缩减", "缩水", "多", "少", "涨", "跌", "增", "减", "降", "升", "高", "低", "萎缩", "增厚", "下调"})  # fmt: skip
_LOSS_WORDS = frozenset({"亏损", "净亏损", "亏", "净亏", "预亏", "净流出", "流出", "净卖出"})
_PRICE_MOVE = re.compile(r"(?:上涨|下跌|收涨|收跌|大涨|大跌|涨|跌|回调|反弹|下挫|走高|走低|涨幅|跌幅|振荡|累计)")


def statements(reading: Reading, company: str = SUBJECT) -> list[Statement]:
    """One statement per quantity of *reading*, in order; *company* is meant where none is named."""
    found: list[Statement] = []
    for quantity in reading.quantities:
        if quantity.is_quantity:
            found.append(_statement(reading, quantity, found))
    zipped = [_per_ten(reading, s) for s in _from_to(reading, _zipped(reading, found))]
    if company == SUBJECT:
        return zipped
    return [replace(s, company=company, is_company_said=True) if s.company == SUBJECT else s for s in zipped]


_TEN_SHARES = re.compile(r"每\s*(?:10|十)\s*股|(?<!\d)10(?=\s*[派转送])")


def _per_ten(reading: Reading, s: Statement) -> Statement:
    """每10股派3.5元 is 0.35元 per share."""
    q = s.quantity
    if s.concept not in {"dividend", "bonus"} or q.unit not in {Unit.CNY, Unit.SHARES} or q.is_scaled:
        return s
    if not _TEN_SHARES.search(reading.plain, s.clause[0], q.number_start):
        return s
    return replace(
        s, quantity=replace(q, value=q.value / 10, step=q.step / 10, high=None if q.high is None else q.high / 10)
    )


def _statement(reading: Reading, q: Quantity, before: list[Statement]) -> Statement:
    clause, sentence = reading.clause(q.number_start), reading.sentence(q.number_start)
    own = _mention(reading, q, clause)
    gap_start = own.end if own is not None and own.end <= q.number_start else clause[0]
    gap = reading.plain[gap_start : q.number_start]
    after = reading.plain[q.end : q.end + 10]
    label = "" if own else label_of(reading, clause[0], q)
    mention = own or _borrowed(reading, before, clause, sentence, q, topics_only=bool(label))
    if mention is not None and mention.concept == "previous_close" and q.unit == Unit.PCT:
        mention = replace(mention, concept="price", form=CHANGE, window="1d")
    concept = mention.concept if mention else ""
    if (
        mention is None
        and q.high is not None
        and q.unit in {Unit.PCT, Unit.CNY}
        and _FORECAST.search(reading.plain, *sentence)
    ):
        concept, label = "forecast_profit", ""
    window = _window(reading, q, clause, mention)
    head = reading.plain[clause[0] : q.number_start]
    if not window:
        window = _topic_window(reading, q, clause, sentence)
    if not concept and _PRICE_MOVE.search(q.text if q.direction else "") and q.unit == Unit.PCT:
        concept = "price"
    form, basis = _form(q, concept, mention, gap, head, after)
    if (
        form in {CHANGE, LEVEL}
        and q.unit == Unit.PCT
        and not q.direction
        and _AS_QUOTIENT.search(reading.plain, sentence[0], q.number_start)
    ):
        form = SHARE
    period, origin = _period(reading, q, clause, sentence, form)
    company, company_said = _company(reading, q, clause, sentence, form)
    against = _against(reading, q, clause) if form in _MOVES else ""
    return Statement(
        q, concept, label, form, basis, company.key if company else SUBJECT, company.statistic if company else "",
        company_said, period, origin == "said", origin == "carried", window, _day(reading, q, clause, sentence), clause,
        bare_ok=own is not None and _labels_directly(gap), mention=mention,
        is_forecast=q.high is not None or bool(_FORECAST.search(reading.plain, *sentence)),
        against=against, base=_said_before(reading, q),
        is_rule=bool(_RULE.search(reading.plain, sentence[0], min(sentence[1], q.end + 12))),
    )  # fmt: skip


_PART_GAP = re.compile(r"^\s*的?(?:约|近|大约|不到|不足|仅|区区|将近|差不多)*\s*$")


def _names_two(reading: Reading, sentence: tuple[int, int], q: Quantity) -> bool:
    """净利润只有营收的10%: two quantities before the number."""
    return len({m.concept for m in reading.mentions if sentence[0] <= m.start < q.number_start}) >= 2


def as_of_mention(reading: Reading, s: Statement, mention: Mention) -> Statement:
    """*s* read as a statement of another quantity its sentence names."""
    q = s.quantity
    head = reading.plain[s.clause[0] : q.number_start]
    form, basis = _form(q, mention.concept, mention, "", head, reading.plain[q.end : q.end + 10])
    window = mention.window if mention.window != "yoy" else ""
    return replace(
        s, concept=mention.concept, mention=mention, form=form, basis=basis, window=window or s.window, bare_ok=False
    )


def _borrowed(
    reading: Reading,
    before: list[Statement],
    clause: tuple[int, int],
    sentence: tuple[int, int],
    q: Quantity,
    *,
    topics_only: bool,
) -> Mention | None:
    """What a clause that names no known quantity speaks of: the one before it in the sentence, else the next one.

    A clause with words of its own (*topics_only*) borrows only what still waits for a number (就毛利率而言，…).
    """
    able = [m for m in reading.mentions if _can_measure(m, q)]
    behind = _behind(reading, able, q.end, clause[1])
    if behind is not None:
        return behind
    if not topics_only:
        previous = before[-1] if before and sentence[0] <= before[-1].quantity.start else None
        if previous is not None and previous.mention is not None:
            return previous.mention
    earlier = [m for m in able if sentence[0] <= m.start < clause[0]]
    later = [m for m in able if clause[1] <= m.start < sentence[1]][:1]
    waiting = [m for m in (*reversed(earlier), *later) if not _has_number(reading, m.start)]
    if waiting or topics_only:
        return waiting[0] if waiting else None
    return earlier[-1] if earlier else (later[0] if later else None)


def _behind(reading: Reading, spans: Sequence[_Span], at: int, stop: int) -> _Span | None:
    """The first span after a number in its clause, before any other number: 6.8%的降幅出现在…净利润上."""
    following = min(
        (q.number_start for q in reading.quantities if q.is_quantity and q.number_start >= at), default=stop
    )
    return next((span for span in spans if at <= span.start < min(stop, following)), None)


def _topic_window(reading: Reading, q: Quantity, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    """以近20日计，股价下跌6.8%: a clause with a window and no number of its own sets the window of the next."""
    carried = [w for w in reading.windows if sentence[0] <= w.start < clause[0]]
    if not carried:
        return ""
    start, stop = reading.clause(carried[-1].start)
    numbers = any(start <= o.number_start < stop and o.is_quantity for o in reading.quantities)
    moves = q.unit == Unit.PCT and (q.direction or _GROWTH.search(reading.plain[clause[0] : q.number_start]))
    return carried[-1].window if moves and not numbers and stop >= clause[0] - 1 else ""


_DIRECT = re.compile(r"^[\s:|(=*`_]*(?:\([^)]*\))?[\s:|(=*`_]*$")


def _labels_directly(gap: str) -> bool:
    return len(gap) < 12 and bool(_DIRECT.match(gap))


_AFTER_MENTION = re.compile(r"^\s*(?:左右|上下|以上|以下)?\s*(?:的|之)?\s*$")


def _mention(reading: Reading, q: Quantity, clause: tuple[int, int]) -> Mention | None:
    before = [m for m in reading.mentions if clause[0] <= m.start and m.end <= q.number_start and _can_measure(m, q)]
    after = next((m for m in reading.mentions if q.end <= m.start < min(clause[1], q.end + 6)), None)
    if after is not None and _AFTER_MENTION.match(reading.plain[q.end : after.start]):
        nearest_gap = reading.plain[before[-1].end : q.number_start] if before else ""
        if not before or "的" in reading.plain[q.end : after.start] or len(nearest_gap) > 6:
            return after
    return _qualified(reading, before) if before else None


#: Words of the day's bar that also mean the ends of any range (最高, 最低, 压力).
_DAY_WORDS = frozenset({"day_high", "day_low", "open", "support", "resistance"})


def _can_measure(mention: Mention, q: Quantity) -> bool:
    return mention.concept not in _DAY_WORDS or (q.unit in {Unit.CNY, Unit.CNY_PER_SHARE, ""} and not q.is_scaled)


def _qualified(reading: Reading, before: list[Mention]) -> Mention:
    """乖离率(MA5): a name in brackets right after another only says which."""
    last = before[-1]
    if len(before) >= 2 and last.window:
        gap = reading.plain[before[-2].end : last.start]
        if gap.strip() == "(" and reading.plain[last.end : last.end + 1] == ")":
            return replace(before[-2], end=last.end + 1, window=before[-2].window or last.window)
    return last


_STRIP = re.compile(
    r"[\s\d.,:;|()\[\]{}*`_#>~+\-=/<%（）【】「」“”\"'‘’《》•·。]|约|近|逾|超过?|仅|只有|只|达到?|高达|为|是|在|至|到|的|了|已|也|又|还|均|则|但是?|而且?|并且?|与|和|及|其中?|于|由|从|有|较"
    r"|公司|该股|同比|环比|增长|下降|上升|下滑|减少|增加|提升|提高|降低|上涨|下跌|累计|合计|分别|依次|左右|其|当前|目前|最新|截至|截止|期末|末|处于|位于|维持|保持|录得|报|实现|仍|高于|低于|超出|不足|不到|将|可能|预计"
    r"|数据显示|显示|根据|按照|按|来看|看|说明|意味着|因此|所以|然而|不过|同时|此外|另外|而|即|相当|对应|约合|折合|对比|相比|比|升至|降至|增至|回落|反弹|大幅|小幅|明显|显著|持续|继续|进一步|略|微|涨|跌|升|降|增|减"
    r"|上年同期|去年同期|同期|上年|去年|上一期|上期|今年|本期|报告期|数字|数据|数值|读数|结果|答案|答卷|成绩单?|表现|水平|口径|位置|状态|现状|情况|一栏|这?一项|该项|上述|此项|指标|幅度|力度|速度|规模|体量|总量|数量|金额|账面|报表|财报|定期报告|公告|披露|市场|投资者|管理层|卷面|桌面|纸面|面前|这里|这个|那个|一个|之间|时候|时点|最终|事实|证据|依据|说法|争论|讨论|分歧|起点|终点|前提|底子|背景|来到|回到|停在|落在|摆在|写着|写明|变成|变为|记录|统计|测算|计算|核算|折算|换算|给出|交出|做到|拿出|上限|下限|上沿|下沿|最高|最低|区间|两者|二者|前者|后者|差额|差距|差值|差|落差|绝对额|变动|变化|之差|相差|方面|来说|而言|来讲|层面|角度|口中|手里|手中|自身|本身|整体|总体|全部|一共|总共|共计|共|约为|大致|差不多|刚好|恰好|正好|正是|就是|也就是|即是|便是|乃|不过|仅仅|只是|才|达|至此|如此|这样|那样|什么|怎样|如何|多少|几|很|不|没|别|对|把|被|让|使|给|向|往|用|以|所|之|这|那|此|该|各|每|某|本|你|我|他|它|们|上|下|中|里|内|外|前|后|间|时|度|等|个|家|次|者|度上|过|着|得|地|啊|吧|呢|吗|呀|哦|一|二|三|四|五|六|七|八|九|十|两|百|千|零|股东|重要股东|大股东|控股股东|本次|此次|这次|该次|这一轮|这笔|这批|涉及|对应的|相应|拟|计划|合计约|[EA]\d+|元|万|亿|股|倍|个百分点|年|月|日|季报|季度"
)


def label_of(reading: Reading, start: int, q: Quantity) -> str:
    """Words before the number (back to *start* or the number before) that no table knows: its own label."""
    floor = max([start, *(other.end for other in reading.quantities if other.end <= q.start and other.end > start)])
    pieces, position = [], floor
    spans = sorted((s.start, s.end) for group in (reading.companies, reading.periods, reading.windows, reading.days)
                   for s in group if floor <= s.start and s.end <= q.start)  # fmt: skip
    for span_start, span_end in spans:
        if span_start >= position:
            pieces.append(reading.plain[position:span_start])
            position = span_end
    pieces.append(reading.plain[position : q.start])
    rest = _STRIP.sub("", "".join(pieces))
    return rest if len(rest) >= 2 else ""


def _company(
    reading: Reading, q: Quantity, clause: tuple[int, int], sentence: tuple[int, int], form: str
) -> tuple[CompanyMention | None, bool]:
    """Whom a number is of; after 较 and its like stands whom a difference is measured against."""
    behind = next((c for c in reading.companies if q.end <= c.start <= q.end + 2), None)
    if behind is not None and behind.key != INDUSTRY and _owns(reading, q, behind):
        return behind, True
    own = [c for c in reading.companies if clause[0] <= c.start and c.end <= q.number_start]
    if form in _MOVES:
        own = [c for c in own if not is_compared(reading, c)]
    if own:
        return own[-1], True
    later = _behind(reading, reading.companies, q.end, clause[1])
    if later is not None and later.key != INDUSTRY and not is_compared(reading, later):
        return later, True
    carried = [c for c in reading.companies if sentence[0] <= c.start < clause[0] and not is_compared(reading, c)]
    if carried and carried[-1].key != INDUSTRY:
        return carried[-1], carried[-1].key != SUBJECT
    if not carried:
        carried = _topic_company(reading, sentence)
        if carried:
            return carried[-1], True
    if not carried and (owner := _owner_after(reading, clause[1])) is not None:
        return owner, True
    return (carried[-1] if carried else None), False


_MOVES = frozenset({CHANGE, DIFFERENCE, RATIO})
_COMPARED = re.compile(
    r"(?:对照|比照|参照|较|比|与|同|和|跟|高于|低于|优于|不及|超过|超出|落后|领先|相对于?|相比|是|为|对比|(?<=[高低优强弱大小多少快慢逊先后])于)\s*$"
)


def is_compared(reading: Reading, company: CompanyMention) -> bool:
    """Whether a company stands after 较, 比, 与 and the like."""
    return bool(_COMPARED.search(reading.plain[max(0, company.start - 3) : company.start]))


def _against(reading: Reading, q: Quantity, clause: tuple[int, int]) -> str:
    """The company or aggregate a difference is measured against."""
    own = [c for c in reading.companies if clause[0] <= c.start and c.end <= q.number_start and is_compared(reading, c)]
    return own[-1].key if own else ""


def _owns(reading: Reading, q: Quantity, company: CompanyMention) -> bool:
    """12亿元的某公司, 12亿元（某公司，2025Q3）: the company right after a number."""
    between, following = reading.plain[q.end : company.start].strip(), reading.plain[company.end : company.end + 1]
    return between == "的" or (between in {"(", "—", "-"} and following in {")", "，", ",", "、", ""})


def _topic_company(reading: Reading, sentence: tuple[int, int]) -> list[CompanyMention]:
    """再看某公司。三季报净利润12亿元: a sentence that only names a company is about the next one."""
    if sentence[0] == 0:
        return []
    start, stop = reading.sentence(max(0, sentence[0] - 2))
    if stop > sentence[0] or any(start <= q.number_start < stop and q.is_quantity for q in reading.quantities):
        return []
    topics = [c for c in reading.companies if start <= c.start < stop and not is_compared(reading, c)]
    return [c for c in topics if c.key not in {INDUSTRY, MARKET}]


_OWNER_AFTER = re.compile(r"(?:[，,]|——|—)\s*(?:正|这|也)?(?:是|对)?")


_COMPARED_NEAR = re.compile(r"[较比与和同跟]$|[高低优强弱大小多少快慢逊先后]于$")


def _owner_after(reading: Reading, end: int) -> CompanyMention | None:
    """营收12亿元，是某公司的底子: the owner opens the next clause, which has no number of its own."""
    lead = _OWNER_AFTER.match(reading.plain, end)
    if lead is None:
        return None
    if _has_number(reading, lead.end()):
        return None
    start, stop = reading.clause(lead.end())
    named = [c for c in reading.companies if start <= c.start < stop and c.key != INDUSTRY]
    return (
        named[0]
        if len(named) == 1 and not _COMPARED_NEAR.search(reading.plain[max(0, named[0].start - 2) : named[0].start])
        else None
    )


_BASELINE = re.compile(r"(?:较|比起?|与|和|跟|对照|参照|同|相比|相较于?|对比|于|从|由|自)\s*$")


def _period(
    reading: Reading, q: Quantity, clause: tuple[int, int], sentence: tuple[int, int], form: str
) -> tuple[Period | None, str]:
    """The period a number is of; after 较 and its like stands what a change is measured from, not the number's own."""
    after = next((p for p in reading.periods if q.end <= p.start < q.end + 3), None)
    if (
        after is not None
        and reading.plain[q.end : after.start].strip() == "("
        and reading.plain[after.end : after.end + 1] == ")"
    ):
        return after.period, "said"
    moves = form in _MOVES
    own = [p for p in reading.periods if clause[0] <= p.start and p.end <= q.number_start]
    explicit = [p for p in own if p.period is not None and p.period.relative != "latest"]
    own = explicit or own
    subjects = [p for p in own if not _is_baseline(reading, p)] if moves else own
    if subjects:
        return _whole(subjects[-1].period, reading, q), "said"
    later = _behind(reading, reading.periods, q.end, clause[1])
    if later is not None and not _is_baseline(reading, later):
        return _whole(later.period, reading, q), "said"
    carried = [p for p in reading.periods if sentence[0] <= p.start < clause[0]]
    if moves:
        carried = [p for p in carried if not _is_baseline(reading, p)]
    if carried:
        return _whole(carried[-1].period, reading, q), "carried"
    if (lead := _OWNER_AFTER.match(reading.plain, clause[1])) and not _has_number(reading, lead.end()):
        stop = reading.clause(lead.end())[1]
        after_all = [p for p in reading.periods if lead.end() <= p.start < stop]
        if after_all and not _BASELINE.search(reading.plain[lead.end() : after_all[0].start]):
            return after_all[0].period, "carried"
    earlier = [p for p in reading.periods if p.start < sentence[0] and p.period is not None and p.period.is_complete]
    return (earlier[-1].period if earlier else None), ""


def _has_number(reading: Reading, at: int) -> bool:
    start, stop = reading.clause(at)
    return any(start <= q.number_start < stop and q.is_quantity for q in reading.quantities)


def _is_baseline(reading: Reading, when: When) -> bool:
    before, after = reading.plain[max(0, when.start - 4) : when.start], reading.plain[when.end : when.end + 2]
    return bool(_BASELINE.search(before)) and not after.startswith(("看", "来看", "起", "以来"))


def _said_before(reading: Reading, q: Quantity) -> Period | None:
    """The last full period said before a number: what 上一期 and 上年同期 count from."""
    said = [
        p.period for p in reading.periods if p.start < q.number_start and p.period is not None and p.period.is_complete
    ]
    after = [p.period for p in reading.periods if p.start >= q.end and p.period is not None and p.period.is_complete]
    return said[-1] if said else (after[0] if after else None)


def _whole(period: Period | None, reading: Reading, q: Quantity) -> Period | None:
    """三季报 alone takes the last year said before it."""
    if period is None or period.year is not None or period.relative:
        return period
    years = [p.period.year for p in reading.periods if p.start < q.number_start and p.period and p.period.year]
    return replace(period, year=years[-1]) if years else period


def _window(reading: Reading, q: Quantity, clause: tuple[int, int], mention: Mention | None) -> str:
    if mention is not None and mention.window and mention.window != "yoy":
        return mention.window
    own = [w for w in reading.windows if clause[0] <= w.start and w.end <= q.number_start]
    if mention is not None:
        own = [w for w in own if not mention.start <= w.start < mention.end] or own
    return own[-1].window if own else ""


_PUBLISH = re.compile(
    r"披露|公告|发布|公布|召开|报告|计划|将于|预约|晚间|当日晚|起|至|收到|签订|签署|报道|消息|举行|完成"
)


def _day(reading: Reading, q: Quantity, clause: tuple[int, int], sentence: tuple[int, int]) -> When | None:
    own = [d for d in reading.days if clause[0] <= d.start and d.end <= q.number_start]
    if not own:
        after = next((d for d in reading.days if q.end <= d.start < q.end + 4), None)
        inside = after is not None and reading.plain[q.end : after.start].strip() == "("
        return after if inside else None
    last = own[-1]
    return None if _PUBLISH.search(reading.plain[last.end : last.end + 6]) else last


def _form(q: Quantity, concept: str, mention: Mention | None, gap: str, head: str, after: str) -> tuple[str, str]:
    near = head[-24:]
    basis = "yoy" if _YOY.search(near) else "qoq" if _QOQ.search(near) else "ytd" if _YTD.search(near) else ""
    if q.unit in {Unit.PCT, ""} and (_PERCENTILE.search(gap) or _PERCENTILE.match(after.lstrip(" 的"))):
        return PERCENTILE, ""
    said = mention.form if mention is not None else ""
    level = concepts()[concept].unit if concept in concepts() else ""
    if said == PERCENTILE and q.unit in {Unit.PCT, ""}:
        return PERCENTILE, ""
    if q.unit == Unit.PP:
        return (LEVEL if q.is_target else DIFFERENCE), basis
    if q.unit == Unit.PCT:
        return _percent_form(q, said, level, gap, head), basis
    if q.unit == Unit.MULTIPLE and level not in {Unit.MULTIPLE, ""}:
        return RATIO, basis
    if _GAP.search(gap) and not q.is_target:
        return DIFFERENCE, basis
    moved = q.direction_word.strip() and not q.is_target and not _is_loss(q)
    if moved and _first_word(q.direction_word) in _DIFF_WORDS:
        return DIFFERENCE, basis
    if not q.unit and said == CHANGE:
        return CHANGE, basis
    return LEVEL, basis


def _percent_form(q: Quantity, said: str, level: str, gap: str, head: str) -> str:
    if said == CHANGE:
        return CHANGE
    if q.is_target and level == Unit.PCT:
        return LEVEL
    if not q.direction and level != Unit.PCT and (_SHARE.search(head[-24:]) or _QUOTIENT.search(head)):
        return SHARE
    if level == Unit.PCT:
        return CHANGE if (q.direction and not q.is_target) or re.search(r"同比|环比|增速", gap) else LEVEL
    if level or q.direction or _GROWTH.search(head[-12:]):
        return CHANGE
    return LEVEL


def _first_word(word: str) -> str:
    for size in (3, 2, 1):
        if word[:size] in _DIFF_WORDS or word[:size] in _LOSS_WORDS:
            return word[:size]
    return word


def _is_loss(q: Quantity) -> bool:
    return any(q.direction_word.startswith(word) or q.direction_word.endswith(word) for word in _LOSS_WORDS)


def is_loss(q: Quantity) -> bool:
    """Whether the direction word itself makes a level negative (亏损, 净流出)."""
    return q.direction < 0 and _is_loss(q)


_JOINER = re.compile(r"^\s*(?:、|和|及|与|以及|或|/)\s*$")


def _zipped(reading: Reading, found: list[Statement]) -> list[Statement]:
    """``A、B分别为x、y``: the n-th number belongs to the n-th name, company or period."""
    result = list(found)
    index = 0
    while index < len(result):
        run = _run(reading, result, index)
        if len(run) >= 2:
            for offset, statement in enumerate(_assigned(reading, run)):
                result[index + offset] = statement
        index += max(1, len(run))
    return result


_BECOMES = re.compile(r"^[^，。；、,;\d]{0,8}(?:到|至|为|成)了?\s*$")
_ORDINAL_PARTY = re.compile(r"(?P<which>前者|后者)[^，。；,;\d]{0,6}$")
#: 2024Q3的5亿元: the period is the number's own.
_BASELINE_NEAR = re.compile(r"^\s*(?:的|为|是|时|时的|：|:)?\s*(?:约|近)?$")
EARLIER = Period(relative="earlier")


def _from_to(reading: Reading, found: list[Statement]) -> list[Statement]:
    """Numbers without a period of their own in a sentence of several periods: 从2024Q3到2025Q3，…由5亿元变为6亿元.

    As many numbers as periods belong to them in order; 由A变为B with one period or none begins at an earlier one.
    """
    result = list(found)
    for i, (one, other) in enumerate(pairwise(found)):
        if (
            not _BECOMES.match(reading.plain[one.quantity.end : other.quantity.start])
            or one.quantity.unit != other.quantity.unit
        ):
            continue
        start = reading.sentence(one.quantity.number_start)[0]
        if any(one.quantity.end <= p.start < other.quantity.start for p in reading.periods):
            continue
        said = [p for p in reading.periods if start <= p.start < one.quantity.start]
        own = [
            p
            for p in said
            if p.start >= one.clause[0] and _BASELINE_NEAR.match(reading.plain[p.end : one.quantity.start])
        ]
        if own:
            rest = [p.period for p in said if p is not own[-1]]
            result[i + 1] = replace(
                other, period=rest[-1] if rest else None, is_period_said=bool(rest), is_period_carried=False
            )
        elif len(said) == 2:
            result[i] = replace(one, period=said[0].period, is_period_said=True)
            result[i + 1] = replace(other, period=said[1].period, is_period_said=True)
        elif len(said) <= 1:
            result[i] = replace(one, period=EARLIER, is_period_said=True, base=said[0].period if said else None)
    return [_of_party(reading, s) for s in _in_order(reading, result)]


def _in_order(reading: Reading, found: list[Statement]) -> list[Statement]:
    """Two periods, or two companies, named first and two numbers after them: first to first, second to second."""
    result = list(found)
    for i, (one, other) in enumerate(pairwise(found)):
        start = reading.sentence(one.quantity.number_start)[0]
        if (
            one.concept != other.concept
            or one.form != other.form
            or start != reading.sentence(other.quantity.number_start)[0]
        ):
            continue
        periods = [
            p.period for p in reading.periods if start <= p.start < one.quantity.start and not _is_baseline(reading, p)
        ]
        between = any(one.quantity.end <= p.start < other.quantity.start for p in reading.periods)
        if (
            len(periods) == 2
            and periods[0] != periods[1]
            and not between
            and not one.is_period_said
            and not other.is_period_said
        ):
            result[i] = replace(result[i], period=periods[0], is_period_said=True)
            result[i + 1] = replace(result[i + 1], period=periods[1], is_period_said=True)
        companies = list(dict.fromkeys(c.key for c in reading.companies if start <= c.start < one.quantity.start))
        inside = any(one.clause[0] <= c.start < other.quantity.start for c in reading.companies)
        if len(companies) == 2 and not inside:
            result[i] = replace(result[i], company=companies[0], is_company_said=True)
            result[i + 1] = replace(result[i + 1], company=companies[1], is_company_said=True)
    return result


def _of_party(reading: Reading, s: Statement) -> Statement:
    """前者为…，后者为…: the first or second of the two periods or companies named before."""
    match = _ORDINAL_PARTY.search(reading.plain[s.clause[0] : s.quantity.number_start])
    if match is None or s.form != LEVEL or reading.plain[s.clause[0] + match.end("which")] == "的":
        return s
    at = 0 if match["which"] == "前者" else 1
    start = reading.sentence(s.quantity.number_start)[0]
    companies = list(dict.fromkeys(c.key for c in reading.companies if start <= c.start < s.clause[0]))
    periods = [p.period for p in reading.periods if start <= p.start < s.clause[0]]
    if len(companies) == 2:
        return replace(s, company=companies[at], is_company_said=True)
    return replace(s, period=periods[at], is_period_said=True) if len(periods) == 2 else s


def _run(reading: Reading, found: list[Statement], index: int) -> list[Statement]:
    run = [found[index]]
    for following in found[index + 1 :]:
        between = reading.plain[run[-1].quantity.end : following.quantity.start]
        if not _JOINER.match(between):
            break
        run.append(following)
    return run


def _assigned(reading: Reading, run: list[Statement]) -> Iterator[Statement]:
    start, floor = run[0].quantity.number_start, reading.sentence(run[0].quantity.number_start)[0]
    names = _name_run(reading, [m for m in reading.mentions if floor <= m.start and m.end <= start], len(run))
    companies = _name_run(reading, [c for c in reading.companies if floor <= c.start and c.end <= start], len(run))
    periods = _name_run(reading, [p for p in reading.periods if floor <= p.start and p.end <= start], len(run))
    unit = next((s.quantity for s in reversed(run) if s.quantity.unit), None)
    for i, statement in enumerate(run):
        changed = statement
        if not statement.quantity.unit and unit is not None and i < len(run) - 1:
            changed = replace(changed, quantity=_lend_unit(statement.quantity, unit))
        if names:
            changed = replace(
                changed, concept=names[i].concept, mention=names[i], window=names[i].window or changed.window
            )
        if companies:
            changed = replace(changed, company=companies[i].key, is_company_said=True)
        if periods:
            changed = replace(changed, period=periods[i].period, is_period_said=True)
        yield changed


def _lend_unit(q: Quantity, lender: Quantity) -> Quantity:
    """``18.5、1.8倍``: the last unit holds for the ones before it."""
    return replace(q, unit=lender.unit, unit_word=lender.unit_word)


def _name_run(reading: Reading, spans: list[_Span], length: int) -> list[_Span]:
    if len(spans) < length:
        return []
    tail = spans[-length:]
    joined = all(_JOINER.match(reading.plain[a.end : b.start]) for a, b in zip(tail, tail[1:], strict=False))
    longer = len(spans) > length and _JOINER.match(reading.plain[spans[-length - 1].end : tail[0].start])
    return tail if joined and not longer else []
