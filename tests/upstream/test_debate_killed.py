"""A whole debate over a real connection, killed before each of its calls: the rerun buys only the rest."""

from __future__ import annotations

import asyncio
import json
import signal
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from flows.debate.engine import run_debate
from flows.debate.gateway import Gateway, build_gateway
from tests.unit.debate_packs import pack
from tests.unit.gateway_room import settings
from tests.upstream import gateway_child as child
from tests.upstream.scripted_model import ScriptedModel

#: Thirteen, the judge's second reading and the auditor's.
CALLS = 15

pytestmark = pytest.mark.slow


def debate(folder: Path, base_url: str, out: Path, death_at: int) -> None:
    """Hold one debate and store its transcript; die before the call with that number."""
    asyncio.run(_debate(folder, base_url, out, death_at))


async def _debate(folder: Path, base_url: str, out: Path, death_at: int) -> None:
    room = build_gateway(settings(base_url=base_url), folder, clock=lambda: datetime.now(UTC))
    frozen = datetime(2026, 3, 2, 18, tzinfo=UTC)
    transcript = await run_debate(pack(), "bull_bear", _Mortal(room, death_at), clock=lambda: frozen, debate_id="d1")
    await room.aclose()
    document = transcript.model_dump(mode="json")
    for call in document["llm_calls"]:
        for name in ("cached", "tokens_in", "tokens_out", "cost_cny", "started_at", "elapsed_ms"):
            call.pop(name)
    out.write_text(json.dumps(document, ensure_ascii=False, sort_keys=True), "utf-8")


class _Mortal:
    """The gateway of a process that dies before one of its asks."""

    def __init__(self, room: Gateway, death_at: int) -> None:
        self._room = room
        self._left = death_at

    async def ask(self, asked: Any) -> Any:
        self._count()
        return await self._room.ask(asked)

    async def ask_or_look_up(self, asked: Any) -> Any:
        self._count()
        return await self._room.ask_or_look_up(asked)

    def _count(self) -> None:
        if self._left == 0:
            child.die()
        self._left -= 1


@pytest.fixture(scope="module")
def server() -> Any:
    model = ScriptedModel()
    with model.serve() as base_url:
        yield model, base_url


@pytest.fixture(scope="module")
def undisturbed(server: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("undisturbed")
    assert child.run(debate, folder / "journal", server[1], folder / "out", -1) == 0
    return (folder / "out").read_text("utf-8")


def test_the_debate_is_complete(undisturbed: str) -> None:
    document = json.loads(undisturbed)
    assert document["status"] == "complete"
    assert len(document["llm_calls"]) == CALLS


@pytest.mark.parametrize("index", range(CALLS))
def test_killed_before_any_call_the_rerun_buys_the_rest(
    server: Any, undisturbed: str, tmp_path: Path, index: int
) -> None:
    model, base_url = server
    before = len(model.requests)
    arguments = (tmp_path / "journal", base_url, tmp_path / "out")
    assert child.run(debate, *arguments, index) == -signal.SIGKILL
    assert child.run(debate, *arguments, -1) == 0
    assert (tmp_path / "out").read_text("utf-8") == undisturbed
    assert len(model.requests) - before == CALLS
