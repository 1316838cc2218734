"""Tables about debates: calls by protocol, what each measure of thrift saves, and the control arm.

``python -m tests.benchmarks.debate_tables calls|tokens|control [--packs DIR]``

*calls*: real runs on a scripted server behind the real client. *tokens*: one `bull_bear` debate on 65
facts, and what the same debate would cost without each measure, counted with the shipped tokenizer.
*control*: `direct` against `bull_bear` on stored packs (``data/packs`` of a run) at an equal token budget,
which for the one-call arm means as many independent samples as the debate's tokens pay for. Both are the offline model:
its figures are no evidence about language models.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.debate.draining import drained, headline
from flows.debate.endpoint_schema import answer_schema
from flows.debate.engine import Options
from flows.debate.prompting import facts_block
from flows.debate.tokens import count_prompt_tokens, count_tokens
from tests.unit.debate_fakes import ScriptedGate, hold, standard
from tests.unit.debate_packs import pack
from tests.unit.debate_server import hold_on_server

PROTOCOLS = ("bull_bear", "four_stance", "targeted", "direct")


def row(*cells: object) -> None:
    """One line of a Markdown table."""
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def calls() -> None:
    """Calls by protocol and role, from real runs on a scripted server."""
    row("protocol", "calls", "by role", "status")
    row("---", "---", "---", "---")
    target = standard()[0].claims[0]
    for protocol in PROTOCOLS:
        options = Options(target=target if protocol == "targeted" else None)
        with tempfile.TemporaryDirectory() as folder:
            transcript, server = hold_on_server(Path(folder), protocol=protocol, options=options)
        by_role = Counter(call.role for call in transcript.llm_calls)
        told = ", ".join(f"{role} {number}" for role, number in by_role.items())
        row(protocol, len(server.requests), told, transcript.status.value)


def tokens() -> None:
    """What the debate costs, and what it would cost without each measure."""
    transcript, gate = standard()
    base, outside = _cost(transcript, gate)
    print(f"facts {len(pack().facts)}, calls {len(gate.asks)} (13, the second reading and the auditor)")
    row("variant", "tokens", "more than ours")
    row("---", "---", "---")
    row("as built", base, "")
    row("as built, outside repeated prefixes", outside, "")
    for name, extra in _without(transcript, gate):
        row(name, base + extra, f"+{extra} ({extra / base:.0%})")
    row("all of them", base + sum(extra for _, extra in _without(transcript, gate)), "")


def _cost(transcript: Transcript, gate: ScriptedGate) -> tuple[int, int]:
    written = sum(count_tokens(json.dumps(t.answer, ensure_ascii=False)) for t in transcript.turns if t.answer)
    total, repeated, seen = written, 0, set()
    for ask in gate.asks:
        total += count_prompt_tokens(ask.messages)
        prefix = ask.messages[0]["content"]
        repeated += count_tokens(prefix) if prefix in seen else 0
        seen.add(prefix)
    return total, total - repeated


def _without(transcript: Transcript, gate: ScriptedGate) -> Iterator[tuple[str, int]]:
    speakers = [ask for ask in gate.asks if ask.role in {"bull", "bear"}]
    everything = count_tokens(facts_block(pack().facts, pack().trade_date))
    own = sum(count_tokens(ask.messages[0]["content"].split("# 事实")[1]) for ask in speakers)
    yield "every fact to every speaker", everything * len(speakers) - own
    by_id = {claim.claim_id: claim for claim in transcript.claims}
    full = sum(
        count_tokens(by_id[cid].text) - count_tokens(headline(by_id[cid]))
        for turn in transcript.turns
        for cid in turn.claim_ids_seen
        if turn.role not in {"judge", "auditor"}
    )
    yield "speeches not drained", full
    whole = 0
    for turn in transcript.turns:
        if turn.role in {"bull", "bear", "moderator"}:
            unseen = (c for c in transcript.claims if c.claim_id not in turn.claim_ids_seen)
            earlier = [c for c in unseen if c.turn_no < turn.turn_no]
            whole += sum(count_tokens(drained(claim)) for claim in earlier)
    yield "the whole record in every turn", whole
    schemas = sum(count_tokens(json.dumps(answer_schema(ask.answer).schema, ensure_ascii=False)) for ask in gate.asks)
    yield "JSON schema text in every prompt", schemas
    moderator = next(ask for ask in gate.asks if ask.role == "moderator")
    last = [ask for ask in speakers if ask.messages][-1]
    riding = 3 * count_prompt_tokens(moderator.messages) + 2 * count_prompt_tokens(last.messages)
    yield "summary, title and key data as calls of their own", riding


def control(packs: Path) -> None:
    """`direct` and `bull_bear` on the same packs at an equal token budget."""
    row("stock", "model", "debate tokens", "direct samples", "disagreements (debate)", "disagreements (direct)")
    row("---", "---", "---", "---", "---", "---")
    totals = Counter()
    for path in sorted(packs.rglob("*.json")):
        found = Pack.model_validate_json(path.read_text("utf-8"))
        if not found.completeness.is_enough:
            row(found.symbol, "offline", 0, 0, "gated", "gated")
            continue
        debate, gate = hold(the_pack=found)
        budget, _ = _cost(debate, gate)
        alone, lone_gate = hold("direct", the_pack=found, is_audited=False)
        single, _ = _cost(alone, lone_gate)
        metrics = {d.metric for d in alone.disagreements}
        totals["debate"] += len(debate.disagreements)
        totals["direct"] += len(metrics)
        row(found.symbol, "offline", budget, budget // single, len(debate.disagreements), len(metrics))
    row("all", "offline", "", "", totals["debate"], totals["direct"])
    print("The offline model is deterministic: further samples of `direct` repeat the first one.")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=["calls", "tokens", "control"])
    parser.add_argument("--packs", type=Path, default=Path("data/packs"))
    chosen = parser.parse_args()
    if chosen.table == "control":
        control(chosen.packs)
    else:
        {"calls": calls, "tokens": tokens}[chosen.table]()


if __name__ == "__main__":
    main()
