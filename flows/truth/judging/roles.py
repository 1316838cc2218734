"""Which of two values a number measures, and by which it measures it: 后者相当于前者的5%, 以A为分母."""

from __future__ import annotations

import re

from flows.truth.claims.order import Name, kinds
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.lexicon import Mention
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading, When
from flows.truth.judging.scenes import Scene

Named = Mention | CompanyMention | When
Roles = tuple[Named, Named]

_FORMER_FIRST = re.compile(r"前者[^。；]*?后者")
_LATTER_FIRST = re.compile(r"后者[^。；]*?前者")
_BASE = r"(?:单位|分母|除数|基准|基数|基期|底数?|参照系?|参照物|对照|尺子?|标尺|标准|1|一|一份|1份|100%|百分之百)"
#: 后者为底, 以后者为基数
_PRONOUN_AS_BASE = re.compile(rf"(?P<which>[前后]者)(?:为|作为?|当作?|做|是){_BASE}")
#: 以营收为单位, 把2024Q3的净利润当一份, 以净利润16亿元为分子
_AS_BASE = re.compile(
    rf"(?:以|用|拿|把|将|按|设|取)(?P<what>[^，。；]{{2,40}}?)(?:视作|视为|看作|当作|作为|当成|为|当|做|作|是)(?:了|个)?{_BASE}"
)
#: 每份收入里, 每一百元营收中
_PER = re.compile(
    r"每(?:1|一)?(?:份|元|块钱?|百元|一百元|100元|单位)(?P<what>[^，。；]{2,16}?)(?:里面?|之?中|当中|内|对应)"
)
#: 营收之中有20%最终沉淀为净利润
_COMES_FROM = re.compile(
    r"\s*(?:最终|最后|都|是|被|能|会|可以|得以|真正)*(?:来自|是|由|为|属于|转化[为成]|变成|成了?|落到|落为|沉淀[为成]|归于|归|留作|流向)"
)
_INSIDE = re.compile(r"(?:之?中|里头?|里面|当中|内)(?:的|有|约|近|大约|只有|仅|其中)*$")


def roles(scene: Scene) -> Roles | None:
    """(what is measured, what it is measured by), each a quantity, company or period; None if no word says it."""
    return _by_pronouns(scene) or _by_base(scene) or _by_whole(scene) or _by_part(scene)


def _by_pronouns(scene: Scene) -> Roles | None:
    """后者相当于前者的5.1%; 后者为底，前者下降19%."""
    plain, start = scene.reading.plain, scene.sentence[0]
    clause = plain[scene.clause[0] : scene.clause[1]]
    base = _PRONOUN_AS_BASE.search(plain, start, scene.at)
    if base is not None:
        is_turned = base["which"] == "前者"
    elif _LATTER_FIRST.search(clause) or _FORMER_FIRST.search(clause):
        is_turned = clause.index("后者") < clause.index("前者")
    else:
        return None
    at = min(plain.find(word, start) for word in ("前者", "后者") if plain.find(word, start) >= 0)
    named = _twofold(scene.reading, start, at) or _against_the_present(scene.reading, start, at)
    if named is None:
        return None
    return (named[1], named[0]) if is_turned else named


def _twofold(reading: Reading, start: int, stop: int) -> Roles | None:
    """The two companies, periods or quantities named; a kind of which two are named alone."""
    two = [names for names in kinds(reading, start, stop) if len(names) == 2]
    return (two[0][0].span, two[0][1].span) if len(two) == 1 else None


def _against_the_present(reading: Reading, start: int, stop: int) -> Roles | None:
    """营收27亿元，2024Q3是33亿元: one period named in second place stands against the latest."""
    periods = [p for p in reading.periods if start <= p.start < stop]
    first = next((q.start for q in reading.quantities if q.is_quantity and q.start >= start), stop)
    if len(periods) != 1 or periods[0].start < first:
        return None
    return When(start, start, period=Period(relative="latest")), periods[0]


def _by_base(scene: Scene) -> Roles | None:
    """以营收为单位去量净利润, 每份收入里净利润相当于: what stands in the phrase is the base."""
    matches = (m for p in (_AS_BASE, _PER) for m in p.finditer(scene.reading.plain, scene.sentence[0], scene.at))
    return next((found for m in matches if (found := _split(scene, *m.span("what"))) is not None), None)


def _split(scene: Scene, start: int, stop: int) -> Roles | None:
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


def _by_whole(scene: Scene) -> Roles | None:
    """营收之中有20%最终沉淀为净利润."""
    reading = scene.reading
    number = next((q for q in reading.quantities if q.number_start == scene.at), None)
    if number is None or not _COMES_FROM.match(reading.plain, number.end):
        return None
    if not _INSIDE.search(reading.plain, scene.sentence[0], scene.at):
        return None
    before = [m for m in reading.mentions if scene.sentence[0] <= m.start and m.end <= scene.at]
    after = [m for m in reading.mentions if number.end <= m.start < scene.clause[1]]
    return (after[0], before[-1]) if before and after else None


#: 营收24.8亿元里落到净利润的是…
_WITHIN = re.compile(r"\s*(?:[\d.,]+\s*[万亿]*元)?(?:里头?|之?中|里面|当中)(?!期|报|位|枢|国|性)")


def _by_part(scene: Scene) -> Roles | None:
    """营收24.8亿元里落到净利润的是3.6亿元，折14.6%: the first quantity is the whole, the second its part."""
    inside = [m for m in scene.reading.mentions if scene.sentence[0] <= m.start < scene.at]
    if len(inside) != 2 or not _WITHIN.match(scene.reading.plain, inside[0].end):
        return None
    return inside[1], inside[0]
