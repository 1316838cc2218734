"""New material for a finished debate (PRODUCT D9): both sides speak to it once, the judge reads again.

The reversal log says which new fact changed which judgement, and the confidence from → to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from flows.contracts.packs import Fact, Pack
from flows.contracts.transcripts import Transcript
from flows.debate.engine import finish, hold
from flows.debate.informing import informed_protocol
from flows.debate.restoring import restored
from flows.debate.run import Gate, Options, Run
from flows.errors import UsageError


async def inform(
    previous: Transcript,
    pack: Pack,
    gateway: Gate,
    *,
    clock: Callable[[], datetime],
    debate_id: str,
    options: Options | None = None,
) -> Transcript:
    """Judge *previous* again on *pack*, the same facts plus new ones.

    Raises UsageError if the pack brings nothing new or the earlier debate came to no conclusion.
    """
    started_at = clock()
    fresh = new_facts(previous, pack)
    if previous.conclusion is None:
        raise UsageError(f"辩论 {previous.debate_id} 没有结论，补充材料后请重新辩论")
    if not fresh:
        raise UsageError("没有新材料：事实基准版本与上一场相同")
    chosen = options or Options()
    record = restored(previous, pack, chosen.check)
    rounds = [*previous.record.get("informed_rounds", ()), record.last_round + 1]
    record.notes |= {
        "base_protocol": previous.record.get("base_protocol", previous.protocol),
        "informed_rounds": rounds,
    }
    record.protocol = informed_protocol(record.protocol, rounds[-1])
    record.proposition = record.proposition.model_copy(update={"pack_version": pack.pack_version})
    record.notes["new_facts"] = [fact.id for fact in fresh]
    run = Run(record, gateway, debate_id, replace(chosen, check=record.check))
    await hold(run)
    done = finish(run, (started_at, clock()), previous)
    log = reversals(previous, done, [fact.id for fact in fresh])
    return done.model_copy(update={"record": {**done.record, "reversals": log}})


def new_facts(previous: Transcript, pack: Pack) -> tuple[Fact, ...]:
    """Facts of *pack* that no turn of *previous* had been shown or could look up."""
    if previous.pack_version == pack.pack_version:
        return ()
    shown = {fid for turn in previous.turns for fid in turn.fact_ids_seen}
    newest = max((int(fid[1:]) for fid in shown), default=0)
    return tuple(fact for fact in pack.facts if int(fact.id[1:]) > newest)


def reversals(previous: Transcript, done: Transcript, causes: list[str]) -> list[dict[str, Any]]:
    """What changed: the verdict, and every claim whose fate did, with the confidence from → to."""
    if previous.conclusion is None or done.conclusion is None:
        return []
    levels = {
        "confidence_from": previous.conclusion.confidence,
        "confidence_to": done.conclusion.confidence,
        "causes": causes,
    }
    log: list[dict[str, Any]] = []
    if previous.conclusion.verdict != done.conclusion.verdict:
        log.append({"what": "verdict", "from": previous.conclusion.verdict, "to": done.conclusion.verdict, **levels})
    before = {claim.claim_id: claim.status for claim in previous.claims}
    for claim in done.claims:
        was = before.get(claim.claim_id)
        if was is not None and was is not claim.status:
            log.append({"what": claim.claim_id, "from": was.value, "to": claim.status.value, **levels})
    if previous.conclusion.confidence != done.conclusion.confidence:
        shift = {"from": previous.conclusion.confidence, "to": done.conclusion.confidence}
        log.append({"what": "confidence", **shift, **levels})
    return log
