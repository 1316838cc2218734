"""Recall on planted errors and false blocks on honest text, per phrasing file (PRODUCT T7).

Run: ``python -m tests.benchmarks.truth_benchmark [--seed N] [--errors N] [--honest N] [FILE …]``; without files the
phrasings of ``tests/fixtures`` and the sentences written by hand. Prints recall per kind, false blocks,
numbers per second of processor time, and what was missed.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flows.contracts.checks import Check, CheckVerdict
from flows.truth.binding import check_text
from flows.truth.speech.attribution import check_attribution
from tests.benchmarks.truth_cases import Case, build
from tests.benchmarks.truth_hand import run_hand, show_hand
from tests.benchmarks.truth_planting import KINDS, Planted, plant
from tests.benchmarks.truth_world import World, make_world

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
FILES = (
    FIXTURES / "truth_seen_phrasings.json",
    FIXTURES / "truth_unseen_phrasings.json",
    *(FIXTURES / f"truth_blind{number}_phrasings.json" for number in range(1, 10)),
)


@dataclass
class Score:
    """What one phrasing file came to."""

    name: str
    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    honest: int = 0
    blocked: int = 0
    missed: list[tuple[str, str, str]] = field(default_factory=list)
    false: list[tuple[str, str, str]] = field(default_factory=list)
    quantities: int = 0
    seconds: float = 0.0
    used: set[str] = field(default_factory=set)
    phrasings: int = 0

    @property
    def recall(self) -> float:
        """Share of planted errors that were flagged."""
        return sum(self.found.values()) / max(1, sum(self.planted.values()))

    def recall_of(self, kind: str) -> float:
        """Recall of one kind; 1 if none was planted."""
        return self.found[kind] / self.planted[kind] if self.planted[kind] else 1.0

    @property
    def false_blocks(self) -> float:
        """Share of honest spans that were flagged."""
        return self.blocked / max(1, self.honest)


def phrasings_of(path: Path) -> list[dict[str, Any]]:
    """Phrasings of a file."""
    return json.loads(path.read_text(encoding="utf-8"))["phrasings"]  # type: ignore[no-any-return]


def check(text: str, world: World, facts: list[Any], cited: list[str] | None, claims: list[Any]) -> tuple[Check, ...]:
    """What the product does with a sentence of a debate: numbers and comparisons, then attributions.

    What a sentence puts into a role's mouth is judged as a whole; in one that only addresses a role each number counts.
    """
    checks = check_text(text, facts, cited=cited, subject=world.symbol, names=world.names)
    said = check_attribution(text, claims)
    inside = [(c.start, c.end) for c in said if c.verdict is not CheckVerdict.NOT_A_QUANTITY]
    return (*(c for c in checks if not any(a <= c.start < b for a, b in inside)), *said)


def run(path: Path, *, seed: int, errors: int, honest: int) -> Score:
    """Score one phrasing file."""
    score, rng = Score(path.stem), random.Random(seed)
    phrasings = phrasings_of(path)
    score.phrasings = len(phrasings)
    worlds = [make_world(seed * 1000 + i) for i in range(40)]
    _honest(score, rng, phrasings, worlds, honest)
    per_kind = -(-errors // len(KINDS))
    for kind in KINDS:
        _planted(score, rng, phrasings, worlds, kind, per_kind)
    return score


def _draw(rng: random.Random, phrasings: list[dict[str, Any]], worlds: list[World]) -> Case | None:
    return build(rng.choice(phrasings), rng.choice(worlds), rng)


def _honest(
    score: Score, rng: random.Random, phrasings: list[dict[str, Any]], worlds: list[World], wanted: int
) -> None:
    while score.honest < wanted:
        case = _draw(rng, phrasings, worlds)
        if case is None:
            continue
        cited = case.cited if rng.random() < 0.5 and case.cited else None
        began = time.process_time()
        checks = check(case.text, case.world, case.world.facts, cited, case.world.claims)
        score.seconds += time.process_time() - began
        score.used.add(case.phrasing["id"])
        counted = [c for c in checks if c.verdict is not CheckVerdict.NOT_A_QUANTITY]
        score.quantities += len(checks)
        score.honest += max(1, len(counted))
        bad = [c for c in counted if c.verdict.is_failure]
        score.blocked += len(bad)
        score.false += [(case.phrasing["id"], case.text, f"{c.text}: {c.reason}") for c in bad]


def _planted(
    score: Score, rng: random.Random, phrasings: list[dict[str, Any]], worlds: list[World], kind: str, wanted: int
) -> None:
    for _ in range(wanted * 400):
        if score.planted[kind] >= wanted:
            return
        case = _draw(rng, phrasings, worlds)
        made = plant(kind, case, rng) if case is not None else None
        if made is not None:
            _judge(score, made, rng)


def _judge(score: Score, made: Planted, rng: random.Random) -> None:
    cited = made.cited if rng.random() < 0.5 and made.cited else None
    checks = check(made.text, made.case.world, made.facts, cited, made.claims)
    score.planted[made.kind] += 1
    if any(c.verdict.is_failure for c in checks):
        score.found[made.kind] += 1
    else:
        got = "; ".join(f"{c.text}={c.verdict.value}" for c in checks if c.verdict is not CheckVerdict.NOT_A_QUANTITY)
        score.missed.append((made.kind, made.text, got))


def show(score: Score, *, examples: int) -> None:
    """Print one score."""
    print(f"\n== {score.name}: {len(score.used)} of {score.phrasings} phrasings used")
    for kind in KINDS:
        print(f"  {kind:<20} {score.found[kind]:>5} / {score.planted[kind]:<5} {score.recall_of(kind):7.2%}")
    found, planted = score.found.total(), score.planted.total()
    print(f"  {'all planted errors':<20} {found:>5} / {planted:<5} {score.recall:7.2%}")
    print(f"  false blocks         {score.blocked:>5} / {score.honest:<5} {score.false_blocks:7.2%}")
    print(f"  throughput           {score.quantities / max(score.seconds, 1e-9):,.0f} numbers per second")
    shown: dict[str, int] = defaultdict(int)
    for kind, text, got in score.missed:
        shown[kind] += 1
        if shown[kind] <= examples:
            print(f"  missed [{kind}] {text!r} -> {got}")
    for identifier, text, got in score.false[: examples * 4]:
        print(f"  blocked [{identifier}] {text!r} -> {got}")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--errors", type=int, default=2_400)
    parser.add_argument("--honest", type=int, default=2_400)
    parser.add_argument("--examples", type=int, default=3)
    options = parser.parse_args()
    if not options.files:
        show_hand(run_hand())
    for path in options.files or [p for p in FILES if p.exists()]:
        show(run(path, seed=options.seed, errors=options.errors, honest=options.honest), examples=options.examples)


if __name__ == "__main__":
    main()
