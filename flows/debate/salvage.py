"""What is kept of an answer that failed its last try: the parts that pass; the others are left out openly.

A weak model often spoils one argument of three. The retries come first, since one may mend it; after them
the arguments that pass are worth more than an empty turn. Nothing is mended or filled in here: what a
cause blames goes, with the cause, and the rest must pass every check as an answer of its own. A cause that
blames no part which an answer can do without (a changed stance, no argument left) fails the turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from flows.contracts.transcripts import Refusal
from flows.debate.answers import Answer, KeyDataSpeech, Speech, TitledSpeech
from flows.debate.breach import Breach, Part
from flows.debate.draining import clip
from flows.debate.gateway_answers import reason_of, where_of
from flows.evidence.untrusted import clean
from flows.truth.compliance import find_advice

#: Speeches that carry a field a debate can do without → the same speech without it.
_PLAINER: dict[type[Answer], type[Answer]] = {TitledSpeech: Speech, KeyDataSpeech: Speech}
_LONGEST = 300


@dataclass(frozen=True)
class Refused:
    """A part that was left out: its place in the answer as written, why, and what it said."""

    part: Part
    cause: str
    text: str

    def on_record(self, turn_no: int, role: str) -> Refusal:
        """As the transcript keeps it."""
        place = 0 if self.part.place is None else self.part.place + 1
        return Refusal(turn_no=turn_no, role=role, part=self.part.field, place=place, cause=self.cause, text=self.text)


@dataclass(frozen=True)
class Salvaged:
    """What is left of an answer, and what was left out of it."""

    answer: Answer
    refused: tuple[Refused, ...]


class Examiner(ABC):
    """What looks at the answers of one ask.

    Attributes:
        refused: Parts left out of the answer that was taken.
    """

    refused: tuple[Refused, ...] = ()

    @abstractmethod
    def __call__(self, answer: Any) -> Sequence[str]:
        """Causes to send back, empty if the answer can be taken."""

    @abstractmethod
    def hard(self, answer: Answer) -> list[Breach]:
        """What an answer is sent back for every time."""

    def salvage(self, answer: type[Answer], data: Mapping[str, Any]) -> Answer | None:
        """What can be taken of an answer that could not be taken as a whole."""
        kept = salvaged(answer, data, self.hard)
        self.refused = kept.refused if kept else ()
        return kept.answer if kept else None


def salvaged(
    answer: type[Answer], data: Mapping[str, Any], breaches: Callable[[Answer], Sequence[Breach]]
) -> Salvaged | None:
    """The parts of *data* that make a usable *answer*, or None if there is none.

    *breaches* tells what is wrong with an answer beyond its form.
    """
    sieve = _Sieve(answer, dict(data))
    while True:
        found = sieve.read(breaches)
        if isinstance(found, Answer):
            return sieve.kept(found)
        if not sieve.drop(found):
            return None


def answer_type(answer: type[Answer], lost: set[str]) -> type[Answer]:
    """The type of an answer that lost the fields *lost* in its turn."""
    plainer = _PLAINER.get(answer, answer)
    return answer if lost.isdisjoint(answer.model_fields.keys() - plainer.model_fields.keys()) else plainer


@dataclass
class _Sieve:
    """An answer that loses parts; *places* remembers where the items left in a list stood as written."""

    answer: type[Answer]
    data: dict[str, Any]
    refused: list[Refused] = field(default_factory=list)
    places: dict[str, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        lists = ((name, self.data.get(name)) for name in self.answer.separable)
        self.places = {name: list(range(len(items))) for name, items in lists if isinstance(items, list)}

    def read(self, breaches: Callable[[Answer], Sequence[Breach]]) -> Answer | list[Breach]:
        """The answer if nothing is wrong with it, else what is."""
        try:
            value = self.answer.model_validate(self.data)
        except ValidationError as error:
            return [breach for item in error.errors(include_url=False) for breach in self._form_breaches(item)]
        return list(breaches(value)) or value

    def kept(self, value: Answer) -> Salvaged | None:
        """What is left; None if every item of every list went, which is no finding of nothing."""
        if not any(getattr(value, name) for name in self.answer.separable):
            return None
        return Salvaged(value, tuple(sorted(self.refused, key=lambda refused: _order(refused.part))))

    def drop(self, found: Sequence[Breach]) -> bool:
        """Leave out every part that is blamed; False, and nothing done, if one of them cannot be spared."""
        causes: dict[Part | None, list[str]] = defaultdict(list)
        for breach in found:
            causes[breach.part].append(breach.cause)
        parts = [part for part in causes if part is not None and self._can_go(part)]
        if len(parts) < len(causes):
            return False
        for part in sorted(parts, key=_order, reverse=True):
            self._leave_out(part, "；".join(dict.fromkeys(causes[part])))
        return True

    def _form_breaches(self, item: Mapping[str, Any]) -> Iterator[Breach]:
        """The parts one error of form blames: an item, the items too many, or a whole field."""
        name, *inside = item["loc"] or ("",)
        if name not in self.places:
            yield Breach(reason_of(item), Part(name) if name else None)
        elif inside:
            yield Breach(f"字段 {where_of(inside[1:])}：{reason_of(item)}", Part(name, inside[0]))
        elif item["type"] == "too_long":
            excess = range(item["ctx"]["max_length"], len(self.data[name]))
            yield from (Breach(reason_of(item), Part(name, place)) for place in excess)
        else:
            yield Breach(reason_of(item))

    def _can_go(self, part: Part) -> bool:
        if part.place is not None:
            return part.place < len(self.places.get(part.field, ()))
        plainer = _PLAINER.get(self.answer, self.answer)
        return part.field in self.answer.spare or part.field not in plainer.model_fields

    def _leave_out(self, part: Part, cause: str) -> None:
        if part.place is None:
            self.answer = answer_type(self.answer, {part.field})
            self.refused.append(Refused(part, cause, _words(self.data.pop(part.field, ""))))
            return
        items = list(self.data[part.field])
        written = Part(part.field, self.places[part.field].pop(part.place))
        self.refused.append(Refused(written, cause, _words(items.pop(part.place))))
        self.data[part.field] = items


def _order(part: Part) -> tuple[str, int]:
    return part.field, -1 if part.place is None else part.place


def _words(item: object) -> str:
    """What a part said, cut; empty if it holds advice, which no output may repeat (PRODUCT T6)."""
    spoken = "".join(value for value in item.values() if isinstance(value, str)) if isinstance(item, dict) else item
    text = clip(clean(str(spoken), _LONGEST).text, _LONGEST)
    return "" if find_advice(text) else text
