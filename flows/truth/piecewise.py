"""Documents and speeches with tables, checked piece by piece with offsets of the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flows.contracts.checks import Check, CheckVerdict
from flows.truth.checking import check_plain
from flows.truth.claims.statement import Statement
from flows.truth.claims.statements import statements
from flows.truth.facts.ledger import Ledger
from flows.truth.grammar.companies import SUBJECT
from flows.truth.grammar.reading import read
from flows.truth.judging.invariants import impossible
from flows.truth.pages.documents import is_html, pieces
from flows.truth.pages.mapped import Piece

_TABLE = re.compile(r"^[ \t]*\|.*\|", re.MULTILINE)


def has_structure(text: str) -> bool:
    """Whether *text* holds a table or HTML, so that it must be read piece by piece."""
    return bool(_TABLE.search(text)) or is_html(text)


def check_pieces(ledger: Ledger, text: str, cited: Sequence[str] | None, claim_id: str = "") -> tuple[Check, ...]:
    """Checks of Markdown, HTML or text with tables; a heading that names a company says whom its section is about."""
    checks: list[Check] = []
    company = SUBJECT
    parts = pieces(text)
    for piece in parts:
        if piece.heading:
            company = _heading_company(piece, ledger, company)
        checks += _piece_checks(piece, ledger, cited, claim_id, company)
    return _with_impossible_rows(checks, parts, ledger)


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


def _piece_checks(
    piece: Piece, ledger: Ledger, cited: Sequence[str] | None, claim_id: str, company: str
) -> list[Check]:
    start, end = len(piece.before), len(piece.before) + len(piece.body.text)
    found = []
    for check in _by_stretches(ledger, piece.text, cited, claim_id, company):
        if check.end <= start or check.start >= end:
            continue
        if piece.is_process:
            check = check.model_copy(update=_PROCESS_CHECK)  # noqa: PLW2901
        first, last = piece.body.span(max(check.start, start) - start, min(check.end, end) - start)
        span = piece.text[max(check.start, start) : min(check.end, end)]
        found.append(check.model_copy(update={"start": first, "end": last, "text": span}))
    return found


#: Characters checked at a time, and those read on both sides with them. Reading grows with the square of its text; a
#: sentence takes its meaning from the sentences near it, a period at most from the same page.
_STRETCH, _CONTEXT = 4_000, 2_000


def _by_stretches(
    ledger: Ledger, text: str, cited: Sequence[str] | None, claim_id: str, company: str
) -> Iterator[Check]:
    """Checks of running text of any length: a long one is read in overlapping windows, each check taken once."""
    if len(text) <= _STRETCH + 2 * _CONTEXT:
        yield from check_plain(ledger, text, cited, claim_id, company=company)
        return
    for own in range(0, len(text), _STRETCH):
        first = max(0, own - _CONTEXT)
        window = text[first : own + _STRETCH + _CONTEXT]
        for check in check_plain(ledger, window, cited, claim_id, company=company):
            start, end = check.start + first, check.end + first
            if own <= start < own + _STRETCH:
                yield check.model_copy(update={"start": start, "end": end})
