"""All checks of one piece of running text: numbers, numberless comparisons, unknown companies, impossible values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flows.contracts.checks import Check, CheckVerdict
from flows.truth.claims.answers import Statements, told_as_statements
from flows.truth.claims.statement import Statement
from flows.truth.claims.statements import statements
from flows.truth.facts.ledger import Ledger
from flows.truth.facts.quotations import Quotation, quotations
from flows.truth.facts.report_years import dated
from flows.truth.facts.titles import misquoted_titles
from flows.truth.grammar.companies import SUBJECT
from flows.truth.grammar.numbers import Kind, Quantity
from flows.truth.grammar.reading import Reading, read
from flows.truth.judging.actors import misnamed_doers, of_actor
from flows.truth.judging.invariants import impossible
from flows.truth.judging.judge import check_of, judge
from flows.truth.judging.sources import Told, as_source_says, misattributed, of_source, told_by
from flows.truth.judging.strangers import strangers
from flows.truth.judging.sums import worked_out
from flows.truth.relations.comparisons import numberless

_KIND_ZH = {
    Kind.DATE: "日期", Kind.TIME: "时刻", Kind.PERIOD: "报告期", Kind.WINDOW: "时间窗口", Kind.LIST_NUMBER: "序号",
    Kind.ORDINAL: "次序或行文计数", Kind.CODE: "代码或名称", Kind.FACT_ID: "事实编号", Kind.SCORE: "评分",
}  # fmt: skip


def check_plain(
    ledger: Ledger, text: str, cited: Sequence[str] | None, claim_id: str = "", *, company: str = SUBJECT
) -> tuple[Check, ...]:
    """Checks of running text; *company* is whom it is about if not the ledger's subject."""
    reading = dated(read(text, ledger.names), ledger)
    known = None if cited is None else frozenset(cited)
    found = statements(reading, company)
    quotes = quotations(text, ledger, known)
    told = told_by(reading, ledger)
    judged = [
        (s, _judged(reading, s, ledger, _cited_by(reading, s.quantity, ledger, known), claim_id, told)) for s in found
    ]
    checks = worked_out(reading, judged, ledger, known)
    checks += [_not_a_quantity(q, claim_id) for q in reading.quantities if not q.is_quantity]
    checks += numberless(reading, ledger, known, claim_id, company, found)
    checks += misquoted_titles(reading, ledger.titles, claim_id)
    checks = [as_source_says(check, reading, ledger, told) for check in checks]
    checks += misattributed(reading, ledger, told, claim_id)
    checks += misnamed_doers(reading, ledger, claim_id)
    foreign = list(strangers(reading, ledger, claim_id))
    owned = [_of_stranger(check, foreign, reading) for check in checks]
    quoted = [_as_quoted(check, quotes) for check in (*owned, *foreign)]
    impossible_ones = {check.start: check for check in _impossible(reading, found, claim_id)}
    kept = [check for check in quoted if check.start not in impossible_ones]
    final = _one_per_start([*kept, *impossible_ones.values()])
    said = told_as_statements(reading)
    if said is None:
        return final
    return _as_answers(final, said, check_plain(ledger, said.text, cited, claim_id, company=company))


def _as_answers(checks: Sequence[Check], said: Statements, told: Sequence[Check]) -> tuple[Check, ...]:
    """*checks* with those of answers as the statements they make of their questions."""
    return tuple(_as_answer(check, said, told) if check.start in said.places else check for check in checks)


def _as_answer(check: Check, said: Statements, told: Sequence[Check]) -> Check:
    start, end = said.places[check.start]
    own = next((c for c in told if c.start < end and start < c.end), None)
    if own is None or own.verdict is CheckVerdict.NOT_A_QUANTITY:
        return check
    return own.model_copy(update={"start": check.start, "end": check.end, "text": check.text})


def _judged(
    reading: Reading, s: Statement, ledger: Ledger, cited: frozenset[str] | None, claim_id: str, told: Sequence[Told]
) -> Check:
    check = judge(reading, s, ledger, cited, claim_id)
    return of_actor(of_source(check, s, reading, ledger, cited, told), reading, ledger)


_FACT_ID = re.compile(r"[EA]\d{1,4}")


def _cited_by(reading: Reading, q: Quantity, ledger: Ledger, known: frozenset[str] | None) -> frozenset[str] | None:
    """Facts a number answers to: the ids written behind it in its part of the sentence, else those the text cites."""
    stop = min([reading.sentence(q.number_start)[1], *(at for at in (reading.plain.find(";", q.end),) if at >= 0)])
    marks = [m for m in reading.quantities if m.kind is Kind.FACT_ID and q.end <= m.start < stop]
    if not marks:
        return known
    together = [marks[0]]
    for mark in marks[1:]:
        if re.search(r"\w", reading.plain[together[-1].end : mark.start]):
            break
        together.append(mark)
    written = frozenset(i for mark in together for i in _FACT_ID.findall(mark.text))
    return written if known is None else written & known or written


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
        check_of(s, claim_id, CheckVerdict.MISMATCH, None, reason)
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


def _not_a_quantity(q: Quantity, claim_id: str) -> Check:
    return Check(
        claim_id=claim_id, text=q.text, start=q.start, end=q.end, verdict=CheckVerdict.NOT_A_QUANTITY,
        reason=_KIND_ZH.get(q.kind, "不是数量"),
    )  # fmt: skip
