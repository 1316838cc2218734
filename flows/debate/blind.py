"""What the judge is shown: anonymous, shuffled, equally many and equally short arguments (PRODUCT D6).

Screening comes first: an argument without a source, with a failed number or conceded by its own side
never reaches the judge. Order inside a side is a hash of debate and claim, so it is reproducible and
says nothing about rounds or roles.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from flows.contracts.transcripts import Claim, ClaimStatus, Side
from flows.debate.draining import clip
from flows.debate.protocol import Protocol
from flows.debate.state import Record, is_verified

#: Longest argument the judge reads, in characters (PRODUCT D6 allows 200).
ARGUMENT_LIMIT = 160
#: Most arguments per side; both sides get the same cap.
SIDE_LIMIT = 6

FOR_FIRST, AGAINST_FIRST = "for_first", "against_first"

#: What a reader calls the sides; the trial of one claim is for or against that claim, not the stock.
SIDE_NAMES = {Side.FOR: "多方", Side.AGAINST: "空方"}
TRIAL_NAMES = {Side.FOR: "正方", Side.AGAINST: "反方"}


def side_names(protocol: Protocol) -> dict[Side, str]:
    """The names of both sides in a protocol."""
    return TRIAL_NAMES if protocol.has_target else SIDE_NAMES


@dataclass(frozen=True)
class Blind:
    """One presentation: label → claim, the first side labelled A, the second B."""

    order: str
    claims: dict[str, Claim]
    lines: tuple[str, ...]
    names: dict[Side, str] = field(default_factory=lambda: dict(SIDE_NAMES))

    def side(self, letter: str) -> Side:
        """The side behind A or B."""
        first = Side.FOR if self.order == FOR_FIRST else Side.AGAINST
        other = Side.AGAINST if first is Side.FOR else Side.FOR
        return first if letter == "A" else other


def presentations(record: Record, debate_id: str) -> tuple[Blind, Blind]:
    """Both presentations; which order comes first is decided by the debate's hash."""
    orders = (FOR_FIRST, AGAINST_FIRST)
    if _digest(debate_id) % 2:
        orders = (AGAINST_FIRST, FOR_FIRST)
    first, second = (present(record, debate_id, order) for order in orders)
    return first, second


def present(record: Record, debate_id: str, order: str) -> Blind:
    """The arguments in one order."""
    sides = (Side.FOR, Side.AGAINST) if order == FOR_FIRST else (Side.AGAINST, Side.FOR)
    claims: dict[str, Claim] = {}
    lines: list[str] = []
    for letter, side in zip("AB", sides, strict=True):
        lines.append(f"{letter} 方：")
        for number, claim in enumerate(chosen(record, debate_id, side), start=1):
            label = f"{letter}{number}"
            claims[label] = claim
            lines.append(f"{label} {_line(record, claim)}")
    return Blind(order, claims, tuple(lines), side_names(record.protocol))


def screened(record: Record) -> list[Claim]:
    """Claims that pass the screen: sourced, numbers right, not conceded or refuted."""
    good = (ClaimStatus.STANDING, ClaimStatus.PENDING)
    return [c for c in record.claims.values() if c.status in good and is_verified(c, record.checks.get(c.claim_id, ()))]


def chosen(record: Record, debate_id: str, side: Side) -> list[Claim]:
    """A side's strongest distinct arguments, dimension by dimension, shuffled."""
    own = [claim for claim in screened(record) if claim.side is side]
    ranked = sorted(
        own, key=lambda c: (c.status is ClaimStatus.PENDING, -c.score, c.claim_id not in record.expectations)
    )
    distinct: dict[frozenset[str], Claim] = {}
    for claim in ranked:
        distinct.setdefault(frozenset(claim.fact_ids), claim)
    kept = _broad(list(distinct.values()))[:SIDE_LIMIT]
    return sorted(kept, key=lambda claim: _digest(debate_id, claim.claim_id))


def _broad(ranked: list[Claim]) -> list[Claim]:
    """The best of every dimension first, then the second best, so that no dimension crowds out another."""
    place: dict[str, int] = {}
    seen: dict[str, int] = {}
    for claim in ranked:
        seen[claim.dimension] = seen.get(claim.dimension, 0) + 1
        place[claim.claim_id] = seen[claim.dimension]
    return sorted(ranked, key=lambda claim: place[claim.claim_id])


def _digest(*parts: str) -> int:
    return int(hashlib.sha256("/".join(parts).encode()).hexdigest()[:12], 16)


def _line(record: Record, claim: Claim) -> str:
    metrics = [f"{name}={value:.6g}" for name, value in metrics_of(record, claim).items()]
    named = f"｜指标 {' '.join(metrics)}" if metrics else ""
    expect = record.expected_text(claim)
    doubt = "·待验证" if claim.status is ClaimStatus.PENDING else ""
    body = clip(anonymous(record, claim), ARGUMENT_LIMIT)
    return f"[{claim.dimension}·{claim.evidence_type}{doubt}]{body}{named}{expect}"


def metrics_of(record: Record, claim: Claim) -> dict[str, float]:
    """Registered metrics of the pack's own company among the facts a claim cites, with their values."""
    return {f.field: float(f.value) for f in record.measured(claim) if isinstance(f.value, int | float)}


def anonymous(record: Record, claim: Claim) -> str:
    """The claim's text without role names, sides or claim ids."""
    text = re.sub(r"r\d+-[a-z]+-\d+", "该论点", claim.text)
    for name in _names(record, claim.side):
        text = text.replace(name, "对方")
    own = Side.AGAINST if claim.side is Side.FOR else Side.FOR
    for name in _names(record, own):
        text = text.replace(name, "本方")
    return text


def _names(record: Record, not_of: Side) -> Iterable[str]:
    """Names of the participants who do not speak for *not_of*."""
    for role in record.protocol.roles:
        side = record.side_of(role)
        if side is not None and side is not not_of:
            yield role.zh


def unblinded(blind: Blind, text: str) -> str:
    """A sentence of the judge with its labels mapped back to claim ids and sides."""
    text = re.sub(
        r"(?<![A-Za-z])([AB]\d{1,2})(?!\d)",
        lambda m: blind.claims[m.group(1)].claim_id if m.group(1) in blind.claims else m.group(1),
        text,
    )
    return re.sub(r"(?<![A-Za-z])([AB])\s?方?(?![A-Za-z0-9])", lambda m: blind.names[blind.side(m.group(1))], text)
