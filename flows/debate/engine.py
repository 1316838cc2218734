"""The one engine of all protocols: a pack goes in, a transcript comes out.

It knows phases, turns and readings; what a protocol is stands in its own file. Nothing here reads a
clock or a database, so a debate runs in-process, in a worker or on a cluster without change.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from datetime import datetime

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.debate.adjudicator import adjudicate
from flows.debate.asking import hold_turn
from flows.debate.assembly import gated, transcript
from flows.debate.auditor import fallacies_by_claim
from flows.debate.cross_examination import role_weights, speaking_order
from flows.debate.gateway_types import BudgetEnded, ServerDown
from flows.debate.proposition import stock_proposition, target_proposition
from flows.debate.protocol import Phase, Protocol
from flows.debate.readings import hold_readings
from flows.debate.run import Gate, Limits, Options, Run
from flows.debate.state import Checker, Record, Speaker
from flows.errors import BudgetSpent, UsageError

__all__ = ["Gate", "Limits", "Options", "protocol_named", "run_debate"]

PROTOCOLS = ("bull_bear", "four_stance", "targeted", "direct")


def protocol_named(name: str) -> Protocol:
    """The protocol of ``flows/debate/<name>.py``. Raises UsageError if there is none."""
    found = _protocol_in(name) if re.fullmatch(r"[a-z_]{3,20}", name) else None
    if not isinstance(found, Protocol):
        raise UsageError(f"没有名为 {name} 的辩论方式；可用：{'、'.join(PROTOCOLS)}")
    return found


def _protocol_in(name: str) -> object:
    try:
        return getattr(importlib.import_module(f"flows.debate.{name}"), "PROTOCOL", None)
    except ModuleNotFoundError:
        return None


async def run_debate(
    pack: Pack,
    protocol: str,
    gateway: Gate,
    *,
    clock: Callable[[], datetime],
    debate_id: str,
    previous: Transcript | None = None,
    options: Options | None = None,
) -> Transcript:
    """Hold one debate on *pack*.

    An incomplete pack is gated before a token is spent. A turn without a usable answer is recorded as
    failed and the debate goes on; a spent budget or a server that stopped answering ends it where it
    stands. *previous* is the debate this one follows. Raises ConfigurationError if the model cannot be used
    at all, UsageError if the protocol is unknown or needs a target that is not given.
    """
    started_at = clock()
    chosen = options or Options()
    run = Run(_open_record(pack, protocol_named(protocol), chosen), gateway, debate_id, chosen)
    if not pack.completeness.is_enough:
        return gated(run, (started_at, clock()), previous)
    await hold(run)
    return finish(run, (started_at, clock()), previous)


async def hold(run: Run) -> None:
    """All phases and readings, or as many as the budget and the server allow."""
    try:
        for phase in run.record.protocol.phases:
            await _hold_phase(run, phase)
        await hold_readings(run)
    except (BudgetSpent, ServerDown) as stopped:
        run.reason = str(stopped)
        if isinstance(stopped, BudgetEnded | ServerDown) and stopped.call is not None:
            run.record.calls.append(stopped.call)


def finish(run: Run, times: tuple[datetime, datetime], previous: Transcript | None) -> Transcript:
    """Adjudicate what was said and write it down."""
    result = adjudicate(run.record, run.named, fallacies_by_claim(run.audits), role_weights(run.record))
    return transcript(run, result, times, previous)


def _open_record(pack: Pack, protocol: Protocol, options: Options) -> Record:
    record = Record(pack, protocol, options.proposition or stock_proposition(pack), checker(options.check))
    if protocol.has_target:
        if options.target is None:
            raise UsageError(f"{protocol.name} 需要一个受审论点")
        record.proposition = options.proposition or target_proposition(pack, options.target)
        record.target = options.target
    return record


def checker(check: Checker | None) -> Checker:
    """The number check to use: the one given, else the truth room's."""
    if check is not None:
        return check
    from flows.truth.binding import check_claim  # noqa: PLC0415

    return check_claim


async def _hold_phase(run: Run, phase: Phase) -> None:
    for name in speaking_order(run.record, phase):
        speaker = Speaker(run.record.protocol.role(name), phase.round_no)
        run.told(await hold_turn(run, speaker, phase.act))
