"""Tables about debates: calls by protocol, what each measure of thrift saves, and the control arm.

``python -m tests.benchmarks.debate_tables calls|tokens|control [--packs DIR]``

*calls*: real runs on a scripted server behind the real client. *tokens*: one `bull_bear` debate on 65
facts on a server that counts with the shipped tokenizer and caches prefixes, what the same debate would
cost without each measure, and one `four_stance` debate on the same facts.
*control*: `direct` against `bull_bear` on stored packs (``data/packs`` of a run) at an equal token budget,
which for the one-call arm means as many independent samples as the debate's tokens pay for. Both are the offline model:
its figures are no evidence about language models.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flows.contracts.packs import Pack
from flows.contracts.transcripts import LlmCall, Transcript
from flows.debate.draining import drained, headline
from flows.debate.engine import Options
from flows.debate.prompting import FACTS, facts_block, prompt_text, without_source
from flows.debate.tokens import count_prompt_tokens, count_tokens
from tests.unit.debate_counted import Counted, hold_counted
from tests.unit.debate_fakes import ScriptedGate, hold, standard
from tests.unit.debate_packs import pack
from tests.unit.debate_server import hold_on_server
from tests.upstream.scripted_model import Received

PROTOCOLS = ("bull_bear", "four_stance", "targeted", "direct")
SPEAKERS = ("bull", "bear")
DEBATERS = (*SPEAKERS, "moderator")


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
    """What a full debate costs on a counting server, and what it would cost without each measure."""
    with tempfile.TemporaryDirectory() as folder:
        counted = hold_counted(Path(folder))
    speeches = [len(turn.speech) for turn in counted.transcript.turns if turn.role in SPEAKERS]
    print(f"facts {len(pack().facts)}, calls {len(counted.server.requests)} (13, the second reading and the auditor)")
    print(f"speeches of {min(speeches)} to {max(speeches)} characters")
    row("variant", "tokens", "outside repeated prefixes")
    row("---", "---", "---")
    row("as built", counted.total, counted.outside)
    found = list(_without(counted))
    for name, total, outside in found:
        row(f"without: {name}", f"{counted.total + total} (+{total / counted.total:.0%})", counted.outside + outside)
    every = (sum(total for _, total, _ in found), sum(outside for _, _, outside in found))
    row("without any of them", counted.total + every[0], counted.outside + every[1])
    with tempfile.TemporaryDirectory() as folder:
        four = hold_counted(Path(folder), "four_stance")
    row(f"four_stance as built, {len(four.server.requests)} calls", four.total, four.outside)


def _without(counted: Counted) -> Iterator[tuple[str, int, int]]:
    """Measure → tokens more in all and outside repeated prefixes, were it not there."""
    speaking = [(call.role, received) for call, received in _asked(counted) if call.role in SPEAKERS]
    system = {role: str(received.body["messages"][0]["content"]) for role, received in speaking}
    table = {role: count_tokens(text.split(FACTS)[1]) for role, text in system.items()}
    everything = count_tokens(facts_block(pack().facts, pack().trade_date))
    more = {role: everything - table[role] for role in table}
    yield "a role's own facts only", sum(more[role] for role, _ in speaking), sum(more.values())
    raw = {role: _sentences(text) - _shown(text) for role, text in system.items()}
    yield "sources and repeated dates left out of facts", sum(raw[role] for role, _ in speaking), sum(raw.values())
    form = count_tokens(prompt_text("format_argument"))
    yield "the form of an argument in the card", 0, form * (len(speaking) - len(table))
    yield "speeches drained", *[_undrained(counted.transcript)] * 2
    yield "only what a turn needs of the record", *[_whole_record(counted.transcript)] * 2
    schemas = sum(count_tokens(json.dumps(_schema(received), ensure_ascii=False)) for _, received in _asked(counted))
    yield "the answer described once, in words", *[schemas] * 2
    yield "answers in one line without spaces", *[_indented(counted.transcript)] * 2
    moderator = next(received for call, received in _asked(counted) if call.role == "moderator")
    alone = [count_prompt_tokens(received.body["messages"]) for received in (moderator, speaking[-1][1])]
    yield "summary, title and key data riding along", 3 * alone[0] + 2 * alone[1], 3 * alone[0] + 2 * alone[1]


def _asked(counted: Counted) -> list[tuple[LlmCall, Received]]:
    return list(zip(counted.transcript.llm_calls, counted.server.requests, strict=True))


def _schema(received: Received) -> dict[str, Any]:
    return dict(received.body["response_format"]["json_schema"]["schema"])


def _fact_ids(system: str) -> list[str]:
    return re.findall(r"^(E\d+)", system.split(FACTS)[1], re.MULTILINE)


def _shown(system: str) -> int:
    shown = (fact for fid in _fact_ids(system) if (fact := pack().fact(fid)))
    return sum(count_tokens(without_source(fact, pack().trade_date)) for fact in shown)


def _sentences(system: str) -> int:
    return sum(count_tokens(fact.sentence) for fid in _fact_ids(system) if (fact := pack().fact(fid)))


def _undrained(transcript: Transcript) -> int:
    by_id = {claim.claim_id: claim for claim in transcript.claims}
    seen = [by_id[cid] for turn in transcript.turns if turn.role in DEBATERS for cid in turn.claim_ids_seen]
    return sum(count_tokens(claim.text) - count_tokens(headline(claim)) for claim in seen)


def _whole_record(transcript: Transcript) -> int:
    unseen = (
        claim
        for turn in transcript.turns
        if turn.role in DEBATERS
        for claim in transcript.claims
        if claim.turn_no < turn.turn_no and claim.claim_id not in turn.claim_ids_seen
    )
    return sum(count_tokens(drained(claim)) for claim in unseen)


def _indented(transcript: Transcript) -> int:
    answers = [turn.answer for turn in transcript.turns if turn.answer]
    compact = sum(count_tokens(json.dumps(a, ensure_ascii=False, separators=(",", ":"))) for a in answers)
    return sum(count_tokens(json.dumps(a, ensure_ascii=False, indent=2)) for a in answers) - compact


def _spent(gate: ScriptedGate) -> int:
    """Tokens of all prompts and answers of a gate without a server."""
    prompts = sum(count_prompt_tokens(ask.messages) for ask in gate.asks)
    return prompts + sum(count_tokens(raw) for raw in gate.raws)


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
        budget = _spent(gate)
        alone, lone_gate = hold("direct", the_pack=found, is_audited=False)
        single = _spent(lone_gate)
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
