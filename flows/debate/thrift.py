"""What is not bought again (PRODUCT D14): a stance already stated twice.

Two arguments are the same if their structure is: side, dimension, facts, metric and expected value.
Wording is never compared: arguments whose numbers or directions differ look alike to any text measure.
"""

from __future__ import annotations

from dataclasses import dataclass

from flows.contracts.transcripts import Claim, LlmCall, Turn
from flows.debate.protocol import Act
from flows.debate.state import Record, Speaker


@dataclass(frozen=True)
class Reused:
    """A turn taken over from an earlier one, and the call that was not made."""

    turn: Turn
    call: LlmCall


Signature = tuple[str, str, frozenset[str], str | None, float | None]


def signature(record: Record, claim: Claim) -> Signature:
    """The structure of an argument."""
    expect = record.expectations.get(claim.claim_id)
    facts = frozenset(claim.fact_ids)
    return (claim.side, claim.dimension, facts, expect.metric if expect else None, expect.value if expect else None)


def stance_of(record: Record, turn: Turn) -> frozenset[Signature]:
    """The structure of a whole speech."""
    return frozenset(signature(record, claim) for claim in record.claims.values() if claim.turn_no == turn.turn_no)


def reused_turn(record: Record, speaker: Speaker, act: Act) -> Reused | None:
    """The speech a role would only repeat, if it has stated the same stance twice with this act.

    Only acts marked reusable qualify: replies answer something new by their nature, and a last speech
    carries more than its arguments.
    """
    if not act.is_reusable:
        return None
    spoken = [t for t in record.turns if (t.role, t.act, t.status) == (speaker.role.name, act.name, "ok")]
    if len(spoken) < 2 or not stance_of(record, spoken[-1]):
        return None
    if stance_of(record, spoken[-1]) != stance_of(record, spoken[-2]):
        return None
    return _taken_over(record, speaker, spoken[-1])


def _taken_over(record: Record, speaker: Speaker, earlier: Turn) -> Reused | None:
    paid = next((call for call in record.calls if call.call_hash == earlier.call_hash), None)
    if paid is None:
        return None
    key = f"{paid.call_hash}-r{speaker.round_no}"
    nothing = {"tokens_in": 0, "tokens_out": 0, "tokens_cached_prefix": 0, "cost_cny": 0.0, "elapsed_ms": 0.0}
    call = paid.model_copy(update={**nothing, "call_hash": key, "cached": True})
    place = {"turn_no": record.next_turn_no, "round_no": speaker.round_no, "call_hash": key}
    turn = earlier.model_copy(update={**place, "speech": f"沿用第{earlier.round_no}轮立场。\n{earlier.speech}"})
    return Reused(turn, call)
