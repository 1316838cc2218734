"""Gateways in processes of their own, forked from a clean server, so that killing one is real."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from flows.debate.gateway import Abstained, Answered, build_gateway
from flows.debate.journal import Journal
from flows.debate.usage_ledger import Ledger
from flows.errors import BudgetSpent
from tests.unit.gateway_room import ask, settings

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__, "flows.debate.engine", "flows.truth.binding"])


def questions(count: int) -> list[str]:
    return [f"第 {number} 问" for number in range(count)]


def start(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    process = _CONTEXT.Process(target=target, args=arguments, daemon=True)
    process.start()
    return process


def run(target: Callable[..., None], *arguments: Any) -> int | None:
    """Run to its end; negative exit codes are signals."""
    process = start(target, *arguments)
    process.join(120)
    return process.exitcode


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def debate(folder: Path, base_url: str, out: Path, count: int, death: str) -> None:
    """Ask *count* questions one after the other; *death* says where the process kills itself."""
    place, _, number = death.partition(":")
    if place == "before journal":
        _die_at_call(Journal, "put", int(number))
    if place == "before ledger":
        _die_at_call(Ledger, "settle", int(number))
    asyncio.run(_debate(folder, base_url, out, count, int(number) if place == "before ask" else -1))


def _die_at_call(owner: type, name: str, number: int) -> None:
    plain, calls = getattr(owner, name), [0]

    def counted(*arguments: Any) -> Any:
        calls[0] += 1
        if calls[0] == number + 1:
            die()
        return plain(*arguments)

    setattr(owner, name, counted)


async def _debate(folder: Path, base_url: str, out: Path, count: int, death_at: int) -> None:
    room = build_gateway(settings(base_url=base_url), folder, clock=lambda: datetime.now(UTC), run_id="one")
    said: list[Any] = []
    for number, question in enumerate(questions(count)):
        if number == death_at:
            die()
        result = await room.ask(ask(f"{question}；此前：{json.dumps(said, ensure_ascii=False)}"))
        assert isinstance(result, Answered)
        said.append([result.value.model_dump(), result.raw, result.call.attempts])
    await room.aclose()
    out.write_text(json.dumps(said, ensure_ascii=False), "utf-8")


def crowd(folder: Path, base_url: str, out: Path, texts: list[str], changes: dict[str, Any]) -> None:
    """Ask all *texts* at once and note what came of each."""
    asyncio.run(_crowd(folder, base_url, out, texts, changes))


async def _crowd(folder: Path, base_url: str, out: Path, texts: list[str], changes: dict[str, Any]) -> None:
    room = build_gateway(
        settings(base_url=base_url, **changes), folder, clock=lambda: datetime.now(UTC), run_id="shared"
    )
    results = await asyncio.gather(*(room.ask(ask(text)) for text in texts), return_exceptions=True)
    await room.aclose()
    out.write_text(json.dumps([_outcome(result) for result in results]), "utf-8")


def _outcome(result: Answered | Abstained | BaseException) -> str:
    if isinstance(result, Answered):
        return "cached" if result.call.cached else "paid"
    return "budget" if isinstance(result, BudgetSpent) else repr(result)
