"""A scripted model server behind the real client and gateway; the offline model answers what is not scripted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.debate.engine import Options, run_debate
from flows.debate.gateway import Gateway, build_gateway
from flows.debate.offline import brain
from flows.debate.offline.reading import Scene, read_scene
from flows.debate.offline.request import parse_request
from flows.settings import Settings
from tests.unit.debate_fakes import NOW
from tests.unit.debate_packs import pack
from tests.unit.gateway_room import World

Reply = dict[str, Any] | str | httpx2.Response | None


@dataclass
class ScriptedServer(httpx2.AsyncBaseTransport):
    """Answers chat completions; *script* may change an answer, give raw text or a whole response."""

    script: Callable[[Scene, dict[str, Any]], Reply] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        content = await request.aread()
        self.requests.append(json.loads(content))
        asked = parse_request(content)
        honest = json.loads(json.dumps(brain.answer(asked), default=str))
        given = self.script(read_scene(asked), honest) if self.script else None
        if isinstance(given, httpx2.Response):
            return given
        text = given if isinstance(given, str) else json.dumps(given or honest, ensure_ascii=False)
        message = {"role": "assistant", "content": text}
        return httpx2.Response(
            200,
            json={
                "id": "x", "object": "chat.completion", "created": 0, "model": "m1",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150},
            },
        )  # fmt: skip


def gateway_on(folder: Path, server: httpx2.AsyncBaseTransport, **changes: Any) -> Gateway:
    """The real gateway in front of a server, with a clock that only waiting moves."""
    world = World(start=NOW)
    plain = {"model": "m1", "base_url": "http://model.test/v1", "api_key": "sk-x", **changes}
    return build_gateway(Settings(_env_file=None, **plain), folder, clock=world.now, transport=server, pace=world.pace)


def hold_on_server(
    folder: Path,
    script: Callable[[Scene, dict[str, Any]], Reply] | None = None,
    protocol: str = "bull_bear",
    the_pack: Pack | None = None,
    **settings: Any,
) -> tuple[Transcript, ScriptedServer]:
    """One debate through the real gateway on a scripted server."""
    server = ScriptedServer(script)
    options = settings.pop("options", Options())
    clock: Callable[[], datetime] = lambda: NOW  # noqa: E731

    async def run() -> Transcript:
        gateway = gateway_on(folder, server, **settings)
        try:
            return await run_debate(
                the_pack or pack(), protocol, gateway, clock=clock, debate_id="d-1", options=options
            )  # fmt: skip
        finally:
            await gateway.aclose()

    return asyncio.run(run()), server
