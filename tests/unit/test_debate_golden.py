"""Golden transcripts: the order of turns and what each role saw, for each protocol (issue 5).

Write them anew with ``REWRITE_GOLDEN=1 pytest tests/unit/test_debate_golden.py`` and read the diff.
"""

import json
import os
from pathlib import Path

import pytest

from tests.unit.debate_fakes import hold, standard

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def shown(transcript, gate):
    """One entry per turn: who did what, and the facts and claims before them."""
    sizes = {f"h{n}": len(ask.messages[1]["content"]) for n, ask in enumerate(gate.asks, start=1)}
    return [
        {
            "turn": turn.turn_no,
            "round": turn.round_no,
            "role": turn.role,
            "act": turn.act,
            "side": turn.side,
            "facts_seen": list(turn.fact_ids_seen),
            "claims_seen": list(turn.claim_ids_seen),
            "claims_made": [c.claim_id for c in transcript.claims if c.turn_no == turn.turn_no],
            "answers_to": [c.replies_to for c in transcript.claims if c.turn_no == turn.turn_no],
            "is_bought": turn.call_hash in sizes,
        }
        for turn in transcript.turns
    ]


@pytest.mark.parametrize("protocol", ["bull_bear", "four_stance", "targeted", "direct"])
def test_turns_and_views_are_as_recorded(protocol):
    if protocol == "targeted":
        transcript, gate = hold(protocol, target=standard()[0].claims[0])
    else:
        transcript, gate = standard(protocol)
    made = json.dumps(shown(transcript, gate), ensure_ascii=False, indent=1) + "\n"
    path = GOLDEN / f"debate_{protocol}.json"
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_text(made, "utf-8")
    assert json.loads(made) == json.loads(path.read_text("utf-8"))
