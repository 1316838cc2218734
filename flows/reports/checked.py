"""The report's own sentences go through the same number check as the speeches (PRODUCT T1, T5, T6)."""

from __future__ import annotations

from collections.abc import Iterator

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.truth.binding import check_with, ledger_of


def with_report_checks(transcript: Transcript, pack: Pack) -> Transcript:
    """*transcript* with checks of its conclusion's texts added under ``report:…`` claim ids."""
    if transcript.conclusion is None:
        return transcript
    ledger = ledger_of(pack)
    found = [check for claim_id, text in _texts(transcript) for check in check_with(ledger, text, None, claim_id)]
    kept = tuple(c for c in transcript.checks if not c.claim_id.startswith("report:"))
    return transcript.model_copy(update={"checks": (*kept, *found)})


def _texts(transcript: Transcript) -> Iterator[tuple[str, str]]:
    """Every sentence of the report that no turn's check has seen as it is printed."""
    conclusion = transcript.conclusion
    if conclusion is not None:
        yield "report:warning", conclusion.warning
        yield "report:core", conclusion.core
        yield from ((f"report:point:{i}", point) for i, point in enumerate(conclusion.points))
    yield from ((f"report:{d.disagreement_id}", d.assumption) for d in transcript.disagreements)
    yield from ((f"report:{i.indicator_id}", i.description) for i in transcript.indicators)
    yield from ((f"report:{f.falsifier_id}", f.description) for f in transcript.falsifiers)
    yield from ((f"report:audit:{n}", a.explanation) for n, a in enumerate(transcript.audits))
