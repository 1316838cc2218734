"""Which of two values a number measures, and by which it measures it: 后者相当于前者的5%, 以A为分母."""

from __future__ import annotations

import re

from flows.truth.claims.order import Name, kinds
from flows.truth.grammar.companies import INDUSTRY, CompanyMention
from flows.truth.grammar.reading import When
from flows.truth.judging.pronouns import Named, Two, is_turned, referents
from flows.truth.judging.scenes import Scene, begins_way

_BASE = r"(?:锚值?|单位|分母|除数|基准|基数|基期|底数?|参照系?|参照物|对照|尺子?|标尺|标准|1|一|一份|1份|100%|百分之百)"
#: 后者为底, 以后者为基数
_PRONOUN_AS_BASE = re.compile(rf"(?P<which>[前后]者)(?:为|作为?|当作?|做|是){_BASE}")
#: 以营收为单位, 把2024Q3的净利润当一份, 以净利润16亿元为分子
_AS_BASE = re.compile(
    rf"(?:以|用|拿|把|将|按|设|取|令|如果|假设|假定|倘若|若)(?P<what>[^，。；]{{2,40}}?)(?:视作|视为|记作|记为|算作|定为|看作|看成|当作|作为|当成|为|当|做|作|是)(?:了|个)?{_BASE}"
)
#: 营收52.9亿元是分母
_IS_BASE = re.compile(
    r"(?<![一-鿿])(?P<what>[^，。；:]{2,30}?)(?:是|为|做|作)(?:分母|除数|基数|底数|基期)(?![、，]?[^，。；]{0,4}分子是)"
)
#: 净利润在营收中占, 每收入100元, 营收每100元对应净利润
_OUT_OF = re.compile(
    r"在(?P<in>[^，。；]{2,16}?)(?:之)?[中里](?:所)?占|每(?P<per>[^，。；\d]{2,16}?)(?:100|一百|百|1|一)元"
    r"|(?P<each>[^，。；]{2,16}?)的?每(?:100|一百|百|1|一)?(?:元|块钱|份)(?:对应|里|中|产生|贡献|换来|带来)"
)
#: 每份收入里, 每一百元营收中
_PER = re.compile(
    r"每(?:赚取?|挣|收入|取得|实现|有|卖出?)?(?:1|一)?(?:份|元|块钱?|百元|一百元|100元|单位)(?:的)?(?P<what>[^，。；]{2,16}?)"
    r"[，,]?(?:里面?|之?中|当中|内|对应)"
)
#: 营收之中有20%最终沉淀为净利润
_COMES_FROM = re.compile(
    r"\s*(?:最终|最后|都|是|被|能|会|可以|得以|真正)*(?:来自|是|由|为|属于|转化[为成]|变成|成了?|落到|落为|沉淀[为成]|归于|归|留作|流向)"
)
_INSIDE = re.compile(r"(?:之?中|里头?|里面|当中|内)(?:的|有|约|近|大约|只有|仅|其中)*$")


def roles(scene: Scene) -> Two | None:
    """(what is measured, what it is measured by), each a quantity, company or period; None if no word says it."""
    return next((said for way in _WAYS if (said := way(scene)) is not None), None)


def _by_pronouns(scene: Scene) -> Two | None:
    """后者相当于前者的5.1%; 后者为底，前者下降19%."""
    base = _PRONOUN_AS_BASE.search(scene.reading.plain, scene.sentence[0], scene.at)
    turned = base["which"] == "前者" if base else is_turned(scene.reading.plain[slice(*scene.clause)])
    named = referents(scene) if turned is not None else None
    return named[::-1] if named is not None and turned else named


#: 与某公司相比，公司低于对方; 参照系换成某公司后，公司超过它
_AGAINST = re.compile(
    r"(?:(?:与|和|跟|同)(?P<with>[^，。；:？]{2,24}?)(?:相比较?|比较|对比|相较|比起来|一比|比)"
    r"|(?:比起|相比|相较于?|对比|对照|较之)(?P<to>[^，。；:？]{2,24}?)(?:相比|而言|来说)?"
    r"|(?:参照|对照|比较|对比|基准)(?:系|物|对象|组)?(?:换成|换作|改为|改成|是|为|取|选)(?P<swapped>[^，。；:？]{2,24}?)"
    r"(?:后|时|的话)?)[，,:]"
)


#: 某公司对行业平均，市盈率…
_JOINED = re.compile(r"\s*(?:对|相对于?|相较于?|对比|较)\s*")


def _by_comparison(scene: Scene) -> Two | None:
    """与行业平均相比，公司的市盈率…: what stands behind 与 is what the other is held against."""
    matches = [m for m in _AGAINST.finditer(scene.reading.plain, *scene.sentence) if m.end() <= scene.at]
    for names in _by_kind(scene):
        if len(names) == 2 and _JOINED.fullmatch(scene.reading.plain[names[0].span.end : names[1].span.start]):
            is_way = isinstance(names[0].span, When) and begins_way(scene.reading.plain, scene.sentence[0], scene.at)
            return (names[1].span, names[0].span) if is_way else (names[0].span, names[1].span)
    for match in matches:
        start, stop = match.span(match.lastgroup or "with")
        for names in _by_kind(scene):
            bases = [name.span for name in names if start <= name.span.start < stop]
            others = [name.span for name in names if name.span.start >= stop]
            if len(bases) == 1 and len(others) == 1 and len(names) == 2:
                return others[0], bases[0]
    return None


def _by_base(scene: Scene) -> Two | None:
    """以营收为单位去量净利润, 每份收入里净利润相当于: what stands in the phrase is the base."""
    patterns = (_AS_BASE, _PER, _OUT_OF, _IS_BASE)
    matches = (m for p in patterns for m in p.finditer(scene.reading.plain, scene.sentence[0], scene.at))
    return next((found for m in matches if (found := _split(scene, *m.span(m.lastgroup or "what"))) is not None), None)


def _split(scene: Scene, start: int, stop: int) -> Two | None:
    """The one kind of two names of which one stands inside a stretch: (the other, that one)."""
    for names in _by_kind(scene):
        bases = [name.span for name in names if start <= name.span.start < stop]
        others = [name.span for name in names if not start <= name.span.start < stop]
        if len(bases) == 1 and len(others) == 1:
            return others[0], bases[0]
    return None


def _by_kind(scene: Scene) -> list[list[Name]]:
    """Companies, periods, then quantities of the sentence."""
    mentions, companies, periods = kinds(scene.reading, *scene.sentence)
    return [companies, periods, mentions]


def _by_whole(scene: Scene) -> Two | None:
    """营收之中有20%最终沉淀为净利润, 营收的20%成了净利润, 20%的营收变成净利润."""
    reading = scene.reading
    number = next((q for q in reading.quantities if q.number_start == scene.at), None)
    if number is None:
        return None
    before = [m for m in reading.mentions if scene.sentence[0] <= m.start and m.end <= scene.at]
    after = [m for m in reading.mentions if number.end <= m.start < scene.clause[1]]
    if len(after) == 2 and reading.plain[number.end : after[0].start].strip() == "的":
        return (after[1], after[0]) if _COMES_FROM.match(reading.plain, after[0].end) else None
    if not (before and after) or not _COMES_FROM.match(reading.plain, number.end):
        return None
    is_whole = reading.plain[before[-1].end : scene.at].strip() == "的"
    is_whole = is_whole or _INSIDE.search(reading.plain, scene.sentence[0], scene.at) is not None
    return (after[0], before[-1]) if is_whole else None


#: 营收24.8亿元里落到净利润的是…
_WITHIN = re.compile(
    r"\s*(?:[\d.,零一二两三四五六七八九十百千点]+\s*[万亿]*元)?"
    r"(?:里头?|之?中|里面|当中)(?!期|报|位|枢|国|性)"
)


def _by_part(scene: Scene) -> Two | None:
    """营收24.8亿元里落到净利润的是3.6亿元，折14.6%: the first quantity is the whole, the second its part."""
    inside = [m for m in scene.reading.mentions if scene.sentence[0] <= m.start < scene.at]
    if len(inside) != 2 or not _WITHIN.match(scene.reading.plain, inside[0].end):
        return None
    return inside[1], inside[0]


#: B的73.1%, B（1.08倍）的约1.57倍, B的PE的七成
_OF_IT = re.compile(
    r"(?:\s*\([^()]*\))?(?:的?M)?(?:\s*\([^()]*\))?的"
    r"(?:(?:百分比|比例|倍数|比值|比率|份额)(?:是|为|:|=|达|有)?)?(?:大约|大概|差不多|约|近|整整|仅|\s)*"
)
#: A的PE是B的多少？
_HOW_MUCH = re.compile(r"的(?:多少|几倍|几成|百分之[几多]|多大比例|几分之几)")


def _by_times(scene: Scene) -> Two | None:
    """A的PE折合B的52.76%; A的PE是B的多少？: of whom the number is so many times or parts stands right before it."""
    reading = scene.reading
    for names in _by_kind(scene):
        if len(names) != 2:
            continue
        for base, other in (names[::-1], names):
            gap = _without_words(scene, base.span.end, scene.at)
            if _OF_IT.fullmatch(gap) or _HOW_MUCH.match(reading.plain, base.span.end, scene.at):
                return other.span, base.span
    return None


def _without_words(scene: Scene, start: int, stop: int) -> str:
    """A stretch of text with an M for each quantity it names."""
    inside = [m for m in scene.reading.mentions if start <= m.start and m.end <= stop]
    edges = [start, *(edge for m in inside for edge in (m.start, m.end)), stop]
    return "M".join(scene.reading.plain[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))


#: 上年同期4.19元，这一期3.13元，为其74.7%
_OF_PRONOUN = re.compile(
    r"(?:为|是|占|相当于|折合|合|抵|等于|达到?|只有|仅有?)(?:了|到)?(?:其|它|对方|前值|基数|该值|这个数字?|那个数字?)的?(?:大约|约|近)?\s*$"
)


def _by_pronoun_as_base(scene: Scene) -> Two | None:
    """上年同期4.19元，这一期3.13元，为其74.7%: what is told last is measured by what is told first."""
    if not _OF_PRONOUN.search(scene.reading.plain, scene.clause[0], scene.at):
        return None
    for names in _by_kind(scene):
        before = [name.span for name in names if name.span.start < scene.at]
        if len(before) == 2 and len(names) == 2:
            return (before[1], before[0]) if not _is_usual_base(before[1]) else None
    return None


def _is_usual_base(span: Named) -> bool:
    """Whether something is told to be held against: an average, a year before."""
    match span:
        case CompanyMention(key=key):
            return key == INDUSTRY
        case When(period=period):
            return period is not None and period.relative in {"prior_year", "last_year", "previous", "earlier"}
        case _:
            return False


_WAYS = (_by_pronouns, _by_base, _by_comparison, _by_whole, _by_part, _by_times, _by_pronoun_as_base)
