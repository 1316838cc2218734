"""What the gateway's tests share: an answer type, a clock that waiting advances, a gateway on a scripted server."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import httpx2
from pydantic import BaseModel, ConfigDict, Field

from flows.debate.gateway import Ask, Gateway, build_gateway
from flows.debate.limits import Pace
from flows.settings import Settings

KEY = "sk-very-secret-0123456789"
BASE_URL = "http://model.test/v1"


class Opinion(BaseModel):
    """A small answer with a side to take."""

    model_config = ConfigDict(extra="forbid")

    stance: Literal["支持", "反对"]
    points: list[str] = Field(min_length=1)


GOOD = '{"stance": "支持", "points": ["营业收入同比增长12.3%"]}'
OTHER = '{"stance": "反对", "points": ["营业收入同比增长12.3%"]}'


@dataclass
class World:
    """A clock that only waiting moves; ``waits`` lists every pause in seconds."""

    start: datetime = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
    elapsed_s: float = 0.0
    waits: list[float] = field(default_factory=list)

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.elapsed_s)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.elapsed_s += seconds
        await asyncio.sleep(0)

    @property
    def pace(self) -> Pace:
        return Pace(sleep=self.sleep, monotonic=lambda: self.elapsed_s, wall=lambda: self.now().timestamp())


def settings(**changes: Any) -> Settings:
    plain: dict[str, Any] = {"model": "m1", "base_url": BASE_URL, "api_key": KEY, **changes}
    return Settings(_env_file=None, **plain)


def gateway(
    folder: Path, transport: httpx2.AsyncBaseTransport | None, world: World | None = None, **changes: Any
) -> Gateway:
    world = world or World()
    run_id = changes.pop("run_id", str(folder))
    return build_gateway(
        settings(**changes), folder, clock=world.now, run_id=run_id, transport=transport, pace=world.pace
    )


def ask(text: str = "是否支持命题？", **changes: Any) -> Ask:
    plain: dict[str, Any] = {
        "role": "bull",
        "messages": [{"role": "system", "content": "你是多方。"}, {"role": "user", "content": text}],
        "answer": Opinion,
        "max_tokens": 1000,
        "temperature": 0.7,
    }
    return Ask(**{**plain, **changes})
