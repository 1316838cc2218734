"""Numbers bound to facts (PRODUCT T2): same company, quantity, form, unit, period and direction, within the rounding written.

Digits that merely occur somewhere prove nothing: a number without a word that names it holds against nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from flows.contracts.packs import Fact, Pack
from flows.contracts.transcripts import Check, CheckVerdict, Claim
from flows.truth.companies import SUBJECT
from flows.truth.comparisons import numberless
from flows.truth.formulas import Derived, derive
from flows.truth.invariants import impossible
from flows.truth.ledger import Ledger, Reference
from flows.truth.lexicon import DIFFERENCE, RATIO, SHARE
from flows.truth.matching import COUNTS, COUNTS_ZH, Match, compare, said_value
from flows.truth.numbers import Kind, Quantity
from flows.truth.operands import scene_of
from flows.truth.quotations import Quotation, quotations
from flows.truth.reading import Reading, read
from flows.truth.setting import no_claim
from flows.truth.statements import Statement, statements
from flows.truth.strangers import strangers

_KIND_ZH = {
    Kind.DATE: "日期", Kind.TIME: "时刻", Kind.PERIOD: "报告期", Kind.WINDOW: "时间窗口", Kind.LIST_NUMBER: "序号",
    Kind.ORDINAL: "次序或行文计数", Kind.CODE: "代码或名称", Kind.FACT_ID: "事实编号", Kind.SCORE: "评分",
}  # fmt: skip


def check_text(
    text: str,
    facts: Sequence[Fact],
    *,
    cited: Sequence[str] | None,
    subject: str,
    names: Mapping[str, str] | None = None,
    claim_id: str = "",
) -> tuple[Check, ...]:
    """Every number and numberless comparison of *text* against the cited facts.

    Args:
        text: Plain text, any length.
        facts: All facts of the pack; those not cited only help to say what is wrong.
        cited: Ids the text cites; None counts every fact as cited.
        subject: Symbol or name the text is about unless it names another company.
        names: Written company names → symbol, so that 公司, name and code are one.

    Returns:
        Checks in text order, offsets in characters of *text*; values in the units of ``contracts.units``.
    """
    ledger = _cached(tuple(_Same(fact) for fact in facts), subject, tuple(sorted((names or {}).items())))
    return check_with(ledger, text, cited, claim_id)


class _Same:
    """A fact as a cache key: the same object is the same fact, hashed without reading it."""

    __slots__ = ("fact",)

    def __init__(self, fact: Fact) -> None:
        self.fact = fact

    def __hash__(self) -> int:
        return id(self.fact)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.fact is other.fact


@lru_cache(maxsize=128)
def _cached(facts: tuple[_Same, ...], subject: str, names: tuple[tuple[str, str], ...]) -> Ledger:
    return Ledger((held.fact for held in facts), subject, dict(names))


def check_with(
    ledger: Ledger, text: str, cited: Sequence[str] | None, claim_id: str = "", *, company: str = SUBJECT
) -> tuple[Check, ...]:
    """:func:`check_text` against a ledger built once; *company* is whom the text is about if not the subject."""
    reading = read(text, ledger.names)
    known = None if cited is None else frozenset(cited)
    found = statements(reading, company)
    by_start = {s.quantity.start: s for s in found}
    quotes = quotations(text, ledger, known)
    checks = [
        _bound(reading, by_start[q.start], ledger, known, claim_id) if q.is_quantity else _not_a_quantity(q, claim_id)
        for q in reading.quantities
    ]
    checks += numberless(reading, ledger, known, claim_id, company)
    foreign = list(strangers(reading, ledger, claim_id))
    owned = [_of_stranger(check, foreign, reading) for check in checks]
    quoted = [_as_quoted(check, quotes) for check in (*owned, *foreign)]
    impossible_ones = {check.start: check for check in _impossible(reading, found, claim_id)}
    kept = [check for check in quoted if check.start not in impossible_ones]
    return _one_per_start([*kept, *impossible_ones.values()])


def _of_stranger(check: Check, foreign: Sequence[Check], reading: Reading) -> Check:
    """A number whose clause names an unknown company is of that company, and of it there is no fact."""
    if check.verdict.is_failure or check.verdict is CheckVerdict.NOT_A_QUANTITY:
        return check
    start = reading.clause(check.start)[0]
    owners = [f for f in foreign if start <= f.start < check.start]
    ours = [c for c in reading.companies if start <= c.start < check.start]
    if not owners or (ours and ours[-1].start > owners[-1].start):
        return check
    return check.model_copy(
        update={
            "verdict": CheckVerdict.UNSUPPORTED,
            "fact_id": None,
            "expected": None,
            "formula": None,
            "reason": owners[-1].reason,
        }
    )


def _impossible(reading: Reading, found: Sequence[Statement], claim_id: str) -> list[Check]:
    sentences: dict[int, list[Statement]] = {}
    for s in found:
        sentences.setdefault(reading.sentence(s.quantity.number_start)[0], []).append(s)
    return [
        _check(s, claim_id, CheckVerdict.MISMATCH, None, reason)
        for group in sentences.values()
        for s, reason in impossible(group)
    ]


def _as_quoted(check: Check, quotes: Sequence[Quotation]) -> Check:
    """A failure inside a fact's own sentence, quoted word for word, is that fact's wording and holds."""
    if not check.verdict.is_failure:
        return check
    quote = next((q for q in quotes if q.start <= check.start and check.end <= q.end), None)
    if quote is None:
        return check
    return check.model_copy(
        update={
            "verdict": CheckVerdict.SUPPORTED,
            "fact_id": quote.fact_id,
            "expected": check.value,
            "reason": "逐字引用该事实",
        }
    )


def _one_per_start(checks: list[Check]) -> tuple[Check, ...]:
    """Text order, one check per offset: where a number and a comparison begin together, the failing one stands."""
    kept: dict[int, Check] = {}
    for check in checks:
        other = kept.get(check.start)
        if other is None or (check.verdict.is_failure and not other.verdict.is_failure):
            kept[check.start] = check
    return tuple(kept[start] for start in sorted(kept))


def ledger_of(pack: Pack) -> Ledger:
    """The ledger of a pack and its appendix, kept while the same facts are asked about."""
    names = ((pack.identity.name, pack.symbol),) if pack.identity.name else ()
    return _cached(tuple(_Same(fact) for fact in (*pack.facts, *pack.appendix)), pack.symbol, names)


def check_claim(claim: Claim, pack: Pack) -> tuple[Check, ...]:
    """One claim against the facts it cites; offsets run through ``Claim.text``."""
    ledger = ledger_of(pack)
    checks: list[Check] = []
    start = 0
    for part in (claim.conclusion, claim.basis, claim.reasoning):
        found = check_with(ledger, part, claim.fact_ids, claim.claim_id)
        checks += [c.model_copy(update={"start": c.start + start, "end": c.end + start}) for c in found]
        start += len(part)
    return tuple(checks)


def check_report(text_blocks: Sequence[str], pack: Pack) -> tuple[tuple[Check, ...], ...]:
    """Report text, block by block, against every fact of the pack."""
    ledger = ledger_of(pack)
    return tuple(check_with(ledger, block, None) for block in text_blocks)


def _not_a_quantity(q: Quantity, claim_id: str) -> Check:
    return Check(
        claim_id=claim_id, text=q.text, start=q.start, end=q.end, verdict=CheckVerdict.NOT_A_QUANTITY,
        reason=_KIND_ZH.get(q.kind, "不是数量"),
    )  # fmt: skip


def _bound(reading: Reading, s: Statement, ledger: Ledger, cited: frozenset[str] | None, claim_id: str) -> Check:
    if s.quantity.high is not None and (spanned := _spanned(s, ledger, cited, claim_id)) is not None:
        return spanned
    matches = [m for r in _candidates(s, ledger) if (m := compare(s, r, ledger)) is not None]
    held = [m for m in matches if not m.failed]
    good = [m for m in held if cited is None or m.reference.fact.id in cited]
    if good:
        best = max(good, key=lambda m: (m.is_exact, m.reference.is_own))
        verdict = CheckVerdict.SUPPORTED if best.is_exact else CheckVerdict.ROUNDED
        return _check(s, claim_id, verdict, best.reference, "")
    made, wrong = derive(s, scene_of(reading, ledger, cited, s.clause, s.quantity.number_start))
    if made is not None:
        return _derived(s, claim_id, CheckVerdict.DERIVED, made, "由引用的事实算出")
    if held:
        return _check(
            s,
            claim_id,
            CheckVerdict.UNSUPPORTED,
            held[0].reference,
            f"{held[0].reference.fact.id} 载有此数，但未被引用",
        )
    excuse = no_claim(reading, s)
    if excuse:
        return _check(s, claim_id, CheckVerdict.NOT_A_QUANTITY, None, excuse)
    if wrong is not None and s.form in _DERIVED_FORMS:
        return _derived(s, claim_id, CheckVerdict.MISMATCH, wrong, f"推算不符：{wrong.formula}")
    return _failed(s, matches, cited, claim_id)


def _spanned(s: Statement, ledger: Ledger, cited: frozenset[str] | None, claim_id: str) -> Check | None:
    """A range whose two ends are two facts (业绩预告下限, 上限); None if no such pair holds it."""
    low, high = replace(s.quantity, high=None), replace(s.quantity, value=s.quantity.high or 0.0, high=None)
    ends = []
    for quantity in (low, high):
        end = replace(s, quantity=quantity)
        held = [
            r for r in _candidates(end, ledger)
            if (cited is None or r.fact.id in cited) and (m := compare(end, r, ledger)) is not None and not m.failed
        ]  # fmt: skip
        if not held:
            return None
        ends.append(held[0])
    check = _check(s, claim_id, CheckVerdict.ROUNDED, ends[0], "")
    return check.model_copy(update={"formula": f"{ends[0].fact.id} … {ends[1].fact.id}"})


_DERIVED_FORMS = frozenset({DIFFERENCE, RATIO, SHARE})


def _derived(s: Statement, claim_id: str, verdict: CheckVerdict, made: Derived, reason: str) -> Check:
    check = _check(s, claim_id, verdict, made.reference, reason)
    return check.model_copy(update={"expected": made.value, "unit": made.unit, "formula": made.formula})


def _candidates(s: Statement, ledger: Ledger) -> Sequence[Reference]:
    if not s.concept:
        return ledger.references
    found = ledger.by_concept.get(s.concept, [])
    return (
        [*found, *ledger.by_concept.get(f"forecast_{s.concept.removeprefix('net_')}", [])] if s.is_forecast else found
    )


def _failed(s: Statement, matches: list[Match], cited: frozenset[str] | None, claim_id: str) -> Check:
    if not matches:
        what = "事实中没有这一指标" if s.concept else "没有说明是哪个指标，或没有事实谈及"
        return _check(s, claim_id, CheckVerdict.UNSUPPORTED, None, f"无据：{what}")
    nearest = min(matches, key=lambda m: _distance(m, cited))
    counts = "、".join(COUNTS_ZH[count] for count in nearest.failed)
    if {"company", "form", "period"} & set(nearest.failed) and {"value", "direction"} & set(nearest.failed):
        return _check(
            s,
            claim_id,
            CheckVerdict.UNSUPPORTED,
            None,
            f"无据：没有这一公司、期间和口径的事实（最近的是 {nearest.reference.fact.id}）",
        )
    return _check(s, claim_id, CheckVerdict.MISMATCH, nearest.reference, f"{counts}（{nearest.reference.fact.id}）")


def _distance(match: Match, cited: frozenset[str] | None) -> tuple[int, int, int, int]:
    weight = sum(2 ** (len(COUNTS) - COUNTS.index(count)) for count in match.failed)
    is_foreign = cited is not None and match.reference.fact.id not in cited
    recent = match.reference.period.order if match.reference.period else match.reference.fact.as_of.toordinal() // 91
    return weight, int(is_foreign), int(not match.reference.is_own), -recent


def _check(s: Statement, claim_id: str, verdict: CheckVerdict, reference: Reference | None, reason: str) -> Check:
    q = s.quantity
    unit = reference.unit if reference is not None else q.unit or None
    return Check(
        claim_id=claim_id, text=q.text, start=q.start, end=q.end, value=said_value(s), unit=unit, verdict=verdict,
        fact_id=reference.fact.id if reference else None, expected=reference.value if reference else None, reason=reason,
    )  # fmt: skip
