"""What is asked of a model and what may come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from flows.contracts.transcripts import LlmCall
from flows.debate.usage import Usage
from flows.errors import BudgetSpent, Transient


class ServerDown(Transient):
    """A model server has stopped answering: whatever still needs it in this run need not wait for it again.

    Attributes:
        call: What the ask it ended had bought before, if anything.
    """

    def __init__(self, message: str, call: LlmCall | None = None) -> None:
        super().__init__(message)
        self.call = call


class BudgetEnded(BudgetSpent):
    """The budget ended between two tries of one ask; *call* is what the first ones cost."""

    def __init__(self, message: str, call: LlmCall) -> None:
        super().__init__(message)
        self.call = call


@dataclass(frozen=True)
class Tool:
    """One function a role may call instead of answering; what it does is up to the caller."""

    name: str
    description: str
    arguments: type[BaseModel]


@dataclass(frozen=True)
class ToolUse:
    """One valid request to a tool."""

    name: str
    arguments: BaseModel


@dataclass(frozen=True)
class Ask:
    """What is asked.

    Attributes:
        role: Role that speaks; its settings override *max_tokens* and *temperature*.
        answer: The pydantic model the answer must fit.
        stable_prefix_chars: Characters at the beginning of the messages that repeat over a role's turns.
        validate: What pydantic cannot know: problems of a value, in Chinese, empty if none.
        salvage: What is left of a readable answer once every try has failed, None if nothing is.
        sample: Number that tells purposely repeated questions apart.
        is_shape_told: True if the prompt itself describes the answer's JSON in full.
        tools: Functions offered where the server has function calls; elsewhere they are left out, so
            the answer type should have a field for the same requests.
    """

    role: str
    messages: Sequence[dict[str, Any]]
    answer: type[BaseModel]
    max_tokens: int
    temperature: float
    stable_prefix_chars: int = 0
    validate: Callable[[Any], Sequence[str]] | None = None
    salvage: Callable[[Mapping[str, Any]], BaseModel | None] | None = None
    sample: int = 0
    is_shape_told: bool = False
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True)
class Answered:
    """A usable answer.

    Attributes:
        raw: The answer as the model wrote it.
        usage: Tokens of all attempts when they were bought, also if that was an earlier run.
        repairs: What was repaired in its form.
    """

    value: BaseModel
    call: LlmCall
    raw: str
    usage: Usage = field(default_factory=Usage)
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Requested:
    """The model called tools instead of answering; only if the ask offered some."""

    uses: tuple[ToolUse, ...]
    call: LlmCall
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class Abstained:
    """No usable answer, and why; never to be read as an opinion."""

    reason: str
    call: LlmCall | None
