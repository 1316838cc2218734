"""Fills a JSON Schema with values found in a prompt, so that a scripted server can hold a whole debate."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

_FACT = re.compile(r"^(E\d{1,4})[+\-0] (.+)$", re.MULTILINE)
_METRIC = re.compile(r"\{([a-z_.]+)=(-?[\d.e+]+)\}")
_CLAIM = re.compile(r"\br\d{1,2}-[a-z]+-\d{1,3}\b")
_QUESTION = re.compile(r"\br\d{1,2}-q\d{1,2}\b")
_LABEL = re.compile(r"\b[AB]\d{1,2}\b")
_DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")


class _Found:
    """What the prompt offers to fill in."""

    def __init__(self, prompt: str) -> None:
        self.facts = [(fid, sentence.split(" {")[0]) for fid, sentence in _FACT.findall(prompt)]
        self.metrics = _METRIC.findall(prompt)
        self.claims = list(dict.fromkeys(_CLAIM.findall(prompt)))
        self.questions = list(dict.fromkeys(_QUESTION.findall(prompt)))
        self.labels = list(dict.fromkeys(_LABEL.findall(prompt)))
        self.dates = sorted(_DATE.findall(prompt))
        self._turn = sum(prompt.encode()) % 7

    def fact(self) -> tuple[str, str]:
        """A fact, another one each time."""
        if not self.facts:
            return "E1", "材料中没有可用的事实，暂不展开"
        self._turn += 1
        return self.facts[self._turn % len(self.facts)]

    def day(self) -> str:
        last = date.fromisoformat(self.dates[0]) if self.dates else date(2026, 1, 5)
        return (last + timedelta(days=90)).isoformat()


def fill(schema: dict[str, Any], prompt: str) -> Any:
    """A value of *schema* made of what *prompt* says; the same prompt gives the same value."""
    return _fill(schema, schema.get("$defs", {}), _Found(prompt), "")


def _fill(node: dict[str, Any], definitions: dict[str, Any], found: _Found, name: str) -> Any:
    if "$ref" in node:
        return _fill(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions, found, name)
    if "enum" in node:
        return node["enum"][0]
    if "anyOf" in node:
        choices = node["anyOf"]
        plain = next((choice for choice in choices if choice.get("type") == "null"), choices[0])
        return _fill(plain, definitions, found, name)
    kind = node.get("type")
    if kind == "object":
        return {key: _fill(value, definitions, found, key) for key, value in node.get("properties", {}).items()}
    if kind == "array":
        return [_fill(node.get("items", {}), definitions, found, name) for _ in range(node.get("minItems", 0))]
    return _scalar(node, found, name)


def _scalar(node: dict[str, Any], found: _Found, name: str) -> Any:
    kind = node.get("type")
    if kind == "null":
        return None
    if kind == "boolean":
        return False
    if kind in {"number", "integer"}:
        low = node.get("minimum", node.get("exclusiveMinimum", 0))
        return low + 1 if "exclusiveMinimum" in node else max(low, 1)
    if node.get("format") == "date":
        return found.day()
    return _text(str(node.get("pattern") or ""), found, name)


def _text(pattern: str, found: _Found, name: str) -> str:
    if pattern.startswith("^E"):
        return found.fact()[0]
    if pattern and (fitting := _fitting(pattern, found)):
        return fitting
    if name == "metric" and found.metrics:
        return str(found.metrics[0][0])
    return found.fact()[1][:60].ljust(12, "。")


def _fitting(pattern: str, found: _Found) -> str | None:
    """The first of what the prompt or the pattern itself offers that the pattern takes."""
    if choices := re.fullmatch(r"\^\(([^()]+)\)\$", pattern):
        return choices.group(1).split("|")[0]
    offered = (*found.claims, *found.questions, *found.labels, "A", "<", "news", "bear", "E1", "r1-bull-1")
    return next((candidate for candidate in offered if re.search(pattern, candidate)), None)
