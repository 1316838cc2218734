"""The frozen, numbered facts of one stock and date (PRODUCT E1–E3); what a debate may rely on."""

from __future__ import annotations

import hashlib
import json
from datetime import date, datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from flows.contracts.units import Unit


class Polarity(StrEnum):
    """Which side a fact speaks for."""

    POSITIVE = "+"
    NEGATIVE = "-"
    NEUTRAL = "0"


class Dimension(StrEnum):
    """Dimension of an argument or fact."""

    FUNDAMENTALS = "基本面"
    INDUSTRY = "行业"
    VALUATION = "估值"
    POLICY = "政策"
    CAPITAL = "资金"
    TECHNICAL = "技术"
    RISK = "风险"


class FactKind(StrEnum):
    """Where a fact comes from."""

    DATA = "数据"
    ANNOUNCEMENT = "公告"
    NEWS = "新闻"
    RESEARCH = "研报"
    USER = "用户"
    KNOWLEDGE = "知识"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Fact(_Frozen):
    """One numbered fact.

    Attributes:
        id: E1, E2 … unique within the pack.
        sentence: One neutral Chinese sentence that carries the value.
        field: Metric name of ``contracts.metrics`` where one fits, else ``kind.column`` or ``text``.
        value: The number (percent as percent number, CNY in yuan, shares in shares), a text, or None.
        unit: Unit of *value*.
        as_of: Exchange date the value is of.
        published_at: When a reader could first see it.
        subject: Symbol or name the fact is about: the pack's symbol unless a peer, index or macro.
        period: Reporting period or window in field language: 2025Q3, 近3年, 近20日; empty if none.
        original: Wording before neutralisation, where it differed.
        flags: Warnings for the reader: injection, biased, date_only, stale, truncated …
    """

    id: str
    sentence: str
    field: str
    value: float | str | None
    unit: Unit
    as_of: date
    published_at: datetime
    source: str
    url: str | None = None
    polarity: Polarity = Polarity.NEUTRAL
    dimension: Dimension
    kind: FactKind
    subject: str = ""
    period: str = ""
    freshness: str = "CURRENT"
    original: str | None = None
    flags: tuple[str, ...] = ()


class Missing(_Frozen):
    """A kind without data: said, never inferred from (PRODUCT E8)."""

    kind: str
    status: str
    message: str


class Identity(_Frozen):
    """Who the pack is about, resolved once (PRODUCT E11); name is None if unknown."""

    symbol: str
    name: str | None
    board: str | None = None
    industry: str | None = None
    listed_date: date | None = None
    is_st: bool | None = None
    is_sample: bool = False


class Completeness(_Frozen):
    """0–100 per dimension and overall; below the threshold no debate starts (PRODUCT E6)."""

    score: float
    threshold: float
    by_dimension: dict[str, float]
    to_add: tuple[str, ...] = ()

    @property
    def is_enough(self) -> bool:
        """Whether a debate may start."""
        return self.score >= self.threshold


class Pack(_Frozen):
    """Everything a debate may rely on.

    Attributes:
        roles: Role → ids of the facts it is given; the key ``common`` is given to all.
        appendix: Facts reachable only through evidence channels (PRODUCT D15).
        notices: What the report must say about dates (mixed dates, re-expressed levels …).
    """

    pack_version: str
    symbol: str
    identity: Identity
    as_of: date
    cutoff: datetime
    trade_date: date
    completeness: Completeness
    facts: tuple[Fact, ...]
    appendix: tuple[Fact, ...] = ()
    missing: tuple[Missing, ...] = ()
    roles: dict[str, tuple[str, ...]]
    notices: tuple[str, ...] = ()

    def fact(self, fact_id: str) -> Fact | None:
        """The fact with that id, in the pack or its appendix."""
        return next((f for f in (*self.facts, *self.appendix) if f.id == fact_id), None)


def pack_version(facts: tuple[Fact, ...], appendix: tuple[Fact, ...], missing: tuple[Missing, ...]) -> str:
    """Content hash of the fact base (事实基准版本), 16 hex digits; independent of the run's clock."""
    body = [
        [f.model_dump(mode="json") for f in facts],
        [f.model_dump(mode="json") for f in appendix],
        [m.model_dump(mode="json") for m in missing],
    ]
    return hashlib.sha256(json.dumps(body, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]
