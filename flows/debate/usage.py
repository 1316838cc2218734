"""What calls use and cost, and what may be spent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Usage:
    """Tokens of one or several answers; estimated if any server reported none."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached_prefix: int = 0
    is_estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.tokens_cached_prefix + other.tokens_cached_prefix,
            self.is_estimated or other.is_estimated,
        )


@dataclass(frozen=True)
class Price:
    """CNY per million tokens; *cached_in* is the server's price of a repeated prefix, if it has one."""

    tokens_in: float
    tokens_out: float
    cached_in: float | None = None

    def cost(self, usage: Usage) -> float:
        """Cost of *usage* in CNY."""
        cached = usage.tokens_cached_prefix if self.cached_in is not None else 0
        plain = usage.tokens_in - cached
        total = plain * self.tokens_in + cached * (self.cached_in or 0.0) + usage.tokens_out * self.tokens_out
        return total / 1_000_000


@dataclass(frozen=True)
class Budgets:
    """What may be spent; None means no limit. Token budgets count prompt and completion together."""

    run_tokens: int | None = None
    day_tokens: int | None = None
    run_cost_cny: float | None = None
    day_cost_cny: float | None = None

    @property
    def counts_cost(self) -> bool:
        """Whether a cost budget is set, so that a price must be known."""
        return self.run_cost_cny is not None or self.day_cost_cny is not None

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing is limited and nothing needs to be estimated."""
        return not self.counts_cost and self.run_tokens is None and self.day_tokens is None


@dataclass(frozen=True)
class Purchase:
    """One call about to be bought: who asks, and the most it can use."""

    call_hash: str
    role: str
    model: str
    most: Usage
    most_cost_cny: float | None


@dataclass(frozen=True)
class Spent:
    """Tokens and CNY of one run and one day."""

    run_tokens: int
    run_cost_cny: float
    day_tokens: int
    day_cost_cny: float
