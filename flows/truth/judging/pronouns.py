"""What 前者 and 后者, 甲 and 乙, 对方 and 它 stand for: the two things named before them."""

from __future__ import annotations

import re

from flows.truth.claims.order import kinds
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.lexicon import Mention
from flows.truth.grammar.periods import Period
from flows.truth.grammar.reading import Reading, When
from flows.truth.judging.scenes import Scene

Named = Mention | CompanyMention | When
Two = tuple[Named, Named]

_FORMER = (
    r"前者|第一(?:条|项|个|家|行|组|位)|当期(?=[低高不超落领优弱强大小])|前一(?:个|项|家|只|条|行)(?:数字?|指标|数值|公司)?|左边|左侧"
    r"|(?<![一-鿿])甲(?=[:低高不超落领优弱强大小])"
)
_LATTER = (
    r"后者|第二(?:条|项|个|家|行|组|位)|(?<=过)比较期|(?<=[于及如])(?:比较|对比)期|后一(?:个|项|家|只|条|行)(?:数字?|指标|数值|公司)?|右边|右侧"
    r"|(?:(?<![一-鿿])|(?<=[于过及后先]))乙(?=[:低高不超落领优弱强大小，。；\s]|$)"
)
PRONOUN = re.compile(rf"(?P<former>{_FORMER})|(?P<latter>{_LATTER})")
#: Words for the other side of a comparison, whichever it is.
OTHER_SIDE = re.compile(
    r"(?:了|着)?(?:对方|对照(?:方|组|值)|参照(?:方|系|物|值)?|基准值?|它(?!们|的(?!\d))|前值|彼时|当时|那时|那边"
    r"|(?:这|那|该|此|前述|上述|前面|刚才)(?:一|个|条|道|份|把|根|家|那个|这个|的)*"
    r"(?:水平|数字|数值|数|值|线|参照|标准|位置|门槛|均值|倍数|价格?|比率|基准|对手|同行|尺子|标尺|标杆|期))"
    r"|标杆|锚值?|(?:这|那|该|此)一?[个条道份把根家档项只座]的?[一-鿿]{1,4}(?=[，。；、)]|$)"
)


def is_turned(text: str) -> bool | None:
    """Whether *text* names the latter before the former; None if it does not name both."""
    named = [m.lastgroup for m in PRONOUN.finditer(text)]
    if {"former", "latter"} - set(named):
        return None
    return named[0] == "latter"


def referents(scene: Scene) -> Two | None:
    """The two things named before the pronouns of the clause, or in the sentence before theirs."""
    reading, start = scene.reading, scene.sentence[0]
    spoken = PRONOUN.search(reading.plain, *scene.clause)
    at = spoken.start() if spoken else scene.at
    here = twofold(reading, start, at) or _against_the_present(reading, start, at)
    if here is not None or start == 0 or any(names for names in kinds(reading, start, at)):
        return here
    return twofold(reading, reading.sentence(max(0, start - 2))[0], start)


def twofold(reading: Reading, start: int, stop: int) -> Two | None:
    """The two companies, periods or quantities named; a kind of which two are named alone."""
    two = [names for names in kinds(reading, start, stop) if len(names) == 2]
    return (two[0][0].span, two[0][1].span) if len(two) == 1 else None


def _against_the_present(reading: Reading, start: int, stop: int) -> Two | None:
    """营收27亿元，2024Q3是33亿元: one period named in second place stands against the latest."""
    periods = [p for p in reading.periods if start <= p.start < stop]
    first = next((q.start for q in reading.quantities if q.is_quantity and q.start >= start), stop)
    if len(periods) != 1 or periods[0].start < first:
        return None
    return When(start, start, period=Period(relative="latest")), periods[0]
