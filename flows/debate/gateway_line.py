"""Buys one answer with patience: slot, rate, budget, one try; waits as told and tries again.

Order matters: the budget is reserved last before sending, so nothing is set aside while waiting; a wait
that a server demands (429) holds back every caller of that server, not only the one it was told to. One
question without an answer may be the question's fault; a second one in a row is an outage, which the whole
run sits out once and together.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from random import Random

from flows.debate.endpoint import CallFailed, Endpoint
from flows.debate.endpoint_errors import Failure, Reaction
from flows.debate.endpoint_wire import ChatRequest, Completion
from flows.debate.gateway_types import ServerDown
from flows.debate.limits import CallRate, Outage, Pace, Pause, Slots
from flows.debate.usage import Purchase
from flows.debate.usage_ledger import Ledger
from flows.errors import BudgetSpent, ConfigurationError

_LOG = logging.getLogger(__name__)

#: Longest time one answer may wait on a server's demand, seconds.
LONGEST_WAIT_S = 600.0
#: How long a run leaves a server alone that has stopped answering, seconds.
OUTAGE_REST_S = 60.0
_BUDGET_LOOK_S = 0.1
_FIRST_BACKOFF_S = 1.0
_LAST_BACKOFF_S = 30.0


@dataclass(frozen=True)
class Bought:
    """A completion just paid, with its open entry in the ledger."""

    completion: Completion
    reservation: int
    elapsed_ms: float


@dataclass
class Patience:
    """What one purchase has tried and waited so far."""

    tries_left: int
    backoff_s: float = _FIRST_BACKOFF_S
    waited_s: float = 0.0


@dataclass
class Line:
    """The way to one server, shared by all its callers in this process."""

    endpoint: Endpoint
    ledger: Ledger
    slots: Slots
    rate: CallRate
    pause: Pause
    outage: Outage
    tries: int
    pace: Pace
    random: Random
    _has_answered: bool = False
    _has_failed: bool = False

    async def buy(self, request: ChatRequest, purchase: Purchase) -> Bought:
        """Buy one completion.

        Raises CallFailed if the server gives none in time, ServerDown if it has stopped answering,
        ConfigurationError if the user must change something, BudgetSpent before anything over a budget is
        bought.
        """
        patience = Patience(1 if self._has_failed or self.outage.is_reported else self.tries)
        while True:
            await self._held_back(patience)
            await self._sit_out()
            try:
                bought = await self._try(request, purchase)
            except CallFailed as error:
                failure = error.failure
            else:
                self._answered()
                return bought
            self._stop_if_final(failure)
            await self._wait(failure, patience)

    async def _try(self, request: ChatRequest, purchase: Purchase) -> Bought:
        async with self.slots.hold():
            await self.rate.wait()
            reservation = await self._reserve(purchase)
            started = self.pace.monotonic()
            try:
                completion = await self.endpoint.complete(request)
            except CallFailed as error:
                release = self.ledger.abandon if error.failure.may_be_billed else self.ledger.cancel
                release(reservation)
                raise
            except BaseException:
                self.ledger.abandon(reservation)
                raise
            return Bought(completion, reservation, (self.pace.monotonic() - started) * 1000)

    async def _reserve(self, purchase: Purchase) -> int:
        while (entry := self.ledger.reserve(purchase, self.endpoint.address.pool)) is None:
            await self.pace.sleep(_BUDGET_LOOK_S)
        return entry

    def _stop_if_final(self, failure: Failure) -> None:
        is_wrong_place = failure.reaction is Reaction.NO_MODEL_SERVER and not self._has_answered
        if failure.reaction is Reaction.CONFIGURE or is_wrong_place:
            raise ConfigurationError(failure.message)
        if failure.reaction is Reaction.PAY:
            raise BudgetSpent(failure.message)
        if failure.reaction in {Reaction.REFUSED_REQUEST, Reaction.TOO_LONG}:
            raise CallFailed(failure)

    async def _wait(self, failure: Failure, patience: Patience) -> None:
        """Sleep before the next try, or give up."""
        told_s = failure.wait_s
        if told_s is None:
            is_first_contact = failure.reaction is Reaction.UNREACHABLE and not self._has_answered
            patience.tries_left -= 2 if is_first_contact else 1
        if patience.tries_left <= 0 or patience.waited_s + (told_s or 0.0) > LONGEST_WAIT_S:
            self._give_up(failure, patience)
            return
        if told_s is not None:
            self.pause.extend(told_s)
            _LOG.warning("server %s asks to wait %.1f s", self.endpoint.address.name, told_s)
            return
        pause = self.random.uniform(0.5, 1.0) * patience.backoff_s
        patience.backoff_s = min(patience.backoff_s * 2, _LAST_BACKOFF_S)
        patience.waited_s += pause
        _LOG.warning("call failed, next try in %.1f s: %s", pause, failure.message)
        await self.pace.sleep(pause)

    async def _held_back(self, patience: Patience) -> None:
        while (remaining := self.pause.remaining_s()) > 0:
            # A little spread keeps the held-back callers from coming back in one burst.
            pause = remaining + self.random.uniform(0.0, 0.1)
            patience.waited_s += pause
            await self.pace.sleep(pause)

    async def _sit_out(self) -> None:
        while (remaining := self.outage.rest_left_s) > 0:
            if self.outage.is_final:
                raise self._gone()
            await self.pace.sleep(remaining)

    def _gone(self) -> ServerDown:
        """What everybody but the one who found it out is told: the cause is said once in a run."""
        return ServerDown(f"模型服务 {self.endpoint.address.name} 已中断，本次运行不再等它。")

    def _answered(self) -> None:
        self._has_answered, self._has_failed = True, False
        if self.outage.is_reported:
            self.outage.clear()

    def _give_up(self, failure: Failure, patience: Patience) -> None:
        """End this purchase, or leave it one try after the run's one rest."""
        is_second, self._has_failed = self._has_failed, True
        is_unknown = failure.reaction is Reaction.UNREACHABLE and not self._has_answered
        if not (is_second or is_unknown or self.outage.is_reported):
            raise CallFailed(failure)
        is_news = self.outage.report()
        if is_unknown:
            raise ConfigurationError(failure.message)
        if self.outage.is_final:
            raise ServerDown(failure.message) if is_news else self._gone()
        _LOG.warning("server %s has stopped answering, one rest: %s", self.endpoint.address.name, failure.message)
        patience.tries_left = 1
