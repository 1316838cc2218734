"""User material (PRODUCT E10): a note or a link becomes numbered facts of kind 用户.

The note is untrusted text like any other: cleaned, fenced by the prompts, flagged. Its sentences become
one fact each, so that a claim can cite exactly the sentence it rests on.
"""

from __future__ import annotations

import re
from datetime import datetime

from flows.contracts.packs import Dimension, Fact, FactKind, Pack, Polarity, pack_version
from flows.contracts.units import Unit
from flows.errors import UsageError
from flows.evidence.drafts import quote
from flows.evidence.facts_media import dimension_of
from flows.evidence.text_sides import text_side
from flows.evidence.untrusted import NOTE_LIMIT, clean, safe_url
from flows.market.sessions import SHANGHAI

_MAX_SENTENCES = 12
_SENTENCE_END = re.compile(r"(?<=[。！？!?；;])|\n+")


def user_facts(note: str, url: str | None, *, symbol: str, at: datetime) -> list[Fact]:
    """Facts of a note and its link, numbered later; *at* (aware) is when the user gave them.

    Raises UsageError if there is neither a readable note nor a usable web address.
    """
    link = safe_url(url)
    if url and link is None:
        raise UsageError(f"链接无法使用：{url!r}。请给出以 http:// 或 https:// 开头的网址。")
    whole = clean(note.replace("\n", "。"), NOTE_LIMIT)
    sentences = [part.strip("。 ") for part in _SENTENCE_END.split(whole.text) if part and part.strip("。 ")]
    if not sentences and link is None:
        raise UsageError("材料为空：请用 --note 给出文字，或用 --url 给出链接。")
    if not sentences:
        sentences = ["用户提供链接，未附文字，未读取其内容"]
    cut = ("truncated",) if len(sentences) > _MAX_SENTENCES or "truncated" in whole.flags else ()
    suspect = tuple(flag for flag in ("injection", "hidden_characters", "markup") if flag in whole.flags)
    return [_fact(text, link, symbol, at, (*cut, *suspect)) for text in sentences[:_MAX_SENTENCES]]


def _fact(text: str, link: str | None, symbol: str, at: datetime, flags: tuple[str, ...]) -> Fact:
    said = quote(text)
    polarity = Polarity.NEUTRAL if said.is_suspect or "injection" in flags else text_side(said.text)
    day = at.astimezone(SHANGHAI).date()
    return Fact(
        id="",
        sentence=f"用户材料：{said.text}（{day.isoformat()}，用户提供，未经核实）。",
        field="user.note",
        value=said.text,
        unit=Unit.TEXT,
        as_of=day,
        published_at=at,
        source="用户提供",
        url=link,
        polarity=polarity,
        dimension=dimension_of(said.text) if said.text else Dimension.FUNDAMENTALS,
        kind=FactKind.USER,
        subject=symbol,
        freshness="NOT_APPLICABLE",
        original=said.original,
        flags=tuple(sorted({*said.flags, *flags})),
    )


def with_user_material(pack: Pack, note: str, url: str | None, *, at: datetime) -> Pack:
    """*pack* with the material appended to the common part, under a new fact-base version.

    Ids of the old facts stay as they are, so earlier claims keep pointing at what they cited.
    """
    last = max((int(fact.id[1:]) for fact in (*pack.facts, *pack.appendix)), default=0)
    added = tuple(
        fact.model_copy(update={"id": f"E{last + place}"})
        for place, fact in enumerate(user_facts(note, url, symbol=pack.symbol, at=at), start=1)
    )
    facts = (*pack.facts, *added)
    roles = pack.roles | {"common": (*pack.roles.get("common", ()), *(fact.id for fact in added))}
    version = pack_version(facts, pack.appendix, pack.missing)
    return pack.model_copy(update={"facts": facts, "roles": roles, "pack_version": version})
