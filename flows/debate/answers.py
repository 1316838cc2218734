"""What a model may answer, one pydantic model per kind of turn; nothing else is accepted.

A speech is a list of arguments in 结论—依据—推演 form: the text a reader sees is composed from them,
so no token is spent on saying a thing twice and every sentence belongs to a claim that can be checked.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from flows.contracts.packs import Dimension
from flows.debate.leniency import claim_ids, fact_ids, one_claim_id

FactId = Annotated[str, Field(pattern=r"^E[0-9]{1,4}$")]
ClaimId = Annotated[str, Field(pattern=r"^r[0-9]{1,2}-[a-z]+-[0-9]{1,3}$")]
Label = Annotated[str, Field(pattern=r"^[AB][0-9]{1,2}$")]


class EvidenceType(StrEnum):
    """Where an argument says its evidence comes from (PRODUCT D15)."""

    FILING = "公告"
    NEWS = "新闻"
    HISTORY = "历史数据"
    KNOWLEDGE = "知识"
    INFERENCE = "逻辑推演"


#: Words models use for a source type instead of the one asked for; reading them is repairing form.
SOURCE_SYNONYMS = {
    "研报": EvidenceType.NEWS, "用户": EvidenceType.NEWS, "媒体": EvidenceType.NEWS, "报道": EvidenceType.NEWS,
    "数据": EvidenceType.HISTORY, "财务数据": EvidenceType.HISTORY, "行情": EvidenceType.HISTORY,
    "行情数据": EvidenceType.HISTORY, "财报": EvidenceType.FILING, "定期报告": EvidenceType.FILING,
    "逻辑": EvidenceType.INFERENCE, "推演": EvidenceType.INFERENCE,
}  # fmt: skip


class Stance(StrEnum):
    """Stand on the proposition in `four_stance`."""

    SUPPORT = "支持"
    OPPOSE = "反对"


class Answer(BaseModel):
    """Base of every answer: unknown keys are errors, not noise.

    Attributes:
        separable: Lists whose items stand for themselves, so that one can go without the others.
        spare: Fields an answer can do without.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    separable: ClassVar[frozenset[str]] = frozenset()
    spare: ClassVar[frozenset[str]] = frozenset()


def _usable_expectation(value: object) -> object:
    """An expectation that cannot be read is none: no value is filled in for it."""
    if not isinstance(value, dict):
        return value if value is None or isinstance(value, BaseModel) else None
    try:
        return Expectation.model_validate(value)
    except ValidationError:
        return None


FactIds = Annotated[tuple[FactId, ...], BeforeValidator(fact_ids)]
ClaimIds = Annotated[tuple[ClaimId, ...], BeforeValidator(claim_ids)]


class Expectation(Answer):
    """The value one side expects of one registered metric on one day; a forecast, never a fact."""

    metric: str = Field(min_length=2, max_length=40)
    value: float = Field(allow_inf_nan=False)
    due: date


class Argument(Answer):
    """One argument."""

    dimension: Dimension
    conclusion: str = Field(min_length=4, max_length=120)
    basis: str = Field(min_length=6, max_length=240)
    reasoning: str = Field(min_length=6, max_length=240)
    facts: FactIds = Field(max_length=6)
    source: EvidenceType
    to: Annotated[ClaimId | None, BeforeValidator(one_claim_id)] = None
    expect: Annotated[Expectation | None, BeforeValidator(_usable_expectation)] = None

    @model_validator(mode="before")
    @classmethod
    def _cited(cls, value: object) -> object:
        """Ids written only in the text count as cited."""
        if isinstance(value, dict) and not value.get("facts"):
            return {**value, "facts": fact_ids(f"{value.get('basis', '')}{value.get('reasoning', '')}")}
        return value

    @field_validator("source", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return SOURCE_SYNONYMS.get(value, value) if isinstance(value, str) else value


class Lookup(Answer):
    """One request to an evidence channel (PRODUCT D15)."""

    tool: str = Field(pattern=r"^(news|filings|knowledge)$")
    query: str = Field(min_length=1, max_length=40)


class Speech(Answer):
    """A speech of a debating side; it may ask for evidence first, and then has no arguments yet."""

    separable: ClassVar[frozenset[str]] = frozenset({"claims"})
    spare: ClassVar[frozenset[str]] = frozenset({"preempt", "concede", "lookups"})

    claims: tuple[Argument, ...] = Field(max_length=5)
    preempt: str = Field(default="", max_length=160)
    concede: ClaimIds = Field(default=(), max_length=4)
    lookups: tuple[Lookup, ...] = Field(default=(), max_length=2)


class TitledSpeech(Speech):
    """The bear's last speech, which carries the title."""

    title: str = Field(min_length=6, max_length=40)


class KeyDataSpeech(Speech):
    """The bull's last speech, which carries the key data as fact ids."""

    key_data: FactIds = Field(min_length=2, max_length=6)


class Moderation(Answer):
    """The moderator's summary of the round before and this round's question, in one call."""

    summary: str = Field(default="", max_length=240)
    question: str = Field(min_length=8, max_length=200)


class StanceSpeech(Speech):
    """A free speech in `four_stance`; the stand maps the role to a side."""

    stance: Stance


class CrossQuestion(Answer):
    """One attack in cross-examination: one opponent, one claim, one question."""

    target: str = Field(pattern=r"^[a-z]+$")
    claim: ClaimId
    question: str = Field(min_length=8, max_length=200)


class CrossAnswer(Answer):
    """The answer to one open question; conceding is an answer too."""

    question_id: str = Field(pattern=r"^r[0-9]{1,2}-q[0-9]{1,2}$")
    answer: str = Field(min_length=8, max_length=300)
    facts: FactIds = Field(default=(), max_length=4)
    concede: bool = False


class JudgedDisagreement(Answer):
    """Two arguments that expect different values of one metric, and the assumption at the root."""

    metric: str = Field(min_length=2, max_length=40)
    a: Label
    b: Label
    assumption: str = Field(min_length=6, max_length=160)


class WatchItem(Answer):
    """One number to watch."""

    metric: str = Field(min_length=2, max_length=40)
    label: Label
    why: str = Field(min_length=4, max_length=120)


class Falsification(Answer):
    """What would prove one argument wrong: a metric crossing the value that argument rests on."""

    label: Label
    metric: str = Field(min_length=2, max_length=40)
    operator: str = Field(pattern=r"^[<>]$")
    threshold: float = Field(allow_inf_nan=False)
    due: date


class Verdict(Answer):
    """One reading of the judge over anonymous sides A and B (PRODUCT D6)."""

    separable: ClassVar[frozenset[str]] = frozenset({"cites", "disagreements", "watch", "falsifiers"})

    winner: str = Field(pattern=r"^(A|B|未决)$")
    score_a: float = Field(ge=0, le=100)
    score_b: float = Field(ge=0, le=100)
    evidence: str = Field(min_length=4, max_length=200)
    logic: str = Field(min_length=4, max_length=200)
    cites: tuple[Label, ...] = Field(min_length=1, max_length=8)
    disagreements: tuple[JudgedDisagreement, ...] = Field(default=(), max_length=3)
    watch: tuple[WatchItem, ...] = Field(default=(), max_length=4)
    falsifiers: tuple[Falsification, ...] = Field(default=(), max_length=4)


class Fallacy(StrEnum):
    """What the auditor looks for (PRODUCT D8)."""

    CONCEPT_SWAP = "偷换概念"
    UNDECLARED = "未声明事实"
    SLIPPERY_SLOPE = "滑坡推理"
    CIRCULAR = "循环论证"
    CONSENSUS = "诉诸共识"


class Finding(Answer):
    """One finding of the auditor."""

    claim: ClaimId
    fallacy: Fallacy
    explanation: str = Field(min_length=6, max_length=160)


class AuditReport(Answer):
    """All findings of the auditor; none is an honest answer."""

    separable: ClassVar[frozenset[str]] = frozenset({"findings"})

    findings: tuple[Finding, ...] = Field(default=(), max_length=12)


class DirectAnswer(Answer):
    """The control arm: one call that argues both sides itself (PRODUCT D4)."""

    separable: ClassVar[frozenset[str]] = frozenset({"pro", "con"})

    title: str = Field(min_length=6, max_length=40)
    verdict: str = Field(pattern=r"^(支持|反对|未决)$")
    pro: tuple[Argument, ...] = Field(min_length=1, max_length=5)
    con: tuple[Argument, ...] = Field(min_length=1, max_length=5)


class SharpProposition(Answer):
    """A proposition with window, scope and key assumptions (PRODUCT D5)."""

    text: str = Field(min_length=10, max_length=160)
    window: str = Field(min_length=4, max_length=60)
    scope: str = Field(min_length=2, max_length=80)
    assumptions: tuple[str, ...] = Field(min_length=1, max_length=4)
    subjects: tuple[str, ...] = Field(default=(), max_length=8)
    kinds: tuple[str, ...] = Field(default=(), max_length=12)
