"""A difference, ratio or share told in words, and its two values anywhere around it: before, behind, in a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.truth.verify import verify_document
from tests.sample_pack import sample_pack

CASES = Path(__file__).resolve().parents[1] / "fixtures" / "truth_two_values.tsv"
NAME = "乌有酒业"


def _cases() -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in CASES.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [(verdict, text.replace("\\n", "\n")) for verdict, text in rows]


def _holds(text: str) -> bool:
    pack = sample_pack()
    facts = (*pack.facts, *pack.appendix)
    return not verify_document(text, facts, subject=pack.symbol, names={NAME: pack.symbol}).failures


@pytest.mark.parametrize("text", [text for verdict, text in _cases() if verdict == "right"])
def test_result_of_two_values_holds(text: str) -> None:
    assert _holds(text)


@pytest.mark.parametrize("text", [text for verdict, text in _cases() if verdict == "wrong"])
def test_wrong_result_or_swapped_values_fail(text: str) -> None:
    assert not _holds(text)
