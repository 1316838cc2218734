"""The report's own sentences go through the same number check as the speeches (PRODUCT T1, T5, T6)."""

from __future__ import annotations

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Check, Transcript
from flows.truth.binding import check_text


def with_report_checks(transcript: Transcript, pack: Pack) -> Transcript:
    """*transcript* with checks of its conclusion's texts added under ``report:…`` claim ids."""
    if transcript.conclusion is None:
        return transcript
    texts = {"report:warning": transcript.conclusion.warning, "report:core": transcript.conclusion.core}
    texts |= {f"report:point:{i}": point for i, point in enumerate(transcript.conclusion.points)}
    found: list[Check] = []
    for claim_id, text in texts.items():
        found += check_text(text, (*pack.facts, *pack.appendix), cited=None, subject=pack.symbol, claim_id=claim_id)
    kept = tuple(c for c in transcript.checks if not c.claim_id.startswith("report:"))
    return transcript.model_copy(update={"checks": (*kept, *found)})
