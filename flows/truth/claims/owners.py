"""Whom a number is of, and whom a difference is measured against."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flows.truth.claims.forms import MOVES
from flows.truth.claims.qualifiers import trailing
from flows.truth.claims.statement import Place
from flows.truth.grammar.companies import INDUSTRY, MARKET, SUBJECT, CompanyMention
from flows.truth.grammar.reading import Reading

_COMPARED = re.compile(
    r"(?:对照|比照|参照|较|(?<![同环占])比|与|同|和|跟|高于|低于|优于|不及|超过|超出|落后|领先|相对于?|相比|对比"
    r"|(?<=[高低优强弱大小多少快慢逊先后])于)\s*$"
)
_COMPARED_NEAR = re.compile(r"[较比与和同跟]$|[高低优强弱大小多少快慢逊先后]于$")


def company_of(place: Place, form: str) -> tuple[CompanyMention | None, bool]:
    """(whom the number is of, whether that is said rather than inherited)."""
    near = _beside(place, form)
    if near is not None:
        return near, True
    named = place.carried(place.reading.companies)
    carried = [c for c in named if not is_compared(place.reading, c)] or [c for c in named if _is_set(place.reading, c)]
    if carried and (carried[-1].key != SUBJECT or (announced := _announced(place)) is None):
        return carried[-1], carried[-1].key not in {SUBJECT, INDUSTRY}
    if carried:
        return announced, True
    framed = [c for c in place.framed(place.reading.companies) if _may_own(place.reading, c)]
    if len({c.key for c in framed}) == 1 and framed[0].key not in {INDUSTRY, MARKET}:
        return framed[0], True
    topics = _topics(place.reading, place.sentence)
    owner = topics[-1] if topics else _owner_after(place.reading, place.clause[1])
    return owner, owner is not None


_ANNOUNCES = re.compile(r"(?:主体|标的|对象|主角)(?:为|是|系|:)?$")


def _announced(place: Place) -> CompanyMention | None:
    """公司公告预计…10%—25%，主体为某公司: the company that a clause behind the number names as its owner."""
    plain, (_, stop) = place.reading.plain, place.sentence
    behind = [c for c in place.reading.companies if place.quantity.end <= c.start < stop and c.key != SUBJECT]
    return next((c for c in behind if _ANNOUNCES.search(plain, max(0, c.start - 4), c.start)), None)


def _may_own(reading: Reading, company: CompanyMention) -> bool:
    """Whether a company of a frame is neither compared with nor the label of a field (公司：)."""
    return not is_compared(reading, company) and not _is_label(reading, company)


def _is_label(reading: Reading, company: CompanyMention) -> bool:
    """标的：某公司, 公司=某公司: the word in front only announces the company."""
    return reading.plain[company.end : company.end + 1] in {":", "="}


def _beside(place: Place, form: str) -> CompanyMention | None:
    """The company the number's own clause names."""
    reading, q = place.reading, place.quantity
    right_behind = next((c for c in reading.companies if q.end <= c.start <= q.end + 2), None)
    may_own = right_behind is not None and (
        right_behind.key != INDUSTRY or reading.plain[q.end] == "的" or _is_bracketed(reading, right_behind)
    )
    if right_behind is not None and may_own and _owns(reading, q.end, right_behind):
        return right_behind
    own = place.own(reading.companies)
    if form in MOVES:
        own = [c for c in own if not is_compared(reading, c)]
    if own:
        return own[-1]
    later = place.behind([c for c in reading.companies if not _is_label(reading, c)])
    return later if later is not None and later.key != INDUSTRY and not is_compared(reading, later) else None


def _is_bracketed(reading: Reading, company: CompanyMention) -> bool:
    """Whether brackets hold the company and nothing else: 51.9倍（行业平均）."""
    return reading.plain[company.start - 1] == "(" and reading.plain[company.end : company.end + 1] == ")"


#: 把某公司请进来对照, 拿某公司当标尺
_TAKEN, _AS_REFERENCE = (
    re.compile(r"(?:把|拿|以|用|请|引入?|找来?|选|让|叫|将|取|换)\s*$"),
    re.compile(r"[^，。；\d]{0,8}?(?:对照|参照|比较|对比|基准|标尺|标杆|参考|作比|来比|一比|尺子|锚)"),
)
#: 参照系选某公司, 对照组：某公司
_REFERENCE_IS = re.compile(
    r"(?:(?:参照|对照|比较|对比|基准|参考)(?:系|物|对象|组|方|标的|公司)(?:就|则)?(?::|为|是)"
    r"|(?:参照|对照|比较|对比|基准|参考)(?:系|物|对象|组|方|标的|公司)?(?:就|则)?(?:选的?是?|换成|换作|改为|取|用|定为))\s*$"
)


def _is_set(reading: Reading, company: CompanyMention) -> bool:
    """参照物是某公司，市净率2.40倍: what is first set as the other's measure may have a number of its own."""
    return _REFERENCE_IS.search(reading.plain, max(0, company.start - 12), company.start) is not None


def is_compared(reading: Reading, company: CompanyMention) -> bool:
    """Whether a company stands after 较, 比, 与 and the like, or is taken for the other's measure."""
    plain, start = reading.plain, company.start
    if _COMPARED.search(plain, max(0, start - 3), start) or _REFERENCE_IS.search(plain, max(0, start - 12), start):
        return True
    return bool(_TAKEN.search(plain, max(0, start - 3), start) and _AS_REFERENCE.match(plain, company.end))


def compared_with(place: Place) -> str:
    """Key of the company or aggregate a difference is measured against."""
    own = [c for c in place.own(place.reading.companies) if is_compared(place.reading, c)]
    return own[-1].key if own else ""


def _owns(reading: Reading, end: int, company: CompanyMention) -> bool:
    """12亿元的某公司, 12亿元（某公司，2025Q3）, 12亿元是某公司的营收: the company right after a number."""
    between, following = reading.plain[end : company.start].strip(), reading.plain[company.end : company.end + 1]
    if between in {"是", "为"}:
        return not any(end <= q.number_start < reading.clause(end)[1] for q in reading.quantities if q.is_quantity)
    return between == "的" or (between in {"(", "—", "-"} and following in {")", "，", ",", "、", ""})


def _topics(reading: Reading, sentence: tuple[int, int]) -> Sequence[CompanyMention]:
    """再看某公司。三季报净利润12亿元: a sentence that only names a company is about the next one."""
    if sentence[0] == 0:
        return ()
    start, stop = reading.sentence(max(0, sentence[0] - 2))
    if stop > sentence[0] or any(start <= q.number_start < stop and q.is_quantity for q in reading.quantities):
        return ()
    named = [c for c in reading.companies if start <= c.start < stop and not is_compared(reading, c)]
    is_taken_up = len(named) == 1 and reading.plain.startswith("它的", sentence[0])
    return [c for c in named if is_taken_up or c.key not in {INDUSTRY, MARKET}]


def owner_behind(reading: Reading, end: int) -> CompanyMention | None:
    """Whom a claim that ends at *end* is about if only words behind it say so: 转亏，这就是某公司2025Q3的成绩."""
    stop = reading.clause(end)[1]
    inside = [c for c in reading.companies if end <= c.start < stop and not is_compared(reading, c)]
    named = [c for c in inside if c.key not in {SUBJECT, INDUSTRY, MARKET}]
    if len({c.key for c in named}) == 1:
        return named[0]
    return _owner_after(reading, stop)


def _owner_after(reading: Reading, end: int) -> CompanyMention | None:
    """营收12亿元，这家公司是某公司: the owner stands in the next clauses, which have no number of their own."""
    return _in_next_clauses(reading, end) or _only_one_named(reading, end) or _appraised_next(reading, end)


_APPRAISED = re.compile(
    r"的(?:质地|成色|底色|品质|质量|家底|功底|本事|斤两|成绩|表现)(?:究竟|到底)?(?:如何|怎样|怎么样|好坏)"
)


def _appraised_next(reading: Reading, end: int) -> CompanyMention | None:
    """毛利率33.7%。某公司的质地如何，见仁见智: the sentence behind appraises whose number it was."""
    at = reading.sentence(max(0, end - 1))[1] + 1
    named = next((c for c in reading.companies if c.start == at), None)
    return named if named is not None and _APPRAISED.match(reading.plain, named.end) else None


#: 某公司的公告, 某公司财报: whose papers or shares the sentence is about.
_PAPERS = re.compile(r"的?(?:公告|财报|年报|报表|定期报告|披露|数据|股票|股价|持有人|供给|基数)")
#: 某公司也在扩产, 让某公司追不上: another company comes in.
_COMES_IN = re.compile(
    r"[也却则而另还让被把胜赢]|好过|甩开|领先|追|望尘|对标|参照|比|[前后][面者一]|第[一二]|甲|乙|左|右"
)
_LONGEST_AFTERTHOUGHT = 16


def _only_one_named(reading: Reading, end: int) -> CompanyMention | None:
    """减持1亿股——我没有添油加醋，某公司的公告就是这么写的: the one company of a sentence without a further number."""
    start, stop = reading.sentence(max(0, end - 1))
    named = [c for c in reading.companies if start <= c.start < stop and c.key not in {INDUSTRY, MARKET}]
    if not named or named[0].start < end or len({c.key for c in named}) > 1 or is_compared(reading, named[0]):
        return None
    if any(end <= q.number_start < stop and q.is_quantity for q in reading.quantities):
        return None
    return named[0] if _is_afterthought(reading, named[0]) else None


def _is_afterthought(reading: Reading, company: CompanyMention) -> bool:
    """看完再来辩论某公司, 某公司没跑: a short clause that names a company and no quantity says whose number it was."""
    start, stop = reading.clause(company.start)
    if _PAPERS.match(reading.plain, company.end):
        return True
    if stop - start > _LONGEST_AFTERTHOUGHT or any(start <= m.start < stop for m in reading.mentions):
        return False
    return not _COMES_IN.search(reading.plain[start : company.start] + reading.plain[company.end : stop])


def _in_next_clauses(reading: Reading, end: int) -> CompanyMention | None:
    for start, stop in trailing(reading, end):
        inside = [c for c in reading.companies if start <= c.start < stop and c.key != INDUSTRY]
        named = [c for c in inside if not _announces(reading, c, inside)] or inside
        if len(named) > 1 or any(_is_compared_near(reading, c) for c in named):
            return None
        if named:
            return named[0]
    return None


#: 标的为某公司, 这家公司是某公司, 标的某公司: the first word only announces the owner.
_LABELS = frozenset("是为系:：")


def _announces(reading: Reading, company: CompanyMention, others: Sequence[CompanyMention]) -> bool:
    named_behind = company.key == SUBJECT and any(0 <= c.start - company.end <= 2 for c in others)
    return named_behind or reading.plain[company.end : company.end + 1] in _LABELS


def _is_compared_near(reading: Reading, company: CompanyMention) -> bool:
    return bool(_COMPARED_NEAR.search(reading.plain[max(0, company.start - 2) : company.start]))
