"""Claims without a number (PRODUCT T2): 低于行业平均, 创三年新高, 连续三季下滑, 由盈转亏, 持续上涨, 均线空头排列.

Each is decided by cited facts, or it is 无据. A conditional, a question or a forecast is no claim about what is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from flows.contracts.transcripts import Check, CheckVerdict
from flows.contracts.units import Unit
from flows.truth.companies import INDUSTRY, SUBJECT
from flows.truth.extremes import extreme
from flows.truth.findings import Finding, verdict_of
from flows.truth.history import loss, streak, traded, trend, turn
from flows.truth.ledger import Ledger
from flows.truth.lexicon import LEVEL, Mention
from flows.truth.numberless import DOWN_MOVES, UNREAL, Claimed, found_claims, is_unreal
from flows.truth.numbers import Kind, Quantity
from flows.truth.operands import pairs
from flows.truth.peers import counted, ranked, times
from flows.truth.reading import Reading
from flows.truth.scenes import Scene, companies_in, scene_of
from flows.truth.statement import Statement
from flows.truth.technical import technical


def numberless(
    reading: Reading, ledger: Ledger, cited: frozenset[str] | None, claim_id: str, company: str
) -> Iterator[Check]:
    """Checks of every numberless claim of *reading*."""
    for claimed in found_claims(reading):
        scene = scene_of(reading, ledger, cited, reading.clause(claimed.start), claimed.start)
        if is_unreal(scene, claimed):
            continue
        finding = _decide(scene, claimed, company)
        if finding is not None:
            yield _check(reading, claimed, finding, claim_id)
    for start, end, finding in technical(reading, ledger, cited):
        scene = scene_of(reading, ledger, cited, reading.clause(start), start)
        if not UNREAL.search(reading.plain, scene.clause[0], start):
            yield _made(reading, start, end, finding, claim_id)


def _decide(scene: Scene, claimed: Claimed, company: str) -> Finding | None:
    decide = _DECIDERS.get(claimed.kind, _compared)
    return decide(scene, claimed, _about(scene, claimed), _owner(scene, claimed.start, company))


def _ranking(scene: Scene, claimed: Claimed, _mention: Mention | None, _company: str) -> Finding | None:
    return _quoted(scene, claimed)


def _turn(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    return turn(scene, mention, owner, up=bool(claimed.match["up"])) or _quoted(scene, claimed)


def _loss(scene: Scene, claimed: Claimed, _mention: Mention | None, owner: str) -> Finding | None:
    return loss(scene, owner, 1 if claimed.match["up"] else -1)


def _trade(scene: Scene, claimed: Claimed, _mention: Mention | None, _company: str) -> Finding | None:
    return traded(scene, claimed.match["word"])


def _streak(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    match = claimed.match
    return streak(scene, mention, owner, match["n"], match["unit"], _sign(match)) or _quoted(scene, claimed)


def _extreme(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    match = claimed.match
    return extreme(scene, mention, owner, match["span"] or "", match["what"], match["reach"])


def _trend(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    return trend(scene, mention, owner, claimed.match["pre"], _sign(claimed.match))


def _denied(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    """并未下降: wrong where the facts say that it did."""
    said = trend(scene, mention, owner, "同比", _sign(claimed.match)) if mention is not None else None
    if said is None or said.verdict is CheckVerdict.UNSUPPORTED:
        return None
    turned = {CheckVerdict.SUPPORTED: CheckVerdict.MISMATCH, CheckVerdict.MISMATCH: CheckVerdict.SUPPORTED}
    return replace(said, verdict=turned[said.verdict], expected=None)


def _book(scene: Scene, claimed: Claimed, _mention: Mention | None, owner: str) -> Finding | None:
    """破净 is a price-to-book ratio below one."""
    known = scene.references(lambda r: r.concept == "pb" and r.company == owner and r.form == LEVEL)
    if not known:
        return None
    is_below = known[0].value < 1
    return verdict_of(
        is_below is not bool(claimed.match["not"]), f"{known[0].fact.id} 为 {known[0].value:g}倍", known[0]
    )


def _ranked(scene: Scene, claimed: Claimed, mention: Mention | None, company: str) -> Finding | None:
    start, end = claimed.match.span()
    inside = [c for c in scene.reading.companies if start <= c.start < end and c.key != INDUSTRY]
    owner = inside[-1].key if inside else _owner(scene, start, company)
    return ranked(scene, mention, owner, _over(claimed.match)) or _among(scene, claimed, mention, owner)


def _among(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    if mention is None or not mention.concept:
        return None
    statement = _statement_of(scene, claimed, mention, owner)
    return _against_industry(scene, statement, _over(claimed.match))


def _counted(scene: Scene, claimed: Claimed, mention: Mention | None, company: str) -> Finding | None:
    match = claimed.match
    start, end = match.span("what" if match["what"] else "whom")
    inside = [c for c in scene.reading.companies if start <= c.start < end and c.key != INDUSTRY]
    owner = inside[-1].key if inside else company
    return counted(scene, mention, owner, -1 if match["under"] or match["below"] else 1, match.span("rest"))


def _times(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    """The multiple of any two values the sentence puts side by side; None where one of them gives it."""
    others = {c.key for c in companies_in(scene)} - {INDUSTRY, SUBJECT}
    if mention is None or not mention.concept or len(others) == 1:
        return None
    match = claimed.match
    found = [
        finding
        for one, other in pairs(_statement_of(scene, claimed, mention, owner), scene)
        if one.unit == other.unit and one.form == other.form == LEVEL
        if (finding := times(one, other, match["n"], match["rough"] or "", is_more=bool(match["more"]))) is not None
    ]
    return next((f for f in found if not f.verdict.is_failure), found[0] if found else None)


def _over(match: re.Match[str]) -> int:
    return -1 if match["under"] is not None else 1


def _sign(match: re.Match[str]) -> int:
    return -1 if match["move"] in DOWN_MOVES else 1


def _about(scene: Scene, claimed: Claimed) -> Mention | None:
    """The quantity a claim is about: the last one named before it, else the first after it (连续三季下滑的净利润)."""
    at = claimed.end if claimed.kind in {"among", "times"} else claimed.start
    at = claimed.match.start("rest") if claimed.kind == "counted" else at
    at = claimed.match.start("word") if claimed.kind == "ranked" else at
    before = [m for m in scene.reading.mentions if scene.sentence[0] <= m.start < at]
    own = [m for m in before if m.start >= scene.clause[0]]
    behind = [m for m in scene.reading.mentions if claimed.end <= m.start < scene.sentence[1]]
    if behind and not own and scene.reading.plain[claimed.end : behind[0].start].strip() in {"", "的"}:
        return behind[0]
    found = own or before
    return found[-1] if found else (behind[0] if behind else None)


def _owner(scene: Scene, at: int, company: str) -> str:
    before = [c for c in scene.reading.companies if scene.sentence[0] <= c.start and c.end <= at and c.key != INDUSTRY]
    return before[-1].key if before else company


def _compared(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    sign = 1 if claimed.match["over"] else -1
    if claimed.match.groupdict().get("not"):
        sign = -sign
    if claimed.kind == "compare" and not _has_target(scene, claimed):
        return None
    if claimed.kind == "bi" and not _is_party(scene, claimed):
        return None
    if mention is None or _is_valuation(scene, claimed):
        known = _valuation(scene, claimed)
        mention = known if known is not None else mention
    if mention is None or not mention.concept:
        return Finding(CheckVerdict.UNSUPPORTED, "没有说明比的是哪个指标") if claimed.kind == "among" else None
    statement = _statement_of(scene, claimed, mention, owner)
    if claimed.kind == "among":
        return _against_industry(scene, statement, sign)
    return (
        _as_written(scene, claimed, sign)
        or _by_pairs(scene, statement, sign)
        or _by_premium(scene, statement, sign)
        or _unless_said(scene, claimed)
    )


def _statement_of(scene: Scene, claimed: Claimed, mention: Mention, owner: str) -> Statement:
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
        bool(_TARGETS.search(tail))
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


def _by_pairs(scene: Scene, statement: Statement, sign: int) -> Finding | None:
    for one, other in pairs(statement, scene):
        if one.unit == other.unit and one.form == other.form:
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
    return _against_industry(scene, statement, sign, levels=False)


def _against_industry(scene: Scene, s: Statement, sign: int, *, levels: bool = True) -> Finding:
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


_BETWEEN = re.compile(r"[，,的]?(?:也|都|明显|显著|略|仍|均)*$")


def _as_written(scene: Scene, claimed: Claimed, sign: int) -> Finding | None:
    """a，高于…的b: the numbers on both sides of the word, each checked as a number, in the same unit."""
    inside = [q for q in scene.reading.quantities if q.is_quantity and scene.sentence[0] <= q.start < scene.sentence[1]]
    before = [q for q in inside if q.end <= claimed.start]
    behind = [q for q in inside if claimed.end <= q.start < scene.clause[1]]
    if not before or len(behind) != 1 or before[-1].unit != behind[0].unit:
        return None
    if not _BETWEEN.fullmatch(scene.reading.plain[before[-1].end : claimed.start]):
        return None
    one, other = (q.signed(q.value) for q in (before[-1], behind[0]))
    if one == other:
        return None
    if (one - other) * sign > 0:
        return Finding(CheckVerdict.SUPPORTED, "句中两数如此")
    return Finding(CheckVerdict.MISMATCH, f"{before[-1].text}并不{claimed.match['word']}{behind[0].text}")


def _signed(holds: bool, fact_id: str, reason: str) -> Finding:
    return Finding(CheckVerdict.SUPPORTED if holds else CheckVerdict.MISMATCH, reason, fact_id)


def _unless_said(scene: Scene, claimed: Claimed) -> Finding:
    return _quoted(scene, claimed) or Finding(CheckVerdict.UNSUPPORTED, "没有引用能比较的两个数值")


def _quoted(scene: Scene, claimed: Claimed) -> Finding | None:
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


def _check(reading: Reading, claimed: Claimed, finding: Finding, claim_id: str) -> Check:
    return _made(reading, claimed.start, claimed.end, finding, claim_id)


def _made(reading: Reading, start: int, end: int, finding: Finding, claim_id: str) -> Check:
    return Check(
        claim_id=claim_id, text=reading.text[start:end], start=start, end=end, verdict=finding.verdict,
        fact_id=finding.fact_id, formula=finding.formula, expected=finding.expected, unit=finding.unit,
        reason=finding.reason,
    )  # fmt: skip


_Decider = Callable[[Scene, Claimed, Mention | None, str], Finding | None]
_DECIDERS: dict[str, _Decider] = {
    "ranking": _ranking, "turn": _turn, "loss": _loss, "trade": _trade, "streak": _streak,
    "extreme": _extreme, "trend": _trend, "denied": _denied, "book": _book, "ranked": _ranked, "counted": _counted,
    "times": _times,
}  # fmt: skip
