"""The sample pack of 乌有酒业 (605901.SH), and whether a text holds against it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from flows.contracts.packs import Pack
from flows.truth.verify import verify_document

PACK = Path(__file__).resolve().parent / "fixtures" / "sample_pack_605901.json"


@cache
def sample_pack() -> Pack:
    """The pack, read once."""
    return Pack.model_validate_json(PACK.read_text(encoding="utf-8"))


def holds(pack: Pack, text: str) -> bool:
    """Whether no check of *text* fails against the facts and the appendix of *pack*."""
    return not verify_document(text, (*pack.facts, *pack.appendix), subject=pack.symbol).failures
