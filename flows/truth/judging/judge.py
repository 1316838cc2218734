"""One number against the ledger: which fact holds it, which formula gives it, or on which count it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.units import Unit
from flows.truth.claims.setting import is_condition, no_claim
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, RATIO, SHARE
from flows.truth.grammar.numbers import Rough
from flows.truth.grammar.reading import Reading
from flows.truth.grammar.wording import word_overlap
from flows.truth.judging.closeness import said_value, value_holds
from flows.truth.judging.definitions import Derived
from flows.truth.judging.formulas import derive
from flows.truth.judging.matching import COUNTS, COUNTS_ZH, Match, company_fits, compare
from flows.truth.judging.other_names import by_other_name, candidates
from flows.truth.judging.reached import reached_otherwise
from flows.truth.judging.scenes import Scene, scene_of


def judge(reading: Reading, s: Statement, ledger: Ledger, cited: frozenset[str] | None, claim_id: str) -> Check:
    """The check of one statement against the cited facts (None: all)."""
    settled = _settled(reading, s, ledger, cited, claim_id)
    if settled is not None:
        return settled
    matches = [m for r in candidates(s, ledger) if (m := compare(s, r, ledger)) is not None]
    held = [m for m in matches if not m.failed or _is_named(s, m, cited)] or by_other_name(reading, s, ledger)
    good = [m for m in held if m.reference.is_cited(cited)]
    if good:
        return _bound(s, good, ledger, claim_id)
    made, wrong = _derivable(s, scene_of(reading, ledger, cited, s.clause, s.quantity.number_start))
    if made is not None:
        return _derived(s, claim_id, CheckVerdict.DERIVED, made, "由引用的事实算出")
    if held:
        uncited = f"{held[0].reference.fact.id} 载有此数，但未被引用"
        return check_of(s, claim_id, CheckVerdict.UNSUPPORTED, held[0].reference, uncited)
    return _unheld(reading, s, matches, wrong, cited, claim_id)


def _is_named(s: Statement, match: Match, cited: frozenset[str] | None) -> bool:
    """Whether only the day is unsaid, and the one id behind the number says which: 当日净买入8640万元（E100）."""
    r = match.reference
    if s.day is not None or s.is_period_said or s.is_period_carried or s.window not in {"", r.window}:
        return False
    return match.failed == ("period",) and r.period is None and cited == frozenset({r.fact.id})


def _settled(
    reading: Reading, s: Statement, ledger: Ledger, cited: frozenset[str] | None, claim_id: str
) -> Check | None:
    """The check of a condition's threshold, or of a range whose two ends are two facts."""
    if is_condition(reading, s) and (known := _threshold(reading, s, ledger, claim_id)) is not None:
        return known
    return _spanned(s, ledger, cited, claim_id) if s.quantity.high is not None else None


def _derivable(s: Statement, scene: Scene) -> tuple[Derived | None, Derived | None]:
    """What a formula gives; a percentage without a direction may also be a share."""
    made, wrong = derive(s, scene)
    if made is None and s.form == CHANGE and s.quantity.unit == Unit.PCT and not s.quantity.direction:
        made, _ = derive(replace(s, form=SHARE), scene)
    return made, wrong


def _unheld(
    reading: Reading,
    s: Statement,
    matches: list[Match],
    wrong: Derived | None,
    cited: frozenset[str] | None,
    claim_id: str,
) -> Check:
    """No fact and no formula gives the number: it claims nothing, or it is wrong, or nothing is known of it."""
    excuse = no_claim(reading, s)
    if excuse:
        return check_of(s, claim_id, CheckVerdict.NOT_A_QUANTITY, None, excuse)
    if wrong is not None and s.form in _DERIVED_FORMS:
        return _derived(s, claim_id, CheckVerdict.MISMATCH, wrong, f"推算不符：{wrong.formula}")
    return _failed(s, matches, cited, claim_id)


def _bound(s: Statement, good: Sequence[Match], ledger: Ledger, claim_id: str) -> Check:
    """The check of a statement that a fact holds, unless 升至 or 上调至 says it was reached from the wrong side."""
    best = max(good, key=lambda m: (not m.reference.formula, m.is_exact, m.reference.is_own)).reference
    turned = reached_otherwise(s, best, ledger)
    if turned:
        verdict = CheckVerdict.MISMATCH if turned.is_known else CheckVerdict.UNSUPPORTED
        return check_of(s, claim_id, verdict, best, turned.reason)
    return held_by(s, best, claim_id)


def held_by(s: Statement, r: Reference, claim_id: str) -> Check:
    """The check of a statement that *r* holds: exactly, rounded, or by the definition that gives it."""
    if r.formula:
        check = check_of(s, claim_id, CheckVerdict.DERIVED, r, "由引用的事实算出")
        return check.model_copy(update={"formula": r.formula})
    is_exact = value_holds(s, r)[1]
    return check_of(s, claim_id, CheckVerdict.SUPPORTED if is_exact else CheckVerdict.ROUNDED, r, "")


def _threshold(reading: Reading, s: Statement, ledger: Ledger, claim_id: str) -> Check | None:
    """若营业收入低于3亿元，将被终止上市: the threshold a fact's own condition names, for the same consequence."""
    consequence = reading.plain[s.quantity.end : reading.sentence(s.quantity.end)[1]]
    rules = [
        r for r in ledger.by_concept.get(s.concept, ())
        if r.is_condition and s.concept and company_fits(s, r) and word_overlap(consequence, r.fact.sentence) >= 0.5
    ]  # fmt: skip
    plain = replace(s, quantity=replace(s.quantity, rough=Rough.EXACT))
    held = next((r for r in rules if value_holds(plain, r)[0]), None)
    if held is not None:
        return check_of(s, claim_id, CheckVerdict.SUPPORTED, held, "与事实所述的条件一致")
    if rules:
        return check_of(s, claim_id, CheckVerdict.MISMATCH, rules[0], f"条件的数值不符（{rules[0].fact.id}）")
    if s.quantity.rough in _BOUNDS:
        return check_of(s, claim_id, CheckVerdict.NOT_A_QUANTITY, None, "条件中的阈值")
    return None


_BOUNDS = frozenset({Rough.ABOVE, Rough.BELOW, Rough.OVER, Rough.UNDER})


def _spanned(s: Statement, ledger: Ledger, cited: frozenset[str] | None, claim_id: str) -> Check | None:
    """A range whose two ends are two facts (业绩预告下限, 上限; 52周区间52元至64元); None if no such pair holds it."""
    low, high = replace(s.quantity, high=None), replace(s.quantity, value=s.quantity.high or 0.0, high=None)
    is_price_range = s.concept in {"", "position"} and s.quantity.unit == Unit.CNY and s.window
    ends = []
    for quantity, concept in ((low, "low"), (high, "high")):
        end = replace(s, quantity=quantity, concept=concept if is_price_range else s.concept)
        held = [
            r for r in candidates(end, ledger)
            if r.is_cited(cited) and (m := compare(end, r, ledger)) is not None and not m.failed
        ]  # fmt: skip
        if not held:
            return None
        ends.append(held[0])
    check = check_of(s, claim_id, CheckVerdict.ROUNDED, ends[0], "")
    return check.model_copy(update={"formula": f"{ends[0].fact.id} … {ends[1].fact.id}"})


_DERIVED_FORMS = frozenset({DIFFERENCE, RATIO, SHARE})


def _derived(s: Statement, claim_id: str, verdict: CheckVerdict, made: Derived, reason: str) -> Check:
    check = check_of(s, claim_id, verdict, made.reference, reason)
    return check.model_copy(update={"expected": made.value, "unit": made.unit, "formula": made.formula})


def _failed(s: Statement, matches: list[Match], cited: frozenset[str] | None, claim_id: str) -> Check:
    if not matches:
        what = "事实中没有这一指标" if s.concept else "没有说明是哪个指标，或没有事实谈及"
        return check_of(s, claim_id, CheckVerdict.UNSUPPORTED, None, f"无据：{what}")
    nearest = min(matches, key=lambda m: _distance(m, cited))
    counts = "、".join(COUNTS_ZH[count] for count in nearest.failed)
    if {"company", "form", "period"} & set(nearest.failed) and {"value", "direction"} & set(nearest.failed):
        return check_of(
            s,
            claim_id,
            CheckVerdict.UNSUPPORTED,
            None,
            f"无据：没有这一公司、期间和口径的事实（最近的是 {nearest.reference.fact.id}）",
        )
    return check_of(s, claim_id, CheckVerdict.MISMATCH, nearest.reference, f"{counts}（{nearest.reference.fact.id}）")


def _distance(match: Match, cited: frozenset[str] | None) -> tuple[int, int, int, int]:
    weight = sum(2 ** (len(COUNTS) - COUNTS.index(count)) for count in match.failed)
    is_foreign = cited is not None and match.reference.fact.id not in cited
    recent = match.reference.period.order if match.reference.period else match.reference.fact.as_of.toordinal() // 91
    return weight, int(is_foreign), int(not match.reference.is_own), -recent


def check_of(s: Statement, claim_id: str, verdict: CheckVerdict, reference: Reference | None, reason: str) -> Check:
    """A check of *s* with what *reference* says."""
    q = s.quantity
    unit = reference.unit if reference is not None else q.unit or None
    check = Check(
        claim_id=claim_id, text=q.text, start=q.start, end=q.end, value=said_value(s), unit=unit, verdict=verdict,
        fact_id=reference.fact.id if reference else None, expected=reference.value if reference else None,
        reason=reason,
    )  # fmt: skip
    return _complement(check) if s.is_complement else check


def _complement(check: Check) -> Check:
    """The check as the text tells it: of what is left of 100 %."""
    value = None if check.value is None else 100 - check.value
    if check.expected is None:
        return check.model_copy(update={"value": value})
    verdict = check.verdict if check.verdict.is_failure else CheckVerdict.DERIVED
    formula = f"1 - {check.fact_id}"
    return check.model_copy(
        update={"value": value, "expected": 100 - check.expected, "formula": formula, "verdict": verdict}
    )
