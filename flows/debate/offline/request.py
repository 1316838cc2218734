"""What the offline model is asked: exactly what a real server would receive, parsed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class UnreadablePrompt(ValueError):
    """The prompt is none of those the offline model knows; becomes HTTP 400, as a server would say it."""


@dataclass(frozen=True)
class OfflineRequest:
    """One chat request.

    Attributes:
        answer_name: Name of the demanded answer type, from ``response_format``; empty if none.
        schema: Its JSON Schema, from ``response_format``; empty if none.
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    max_tokens: int | None
    temperature: float
    answer_name: str
    schema: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All messages as one text, in order."""
        return "\n".join(str(message.get("content") or "") for message in self.messages)

    @property
    def system(self) -> str:
        """The system messages as one text."""
        return "\n".join(str(m.get("content") or "") for m in self.messages if m.get("role") == "system")

    @property
    def user(self) -> str:
        """The user messages as one text."""
        return "\n".join(str(m.get("content") or "") for m in self.messages if m.get("role") == "user")


def parse_request(content: bytes) -> OfflineRequest:
    """Parse the body of ``POST /chat/completions``. Raises UnreadablePrompt."""
    try:
        body = json.loads(content)
        messages = tuple(body["messages"])
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadablePrompt("body is no chat request") from error
    wanted = (body.get("response_format") or {}).get("json_schema") or {}
    limit = body.get("max_tokens") or body.get("max_completion_tokens")
    return OfflineRequest(
        model=str(body.get("model") or ""),
        messages=messages,
        max_tokens=int(limit) if limit else None,
        temperature=float(body.get("temperature") or 0.0),
        answer_name=str(wanted.get("name") or ""),
        schema=wanted.get("schema") or {},
    )
