"""A protocol is data: who speaks when, what they see, what they answer, how long they may be.

Adding a protocol means one file that builds a :class:`Protocol` and the prompts it names; the engine
knows nothing else about it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from flows.contracts.transcripts import Side
from flows.debate.answers import Answer, Speech


class Order(StrEnum):
    """In which order the roles of a phase speak."""

    AS_LISTED = "as_listed"
    WEAKEST_FIRST = "weakest_first"


class Sees(StrEnum):
    """Parts of the record a turn may see; a turn sees only what it needs (PRODUCT D14)."""

    ROUND_BEFORE = "round_before"
    SUMMARY = "summary"
    LAST_SPEECHES = "last_speeches"
    THIS_ROUND = "this_round"
    BATTLEFIELD = "battlefield"
    OPPONENTS = "opponents"
    ASKED = "asked"
    STANDING = "standing"
    TARGET = "target"
    NOTHING = "nothing"


class Open(StrEnum):
    """What stands under “open questions” in a turn's prompt."""

    MODERATOR = "moderator"
    TO_ME = "to_me"
    UNANSWERED = "unanswered"
    NOTHING = "nothing"


class Length(StrEnum):
    """Which of the configured answer limits applies."""

    ARGUMENT = "argument"
    QUESTION = "question"
    REPORT = "report"


@dataclass(frozen=True)
class Role:
    """One participant.

    Attributes:
        name: Name in tables (``bull``); also the gateway's role for model, temperature and limits.
        zh: Name a reader sees.
        side: Fixed side, or None if the role has none or states it itself.
        facts: Keys of ``Pack.roles`` whose facts it is given, besides ``common``.
        max_facts: Cap on given facts, spread over the dimensions; None for all.
        minds_risks: Whether it is given the gravest facts first, as the against side is, whatever its stand.
        knows_market_rules: Whether it is told the market's trading rules.
    """

    name: str
    zh: str
    side: Side | None = None
    facts: tuple[str, ...] = ()
    max_facts: int | None = None
    minds_risks: bool = False
    knows_market_rules: bool = False


@dataclass(frozen=True)
class Act:
    """One kind of turn: its task prompt, answer type and view of the record.

    Attributes:
        name: Name in tables; several acts of one name may differ in task and answer type.
        task: Prompt file of the task.
        is_reusable: Whether a stance stated twice is taken over instead of being bought a third time.
        before: Called with the record and the speaker before the turn.
        extra_format: Keys the answer has besides those of a plain speech, as shown in the prompt.
    """

    name: str
    zh: str
    task: str
    answer: type[Answer]
    sees: tuple[Sees, ...]
    open: Open = Open.NOTHING
    length: Length = Length.ARGUMENT
    may_look_up: bool = False
    is_reusable: bool = False
    before: Callable[[Any, Any], None] | None = None
    extra_format: str = ""


@dataclass(frozen=True)
class Phase:
    """One act of one round by some roles, one after the other."""

    round_no: int
    act: Act
    roles: tuple[str, ...]
    order: Order = Order.AS_LISTED


@dataclass(frozen=True)
class Protocol:
    """A debate as data.

    Attributes:
        calls: Model calls of a debate in which nothing fails or is reused, judges not counted.
        is_judged: Whether the judge reads the arguments, twice in opposite order.
        has_stances: Whether roles state their stand themselves (`four_stance`).
        has_target: Whether it tries one claim of an earlier debate (`targeted`).
    """

    name: str
    zh: str
    roles: tuple[Role, ...]
    phases: tuple[Phase, ...]
    is_judged: bool = True
    has_stances: bool = False
    has_target: bool = False

    def role(self, name: str) -> Role:
        """The role of that name; KeyError if the protocol has none."""
        for role in self.roles:
            if role.name == name:
                return role
        raise KeyError(name)

    def only_argues(self, name: str) -> bool:
        """Whether every turn of a role is a speech, so that the form of an argument belongs to its card."""
        acts = [phase.act for phase in self.phases if name in phase.roles]
        return bool(acts) and all(issubclass(act.answer, Speech) for act in acts)

    @property
    def calls(self) -> int:
        """Model calls of an undisturbed debate without the judge."""
        return sum(len(phase.roles) for phase in self.phases)

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return max((phase.round_no for phase in self.phases), default=0)
