"""One turn: compose, ask, validate, enter. A turn that fails is recorded as failed, never filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from typing import Protocol as Shape

from flows.contracts.packs import Fact
from flows.contracts.transcripts import Turn
from flows.debate.answers import Answer, CrossQuestion, KeyDataSpeech, Speech
from flows.debate.constraints import breaches
from flows.debate.gateway import Abstained, Answered, Ask
from flows.debate.prompting import Prompt, compose
from flows.debate.protocol import Act, Length
from flows.debate.recording import Entry, enter
from flows.debate.state import Record, Speaker

TEMPERATURE = 0.7
ARGUMENT_TOKENS = 1_000
QUESTION_TOKENS = 500


class Gate(Shape):
    """What a debate needs of the gateway."""

    async def ask(self, ask: Ask) -> Answered | Abstained:
        """One validated answer, or why there is none."""
        ...


@dataclass
class Scrutiny:
    """Validates the answers of one ask: hard causes every time, soft causes once."""

    record: Record
    speaker: Speaker
    is_second_look: bool = field(default=False)

    def __call__(self, answer: Any) -> Sequence[str]:
        """Causes to send back, empty if the answer can be taken."""
        causes = [*_special(self.record, self.speaker, answer)]
        if isinstance(answer, Speech):
            found = breaches(self.record, self.speaker, answer)
            causes += [b.cause for b in found if not b.is_soft or not self.is_second_look]
        self.is_second_look = True
        return causes


def _special(record: Record, speaker: Speaker, answer: Any) -> Sequence[str]:
    if isinstance(answer, KeyDataSpeech):
        strange = [fid for fid in answer.key_data if fid not in record.citable(speaker.role)]
        return [f"key_data 里的 {'、'.join(strange)} 不存在或未给你"] if strange else []
    if isinstance(answer, CrossQuestion):
        return _question_faults(record, speaker, answer)
    return []


def _question_faults(record: Record, speaker: Speaker, answer: CrossQuestion) -> Sequence[str]:
    names = [role.name for role in record.protocol.roles if role.name != speaker.role.name]
    if answer.target not in names:
        return [f"target 只能是 {'、'.join(names)}"]
    claim = record.claims.get(answer.claim)
    if claim is None or claim.role != answer.target:
        return [f"claim {answer.claim} 不是 {answer.target} 的论点"]
    return []


async def ask_turn(gateway: Gate, record: Record, speaker: Speaker, act: Act) -> Turn:
    """Hold one turn and put it on the record."""
    prompt = compose(record, speaker, act)
    outcome = await gateway.ask(_ask(speaker, act, prompt, Scrutiny(record, speaker)))
    return enter_outcome(record, speaker, act, prompt, outcome)


def _ask(speaker: Speaker, act: Act, prompt: Prompt, scrutiny: Callable[[Any], Sequence[str]]) -> Ask:
    return build_ask(speaker.role.name, act, prompt, scrutiny)


def build_ask(role: str, act: Act, prompt: Prompt, scrutiny: Callable[[Any], Sequence[str]]) -> Ask:
    """The gateway's question for a prompt; the prompt itself describes the answer's form."""
    return Ask(
        role=role,
        messages=[dict(message) for message in prompt.messages],
        answer=act.answer,
        max_tokens=ARGUMENT_TOKENS if act.length is Length.ARGUMENT else QUESTION_TOKENS,
        temperature=TEMPERATURE,
        stable_prefix_chars=prompt.stable_prefix_chars,
        validate=scrutiny,
        is_shape_told=True,
    )


def enter_outcome(
    record: Record, speaker: Speaker, act: Act, prompt: Prompt, outcome: Answered | Abstained
) -> Turn:  # fmt: skip
    """Put an answered or failed turn on the record and return it."""
    if outcome.call is not None:
        record.calls.append(outcome.call)
    number = len(record.turns) + 1
    base = Turn(
        turn_no=number,
        round_no=speaker.round_no,
        role=speaker.role.name,
        act=act.name,
        side=record.side_of(speaker.role),
        status="failed",
        call_hash=outcome.call.call_hash if outcome.call else None,
        fact_ids_seen=prompt.fact_ids,
        claim_ids_seen=prompt.claim_ids,
    )
    if isinstance(outcome, Abstained):
        turn = base.model_copy(update={"error": outcome.reason})
        record.turns.append(turn)
        return turn
    value = outcome.value
    if not isinstance(value, Answer):
        raise TypeError(f"the gateway answered with {type(value).__name__}")
    speech = enter(value, Entry(record, speaker, number))
    done = {"status": "ok", "speech": speech, "answer": value.model_dump(mode="json")}
    turn = base.model_copy(update={**done, "side": record.side_of(speaker.role)})
    record.turns.append(turn)
    return turn


def facts_of(record: Record, ids: Sequence[str]) -> tuple[Fact, ...]:
    """Facts by id, unknown ones left out."""
    return tuple(fact for fid in ids if (fact := record.pack.fact(fid)))
