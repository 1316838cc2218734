"""One pack to one transcript, with the model of the settings; needs no database, so any worker can do it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from flows.contracts.packs import Pack
from flows.contracts.transcripts import RunStatus, Transcript
from flows.debate.engine import run_debate
from flows.debate.gateway import build_gateway
from flows.debate.gateway_health import ModelHealth, describe_models
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


def debate_pack(
    pack: Pack, protocol: str, settings: Settings, debate_id: str, clock: Callable[[], datetime]
) -> Transcript:
    """Hold one debate and check every number of its result.

    Raises:
        IncompleteDebate: Turns failed or the budget ended; the transcript so far is inside.
        ConfigurationError: The model cannot be reached or refuses the key.
    """
    transcript = asyncio.run(_hold(pack, protocol, settings, debate_id, clock))
    checked = with_report_checks(transcript, pack)
    if checked.status is not RunStatus.COMPLETE:
        raise IncompleteDebate(checked)
    return checked


async def _hold(
    pack: Pack, protocol: str, settings: Settings, debate_id: str, clock: Callable[[], datetime]
) -> Transcript:
    gateway = build_gateway(settings, journal_dir(settings.data_dir), clock=clock)
    try:
        return await run_debate(pack, protocol, gateway, clock=clock, debate_id=debate_id)
    finally:
        await gateway.aclose()


def debate_with(
    pack: Pack, protocol: str, options: dict[str, Any], debate_id: str, clock: Callable[[], datetime]
) -> Transcript:
    """The same from JSON-able options; secrets come from the worker's own environment."""
    return debate_pack(pack, protocol, Settings(**options), debate_id, clock)


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
