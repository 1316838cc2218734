"""One turn: compose, ask, look up if asked to, validate, enter.

A turn that fails is recorded as failed, never filled in.
"""

from __future__ import annotations

from flows.contracts.checks import Check
from flows.contracts.packs import Fact
from flows.contracts.transcripts import LlmCall, Turn
from flows.debate.answers import Answer, Lookup, Speech
from flows.debate.channels import as_lookups, look_up, offered
from flows.debate.gateway_types import Abstained, Answered, Ask, Requested, Tool
from flows.debate.prompting import Prompt, compose
from flows.debate.protocol import Act
from flows.debate.recording import Entry, enter
from flows.debate.run import Limits, Run
from flows.debate.salvage import Examiner
from flows.debate.scrutiny import Scrutiny
from flows.debate.state import Record, Speaker
from flows.debate.thrift import reused_turn

#: Role name under which exchanges with evidence channels are counted.
CHANNEL_ROLE = "evidence"


async def hold_turn(run: Run, speaker: Speaker, act: Act) -> Turn:
    """Hold one turn and put it on the record."""
    if reused := reused_turn(run.record, speaker, act):
        run.record.calls.append(reused.call)
        run.record.turns.append(reused.turn)
        return reused.turn
    if act.before:
        act.before(run.record, speaker)
    tools = offered(run.record.pack) if act.may_look_up else ()
    prompt = compose(run.record, speaker, act, may_look_up=bool(tools))
    scrutiny = Scrutiny(run.record, speaker, may_look_up=bool(tools))
    outcome = await _first_answer(run, scrutiny, act, prompt, tools)
    if isinstance(outcome, tuple):
        prompt = compose(run.record, speaker, act, outcome)
        scrutiny = Scrutiny(run.record, speaker)
        outcome = await run.gateway.ask(build_ask(speaker.role.name, act, prompt, scrutiny, run.options.limits))
    return _enter_outcome(scrutiny, act, prompt, outcome)


async def _first_answer(
    run: Run, scrutiny: Scrutiny, act: Act, prompt: Prompt, tools: tuple[Tool, ...]
) -> Answered | Abstained | tuple[Fact, ...]:
    """The answer, or the facts that evidence channels returned instead of one."""
    speaker = scrutiny.speaker
    ask = build_ask(speaker.role.name, act, prompt, scrutiny, run.options.limits, tools)
    outcome = await (run.gateway.ask_or_look_up(ask) if tools else run.gateway.ask(ask))
    wanted = _lookups(outcome) if tools else ()
    if not wanted or outcome.call is None:
        if isinstance(outcome, Requested):
            raise TypeError("a request without a lookup")
        return outcome
    return _looked_up(run.record, speaker, wanted, outcome.call)


def _lookups(outcome: Answered | Abstained | Requested) -> tuple[Lookup, ...]:
    if isinstance(outcome, Requested):
        return as_lookups(outcome.uses)
    value = outcome.value if isinstance(outcome, Answered) else None
    return value.lookups if isinstance(value, Speech) and not value.claims else ()


def _looked_up(record: Record, speaker: Speaker, wanted: tuple[Lookup, ...], call: LlmCall) -> tuple[Fact, ...]:
    found = look_up(record.pack, wanted)
    record.calls.append(call.model_copy(update={"role": CHANNEL_ROLE}))
    name = speaker.role.name
    record.looked_up[name] = (*record.looked_up.get(name, ()), *(fact.id for fact in found))
    exchange = {
        "role": name,
        "round": speaker.round_no,
        "requests": [lookup.model_dump() for lookup in wanted],
        "facts": [fact.id for fact in found],
    }
    record.notes.setdefault("lookups", []).append(exchange)
    return found


def build_ask(
    role: str,
    act: Act,
    prompt: Prompt,
    scrutiny: Examiner,
    limits: Limits,
    tools: tuple[Tool, ...] = (),
) -> Ask:
    """The gateway's question for a prompt; the prompt itself describes the answer's form."""
    return Ask(
        role=role,
        messages=[dict(message) for message in prompt.messages],
        answer=act.answer,
        max_tokens=limits.of(act.length),
        temperature=limits.temperature,
        stable_prefix_chars=prompt.stable_prefix_chars,
        validate=scrutiny,
        salvage=lambda data: scrutiny.salvage(act.answer, data),
        is_shape_told=True,
        tools=tools,
    )


def keep_checks(record: Record, name: str, checks: tuple[Check, ...]) -> None:
    """Keep the checks of a turn's free text, if it has any."""
    if checks:
        record.answer_checks[name] = checks


def _enter_outcome(scrutiny: Scrutiny, act: Act, prompt: Prompt, outcome: Answered | Abstained) -> Turn:
    """Put an answered or failed turn on the record and return it."""
    record, speaker = scrutiny.record, scrutiny.speaker
    if outcome.call is not None:
        record.calls.append(outcome.call)
    number = record.next_turn_no
    turn = Turn(
        turn_no=number,
        round_no=speaker.round_no,
        role=speaker.role.name,
        act=act.name,
        side=record.side_of(speaker.role),
        status="failed",
        error=outcome.reason if isinstance(outcome, Abstained) else None,
        call_hash=outcome.call.call_hash if outcome.call else None,
        fact_ids_seen=prompt.fact_ids,
        claim_ids_seen=prompt.claim_ids,
    )
    if isinstance(outcome, Answered):
        value = outcome.value
        if not isinstance(value, Answer):
            raise TypeError(f"the gateway answered with {type(value).__name__}")
        speech = enter(value, Entry(record, speaker, number, tuple(scrutiny.found)))
        keep_checks(record, f"turn-{number}", scrutiny.free)
        record.refusals += [refused.on_record(number, speaker.role.name) for refused in scrutiny.refused]
        done = {"status": "ok", "speech": speech, "answer": value.model_dump(mode="json")}
        turn = turn.model_copy(update={**done, "side": record.side_of(speaker.role)})
    record.turns.append(turn)
    return turn
