"""How close many debates come to the ideal schedule of a fixed-latency model (PRODUCT X4, gateway only).

``python -m tests.benchmarks.model_schedule --debates 300 --latency 1.0 --concurrency 16``

Each debate is 13 calls one after the other, as in `bull_bear`; the model is the real client on an
in-process server, so what is measured is everything the gateway adds: schema, journal with fsync,
ledger, slots. The ideal is the larger of one debate's own length and all calls divided by the
concurrency. A second pass reads everything from the journal.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from flows.debate.gateway import Answered, Ask, Gateway, build_gateway
from tests.unit.gateway_room import GOOD, Opinion, settings
from tests.upstream.scripted_model import ScriptedModel

CALLS = 13


async def debate(room: Gateway, number: int) -> None:
    """One debate: a stable prefix per debate, a growing record."""
    system = f"第 {number} 只股票。" + "E1+ 营业收入同比增长12.3%。" * 150
    for call in range(CALLS):
        messages = [
            {"role": "system", "content": system},
            {"role": "user", "content": f"第 {call} 次发言。" + "此前的论点。" * 60},
        ]
        result = await room.ask(Ask("bull", messages, Opinion, 1000, 0.7))
        assert isinstance(result, Answered)


async def hold_all(folder: Path, model: ScriptedModel, debates: int, concurrency: int) -> tuple[float, float]:
    """Wall and CPU seconds of all debates."""
    room = build_gateway(
        settings(model_concurrency=concurrency),
        folder,
        clock=lambda: datetime.now(UTC),
        transport=model.transport(),
    )
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(debate(room, number) for number in range(debates)))
    spent = time.perf_counter() - wall, time.process_time() - cpu
    await room.aclose()
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--debates", type=int, default=300)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--concurrency", type=int, default=16)
    chosen = parser.parse_args()
    model = ScriptedModel(latency_s=chosen.latency, speak=lambda _: GOOD)
    calls = chosen.debates * CALLS
    ideal = chosen.latency * max(CALLS, math.ceil(calls / chosen.concurrency))
    with tempfile.TemporaryDirectory() as folder:
        arguments = (Path(folder), model, chosen.debates, chosen.concurrency)
        for name in ("bought", "from the journal"):
            wall, cpu = asyncio.run(hold_all(*arguments))
            ratio = f", {wall / ideal:.3f} of the ideal {ideal:.1f} s" if name == "bought" else ""
            print(f"{calls} calls {name}: {wall:.1f} s wall{ratio}; {cpu / calls * 1000:.1f} ms CPU per call")
    print(f"requests at the server: {len(model.requests)}, at most {model.in_flight['most']} at once")


if __name__ == "__main__":
    main()
