"""How facts are quoted: their own sentences, numbers untouched, each with its id, within a length."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flows.debate.draining import clip
from flows.debate.offline.reading import Seen

#: Longest quotation of one fact, and of all facts of a basis, in characters.
SENTENCE_LIMIT = 120
BASIS_LIMIT = 190
#: Kind of a fact → what an argument that quotes it says its evidence is.
SOURCES = {"数据": "历史数据", "公告": "公告", "新闻": "新闻", "研报": "新闻", "用户": "新闻", "知识": "知识"}


def basis(facts: Sequence[Seen]) -> str:
    """The facts' own sentences, numbers untouched, each with its id."""
    return "".join(f"{quoted(fact)}。" for fact in facts)


def quotable(facts: Sequence[Seen]) -> tuple[Seen, ...]:
    """As many of the facts as fit a basis; the first always."""
    kept = [facts[0]]
    for fact in facts[1:]:
        if sum(len(quoted(known)) for known in (*kept, fact)) <= BASIS_LIMIT:
            kept.append(fact)
    return tuple(kept)


def quoted(fact: Seen) -> str:
    """A fact's sentence with its id."""
    sentence = fact.sentence.split("〔")[0].rstrip("。")
    return f"{clip(sentence, SENTENCE_LIMIT)}（{fact.id}）"


def clip_sentences(text: str, limit: int) -> str:
    """Whole sentences of *text* within *limit* characters; the first always."""
    sentences = re.findall(r"[^。]+。", text)
    kept = sentences[:1]
    for sentence in sentences[1:]:
        if sum(map(len, kept)) + len(sentence) > limit:
            break
        kept.append(sentence)
    return "".join(kept)
