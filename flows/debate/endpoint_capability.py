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
        is_enforced: False if the server takes a schema but does not hold the model to it.
        is_proven: Whether an answer has come with these settings.
    """

    mode: SchemaMode = SchemaMode.JSON_SCHEMA
    tokens_field: str = "max_tokens"
    takes_temperature: bool = True
    takes_tools: bool = True
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
        )

    def weaker(self, detail: str, *, with_tools: bool) -> Capability | None:
        """What to try after the server refused a request with *detail*; None if nothing is left.

        A parameter the server names is changed first; else the schema demand goes down one step.
        """
        if with_tools and self.takes_tools and _ABOUT_TOOLS.search(detail):
            return replace(self, takes_tools=False)
        if self.tokens_field == "max_tokens" and _ABOUT_TOKENS.search(detail):
            return replace(self, tokens_field="max_completion_tokens")
        if self.takes_temperature and _ABOUT_TEMPERATURE.search(detail):
            return replace(self, takes_temperature=False)
        if self.mode in _WEAKER:
            return replace(self, mode=_WEAKER[self.mode])
        if with_tools and self.takes_tools:
            return replace(self, takes_tools=False)
        return None


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
