"""One pack to one transcript, with the model of the settings; needs no database, so any worker can do it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Claim, LlmCall, Proposition, RunStatus, Transcript
from flows.debate.engine import Limits, Options, run_debate
from flows.debate.gateway import build_gateway
from flows.debate.gateway_health import ModelHealth, describe_models
from flows.debate.informing import INFORM
from flows.debate.reversal import inform
from flows.errors import ConfigurationError
from flows.reports.checked import with_report_checks
from flows.settings import Settings


class IncompleteDebate(Exception):
    """A debate that ended early; carries what there is, so that nothing is lost and nothing is cached."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript.reason)
        self.transcript = transcript

    def __reduce__(self) -> tuple[type[IncompleteDebate], tuple[Transcript]]:
        """Pickled with its transcript: it crosses process borders."""
        return type(self), (self.transcript,)


def journal_dir(data_dir: Path) -> Path:
    """Where paid answers lie."""
    return data_dir / "journal"


class Brief(BaseModel):
    """Which debate to hold on a pack; JSON-able and free of secrets.

    Attributes:
        run_id: Run whose budget is spent; every worker of one run gives the same.
        proposition: What is argued, if not the stock's standing proposition.
        target: Claim on trial in a `targeted` debate.
        previous: Debate this one follows; the one judged again by `inform`.
        notes: What ``Transcript.record`` keeps besides: topic, claim on trial.
        opening: A call made for this debate before it began, e.g. the proposer's.
    """

    model_config = ConfigDict(frozen=True)

    debate_id: str
    protocol: str
    run_id: str
    proposition: Proposition | None = None
    target: Claim | None = None
    previous: Transcript | None = None
    notes: dict[str, Any] = {}
    opening: LlmCall | None = None


def debate_pack(pack: Pack, brief: Brief, settings: Settings, clock: Callable[[], datetime]) -> Transcript:
    """Hold one debate and check every number of its result.

    Raises:
        IncompleteDebate: Turns failed or the budget ended; the transcript so far is inside.
        ConfigurationError: The model cannot be reached or refuses the key.
    """
    transcript = asyncio.run(_hold(pack, brief, settings, clock))
    checked = _noted(with_report_checks(transcript, pack), brief)
    if checked.status is not RunStatus.COMPLETE:
        raise IncompleteDebate(checked)
    return checked


async def _hold(pack: Pack, brief: Brief, settings: Settings, clock: Callable[[], datetime]) -> Transcript:
    options = Options(proposition=brief.proposition, target=brief.target, limits=limits_of(settings))
    gateway = build_gateway(settings, journal_dir(settings.data_dir), clock=clock, run_id=brief.run_id)
    try:
        if brief.protocol == INFORM and brief.previous is not None:
            return await inform(
                brief.previous, pack, gateway, clock=clock, debate_id=brief.debate_id, options=options
            )  # fmt: skip
        return await run_debate(
            pack, brief.protocol, gateway, clock=clock, debate_id=brief.debate_id, previous=brief.previous,
            options=options,
        )  # fmt: skip
    finally:
        await gateway.aclose()


def _noted(transcript: Transcript, brief: Brief) -> Transcript:
    calls = (brief.opening, *transcript.llm_calls) if brief.opening else transcript.llm_calls
    return transcript.model_copy(update={"record": {**transcript.record, **brief.notes}, "llm_calls": calls})


def debate_with(
    pack: dict[str, Any], brief: dict[str, Any], options: dict[str, Any], clock: Callable[[], datetime]
) -> Transcript:
    """The same from JSON; secrets come from the worker's own environment."""
    return debate_pack(Pack.model_validate(pack), Brief.model_validate(brief), Settings(**options), clock)


def limits_of(settings: Settings) -> Limits:
    """Temperature and answer lengths as configured; a role's own settings override them in the gateway."""
    return Limits(
        temperature=settings.temperature,
        argument_tokens=settings.max_tokens_argument,
        question_tokens=settings.max_tokens_question,
    )


def describe_model(settings: Settings, clock: Callable[[], datetime]) -> str:
    """What is known of every model in use, without buying anything; ConfigurationError if one is not usable."""
    found = asyncio.run(_health(settings, clock))
    advice = [f"{health.model}：{health.advice}" for health in found if health.advice]
    if advice:
        raise ConfigurationError("；".join(advice))
    return "；".join(f"{health.model}（{health.server}）可用" for health in found)


def require_model(settings: Settings, clock: Callable[[], datetime]) -> None:
    """Raise ConfigurationError if a model's server cannot be reached or refuses the key.

    A server whose list lacks the model's name is let through: many answer to any name.
    """
    if settings.model == "offline":
        return
    for health in asyncio.run(_health(settings, clock)):
        if health.is_reachable is False or health.is_key_accepted is False:
            raise ConfigurationError(health.advice)


async def _health(settings: Settings, clock: Callable[[], datetime]) -> list[ModelHealth]:
    gateway = build_gateway(settings, journal_dir(settings.data_dir), clock=clock)
    try:
        return await describe_models(gateway)
    finally:
        await gateway.aclose()
