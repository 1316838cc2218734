"""Sentences written by hand, wrong and right ones, over the facts of three sample companies."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from flows.contracts.checks import Check
from flows.contracts.packs import Fact
from flows.truth.verify import verify_document

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"


@dataclass(frozen=True)
class HandCase:
    """One sentence; a wrong one must be flagged, a right one must not."""

    symbol: str
    is_wrong: bool
    kind: str
    text: str


@dataclass
class HandScore:
    """Sentences and mistakes per kind: wrong ones missed, right ones blocked."""

    wrong: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    missed: list[HandCase] = field(default_factory=list)
    blocked: list[tuple[HandCase, str]] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of wrong sentences flagged."""
        return 1 - len(self.missed) / max(1, self.wrong.total())

    @property
    def false_blocks(self) -> float:
        """Share of right sentences flagged."""
        return len(self.blocked) / max(1, self.right.total())


@cache
def _companies() -> dict[str, tuple[str, tuple[Fact, ...]]]:
    table = json.loads((FIXTURES / "truth_hand_facts.json").read_text("utf-8"))
    return {
        symbol: (body["name"], tuple(Fact.model_validate(row) for row in body["facts"]))
        for symbol, body in table.items()
    }


@cache
def hand_cases() -> tuple[HandCase, ...]:
    """All sentences of the corpus."""
    lines = (FIXTURES / "truth_hand_edits.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return tuple(HandCase(symbol, verdict == "wrong", kind, text) for symbol, verdict, kind, text in rows)


def failures(case: HandCase) -> tuple[Check, ...]:
    """What the checker flags in the sentence, every fact counting as cited."""
    name, facts = _companies()[case.symbol]
    return verify_document(case.text, facts, subject=case.symbol, names={name: case.symbol}).failures


def run_hand() -> HandScore:
    """Score the whole corpus."""
    score = HandScore()
    for case in hand_cases():
        (score.wrong if case.is_wrong else score.right)[case.kind] += 1
        found = failures(case)
        if case.is_wrong and not found:
            score.missed.append(case)
        elif found and not case.is_wrong:
            score.blocked.append((case, f"{found[0].text}: {found[0].reason}"))
    return score


def show_hand(score: HandScore) -> None:
    """Print recall and false blocks per kind, and where the checker fails."""
    print(f"\n== written by hand: {score.wrong.total()} wrong and {score.right.total()} right sentences")
    missed = Counter(case.kind for case in score.missed)
    blocked = Counter(case.kind for case, _ in score.blocked)
    for kind in score.wrong | score.right:
        caught = score.wrong[kind] - missed[kind]
        print(f"  {kind:<20} {caught:>3} / {score.wrong[kind]:<3} blocked {blocked[kind]} / {score.right[kind]}")
    print(f"  all                  {score.recall:7.2%} recall, {score.false_blocks:.2%} false blocks")
    for case in score.missed:
        print(f"  missed [{case.kind}] {case.text!r}")
    for case, reason in score.blocked:
        print(f"  blocked [{case.kind}] {case.text!r} -> {reason}")
