"""Which words name which quantity: the registry's own words plus ``lexicon.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from flows.contracts.metrics import METRICS
from flows.contracts.units import Unit
from flows.truth.grammar.numerals import read_number
from flows.truth.grammar.periods import parse_window
from flows.truth.grammar.split_names import SplitName, split_names, split_spans
from flows.truth.grammar.tries import word_pattern

LEVEL, CHANGE, PERCENTILE, SHARE, DIFFERENCE, RATIO = "level", "change", "percentile", "share", "difference", "ratio"


@dataclass(frozen=True, slots=True)
class Concept:
    """What is measured, whatever the form.

    Attributes:
        unit: Unit of the level.
        fields: Fact field → (form, window or basis).
        is_flow: Whether the value accumulates over the year.
    """

    name: str
    title: str
    unit: str
    fields: dict[str, tuple[str, str]] = field(default_factory=dict)
    is_flow: bool = False

    @property
    def windows(self) -> frozenset[str]:
        """Windows that tell this concept's fields apart."""
        return frozenset(window for _, window in self.fields.values() if window)


@dataclass(frozen=True, slots=True)
class Mention:
    """A word of a concept in a text; *form* and *window* are empty unless the word itself says them."""

    start: int
    end: int
    concept: str
    form: str = ""
    window: str = ""


@cache
def _tables() -> dict[str, dict[str, object]]:
    return tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))


def _split(spec: str) -> tuple[str, str]:
    form, _, window = spec.partition(" ")
    return form, window


@cache
def concepts() -> dict[str, Concept]:
    """All concepts by name; a registry metric that no table names becomes a concept of its own."""
    found: dict[str, Concept] = {}
    for name, table in _tables().items():
        fields = {key: _split(spec) for key, spec in _texts(table, "fields").items()}
        level = next((METRICS[key].unit for key, (form, _) in fields.items() if key in METRICS and form == LEVEL), None)
        change = next((METRICS[key].unit for key in fields if key in METRICS), Unit.TEXT)
        unit = str(table.get("unit", "")) or str(level or change)
        found[name] = Concept(name, _words(table, "words")[0], unit, fields, bool(table.get("flow")))
    placed = {key for concept in found.values() for key in concept.fields}
    for metric in METRICS.values():
        if metric.name not in placed:
            form = LEVEL if metric.is_level else CHANGE
            found[metric.name] = Concept(metric.name, metric.zh, metric.unit, {metric.name: (form, "")})
    return found


def _texts(table: dict[str, object], key: str) -> dict[str, str]:
    value = table.get(key)
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def _words(table: dict[str, object], key: str) -> list[str]:
    value = table.get(key)
    return [str(word) for word in value] if isinstance(value, list) else []


@cache
def field_concept() -> dict[str, tuple[str, str, str]]:
    """Fact field → (concept, form, window)."""
    return {
        key: (concept.name, form, window)
        for concept in concepts().values()
        for key, (form, window) in concept.fields.items()
    }


@cache
def _vocabulary() -> dict[str, tuple[str, str, str]]:
    words: dict[str, tuple[str, str, str]] = {}
    for name, concept in concepts().items():
        for key, (form, window) in concept.fields.items():
            if key in METRICS:
                metric = METRICS[key]
                said = "" if form == LEVEL else form
                for word in (metric.zh, *metric.aliases):
                    words[_key(word)] = (name, said, window)
        table = _tables().get(name, {})
        for word in _words(table, "words"):
            window = parse_window(word)
            words.setdefault(_key(word), (name, "", window if window in concept.windows else ""))
        for word in _words(table, "change"):
            words.setdefault(_key(word), (name, CHANGE, ""))
    return words | _COMMON_WORDS


#: Registry aliases that are wider in ordinary text than their metric.
_COMMON_WORDS: dict[str, tuple[str, str, str]] = {
    "涨跌幅": ("price", CHANGE, ""),
    "回撤": ("drawdown", CHANGE, ""),
    "上涨天数": ("up_days", "", ""),
    "波动率": ("volatility", "", ""),
    "年化波动率": ("volatility", "", ""),
    "涨停次数": ("limit_up_days", "", ""),
    "涨停天数": ("limit_up_days", "", ""),
    "跌停次数": ("limit_down_days", "", ""),
    "跌停天数": ("limit_down_days", "", ""),
}


def _key(word: str) -> str:
    return word.lower().replace("（", "(").replace("）", ")").replace(" ", "")


def _pattern(word: str) -> str:
    body = r"\s*".join(re.escape(part) for part in word.replace("（", "(").replace("）", ")").split())
    head = r"(?<![A-Za-z])" if word[0].isascii() and word[0].isalpha() else ""
    tail = r"(?![A-Za-z])" if word[-1].isascii() and word[-1].isalpha() else ""
    return f"{head}{body}{tail}"


_MOVING = (
    r"(?<![A-Za-z])MA(?:\s?(?P<ma1>\d{1,3})|\((?P<ma3>\d{1,3})\))(?![\d.])|(?:(?:\d{1,3}"
    r"|[一二三四五六七八九十百两]{1,4})(?:日|天)?[/、和与])*(?P<ma2>\d{1,3}|[一二三四五六七八九十百两]{1,5})(?:日"
    r"|天)(?:移动平均线|均线|线(?!下|性|上))"
    r"|(?P<year>半?年线)"
)


@cache
def _scanner() -> re.Pattern[str]:
    surface: dict[str, None] = {}
    for metric in METRICS.values():
        surface.update(dict.fromkeys((metric.zh, *metric.aliases)))
    patterns: list[str] = []
    for name, table in _tables().items():
        surface.update(dict.fromkeys(_words(table, "words") + _words(table, "change")))
        patterns += [f"(?P<p_{name}>{pattern})" for pattern in _words(table, "patterns")]
    plain = [word.replace("（", "(").replace("）", ")") for word in surface]
    chinese = word_pattern(word for word in plain if not word.isascii() and " " not in word)
    other = "|".join(_pattern(w) for w in sorted(plain, key=len, reverse=True) if w.isascii() or " " in w)
    tail = r"(?![A-Za-z])" if any(word[-1].isascii() for word in plain) else ""
    return re.compile(f"{_MOVING}|{'|'.join(patterns)}|(?P<w>{chinese}{tail}|{other})", re.IGNORECASE)


def mentions(plain: str) -> list[Mention]:
    """Concept words of *plain* (normalised text), left to right, longest first at a place; names in two parts too."""
    found = list(_mentions(plain))
    split = split_spans(plain, _split_names(), [(m.start, m.end) for m in found])
    if not split:
        return found
    whole = [m for m in found if (m.start, m.end) not in split]
    return sorted([*whole, *(Mention(*span, name) for span, name in split.items())], key=lambda m: m.start)


@cache
def _split_names() -> tuple[SplitName, ...]:
    pairs = {name: table["split"] for name, table in _tables().items() if "split" in table}
    return split_names(cast(dict[str, list[list[str]]], pairs))


def _mentions(plain: str) -> Iterator[Mention]:
    known = _vocabulary()
    for match in _scanner().finditer(plain):
        start, end = match.span()
        if match["w"]:
            concept, form, window = known[_key(match["w"])]
            yield Mention(start, end, concept, form, window)
        elif match["ma1"] or match["ma2"] or match["ma3"] or match["year"]:
            yield Mention(start, end, "ma", "", _moving_window(match))
        else:
            name = (match.lastgroup or "")[2:]
            yield _by_pattern(name, match)


def _by_pattern(name: str, match: re.Match[str]) -> Mention:
    """A wording with parts in between; the window it names, if its concept tells windows apart, is the quantity's."""
    (form, _), *others = dict.fromkeys(concepts()[name].fields.values()) or [(LEVEL, "")]
    said = parse_window(match[0])
    window = said if said in concepts()[name].windows or not others else ""
    return Mention(*match.span(), name, "" if form == LEVEL else form, window)


def _moving_window(match: re.Match[str]) -> str:
    if match["year"]:
        return "120d" if match["year"].startswith("半") else "250d"
    text = match["ma1"] or match["ma2"] or match["ma3"]
    return f"{read_number(text)[0]:.0f}d"
