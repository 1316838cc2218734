"""Two values compared in words: 高于行业平均, 不及去年同期, a，低于b (PRODUCT T2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from flows.contracts.checks import CheckVerdict
from flows.contracts.units import Unit
from flows.truth.claims.day_shares import tells_days
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Reference
from flows.truth.grammar.companies import INDUSTRY
from flows.truth.grammar.lexicon import LEVEL, Mention
from flows.truth.grammar.numbers import Kind, Quantity
from flows.truth.judging.operands import by_roles, pairs
from flows.truth.judging.pronouns import OTHER_SIDE, PRONOUN
from flows.truth.judging.roles import roles
from flows.truth.judging.scenes import Scene
from flows.truth.relations.findings import Finding
from flows.truth.relations.numberless import Claimed
from flows.truth.relations.sides import named_sides
from flows.truth.relations.told_numbers import by_numbers


def compared(
    scene: Scene, claimed: Claimed, mention: Mention | None, owner: str, found: Sequence[Statement]
) -> Finding | None:
    """What the facts, or the numbers beside the word, say of 高于, 低于 and their like; None if nothing is compared."""
    sign = 1 if claimed.match["over"] else -1
    if claimed.match.groupdict().get("not"):
        sign = -sign
    if claimed.kind == "compare" and _bounds_days(scene, claimed):
        return None
    told = by_numbers(scene, claimed, found, sign)
    return told if told is not None else _by_facts(scene, claimed, mention, owner, sign)


def _by_facts(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str, sign: int) -> Finding | None:
    said = named_sides(scene, claimed) if claimed.kind == "compare" else None
    if said is None and not _sets_against(scene, claimed):
        return None
    if mention is None or _is_valuation(scene, claimed):
        known = _valuation(scene, claimed)
        mention = known if known is not None else mention
    if mention is None or not mention.concept:
        return Finding(CheckVerdict.UNSUPPORTED, "没有说明比的是哪个指标") if claimed.kind == "among" else None
    statement = statement_of(scene, claimed, mention, owner)
    if claimed.kind == "among":
        return against_industry(scene, statement, sign)
    return (
        (_by_pairs(by_roles(statement, scene, *said), statement, sign) if said is not None else None)
        or _by_pairs(pairs(statement, scene), statement, sign)
        or _by_premium(scene, statement, sign)
        or _unless_said(scene, claimed)
    )


def _sets_against(scene: Scene, claimed: Claimed) -> bool:
    """Whether a claim that names no two sides sets something against another at all."""
    if claimed.kind == "compare":
        return _has_target(scene, claimed)
    return claimed.kind != "bi" or _is_party(scene, claimed)


def _bounds_days(scene: Scene, claimed: Claimed) -> bool:
    """超过九成的日子, 九成的日子低于现在: the word bounds a share of days, or says where those days stood."""
    plain, start = scene.reading.plain, scene.clause[0]
    around = (q for q in scene.reading.quantities if q.number_start == claimed.end or start <= q.end <= claimed.start)
    return any(tells_days(plain, q.end) for q in around if q.is_quantity)


def statement_of(scene: Scene, claimed: Claimed, mention: Mention, owner: str) -> Statement:
    """The owner's quantity that a claim without a number is about."""
    return Statement(
        _no_quantity(claimed), mention.concept, company=owner, is_company_said=True, clause=scene.clause,
        window=mention.window, mention=mention, form=mention.form or LEVEL,
    )  # fmt: skip


def _is_valuation(scene: Scene, claimed: Claimed) -> bool:
    """估值低于同业: the clause names no multiple, only valuation."""
    return "估值" in scene.reading.plain[scene.clause[0] : claimed.end] and not any(
        scene.clause[0] <= m.start < claimed.start for m in scene.reading.mentions
    )


def _valuation(scene: Scene, claimed: Claimed) -> Mention | None:
    """The first multiple of the industry that a cited fact knows: 市盈率, else 市净率, else 市销率."""
    for concept in ("pe", "pb", "ps"):
        if scene.references(lambda r, concept=concept: r.concept == concept and r.company == INDUSTRY):  # type: ignore[misc]
            return Mention(claimed.start, claimed.start, concept)
    return None


def _no_quantity(claimed: Claimed) -> Quantity:
    return Quantity(claimed.match[0], claimed.start, claimed.end, claimed.start, Kind.QUANTITY, unit=Unit.TEXT)


_TARGETS = re.compile(
    r"行业|同业|同行|可比|平均|均值|中位|均线|高点|低点|上年|去年|上期|上一|同期|历史|预期|市场|大盘|板块|前值|年初"
    r"|此前|期初|对手|竞争|龙头"
)


def _has_target(scene: Scene, claimed: Claimed) -> bool:
    """A bare number after 高于 is a bound, checked as a number; a name, period or quantity makes a comparison."""
    end = scene.clause[1]
    tail = scene.reading.plain[claimed.end : end]
    return (
        bool(_TARGETS.search(tail) or PRONOUN.match(tail) or (OTHER_SIDE.match(tail) and roles(scene) is not None))
        or (not tail.strip() and roles(scene) is not None)
        or any(claimed.end <= a < min(end, claimed.end + 12) for a in _named(scene))
        or _has_two(scene)
    )


def _has_two(scene: Scene) -> bool:
    """Two companies, or two periods, stand in the sentence: it compares them even if the word ends it."""
    reading, (start, end) = scene.reading, scene.sentence
    companies = {c.key for c in reading.companies if start <= c.start < end}
    periods = {p.period for p in reading.periods if start <= p.start < end}
    return len(companies) > 1 or len(periods) > 1


def _is_party(scene: Scene, claimed: Claimed) -> bool:
    start, end = claimed.match.span("what")
    return bool(_TARGETS.search(claimed.match["what"])) or any(start <= a < end for a in _named(scene))


def _named(scene: Scene) -> list[int]:
    """Offsets of every company, period and quantity named in the text."""
    reading = scene.reading
    return [
        *(c.start for c in reading.companies), *(p.start for p in reading.periods), *(m.start for m in reading.mentions)
    ]  # fmt: skip


def _by_pairs(found: Iterable[tuple[Reference, Reference]], statement: Statement, sign: int) -> Finding | None:
    for one, other in found:
        if one.unit == other.unit and one.form == other.form == statement.form:
            gap = one.value - other.value
            formula = f"{one.fact.id} {'>' if gap > 0 else '<'} {other.fact.id}"
            if gap * sign > 0:
                return Finding(CheckVerdict.SUPPORTED, "事实如此", one.fact.id, formula)
            relation = "等于" if gap == 0 else ("高于" if gap > 0 else "低于")
            reason = f"{one.fact.id} 实际{relation} {other.fact.id}"
            return Finding(CheckVerdict.MISMATCH, reason, one.fact.id, formula, one.value, one.unit)
    return None


def _by_premium(scene: Scene, statement: Statement, sign: int) -> Finding | None:
    """A fact that states the distance itself (较同行业均值高12%)."""
    if not any(c.key == INDUSTRY for c in scene.reading.companies if scene.clause[0] <= c.start < scene.clause[1]):
        return None
    return against_industry(scene, statement, sign, levels=False)


def against_industry(scene: Scene, s: Statement, sign: int, *, levels: bool = True) -> Finding:
    """A value against its industry's: by the distance a fact states, else by both levels."""
    stated = scene.references(lambda r: r.concept == s.concept and "premium" in r.fact.field)
    if stated:
        return _signed(
            stated[0].value * sign > 0, stated[0].fact.id, f"{stated[0].fact.id} 的差距为 {stated[0].value:+.2f}%"
        )
    ours = scene.references(lambda r: r.concept == s.concept and r.company == s.company and r.form == LEVEL)
    theirs = scene.references(lambda r: r.concept == s.concept and r.company == INDUSTRY and r.form == LEVEL)
    if levels and ours and theirs:
        return _signed(
            (ours[0].value - theirs[0].value) * sign > 0, ours[0].fact.id, f"{ours[0].fact.id} 与 {theirs[0].fact.id}"
        )
    return Finding(CheckVerdict.UNSUPPORTED, "没有引用可比的行业数值")


def _signed(holds: bool, fact_id: str, reason: str) -> Finding:
    return Finding(CheckVerdict.SUPPORTED if holds else CheckVerdict.MISMATCH, reason, fact_id)


def _unless_said(scene: Scene, claimed: Claimed) -> Finding:
    return quoted(scene, claimed) or Finding(CheckVerdict.UNSUPPORTED, "没有引用能比较的两个数值")


def quoted(scene: Scene, claimed: Claimed) -> Finding | None:
    """A cited fact's own sentence that says the same."""
    said = scene.reading.plain[max(scene.sentence[0], claimed.start - 8) : claimed.end]
    core = claimed.match[0]
    for fact in scene.ledger.facts:
        if (scene.cited is None or fact.id in scene.cited) and core in fact.sentence and _shares(said, fact.sentence):
            return Finding(CheckVerdict.SUPPORTED, "引用的材料如此表述", fact.id)
    return Finding(CheckVerdict.UNSUPPORTED, "没有引用的事实说明这一点")


def _shares(said: str, sentence: str) -> bool:
    pairs_ = [said[i : i + 2] for i in range(len(said) - 1)]
    return sum(p in sentence for p in pairs_) >= 0.5 * len(pairs_)
