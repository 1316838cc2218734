"""One company among the others the facts know: which is highest, how many stand higher, how many times a value is."""

from __future__ import annotations

import re

from flows.contracts.checks import CheckVerdict
from flows.truth.facts.ledger import RULE, Reference
from flows.truth.grammar.companies import INDUSTRY, MARKET
from flows.truth.grammar.lexicon import LEVEL, Mention
from flows.truth.grammar.numerals import read_number
from flows.truth.judging.scenes import Scene
from flows.truth.relations.findings import Finding, verdict_of

#: With fewer companies nothing is the highest of several.
_SEVERAL = 3


def ranked(scene: Scene, mention: Mention | None, owner: str, direction: int) -> Finding | None:
    """四家公司里某公司最低: the owner's value against every other company's; None if the facts know too few."""
    values = _by_company(scene, mention)
    if len(values) < _SEVERAL or owner not in values:
        return None
    own = values[owner]
    beyond = [r for r in values.values() if (r.value - own.value) * direction > 0]
    if not beyond:
        return verdict_of(True, "与各公司的数值相比如此", own)
    return verdict_of(False, f"{beyond[0].fact.id} 为 {beyond[0].value:g}，{own.fact.id} 为 {own.value:g}", own)


def counted(scene: Scene, mention: Mention | None, owner: str, direction: int, rest: tuple[int, int]) -> Finding | None:
    """比某公司更高的有两家: the named companies and their number; None if the facts know too few."""
    values = _by_company(scene, mention)
    if len(values) < _SEVERAL or owner not in values:
        return None
    own = values[owner]
    beyond = {key for key, r in values.items() if (r.value - own.value) * direction > 0}
    named = {c.key for c in scene.reading.companies if rest[0] <= c.start < rest[1] and c.key in values}
    number = re.search(r"([一两二三四五六七八九十\d]+)家", scene.reading.plain[rest[0] : rest[1]])
    holds = named <= beyond and (number is None or int(read_number(number[1])[0]) == len(beyond))
    return verdict_of(holds, f"按各公司的数值，共 {len(beyond)} 家", own)


def _by_company(scene: Scene, mention: Mention | None) -> dict[str, Reference]:
    """One level per company, aggregates left out."""
    if mention is None:
        return {}
    found: dict[str, Reference] = {}
    for r in scene.references(lambda r: r.concept == mention.concept and r.form == LEVEL and r.is_own):
        if r.company not in {INDUSTRY, MARKET, RULE}:
            found.setdefault(r.company, r)
    return found


def times(one: Reference, other: Reference, number: str, rough: str, *, is_more: bool) -> Finding | None:
    """行业平均的两倍多, 不到去年的一半: the quotient of two facts against the multiple that is said."""
    if other.value <= 0:
        return None
    said = 0.5 if number == "一半" else read_number(number.removesuffix("倍"))[0]
    quotient = one.value / other.value
    formula = f"{one.fact.id} / {other.fact.id}"
    verdict = CheckVerdict.DERIVED if _fits(quotient, said, rough, is_more=is_more) else CheckVerdict.MISMATCH
    return Finding(verdict, f"{formula} = {quotient:.2f}", one.fact.id, formula)


def _fits(quotient: float, said: float, rough: str, *, is_more: bool) -> bool:
    """Whether *quotient* is about *said*, or on the side of it that the words say."""
    if rough in {"不到", "不足", "略低于", "接近", "近"}:
        return 0.5 * said <= quotient < said
    if is_more or rough in {"超过", "多于", "高于", "逾", "略多于"}:
        return said < quotient < max(2 * said, said + 1)
    return abs(quotient - said) <= 0.1 * said
