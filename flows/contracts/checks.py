"""What the number check says of one span of text: made by ``truth``, carried by transcripts, shown by reports."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class CheckVerdict(StrEnum):
    """What a check found about one number or numberless comparison."""

    SUPPORTED = "supported"
    ROUNDED = "rounded"
    DERIVED = "derived"
    UNSUPPORTED = "unsupported"
    MISMATCH = "mismatch"
    NOT_A_QUANTITY = "not_a_quantity"

    @property
    def is_failure(self) -> bool:
        """Whether the text must be struck through (PRODUCT T5)."""
        return self in {CheckVerdict.UNSUPPORTED, CheckVerdict.MISMATCH}


class Check(BaseModel):
    """One checked span of text.

    Attributes:
        claim_id: Claim the text belongs to; empty for report text.
        text: The span as written, e.g. ``下降6.8%``.
        start: Offset of the span in the checked text, in characters.
        end: End offset, exclusive.
        value: Value read, in *unit* (percent as percent number, CNY in yuan); None for a comparison.
        expected: The right value, where a fact has one.
        formula: How a derived value was recomputed, e.g. ``E3 / E4 - 1``.
        reason: Why, in Chinese.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    claim_id: str = ""
    text: str
    start: int
    end: int
    value: float | None = None
    unit: str | None = None
    verdict: CheckVerdict
    fact_id: str | None = None
    expected: float | None = None
    formula: str | None = None
    reason: str = ""
