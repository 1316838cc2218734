"""A gate with a script, for tests of the debate's own logic; the offline model answers what the script leaves out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from flows.contracts.packs import Pack
from flows.contracts.transcripts import LlmCall, Transcript
from flows.debate.engine import Options, run_debate
from flows.debate.gateway_types import Abstained, Answered, Ask, Requested
from flows.debate.offline import brain
from flows.debate.offline.reading import Scene, read_scene
from flows.debate.offline.request import OfflineRequest
from tests.unit.debate_packs import SHANGHAI, pack

NOW = datetime(2026, 10, 30, 20, 0, tzinfo=SHANGHAI)
Script = Callable[[Scene, dict[str, Any]], "dict[str, Any] | str | None"]


def request_of(ask: Ask) -> OfflineRequest:
    """The request a server would get."""
    return OfflineRequest("offline", tuple(ask.messages), ask.max_tokens, ask.temperature, ask.answer.__name__, {})


@dataclass
class ScriptedGate:
    """Answers as the offline model does, changed by *script*.

    The script gets the scene and the honest answer and returns the answer to give, a text as the
    reason of an abstention, or None to leave the honest answer.
    """

    script: Script | None = None
    asks: list[Ask] = field(default_factory=list)
    scenes: list[Scene] = field(default_factory=list)
    requests: list[Callable[[Ask], Requested]] = field(default_factory=list)
    raws: list[str] = field(default_factory=list)

    async def ask(self, ask: Ask) -> Answered | Abstained:
        self.asks.append(ask)
        scene = read_scene(request_of(ask))
        self.scenes.append(scene)
        honest = brain.answer(request_of(ask))
        answer = self.script(scene, json.loads(json.dumps(honest, default=str))) if self.script else None
        call = LlmCall(
            call_hash=f"h{len(self.asks)}", role=ask.role, model="scripted", tokens_in=10, tokens_out=5, cost_cny=None,
            cached=False, attempts=1, status="ok", started_at=NOW, elapsed_ms=1.0,
        )  # fmt: skip
        if isinstance(answer, str):
            return Abstained(answer, call.model_copy(update={"status": "failed"}))
        value = ask.answer.model_validate(answer or honest)
        causes = [*(ask.validate(value) if ask.validate else ())]
        if causes:
            return Abstained("；".join(causes), call.model_copy(update={"status": "failed"}))
        raw = json.dumps(answer or honest, ensure_ascii=False, separators=(",", ":"), default=str)
        self.raws.append(raw)
        return Answered(value, call, raw)

    async def ask_or_look_up(self, ask: Ask) -> Answered | Requested | Abstained:
        return self.requests.pop(0)(ask) if self.requests else await self.ask(ask)


def hold(
    protocol: str = "bull_bear", script: Script | None = None, the_pack: Pack | None = None, **options: Any
) -> tuple[Transcript, ScriptedGate]:
    """One debate on a scripted gate."""
    gate = ScriptedGate(script)
    debate_id = options.pop("debate_id", "d-1")
    previous = options.pop("previous", None)
    run = run_debate(
        the_pack or pack(), protocol, gate, clock=lambda: NOW, debate_id=debate_id, previous=previous,
        options=Options(**options),
    )  # fmt: skip
    return asyncio.run(run), gate


@cache
def standard(protocol: str = "bull_bear") -> tuple[Transcript, ScriptedGate]:
    """One undisturbed debate, held once for all tests that only look."""
    return hold(protocol)
