"""Relations between two values of a sentence, checked against the values however it is turned (PRODUCT T2)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

from pathlib import Path

import pytest

from flows.contracts.packs import Pack
from flows.truth.verify import verify_document

PACK = Path(__file__).resolve().parents[1] / "fixtures" / "sample_pack_605901.json"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Pack.model_validate_json(PACK.read_text(encoding="utf-8"))


def holds(pack: Pack, text: str) -> bool:
    return not verify_document(text, (*pack.facts, *pack.appendix), subject=pack.symbol).failures


POINTED_BACK = [
    ("二十日均线在54.12元，收盘54.49元，高于这条均线。", True), ("二十日均线在54.12元，收盘54.49元，低于这条均线。", False),
    ("挂在60日均线（57.15元）旁边看，收盘价54.49元低于均线。", True),
    ("挂在60日均线（57.15元）旁边看，收盘价54.49元高于均线。", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), POINTED_BACK)
def test_an_average_without_its_days_is_the_one_named_before(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
