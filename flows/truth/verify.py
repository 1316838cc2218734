"""The number check for any text against any facts (PRODUCT T8), with the text annotated where it fails."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flows.contracts.packs import Fact
from flows.contracts.transcripts import Check, CheckVerdict
from flows.truth.binding import check_with
from flows.truth.companies import SUBJECT
from flows.truth.consequences import correction
from flows.truth.documents import Piece, is_html, pieces
from flows.truth.invariants import impossible
from flows.truth.ledger import Ledger
from flows.truth.loaders import LoadedFacts, load_facts
from flows.truth.reading import read
from flows.truth.statements import Statement, statements

__all__ = ["LoadedFacts", "VerifyResult", "load_facts", "verify_document"]

_TAGS = re.compile(r"(<[^>]*>)")
VERDICT_ZH = {
    CheckVerdict.SUPPORTED: "有据", CheckVerdict.ROUNDED: "有据（四舍五入）", CheckVerdict.DERIVED: "可由事实推出",
    CheckVerdict.UNSUPPORTED: "无据", CheckVerdict.MISMATCH: "不符", CheckVerdict.NOT_A_QUANTITY: "不是数量",
}  # fmt: skip


@dataclass(frozen=True)
class VerifyResult:
    """Checks of one document, offsets in characters of :attr:`text`."""

    text: str
    checks: tuple[Check, ...]

    @property
    def failures(self) -> tuple[Check, ...]:
        """Checks that are unsupported or wrong, in text order."""
        return tuple(check for check in self.checks if check.verdict.is_failure)

    @property
    def counts(self) -> dict[str, int]:
        """Verdict → number of spans."""
        found = Counter(check.verdict for check in self.checks)
        return {verdict.value: found[verdict] for verdict in CheckVerdict}

    @property
    def exit_code(self) -> int:
        """0 if everything holds, 1 if something is unsupported or wrong."""
        return 1 if self.failures else 0

    @property
    def annotated(self) -> str:
        """The text with failing spans struck through and the right value beside them (Markdown, or HTML for HTML)."""
        pieces_, position = [], 0
        as_html = is_html(self.text)
        for check in self.failures:
            if check.start < position:
                continue
            pieces_.append(self.text[position : check.start])
            span, right = self.text[check.start : check.end], correction(check)
            pieces_.append(f"{_deleted(span)}<ins>（{right}）</ins>" if as_html else f"~~{span}~~（{right}）")
            position = check.end
        return "".join((*pieces_, self.text[position:]))

    def as_json(self) -> dict[str, Any]:
        """JSON shape: counts, exit_code, checks with line and column, annotated text."""
        return {
            "exit_code": self.exit_code,
            "counts": self.counts,
            "checks": [{**c.model_dump(mode="json"), **self._place(c)} for c in self.checks],
            "annotated": self.annotated,
        }

    def _place(self, check: Check) -> dict[str, int]:
        line_start = self.text.rfind("\n", 0, check.start) + 1
        return {"line": self.text.count("\n", 0, check.start) + 1, "column": check.start - line_start + 1}

    def as_text(self) -> str:
        """One line per failure and a summary, for a person."""
        lines = [
            f"第 {place['line']} 行 第 {place['column']} 列　{VERDICT_ZH[check.verdict]}　{check.text}　→　{correction(check)}　{check.reason}"
            for check in self.failures
            for place in (self._place(check),)
        ]
        counts = self.counts
        held = counts["supported"] + counts["rounded"] + counts["derived"]
        summary = f"数字 {held + len(self.failures)} 处：有据 {held}，无据 {counts['unsupported']}，不符 {counts['mismatch']}；另有日期、序号等 {counts['not_a_quantity']} 处。"
        return "\n".join([*lines, summary])


def _deleted(span: str) -> str:
    """*span* struck through without wrapping the tags inside it."""
    return "".join(run if run.startswith("<") or not run else f"<del>{run}</del>" for run in _TAGS.split(span))


def verify_document(
    text: str, facts: Sequence[Fact], *, subject: str | None = None, names: Mapping[str, str] | None = None
) -> VerifyResult:
    """Check every number, cell by cell in tables, of a Markdown, HTML or plain text.

    Args:
        text: The document.
        facts: What it may rely on; every fact counts as cited.
        subject: Symbol or name the text is about; the most frequent subject of the facts if not given.
        names: Written company names → symbol.
    """
    ledger = Ledger(facts, subject or _subject(facts), names or {})
    checks: list[Check] = []
    company = SUBJECT
    parts = pieces(text)
    for piece in parts:
        if piece.heading:
            company = _heading_company(piece, ledger, company)
        checks += _piece_checks(piece, ledger, company)
    return VerifyResult(text, _with_impossible_rows(checks, parts, ledger))


def _with_impossible_rows(checks: list[Check], parts: Sequence[Piece], ledger: Ledger) -> tuple[Check, ...]:
    """Cells of one row that cannot be true together (最高价低于收盘价) fail whatever the facts."""
    by_start = {check.start: check for check in checks}
    rows: dict[int, list[Piece]] = {}
    for part in parts:
        if part.row >= 0:
            rows.setdefault(part.row, []).append(part)
    for cells in rows.values():
        found = [(s, cell) for cell in cells for s in _body_statements(cell, ledger)]
        owner = {id(s): cell for s, cell in found}
        for s, reason in impossible([s for s, _ in found]):
            cell = owner[id(s)]
            start, _ = cell.body.span(
                s.quantity.start - len(cell.before), s.quantity.end - len(cell.before) - len(cell.after)
            )
            known = by_start.get(start)
            if known is not None:
                by_start[start] = known.model_copy(
                    update={"verdict": CheckVerdict.MISMATCH, "expected": None, "reason": reason}
                )
    return tuple(by_start[start] for start in sorted(by_start))


def _body_statements(cell: Piece, ledger: Ledger) -> list[Statement]:
    start, end = len(cell.before), len(cell.before) + len(cell.body.text)
    found = statements(read(cell.text, ledger.names))
    return [s for s in found if start <= s.quantity.start and s.quantity.number_start < end and s.quantity.end > start]


def _subject(facts: Sequence[Fact]) -> str:
    found = Counter(fact.subject for fact in facts if fact.subject)
    return found.most_common(1)[0][0] if found else ""


def _heading_company(piece: Piece, ledger: Ledger, current: str) -> str:
    """A heading that names a company sets whom the section is about."""
    named = read(piece.body.text, ledger.names).companies
    return named[0].key if named else (SUBJECT if piece.heading <= 2 else current)


_PROCESS_CHECK = {
    "verdict": CheckVerdict.NOT_A_QUANTITY,
    "fact_id": None,
    "expected": None,
    "reason": "置信度推演的步骤",
}


def _piece_checks(piece: Piece, ledger: Ledger, company: str) -> list[Check]:
    start, end = len(piece.before), len(piece.before) + len(piece.body.text)
    found = []
    for check in check_with(ledger, piece.text, None, company=company):
        if check.end <= start or check.start >= end:
            continue
        if piece.is_process:
            check = check.model_copy(update=_PROCESS_CHECK)  # noqa: PLW2901
        first, last = piece.body.span(max(check.start, start) - start, min(check.end, end) - start)
        span = piece.text[max(check.start, start) : min(check.end, end)]
        found.append(check.model_copy(update={"start": first, "end": last, "text": span}))
    return found
