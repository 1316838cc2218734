"""What a debate hands back: turns, claims, checks, judgement, usage (DESIGN: pack in, transcript out)."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from flows.contracts.checks import Check
from flows.contracts.packs import Dimension


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Side(StrEnum):
    """Which side of the proposition."""

    FOR = "for"
    AGAINST = "against"


#: The verdict of readings that do not agree or find neither side ahead; else a verdict is the code of a side.
UNDECIDED = "undecided"
_WRITTEN_BEFORE = {"未决": UNDECIDED}

#: for, against or undecided; transcripts stored with the word 未决 read as the code.
VerdictCode = Annotated[str, BeforeValidator(lambda code: _WRITTEN_BEFORE.get(code, code))]


class ClaimStatus(StrEnum):
    """What became of an argument."""

    STANDING = "standing"
    PENDING = "pending"
    CONCEDED = "conceded"
    REFUTED = "refuted"
    UNSUPPORTED = "unsupported"


class RunStatus(StrEnum):
    """How a debate ended."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    GATED = "gated"
    FAILED = "failed"


class Claim(_Frozen):
    """One argument: 结论—依据—推演 with the facts it cites (PRODUCT D1)."""

    claim_id: str
    turn_no: int
    round_no: int
    role: str
    side: Side
    dimension: Dimension
    conclusion: str
    basis: str
    reasoning: str
    fact_ids: tuple[str, ...]
    evidence_type: str
    status: ClaimStatus = ClaimStatus.STANDING
    score: float = 0.0
    replies_to: str | None = None

    @property
    def text(self) -> str:
        """The argument as one text."""
        return f"{self.conclusion}{self.basis}{self.reasoning}"


class Turn(_Frozen):
    """One model call's place in the debate; failed is recorded, never replaced by an opinion."""

    turn_no: int
    round_no: int
    role: str
    act: str
    side: Side | None = None
    status: str
    speech: str = ""
    answer: dict[str, Any] | None = None
    error: str | None = None
    call_hash: str | None = None
    fact_ids_seen: tuple[str, ...] = ()
    claim_ids_seen: tuple[str, ...] = ()


class Question(_Frozen):
    """One cross-examination question and what became of it."""

    question_id: str
    round_no: int
    asker: str
    target: str
    claim_id: str | None
    text: str
    is_answered: bool
    answer: str = ""
    is_effective: bool | None = None


class Judgement(_Frozen):
    """One reading of the judge (PRODUCT D6); two in opposite order make a verdict."""

    order: str
    verdict: VerdictCode
    for_score: float | None
    against_score: float | None
    dimensions: dict[str, str]
    reasons: tuple[str, ...]
    cited_claim_ids: tuple[str, ...]


class Disagreement(_Frozen):
    """One metric, each side's expected value, and when it is due.

    Attributes:
        for_value: None where a side gave no value that stands in the pack; none is made up for it.
        period: Reporting period whose report settles it, e.g. 2026Q4; empty for the value of the due date.
    """

    disagreement_id: str
    metric: str
    for_value: float | None
    against_value: float | None
    for_probability: float | None
    unit: str
    due_date: date | None
    assumption: str
    for_claim_id: str | None = None
    against_claim_id: str | None = None
    period: str = ""


class Indicator(_Frozen):
    """One number to watch."""

    indicator_id: str
    metric: str
    description: str
    threshold: float | None
    unit: str
    direction: str
    due_date: date | None


class Falsifier(_Frozen):
    """What would prove a side wrong; machine-checkable where *metric* is in the registry.

    Attributes:
        period: Reporting period whose report settles it, e.g. 2026Q4; empty for the value of the due date.
    """

    falsifier_id: str
    side: Side
    description: str
    metric: str | None
    operator: str | None
    threshold: float | None
    unit: str | None
    due_date: date | None
    claim_id: str | None = None
    period: str = ""


class ConfidenceChange(_Frozen):
    """One step of the adjudicator's confidence; the steps reproduce it by hand."""

    seq: int
    cause: str
    claim_id: str | None
    confidence_from: float
    confidence_to: float
    detail: str = ""


class Audit(_Frozen):
    """One finding of the auditor (PRODUCT D8)."""

    claim_id: str
    fallacy: str
    explanation: str


class Refusal(_Frozen):
    """A part of an answer that failed every try and was left out; the rest of the turn stands.

    Attributes:
        part: Field of the answer: claims, pro, con, findings, preempt, title …
        place: Its place in that list as the model wrote it, from 1; 0 for a field that is no list.
        text: What it said, cut; empty if it held advice.
    """

    turn_no: int
    role: str
    part: str
    place: int
    cause: str
    text: str = ""


class LlmCall(_Frozen):
    """One call of the gateway, paid or found in the journal.

    Attributes:
        tokens_in: Prompt tokens paid now, over all attempts; 0 if all came from the journal.
        attempts: Answers read until one could be used; 1 if the first could.
        tokens_estimated: True if the server reported no usage and it was counted here.
    """

    call_hash: str
    role: str
    model: str
    tokens_in: int
    tokens_out: int
    tokens_cached_prefix: int = 0
    tokens_estimated: bool = False
    cost_cny: float | None
    cached: bool
    attempts: int
    status: str
    started_at: datetime
    elapsed_ms: float


class Proposition(_Frozen):
    """What is argued about (PRODUCT D5)."""

    text: str
    window: str
    scope: str
    assumptions: tuple[str, ...]
    pack_version: str


class Conclusion(_Frozen):
    """The adjudicator's result (PRODUCT D7), in layers (PRODUCT R1)."""

    title: str
    warning: str
    core: str
    points: tuple[str, ...]
    verdict: VerdictCode
    confidence: float
    swap_agreement: float | None
    rests_on: tuple[str, ...]


#: Key of ``Transcript.record`` under which a debate keeps the topic it was made from.
TOPIC = "topic"
#: Protocols held on the facts of an earlier debate: one claim on trial, new material.
FOLLOWING = ("targeted", "inform")


class Transcript(_Frozen):
    """One debate, complete: enough to report, to store and to judge again without a network."""

    debate_id: str
    symbol: str
    trade_date: date
    protocol: str
    model: str
    pack_version: str
    status: RunStatus
    reason: str = ""
    proposition: Proposition | None = None
    turns: tuple[Turn, ...] = ()
    claims: tuple[Claim, ...] = ()
    checks: tuple[Check, ...] = ()
    questions: tuple[Question, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    indicators: tuple[Indicator, ...] = ()
    falsifiers: tuple[Falsifier, ...] = ()
    confidence_changes: tuple[ConfidenceChange, ...] = ()
    audits: tuple[Audit, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    llm_calls: tuple[LlmCall, ...] = ()
    conclusion: Conclusion | None = None
    record: dict[str, Any] = {}
    previous_debate_id: str | None = None
    started_at: datetime
    finished_at: datetime

    @property
    def topic(self) -> str | None:
        """The topic it was made from, as asked; None if it is about the stock itself."""
        return self.record.get(TOPIC)

    @property
    def is_standing(self) -> bool:
        """Whether it is its stock's ordinary debate of the day, and not on a topic, one claim or new material."""
        return self.protocol not in FOLLOWING and self.topic is None
