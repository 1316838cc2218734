"""The one door to language models: validated answers, each bought once, inside budgets and limits.

An ask is answered, or abstained from with a reason; there is no third outcome that looks like an
opinion. Once every try has failed, the newest answer of which the ask can use a part is taken for that
part. Order matters: journal first (a known answer is free, whatever the budget), then budget, then the
server; the answer is durable before it is read, also when it turns out to be unusable, so a run that was
killed replays the same path and buys only what was missing.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
from pydantic import BaseModel

from flows.contracts.transcripts import LlmCall
from flows.debate.endpoint import CallFailed
from flows.debate.endpoint_wire import ChatRequest
from flows.debate.gateway_answers import Fault, Read, Wanted, read_answer
from flows.debate.gateway_models import Models, RoleModel, Surroundings
from flows.debate.gateway_tries import Try, first_try, next_try
from flows.debate.gateway_types import Abstained, Answered, Ask, BudgetEnded, Requested, ServerDown, Tool, ToolUse
from flows.debate.journal import Entry, Journal
from flows.debate.limits import Pace
from flows.debate.tokens import MESSAGE_OVERHEAD, count_tokens, estimate_tokens
from flows.debate.usage import Price, Purchase, Usage
from flows.debate.usage_ledger import Ledger
from flows.errors import BudgetSpent
from flows.settings import Settings

__all__ = ["Abstained", "Answered", "Ask", "Gateway", "Requested", "Tool", "ToolUse", "build_gateway"]


_THIS_PROCESS = uuid.uuid4().hex


@dataclass
class _Tally:
    """What one ask has used so far."""

    call_hash: str
    started_at: datetime
    attempts: int = 0
    bought: int = 0
    paid: Usage = field(default_factory=Usage)
    original: Usage = field(default_factory=Usage)
    is_cost_known: bool = True

    def add(self, entry: Entry, *, is_bought: bool) -> None:
        self.attempts += 1
        self.original += entry.usage
        if is_bought:
            self.bought += 1
            self.paid += entry.usage


class Gateway:
    """Asks models; usable from several tasks and event loops at once."""

    def __init__(
        self, models: Models, journal: Journal, ledger: Ledger, *, attempts: int, clock: Callable[[], datetime]
    ) -> None:
        self.models = models
        self._journal = journal
        self._ledger = ledger
        self._attempts = attempts
        self._clock = clock

    async def ask(self, ask: Ask) -> Answered | Abstained:
        """Ask and return a validated answer, or say why there is none.

        Raises BudgetSpent before a call would exceed a budget, ServerDown if the server has stopped
        answering (both carry what the ask had bought before, if anything), ConfigurationError if the key, the
        model or the address is wrong; all say in Chinese what to do.
        """
        result = await self.ask_or_look_up(replace(ask, tools=()))
        if isinstance(result, Requested):
            raise TypeError("a tool was called although none was offered")
        return result

    async def ask_or_look_up(self, ask: Ask) -> Answered | Requested | Abstained:
        """Like :meth:`ask`, but the model may call one of the ask's tools instead of answering."""
        speaker = self.models.of(ask.role)
        first = first_try(ask, speaker)
        tally = _Tally(first.question.key, self._clock())
        try:
            return await self._outcome(ask, speaker, first, tally)
        except (BudgetSpent, ServerDown) as stopped:
            if not tally.attempts:
                raise
            kind = BudgetEnded if isinstance(stopped, BudgetSpent) else ServerDown
            raise kind(str(stopped), self._call(ask, speaker, tally, "failed")) from None

    async def _outcome(
        self, ask: Ask, speaker: RoleModel, attempt: Try, tally: _Tally
    ) -> Answered | Requested | Abstained:
        """What the tries of one ask came to; *tally* counts them as they go."""
        stance: dict[str, Any] = {}
        faults: list[tuple[Fault, str]] = []
        fault = Fault("没有尝试过")
        for _ in range(self._attempts):
            try:
                entry, is_bought = await self._obtain(attempt, ask.role, speaker)
            except CallFailed as error:
                tally.is_cost_known = not error.failure.may_be_billed
                return Abstained(error.failure.message, self._call(ask, speaker, tally, "failed"))
            tally.add(entry, is_bought=is_bought)
            result = read_answer(entry, ask, stance)
            if isinstance(result, Read):
                call = self._call(ask, speaker, tally, "ok")
                return Answered(result.value, call, entry.text, tally.original, result.repairs)
            if isinstance(result, Wanted):
                return Requested(result.uses, self._call(ask, speaker, tally, "ok"), tally.original)
            fault = result
            if is_bought and fault.is_shapeless:
                speaker.line.endpoint.distrust(speaker.model)
            stance = {**fault.stance, **stance}
            faults.append((fault, entry.text))
            if fault.is_final:
                break
            attempt = next_try(ask, speaker, attempt, entry, fault)
        if kept := _salvaged(ask, faults):
            return Answered(kept[0], self._call(ask, speaker, tally, "ok"), kept[1], tally.original)
        reason = f"{tally.attempts} 次回答都无法使用，最后一次的原因：{fault.cause}"
        return Abstained(reason, self._call(ask, speaker, tally, "failed"))

    async def _obtain(self, attempt: Try, role: str, speaker: RoleModel) -> tuple[Entry, bool]:
        """The journal's answer, or a bought one that is durable now; whether it was bought."""
        key = attempt.question.key
        known = self._journal.get(key)
        if known is not None:
            return known, False
        async with self._journal.hold(key):
            known = self._journal.get(key)
            if known is not None:
                return known, False
            return await self._buy(key, attempt.request, role, speaker), True

    async def _buy(self, key: str, request: ChatRequest, role: str, speaker: RoleModel) -> Entry:
        bought = await speaker.line.buy(request, self._purchase(key, request, role, speaker.price))
        completion = bought.completion
        entry = Entry(
            key=key,
            model=request.model,
            text=completion.text,
            finish_reason=completion.finish_reason,
            usage=completion.usage,
            mode=completion.mode.value,
            elapsed_ms=round(bought.elapsed_ms, 1),
            answered_at=self._clock().isoformat(),
            tool_calls=completion.tool_calls,
        )
        await asyncio.shield(asyncio.to_thread(self._journal.put, entry))
        self._ledger.settle(bought.reservation, entry.usage, _cost(speaker.price, entry.usage))
        return entry

    def _purchase(self, key: str, request: ChatRequest, role: str, price: Price | None) -> Purchase:
        count = count_tokens if self._ledger.is_limited else estimate_tokens
        prompt = sum(count(str(message.get("content") or "")) + MESSAGE_OVERHEAD for message in request.messages)
        most = Usage(prompt + count(request.schema.words), request.max_tokens, is_estimated=True)
        return Purchase(key, role, request.model, most, _cost(price, most))

    def _call(self, ask: Ask, speaker: RoleModel, tally: _Tally, status: str) -> LlmCall:
        cost = _cost(speaker.price, tally.paid) if tally.bought or not tally.is_cost_known else 0.0
        elapsed = self._clock() - tally.started_at
        return LlmCall(
            call_hash=tally.call_hash,
            role=ask.role,
            model=speaker.model,
            tokens_in=tally.paid.tokens_in,
            tokens_out=tally.paid.tokens_out,
            tokens_cached_prefix=tally.paid.tokens_cached_prefix,
            tokens_estimated=tally.paid.is_estimated,
            cost_cny=cost if tally.is_cost_known else None,
            cached=tally.attempts > 0 and tally.bought == 0,
            attempts=max(1, tally.attempts),
            status=status,
            started_at=tally.started_at,
            elapsed_ms=elapsed.total_seconds() * 1000,
        )

    async def aclose(self) -> None:
        """Close connections and files."""
        await self.models.aclose()
        self._ledger.close()


def build_gateway(
    settings: Settings,
    journal_dir: Path,
    *,
    clock: Callable[[], datetime],
    run_id: str | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
    pace: Pace | None = None,
) -> Gateway:
    """The gateway of one run.

    *clock* is the wall clock: it dates the calls and decides which day's budget they spend.
    *journal_dir* is shared by every process that should not pay for the same answer again; budgets,
    rates and slots live beside the answers. *run_id* names the run whose budget is spent (processes of
    one run give the same); without it all gateways of this process are one run. *transport* replaces the
    network, *pace* the waiting. Raises ConfigurationError if a model is named without an address, or a
    cost budget without a price.
    """
    around = Surroundings(journal_dir, clock, pace or Pace(), transport, random.Random())  # noqa: S311
    ledger = around.ledger(settings, run_id or _THIS_PROCESS)
    models = Models(settings, around, ledger)
    return Gateway(
        models, Journal(journal_dir, pace=around.pace), ledger, attempts=max(1, settings.model_attempts), clock=clock
    )


def _salvaged(ask: Ask, faults: Sequence[tuple[Fault, str]]) -> tuple[BaseModel, str] | None:
    """What can be used of the newest answer that has any use, and that answer as it was written."""
    for fault, text in reversed(faults):
        if ask.salvage and fault.data is not None and (value := ask.salvage(fault.data)):
            return value, text
    return None


def _cost(price: Price | None, usage: Usage) -> float | None:
    return None if price is None else price.cost(usage)
