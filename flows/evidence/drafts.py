"""Facts before they are numbered: one constructor for measured values, one for quoted text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from flows.contracts.packs import Fact, FactKind
from flows.contracts.units import Unit
from flows.evidence.reading import Row
from flows.evidence.rules import rule_for
from flows.evidence.untrusted import SENTENCE_LIMIT, Cleaned, clean, safe_url
from flows.evidence.wording import neutralise, typeset

#: Where derived tables come from, as a reader is told.
COMPUTED = "日线计算"
#: Vendors as a reader knows them; others are named as configured.
VENDOR_ZH = {
    "sample": "演示", "eastmoney": "东方财富", "cninfo": "巨潮资讯", "sina": "新浪", "tencent": "腾讯",
    "exchanges": "交易所",
}  # fmt: skip


@dataclass(frozen=True)
class Origin:
    """Where and when a value comes from.

    Attributes:
        as_of: Exchange date the value is of.
        published_at: When a reader could first see it.
        industry: Industry of the company, for rules that do not apply to some.
        said: What the sentence says in place of the date, e.g. ``2026-10-28披露``.
    """

    as_of: date
    published_at: datetime
    source: str
    freshness: str = "NOT_APPLICABLE"
    industry: str | None = None
    url: str | None = None
    said: str = ""

    @property
    def tail(self) -> str:
        """Date and source in brackets, the end of every sentence."""
        return f"（{self.said or self.as_of.isoformat()}，{self.source}）。"


def origin_of(row: Row, kind_zh: str, as_of: date, **more: Any) -> Origin:
    """Origin of a staging row: its vendor, its publication time, its own address."""
    source = f"{VENDOR_ZH.get(row['vendor'], row['vendor'])}{kind_zh}"
    return Origin(as_of, row["published_at"], source, url=safe_url(row.get("url")), **more)


def measured(field: str, value: float, text: str, origin: Origin, **more: Any) -> Fact:
    """A data fact; polarity, dimension and unit follow from the rule of *field* unless given."""
    rule = rule_for(field)
    settled: dict[str, Any] = {
        "unit": rule.unit,
        "polarity": rule.polarity(value, origin.industry),
        "dimension": rule.dimension,
        "kind": FactKind.DATA,
        **more,
    }
    return Fact(
        id="",
        sentence=text + origin.tail,
        field=field,
        value=float(value),
        as_of=origin.as_of,
        published_at=origin.published_at,
        source=origin.source,
        url=origin.url,
        freshness=origin.freshness,
        **settled,
    )


@dataclass(frozen=True)
class Quote:
    """Untrusted text made safe and neutral: what a fact may carry of it."""

    text: str
    original: str | None
    flags: tuple[str, ...]

    @property
    def is_suspect(self) -> bool:
        """Whether it reads like an instruction to a model."""
        return "injection" in self.flags


def quote(raw: str | None, limit: int = SENTENCE_LIMIT) -> Quote:
    """*raw* cleaned, capped, typeset and neutralised; brackets that would close a 《》 quotation are softened."""
    cleaned: Cleaned = clean(raw, limit)
    neutral = neutralise(typeset(cleaned.text))
    return Quote(neutral.text.replace("《", "〈").replace("》", "〉"), neutral.original, cleaned.flags)


def short_name(raw: str | None, otherwise: str) -> str:
    """A short name as given, or *otherwise* where there is none or it tries to instruct."""
    cleaned = clean(raw, 20)
    return otherwise if "injection" in cleaned.flags or not cleaned.text else cleaned.text


def quoted(field: str, text: str, quoted_text: Quote, origin: Origin, **more: Any) -> Fact:
    """A fact whose value is a text; *more* must give dimension, kind and polarity."""
    flags = tuple(sorted({*quoted_text.flags, *more.pop("flags", ())}))
    return Fact(
        id="",
        sentence=text + origin.tail,
        field=field,
        value=quoted_text.text,
        unit=Unit.TEXT,
        as_of=origin.as_of,
        published_at=origin.published_at,
        source=origin.source,
        url=origin.url,
        freshness=origin.freshness,
        original=quoted_text.original,
        flags=flags,
        **more,
    )
