"""Slots and rates of model calls, across tasks and processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from flows.debate.limits import CallRate, Pace, Pause, Slots
from tests.unit.gateway_room import GOOD, World, ask, gateway
from tests.upstream import gateway_child as child
from tests.upstream.scripted_model import ScriptedModel


async def test_no_more_tasks_than_slots_hold_one(tmp_path: Path) -> None:
    slots, inside, most = Slots(tmp_path, 3, pace=Pace()), 0, 0

    async def work() -> None:
        nonlocal inside, most
        async with slots.hold():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.005)
            inside -= 1

    await asyncio.gather(*(work() for _ in range(20)))
    assert most == 3
    assert inside == 0


async def test_two_users_of_one_folder_share_its_slots(tmp_path: Path) -> None:
    world = World()
    first, second = Slots(tmp_path, 1, pace=world.pace), Slots(tmp_path, 1, pace=world.pace)
    order: list[str] = []

    async def hold_long() -> None:
        async with first.hold():
            while len(world.waits) < 5:
                await asyncio.sleep(0)
            order.append("first done")

    async def want() -> None:
        await asyncio.sleep(0)
        async with second.hold():
            order.append("second holds")

    await asyncio.gather(hold_long(), want())
    assert order == ["first done", "second holds"]


async def test_a_slot_is_free_again_after_an_error(tmp_path: Path) -> None:
    slots = Slots(tmp_path, 1, pace=Pace())

    async def fail() -> None:
        async with slots.hold():
            await asyncio.wait_for(asyncio.Event().wait(), 0.001)

    for _ in range(3):
        with pytest.raises(TimeoutError):
            await fail()


def test_one_gateway_serves_several_event_loops(tmp_path: Path) -> None:
    model = ScriptedModel(speak=lambda _: GOOD)
    room = gateway(tmp_path, model.transport())
    for text in ("一", "二"):
        asyncio.run(room.ask(ask(text)))
    assert len(model.requests) == 2


async def test_calls_over_the_rate_wait_for_the_minute_to_pass(tmp_path: Path) -> None:
    world = World()
    rate = CallRate(tmp_path / "rate.sqlite3", 5, pace=world.pace)
    starts = []
    for _ in range(12):
        await rate.wait()
        starts.append(world.elapsed_s)
    for earlier, later in zip(starts, starts[5:], strict=False):
        assert later - earlier >= 60.0
    assert starts[-1] < 121.0


async def test_two_users_of_one_file_share_its_rate(tmp_path: Path) -> None:
    world = World()
    users = [CallRate(tmp_path / "rate.sqlite3", 4, pace=world.pace) for _ in range(2)]
    for number in range(4):
        await users[number % 2].wait()
    assert world.waits == []
    await users[0].wait()
    assert sum(world.waits) >= 60.0


async def test_without_a_rate_nothing_waits_and_nothing_is_written(tmp_path: Path) -> None:
    world = World()
    rate = CallRate(tmp_path / "rate.sqlite3", None, pace=world.pace)
    for _ in range(100):
        await rate.wait()
    assert world.waits == []
    assert list(tmp_path.iterdir()) == []


class _Over(Exception):
    pass


async def _give_up(_seconds: float) -> None:
    raise _Over


def _start_calls(path: Path, granted: Path) -> None:
    rate = CallRate(path, 7, pace=Pace(sleep=_give_up, wall=lambda: 1_772_450_000.0))
    count = 0
    try:
        for _ in range(10):
            asyncio.run(rate.wait())  # type: ignore[arg-type]
            count += 1
    except _Over:
        pass
    granted.write_text(str(count))


def test_processes_starting_at_once_get_no_more_than_the_rate(tmp_path: Path) -> None:
    grants = [tmp_path / f"granted{number}" for number in range(3)]
    processes = [child.start(_start_calls, tmp_path / "rate.sqlite3", path) for path in grants]
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert sum(int(path.read_text()) for path in grants) == 7


async def test_the_configured_rate_reaches_the_server(tmp_path: Path) -> None:
    world, model = World(), ScriptedModel(speak=lambda _: GOOD)
    room = gateway(tmp_path, model.transport(), world, model_calls_per_minute=6)
    await asyncio.gather(*(room.ask(ask(f"第{number}问")) for number in range(13)))
    assert 120.0 <= world.elapsed_s < 125.0


def test_a_pause_is_shared_ends_and_is_never_shortened(tmp_path: Path) -> None:
    world = World()
    one, other = (Pause(tmp_path / "p", longest_s=600.0, pace=world.pace) for _ in range(2))
    assert one.remaining_s() == 0.0
    one.extend(30.0)
    other.extend(5.0)
    assert other.remaining_s() == pytest.approx(30.0)
    world.elapsed_s = 31.0
    assert other.remaining_s() == 0.0


@pytest.mark.parametrize("content", ["", "soon", "1e300"])
def test_a_broken_pause_holds_nobody_back(tmp_path: Path, content: str) -> None:
    (tmp_path / "p").write_text(content)
    assert Pause(tmp_path / "p", longest_s=600.0, pace=World().pace).remaining_s() == 0.0
