"""Word lists of the grammar, kept in ``wording.toml``: one list per question the grammar asks of a text."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

_PUNCTUATION = re.compile(r"[\s，。；、：:,.()（）“”\"]")


@cache
def _lists() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8"))


def alternatives(name: str) -> str:
    """The wordings listed under ``table.list`` as one regular expression, tried in their order."""
    table, _, key = name.partition(".")
    return "|".join(_lists()[table][key])


def word_overlap(what: str, text: str) -> float:
    """Share of the pairs of characters of *what* that occur in *text*; 0 if *what* is shorter than three."""
    clean = _PUNCTUATION.sub("", what)
    pairs = [clean[i : i + 2] for i in range(len(clean) - 1)]
    return sum(pair in text for pair in pairs) / len(pairs) if len(pairs) >= 2 else 0.0
