"""The running record of one debate: the only memory, and what the transcript is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from typing import Protocol as Shape

from flows.contracts.checks import Check
from flows.contracts.packs import Fact, Pack
from flows.contracts.transcripts import (
    Claim,
    ClaimStatus,
    Judgement,
    LlmCall,
    Proposition,
    Question,
    Refusal,
    Side,
    Turn,
)
from flows.debate.answers import Expectation
from flows.debate.draining import expectation_text
from flows.debate.giving import given_facts
from flows.debate.ownership import is_own_measure
from flows.debate.protocol import Protocol, Role


class Checker(Shape):
    """The number check of one claim (PRODUCT T1–T3)."""

    def __call__(self, claim: Claim, pack: Pack) -> tuple[Check, ...]:
        """All checked spans of the claim's text."""
        ...


@dataclass(frozen=True)
class Speaker:
    """Who speaks now, in which round; what a view of the record depends on."""

    role: Role
    round_no: int


@dataclass
class Record:
    """Everything said so far.

    Attributes:
        claims: By claim id, in the order they were made.
        checks: By claim id.
        expectations: By claim id; the value the side expects, normalised to a registry metric.
        summaries: Round → the moderator's summary of it.
        agenda: Round → the moderator's question.
        looked_up: Role → facts an evidence channel returned to it.
        stances: Role → side it has stated.
        persistence: Role → 坚持度 in `four_stance`.
        refusals: Parts of answers that were left out; nothing reads them but the transcript.
    """

    pack: Pack
    protocol: Protocol
    proposition: Proposition
    check: Checker
    turns: list[Turn] = field(default_factory=list)
    claims: dict[str, Claim] = field(default_factory=dict)
    checks: dict[str, tuple[Check, ...]] = field(default_factory=dict)
    expectations: dict[str, Expectation] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    calls: list[LlmCall] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    summaries: dict[int, str] = field(default_factory=dict)
    agenda: dict[int, str] = field(default_factory=dict)
    looked_up: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stances: dict[str, Side] = field(default_factory=dict)
    persistence: dict[str, float] = field(default_factory=dict)
    title: str = ""
    key_data: tuple[str, ...] = ()
    target: Claim | None = None
    answer_checks: dict[str, tuple[Check, ...]] = field(default_factory=dict)
    answered_facts: set[str] = field(default_factory=set)
    notes: dict[str, Any] = field(default_factory=dict)
    _given: dict[str, tuple[Fact, ...]] = field(default_factory=dict, repr=False)

    @property
    def next_turn_no(self) -> int:
        """Number of the next turn; numbers go on where an earlier debate ended."""
        return max((turn.turn_no for turn in self.turns), default=0) + 1

    @property
    def last_round(self) -> int:
        """The highest round spoken in so far."""
        return max((turn.round_no for turn in self.turns), default=self.protocol.rounds)

    def side_of(self, role: Role) -> Side | None:
        """The side a role speaks for: fixed, or the one it stated."""
        return role.side or self.stances.get(role.name)

    def claims_of(self, role: str, round_no: int | None = None) -> list[Claim]:
        """Claims of one role, of one round if given."""
        return [c for c in self.claims.values() if c.role == role and round_no in {None, c.round_no}]

    def claims_against(self, side: Side | None) -> list[Claim]:
        """Claims of the other side."""
        return [c for c in self.claims.values() if side is not None and c.side is not side]

    def last_turn(self, role: str, *, before_round: int) -> Turn | None:
        """The last successful turn of a role in an earlier round."""
        spoken = [t for t in self.turns if t.role == role and t.round_no < before_round and t.status == "ok"]
        return spoken[-1] if spoken else None

    def facts_for(self, role: Role) -> tuple[Fact, ...]:
        """Facts a role is given: common ones and its own, capped evenly over dimensions."""
        if role.name not in self._given:
            self._given[role.name] = given_facts(self.pack, role)
        return self._given[role.name]

    def citable(self, role: Role) -> set[str]:
        """Fact ids a role may cite: given, looked up by it, or already on the record."""
        given = {fact.id for fact in self.facts_for(role)}
        on_record = {fid for claim in self.claims.values() for fid in claim.fact_ids}
        return given | on_record | set(self.looked_up.get(role.name, ()))

    def expected_text(self, claim: Claim) -> str:
        """What a claim's side expects of a metric, beside its present value."""
        expect = self.expectations.get(claim.claim_id)
        return expectation_text(expect, self.present_value(expect.metric) if expect else None)

    def present_value(self, metric: str) -> float | None:
        """The newest value of a metric among the pack's facts about its own company."""
        values = [f for f in self.pack.facts if f.field == metric and is_own_measure(f, self.pack)]
        newest = max(values, key=lambda fact: (fact.as_of, fact.period), default=None)
        return float(newest.value) if newest and isinstance(newest.value, int | float) else None

    def measured(self, claim: Claim) -> list[Fact]:
        """The cited facts that give a registered metric of the pack's own company."""
        cited = (self.pack.fact(fid) for fid in claim.fact_ids)
        return [fact for fact in cited if fact and is_own_measure(fact, self.pack)]

    def set_status(self, claim_id: str, status: ClaimStatus) -> None:
        """Change what became of a claim; a failed number is final."""
        claim = self.claims[claim_id]
        if claim.status is not ClaimStatus.UNSUPPORTED:
            self.claims[claim_id] = claim.model_copy(update={"status": status})

    def all_checks(self) -> Iterator[Check]:
        """Checks of all claims in the order they were made, then those of answers."""
        for claim_id in self.claims:
            yield from self.checks.get(claim_id, ())
        for checks in self.answer_checks.values():
            yield from checks


def has_failed(checks: tuple[Check, ...]) -> bool:
    """Whether any number or comparison of a claim is unsupported or wrong (PRODUCT T5)."""
    return any(check.verdict.is_failure for check in checks)


def is_verified(claim: Claim, checks: tuple[Check, ...]) -> bool:
    """Whether a claim cites a fact and none of its numbers failed."""
    return bool(claim.fact_ids) and not has_failed(checks)
