"""What a debate is given and what it carries while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol as Shape

from flows.contracts.transcripts import Audit, Claim, Disagreement, Falsifier, Indicator, Proposition, Turn
from flows.debate.gateway_types import Abstained, Answered, Ask, Requested
from flows.debate.protocol import Length
from flows.debate.state import Checker, Record


class Gate(Shape):
    """What a debate needs of the gateway."""

    async def ask(self, ask: Ask) -> Answered | Abstained:
        """One validated answer, or why there is none."""
        ...

    async def ask_or_look_up(self, ask: Ask) -> Answered | Requested | Abstained:
        """The same, but the model may ask for evidence first."""
        ...


@dataclass(frozen=True)
class Limits:
    """Model options of a debate; a role's own settings in the gateway override them (PRODUCT D12)."""

    temperature: float = 0.7
    argument_tokens: int = 1_000
    question_tokens: int = 500
    report_tokens: int = 2_000

    def of(self, length: Length) -> int:
        """Most tokens of an answer of that length."""
        return {
            Length.ARGUMENT: self.argument_tokens,
            Length.QUESTION: self.question_tokens,
            Length.REPORT: self.report_tokens,
        }[length]


@dataclass(frozen=True)
class Options:
    """What a debate may be given besides its pack.

    Attributes:
        proposition: What to argue about; None for the standing proposition of the stock.
        target: The claim under trial in `targeted`.
        is_audited: Whether the auditor reads the claims (one call of its own).
        check: The number check; None for ``flows.truth.binding.check_claim``.
        progress: Called after every turn.
    """

    proposition: Proposition | None = None
    target: Claim | None = None
    is_audited: bool = True
    limits: Limits = Limits()
    check: Checker | None = None
    progress: Callable[[Turn], None] | None = None


@dataclass(frozen=True)
class Named:
    """What the judge's readings named, in their order."""

    disagreements: tuple[Disagreement, ...] = ()
    indicators: tuple[Indicator, ...] = ()
    falsifiers: tuple[Falsifier, ...] = ()


@dataclass
class Run:
    """One debate under way.

    Attributes:
        reason: Why it ended early, empty if it did not.
    """

    record: Record
    gateway: Gate
    debate_id: str
    options: Options
    named: Named = field(default_factory=Named)
    audits: list[Audit] = field(default_factory=list)
    reason: str = ""

    def told(self, turn: Turn) -> None:
        """Let whoever watches know of a turn."""
        if self.options.progress:
            self.options.progress(turn)
