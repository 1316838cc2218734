"""Validates the answers of one ask: what its arguments must satisfy, and what each kind of answer must.

Hard causes are sent back every time, soft ones once (see ``constraints``); what is left of an answer whose
last try failed is decided by the same causes (see ``salvage``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

from flows.contracts.checks import Check
from flows.contracts.transcripts import Side
from flows.debate.answers import (
    Answer,
    CrossAnswer,
    CrossQuestion,
    DirectAnswer,
    KeyDataSpeech,
    Speech,
    Stance,
    StanceSpeech,
)
from flows.debate.breach import Breach, Part
from flows.debate.constraints import argument_breaches, breaches
from flows.debate.cross_examination import has_conceded
from flows.debate.free_text import advice_in, failures, free_checks, free_text
from flows.debate.salvage import Examiner
from flows.debate.state import Record, Speaker
from flows.truth.compliance import find_advice


@dataclass
class Scrutiny(Examiner):
    """The checks of one ask; it remembers whether soft causes were already sent back.

    Attributes:
        found: What the last answer's arguments were found to breach.
        free: Checks of the last answer's free text, named after the turn.
    """

    record: Record
    speaker: Speaker
    may_look_up: bool = False
    is_second_look: bool = False
    found: list[Breach] = field(default_factory=list)
    free: tuple[Check, ...] = ()

    def __call__(self, answer: Any) -> Sequence[str]:
        """Causes to send back, empty if the answer can be taken."""
        if self.may_look_up and isinstance(answer, Speech) and answer.lookups and not answer.claims:
            return []
        causes = [breach.told for breach in self.hard(answer)]
        if not self.is_second_look:
            causes += [breach.told for breach in self.found if breach.is_soft]
            causes += failures(self.free)
        self.is_second_look = True
        return causes

    def hard(self, answer: Answer) -> list[Breach]:
        """What an answer is sent back for every time; what was found is kept for the record."""
        record = self.record
        self.found = breaches(record, self.speaker, answer) if isinstance(answer, Speech) else []
        name, side = f"turn-{record.next_turn_no}", record.side_of(self.speaker.role)
        self.free = free_checks(record, free_text(answer), name, side)
        own = [*faults(answer, record, self.speaker), *advice_in(answer)]
        return own + [breach for breach in self.found if not breach.is_soft]


@singledispatch
def faults(answer: object, record: Record, speaker: Speaker) -> Iterator[Breach]:
    """What is wrong with an answer beyond its arguments."""
    yield from ()


@faults.register
def _(answer: Speech, record: Record, speaker: Speaker) -> Iterator[Breach]:
    yield from _no_arguments(answer)


@faults.register
def _(answer: KeyDataSpeech, record: Record, speaker: Speaker) -> Iterator[Breach]:
    yield from _no_arguments(answer)
    if strange := _unknown(record, speaker, answer.key_data):
        yield Breach(f"{strange} 不存在或未给你", Part("key_data"))


@faults.register
def _(answer: StanceSpeech, record: Record, speaker: Speaker) -> Iterator[Breach]:
    """A stand once taken is kept, unless the role has conceded."""
    yield from _no_arguments(answer)
    held = record.stances.get(speaker.role.name)
    stated = Side.FOR if answer.stance is Stance.SUPPORT else Side.AGAINST
    if held and stated is not held and not has_conceded(record, speaker.role.name):
        yield Breach("立场已经声明，未让步之前不得更换")


@faults.register
def _(answer: CrossQuestion, record: Record, speaker: Speaker) -> Iterator[Breach]:
    names = [role.name for role in record.protocol.roles if role.name not in {speaker.role.name, "judge"}]
    if answer.target not in names:
        yield Breach(f"target 只能是 {'、'.join(names)}")
    claim = record.claims.get(answer.claim)
    if claim is None or claim.role != answer.target:
        yield Breach(f"claim {answer.claim} 不是 {answer.target} 的论点")


@faults.register
def _(answer: CrossAnswer, record: Record, speaker: Speaker) -> Iterator[Breach]:
    open_to_me = [q.question_id for q in record.questions if q.target == speaker.role.name and not q.is_answered]
    if answer.question_id not in open_to_me:
        yield Breach(f"question_id 只能是 {'、'.join(open_to_me)}")
    if strange := _unknown(record, speaker, answer.facts):
        yield Breach(f"引用了不存在或未给你的事实 {strange}")
    if advice := find_advice(answer.answer):
        yield Breach(f"“{advice[0].word}”是操作建议，只讲证据与分歧")


@faults.register
def _(answer: DirectAnswer, record: Record, speaker: Speaker) -> Iterator[Breach]:
    for name, arguments in (("pro", answer.pro), ("con", answer.con)):
        for place, argument in enumerate(arguments):
            found = argument_breaches(record, speaker, argument, Part(name, place))
            yield from (breach for breach in found if not breach.is_soft)


def _no_arguments(answer: Speech) -> Iterator[Breach]:
    if not answer.claims:
        yield Breach("没有给出论点（claims 不能为空）")


def _unknown(record: Record, speaker: Speaker, ids: Sequence[str]) -> str:
    citable = record.citable(speaker.role)
    return "、".join(fid for fid in ids if fid not in citable)
