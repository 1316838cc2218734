"""Hand-written sentences over three sample companies: each wrong one is flagged, no right one is."""

from __future__ import annotations

import pytest

from tests.benchmarks.truth_hand import HandCase, failures, hand_cases

CASES = hand_cases()


@pytest.mark.parametrize("case", [c for c in CASES if c.is_wrong], ids=lambda c: f"{c.kind}: {c.text}")
def test_wrong_sentence_is_flagged(case: HandCase) -> None:
    assert failures(case)


@pytest.mark.parametrize("case", [c for c in CASES if not c.is_wrong], ids=lambda c: f"{c.kind}: {c.text}")
def test_right_sentence_is_left_alone(case: HandCase) -> None:
    assert [(c.text, c.reason) for c in failures(case)] == []


def test_corpus_holds_wrong_and_right_sentences_of_every_kind() -> None:
    kinds = {case.kind for case in CASES}
    assert len(kinds) >= 12
    for wrong in (True, False):
        assert {case.kind for case in CASES if case.is_wrong is wrong} == kinds
    assert len({(case.symbol, case.text) for case in CASES}) == len(CASES) >= 150
