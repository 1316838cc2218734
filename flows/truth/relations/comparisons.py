"""Claims without a number (PRODUCT T2): 低于行业平均, 创三年新高, 连续三季下滑, 由盈转亏, 持续上涨, 均线空头排列.

Each is decided by cited facts, or it is 无据. A conditional, a question or a forecast is no claim about what is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from flows.contracts.checks import Check, CheckVerdict
from flows.truth.claims.naming import without_common
from flows.truth.claims.owners import owner_behind
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger
from flows.truth.grammar.companies import INDUSTRY, SUBJECT, CompanyMention
from flows.truth.grammar.lexicon import LEVEL, Mention
from flows.truth.grammar.reading import Reading
from flows.truth.judging.operands import pairs
from flows.truth.judging.pronouns import PRONOUN
from flows.truth.judging.scenes import Scene, companies_in, scene_of
from flows.truth.relations.bare import OF_ONE, widened
from flows.truth.relations.comparing import against_industry, compared, quoted, statement_of
from flows.truth.relations.extremes import extreme
from flows.truth.relations.findings import Finding, verdict_of
from flows.truth.relations.history import loss, streak, traded, trend, turn
from flows.truth.relations.numberless import DOWN_MOVES, UNREAL, Claimed, found_claims, is_supposed, is_unreal
from flows.truth.relations.peers import counted, ranked, times
from flows.truth.relations.said_of import is_its_turn, period_said
from flows.truth.relations.sides import named_sides
from flows.truth.relations.technical import technical
from flows.truth.relations.told_numbers import taken_up


def numberless(
    reading: Reading,
    ledger: Ledger,
    cited: frozenset[str] | None,
    claim_id: str,
    company: str,
    found: Sequence[Statement] = (),
) -> Iterator[Check]:
    """Checks of every numberless claim of *reading*; *found* are the numbers it tells."""
    for claimed in found_claims(reading):
        scene = scene_of(reading, ledger, cited, reading.clause(claimed.start), claimed.start)
        if is_unreal(scene, claimed) or (is_supposed(scene, claimed) and not taken_up(scene, claimed, found)):
            continue
        finding = _decide(widened(scene, claimed), claimed, company, found)
        if finding is not None:
            yield _check(reading, claimed, finding, claim_id)
    for start, end, finding in technical(reading, ledger, cited):
        scene = scene_of(reading, ledger, cited, reading.clause(start), start)
        if not UNREAL.search(reading.plain, scene.clause[0], start):
            yield _made(reading, start, end, finding, claim_id)


def _decide(scene: Scene, claimed: Claimed, company: str, found: Sequence[Statement]) -> Finding | None:
    owner = _owner(scene, claimed.start, company)
    if owner == company and claimed.kind in OF_ONE:
        behind = owner_behind(scene.reading, claimed.end) or _named_after(scene, claimed.end)
        owner = behind.key if behind is not None else owner
    mention, decide = _about(scene, claimed), _DECIDERS.get(claimed.kind)
    if decide is None:
        return compared(scene, claimed, mention, owner, found)
    return decide(scene, claimed, mention, owner)


def _named_after(scene: Scene, end: int) -> CompanyMention | None:
    """转亏！某公司2025Q3净利润…: the company named in the sentence behind a claim that stands alone in its own."""
    stop = scene.reading.sentence(end)[1]
    return next((c for c in scene.reading.companies if stop < c.start < scene.sentence[1] and c.key != INDUSTRY), None)


def _ranking(scene: Scene, claimed: Claimed, _mention: Mention | None, _company: str) -> Finding | None:
    return quoted(scene, claimed)


def _turn(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    is_its = mention is not None and is_its_turn(scene, mention, claimed.start, claimed.end)
    period = period_said(scene, claimed.start)
    return turn(scene, mention, owner, period, is_its=is_its, up=bool(claimed.match["up"])) or quoted(scene, claimed)


def _loss(scene: Scene, claimed: Claimed, _mention: Mention | None, owner: str) -> Finding | None:
    return loss(scene, owner, 1 if claimed.match["up"] else -1)


def _trade(scene: Scene, claimed: Claimed, _mention: Mention | None, _company: str) -> Finding | None:
    return traded(scene, claimed.match["word"])


def _streak(scene: Scene, claimed: Claimed, mention: Mention | None, owner: str) -> Finding | None:
    match = claimed.match
    said = period_said(scene, claimed.start)
    until = said if said is not None and said.is_complete else None
    return streak(scene, mention, owner, match["n"], match["unit"], _sign(match), until=until) or quoted(scene, claimed)


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
    statement = statement_of(scene, claimed, mention, owner)
    return against_industry(scene, statement, _over(claimed.match))


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
        for one, other in pairs(statement_of(scene, claimed, mention, owner), scene)
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
    found = own or before or behind[:1] or _spoken_of_before(scene, claimed)
    return found[-1] if found else None


def _spoken_of_before(scene: Scene, claimed: Claimed) -> list[Mention]:
    """甲：公司，市净率5.1倍；乙：…。甲高于乙; …的市净率意味着什么？…处于低位: what the lines before it speak of.

    A comparison of two things named, or an answer, takes it up only if that is one quantity.
    """
    reading, start = scene.reading, scene.sentence[0]
    if not start:
        return []
    opened = reading.sentence(max(0, start - 2))[0]
    if PRONOUN.search(reading.plain, *scene.clause):
        return [m for m in reading.mentions if opened <= m.start < start]
    if claimed.kind == "compare" and not _has_own_subject(scene, claimed) and named_sides(scene, claimed) is not None:
        opened = max(0, reading.plain.rfind("\n\n", 0, start))
    elif claimed.kind != "extreme" or reading.plain[start - 1] not in "?？":
        return []
    told = [m for m in reading.mentions if opened <= m.start < start]
    return told[-1:] if len({m.concept for m in told}) == 1 else []


def _has_own_subject(scene: Scene, claimed: Claimed) -> bool:
    """市场对它的要求已经低于同业: words no fact is about stand between the last name and the comparison."""
    reading, start = scene.reading, scene.clause[0]
    spans = [(c.start, c.end) for c in reading.companies] + [(p.start, p.end) for p in reading.periods]
    last = max((b for a, b in spans if start <= a and b <= claimed.start), default=start)
    return len(without_common(reading, last, claimed.start)) >= 2


def _owner(scene: Scene, at: int, company: str) -> str:
    before = [c for c in scene.reading.companies if scene.sentence[0] <= c.start and c.end <= at and c.key != INDUSTRY]
    plain, start = scene.reading.plain, scene.sentence[0]
    told = [c for c in before if plain.count("(", start, c.start) <= plain.count(")", start, c.start)]
    return (told or before)[-1].key if before else company


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
