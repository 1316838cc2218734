"""What a model server accepts, found by trying once and remembered beside the journal."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

from flows.debate.journal import write_durably

_ABOUT_TOKENS = re.compile(r"max_completion_tokens|max_tokens", re.IGNORECASE)
_ABOUT_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_ABOUT_THINKING = re.compile(r"enable_thinking", re.IGNORECASE)
_ABOUT_TOOLS = re.compile(r"\btools?\b|tool_choice|function", re.IGNORECASE)


class SchemaMode(StrEnum):
    """How an answer's shape is demanded, strongest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


_WEAKER = {SchemaMode.JSON_SCHEMA: SchemaMode.JSON_OBJECT, SchemaMode.JSON_OBJECT: SchemaMode.PROMPT}


@dataclass(frozen=True)
class Capability:
    """What one model at one server accepts.

    Attributes:
        must_not_think: True if it answers in one piece only with ``enable_thinking`` off (Qwen).
        is_enforced: False if the server takes a schema but does not hold the model to it.
        is_proven: Whether an answer has come with these settings.
    """

    mode: SchemaMode = SchemaMode.JSON_SCHEMA
    tokens_field: str = "max_tokens"
    takes_temperature: bool = True
    takes_tools: bool = True
    must_not_think: bool = False
    is_enforced: bool = True
    is_proven: bool = False

    @property
    def needs_words(self) -> bool:
        """Whether the prompt must describe the answer's shape."""
        return self.mode is not SchemaMode.JSON_SCHEMA or not self.is_enforced

    def proven_by(self, used: Capability) -> Capability:
        """What is known after an answer came with *used*.

        A schema demand that worked before is kept: one refused question says nothing about the others.
        """
        if not self.is_proven:
            return replace(used, is_proven=True)
        return replace(
            self,
            tokens_field=used.tokens_field,
            takes_temperature=used.takes_temperature,
            takes_tools=used.takes_tools,
            must_not_think=used.must_not_think,
        )

    def weaker(self, detail: str, *, with_tools: bool) -> Capability | None:
        """What to try after the server refused a request with *detail*; None if nothing is left.

        A parameter the server names is changed first; else the schema demand goes down one step.
        """
        named = self._without_named(detail, with_tools=with_tools)
        if named is not None:
            return named
        if self.mode in _WEAKER:
            return replace(self, mode=_WEAKER[self.mode])
        return replace(self, takes_tools=False) if with_tools and self.takes_tools else None

    def _without_named(self, detail: str, *, with_tools: bool) -> Capability | None:
        """The same without the parameter that *detail* names, if it was sent at all."""
        choices = (
            (with_tools and self.takes_tools, _ABOUT_TOOLS, replace(self, takes_tools=False)),
            (not self.must_not_think, _ABOUT_THINKING, replace(self, must_not_think=True)),
            (self.tokens_field == "max_tokens", _ABOUT_TOKENS, replace(self, tokens_field="max_completion_tokens")),
            (self.takes_temperature, _ABOUT_TEMPERATURE, replace(self, takes_temperature=False)),
        )
        return next((changed for is_sent, about, changed in choices if is_sent and about.search(detail)), None)


class Capabilities:
    """The file of remembered capabilities, one entry per server and model."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = self._load()

    def get(self, server: str, model: str) -> Capability:
        """What is known, or the strongest assumption."""
        return self._known.get(f"{server} {model}", Capability())

    def learn(self, server: str, model: str, capability: Capability) -> None:
        """Remember *capability*, also for other processes."""
        name = f"{server} {model}"
        if self._known.get(name) == capability:
            return
        self._known = {**self._load(), name: capability}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        body = {key: asdict(value) for key, value in self._known.items()}
        write_durably(self._path, json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True).encode())

    def _load(self) -> dict[str, Capability]:
        try:
            body = json.loads(self._path.read_bytes())
            return {name: _capability(value) for name, value in body.items()}
        except (FileNotFoundError, ValueError, TypeError, AttributeError):
            return {}


def _capability(value: dict[str, object]) -> Capability:
    return Capability(**{**value, "mode": SchemaMode(str(value["mode"]))})  # type: ignore[arg-type]
