"""What is wrong with an answer, and which part of it that concerns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Part(NamedTuple):
    """A place in an answer: a field of it, and of a list one item, counted from 0."""

    field: str
    place: int | None = None

    def __str__(self) -> str:
        """As the model is told."""
        if self.place is None:
            return self.field
        return f"第{self.place + 1}个论点" if self.field == "claims" else f"{self.field} 第{self.place + 1}项"


@dataclass(frozen=True)
class Breach:
    """One cause, in Chinese, without the part it concerns.

    Attributes:
        part: What it concerns; None for the answer as a whole.
        is_soft: Sent back once only.
        weakens: Whether the argument counts zero if a soft cause is not mended; a reference or an
            expectation that cannot be used is dropped instead, and a false attribution fails its check.
    """

    cause: str
    part: Part | None = None
    is_soft: bool = False
    weakens: bool = True

    @property
    def told(self) -> str:
        """As the model is told."""
        return self.cause if self.part is None else f"{self.part}：{self.cause}"
