"""A clause right behind a number that only says what it was: 23.04%，这是公司交出的净利率; 5.94倍，指标名叫市净率."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.contracts.units import Unit
from flows.truth.claims.naming import without_common
from flows.truth.claims.statement import Place, has_number
from flows.truth.grammar.companies import CompanyMention
from flows.truth.grammar.lexicon import Mention, concepts
from flows.truth.grammar.reading import When
from flows.truth.grammar.units import written_fits

_OPENS = re.compile(
    r"[^，。；！？\n]{0,10}[，,。！？?—:：\s]{1,3}(?:(?:这|此|那)(?:个数字?|一数字?|就|正|便|也)*(?:是|为|即|系)|此[为系乃]|也就是|即(?!便|使|将)"
    r"|(?:正|就|便)?是(?!因|由|为了|不)|(?:这个|该)?指标(?:名称?|的名字)?(?:叫|是|为|:)|(?:学名|名字|名称)(?:叫|为|是|:)|[说指讲]的(?:就)?是)"
)
_DENIES = re.compile(r"不是|并非|而非|不等于|不算|非")
_ENDS = re.compile(r"\s*(?:本身|而已|罢了|的数|的数字|指标|数据|水平)?\s*(?=[，,。；;！!\n]|$)")


@dataclass(frozen=True, slots=True)
class Apposition:
    """What such a clause names: the quantity, and whom or when if it says so."""

    mention: Mention
    company: CompanyMention | None
    when: When | None


def named_behind(place: Place) -> Apposition | None:
    """What the clause behind the number, or the end of its sentence, says that it is of."""
    bounds = _clause_behind(place) or _fragment_behind(place) or _standing_behind(place)
    return _read(place, *bounds) if bounds is not None else None


def _clause_behind(place: Place) -> tuple[int, int] | None:
    """23.04%，这是公司交出的净利率."""
    opened = _OPENS.match(place.reading.plain, place.quantity.end)
    if opened is None or has_number(place.reading, opened.end()):
        return None
    start, stop = opened.end(), place.reading.clause(opened.end())[1]
    named = [m for m in place.reading.mentions if start <= m.start < stop]
    is_last = bool(named) and _ENDS.match(place.reading.plain, named[-1].end) is not None
    is_last = is_last and not _DENIES.search(place.reading.plain, start, stop)
    return (start, stop) if is_last and len({m.concept for m in named}) == 1 else None


def _fragment_behind(place: Place) -> tuple[int, int] | None:
    """19.95元。公司的六十日均线。: a sentence of nothing but a name and a quantity."""
    reading, end = place.reading, place.quantity.end
    if reading.plain[end : end + 1] not in {"。", "！", "!"} or has_number(reading, end + 1):
        return None
    start, stop = reading.sentence(end + 1)
    named = [m for m in reading.mentions if end < m.start < stop]
    if len(named) != 1 or start != end + 1 or named[0].end != stop:
        return None
    return None if without_common(reading, start, named[0].start) else (start, stop)


#: 报67.07元，接近52周高点——公司每股净资产眼下就是这么个位置
_SO_IT_STANDS = re.compile(
    r"(?:眼下|目前|现在|如今|今天|当前)?(?:就|正|便|也)?(?:是|在|停在|处在)(?:这么个|这样个|这个|这样的|这一)(?:位置|价位?|水平|地方|数)"
)


def _standing_behind(place: Place) -> tuple[int, int] | None:
    reading, end = place.reading, place.quantity.end
    stop = reading.sentence(place.quantity.number_start)[1]
    if any(end <= q.number_start < stop for q in reading.quantities if q.is_quantity):
        return None
    named = [m for m in reading.mentions if end <= m.start < stop and _SO_IT_STANDS.match(reading.plain, m.end)]
    return (reading.clause(named[0].start)[0], named[0].end) if named else None


def _read(place: Place, start: int, stop: int) -> Apposition | None:
    reading = place.reading
    mention = [m for m in reading.mentions if start <= m.start < stop][-1]
    unit = Unit.PCT if mention.form else concepts()[mention.concept].unit
    if not written_fits(place.quantity.unit, unit):
        return None
    company = next((c for c in reading.companies if start <= c.start < mention.start), None)
    when = next((p for p in reading.periods if start <= p.start < mention.start), None)
    return Apposition(mention, company, when)
