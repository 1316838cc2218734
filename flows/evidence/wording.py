"""Neutral wording of headlines (PRODUCT E4): the mood goes, the statement stays.

Numbers, negations and terms of the exchange are untouched; an emotional word behind a negation is left
alone, because the negation of a strong word is not the negation of its mild form.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_HALF_WIDTH = re.compile(r"(?<=[\u4e00-\u9fff%％）》”])\s*([,;:])\s*|([,;:])(?=[\u4e00-\u9fff])")
_FULL_WIDTH = {",": "，", ";": "；", ":": "："}
_BRACKETS = re.compile(r"\(([^()]*[\u4e00-\u9fff][^()]*)\)")


def typeset(text: str) -> str:
    """*text* in the punctuation of Chinese print; thousands separators go, so that one number has one form."""
    plain = _THOUSANDS.sub("", text)
    wide = _HALF_WIDTH.sub(lambda match: _FULL_WIDTH[match.group(1) or match.group(2)], plain)
    return _BRACKETS.sub(r"（\1）", wide)


@dataclass(frozen=True)
class Neutral:
    """A text in neutral wording.

    Attributes:
        original: The wording before, or None where nothing was replaced.
        replaced: The emotional words found, in order.
    """

    text: str
    original: str | None = None
    replaced: tuple[str, ...] = ()


@cache
def lexicon() -> dict[str, Any]:
    """The committed lexicon (``lexicon.toml``)."""
    return tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))


@cache
def _pattern() -> re.Pattern[str]:
    wording = lexicon()["wording"]
    words = sorted({*wording["replace"], *wording["keep"]}, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, words)))


def neutralise(text: str) -> Neutral:
    """*text* with emotional words replaced by neutral ones; idempotent."""
    replaced: list[str] = []
    result = text
    while (swapped := _swap(result, replaced)) != result:
        result = swapped
    if not replaced:
        return Neutral(text)
    return Neutral(_tidy(result), text, tuple(replaced))


def _swap(text: str, replaced: list[str]) -> str:
    """One pass; repeated because a dropped word may bring the parts of another together."""
    wording = lexicon()["wording"]
    replacements: dict[str, str] = wording["replace"]
    negations = tuple(wording["negations"])

    def swap(match: re.Match[str]) -> str:
        word = match.group()
        if word not in replacements or text[: match.start()].endswith(negations):
            return word
        replaced.append(word)
        return replacements[word] or _gap(text, match)

    return _pattern().sub(swap, text)


def _gap(text: str, match: re.Match[str]) -> str:
    """What a dropped word leaves: a space between two numbers, which would else become one."""
    around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    return " " if re.fullmatch(r"[\d.%]{2}", around) else ""


def _tidy(text: str) -> str:
    """Punctuation that led or doubled only because a word was dropped goes with it, and a cry said again goes too."""
    once = re.sub(r"^(.{2,4})[！!](?=.*\1)", "", text)
    return re.sub(r"([！!])[！!]+", r"\1", once).lstrip("！!？?，,、：:；; ") or text
