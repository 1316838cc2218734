"""The journal: durable, found by content, never trusting a broken file."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from flows.debate.journal import Entry, Journal, Question, ToolCall
from flows.debate.limits import Pace
from flows.debate.usage import Usage

QUESTION = Question("http://a/v1", "m1", [{"role": "user", "content": "问"}], "{}", 1000, 0.7)


def entry(key: str, text: str = "答") -> Entry:
    usage = Usage(10, 5, 2, is_estimated=True)
    calls = (ToolCall("c1", "news", "{}"),)
    return Entry(key, "m1", text, "stop", usage, "json_schema", 12.5, "2026-03-02T18:00:00+08:00", calls)


def journal(folder: Path) -> Journal:
    return Journal(folder, pace=Pace())


def test_an_entry_comes_back_as_it_was_put(tmp_path: Path) -> None:
    journal(tmp_path).put(entry("ab" * 32))
    assert journal(tmp_path).get("ab" * 32) == entry("ab" * 32)


def test_an_unknown_key_is_none(tmp_path: Path) -> None:
    assert journal(tmp_path).get("ab" * 32) is None


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "http://b/v1"}, {"model": "m2"}, {"messages": [{"role": "user", "content": "问？"}]},
        {"schema": "[]"}, {"max_tokens": 999}, {"temperature": 0.8}, {"sample": 1}, {"attempt": 1}, {"tools": "t"},
    ],
)  # fmt: skip
def test_whatever_decides_an_answer_decides_its_key(change: dict[str, object]) -> None:
    assert replace(QUESTION, **change).key != QUESTION.key  # type: ignore[arg-type]
    assert replace(QUESTION).key == QUESTION.key


def test_a_key_does_not_depend_on_the_order_of_names_in_a_message() -> None:
    turned = replace(QUESTION, messages=[{"content": "问", "role": "user"}])
    assert turned.key == QUESTION.key


def stored(folder: Path) -> Path:
    (path,) = (folder / "answers").rglob("*.json")
    return path


@pytest.mark.parametrize("damage", ["cut", "empty", "edited", "foreign", "zeros", "other version"])
def test_a_broken_entry_is_a_miss_and_kept_aside(tmp_path: Path, damage: str) -> None:
    key = "cd" * 32
    room = journal(tmp_path)
    room.put(entry(key))
    path = stored(tmp_path)
    content = path.read_bytes()
    edited = json.loads(content)
    edited["entry"]["text"] = "另一个答案"
    foreign = journal(tmp_path / "other")
    foreign.put(entry("ef" * 32))
    broken = {
        "cut": content[: len(content) // 2],
        "empty": b"",
        "edited": json.dumps(edited).encode(),
        "foreign": stored(tmp_path / "other").read_bytes(),
        "zeros": bytes(len(content)),
        "other version": content.replace(b'"version": 1', b'"version": 99'),
    }[damage]
    path.write_bytes(broken)
    assert room.get(key) is None
    assert (tmp_path / "corrupt" / path.name).read_bytes() == broken
    room.put(entry(key))
    assert room.get(key) == entry(key)


def test_a_write_that_fails_leaves_the_old_entry_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "ab" * 32
    room = journal(tmp_path)
    room.put(entry(key, "旧"))

    def no_space(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        room.put(entry(key, "新"))
    monkeypatch.undo()
    assert room.get(key) == entry(key, "旧")
    assert [path.name for path in stored(tmp_path).parent.iterdir()] == [f"{key}.json"]


def test_file_and_folder_are_flushed_before_put_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []
    plain = os.fsync

    def watched(descriptor: int) -> None:
        flushed.append("folder" if os.path.isdir(f"/proc/self/fd/{descriptor}") else "file")  # noqa: PTH112
        plain(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    journal(tmp_path).put(entry("ab" * 32))
    assert flushed == ["file", "folder"]


async def test_one_holds_a_key_the_other_waits_and_finds_the_answer(tmp_path: Path) -> None:
    key, order = "ab" * 32, []
    first, second = journal(tmp_path), journal(tmp_path)

    async def buy() -> None:
        async with first.hold(key):
            order.append("holds")
            await asyncio.sleep(0.05)
            first.put(entry(key))
            order.append("stored")

    async def wait() -> None:
        await asyncio.sleep(0.01)
        async with second.hold(key):
            order.append("found" if second.get(key) else "missed")

    await asyncio.gather(buy(), wait())
    assert order == ["holds", "stored", "found"]


async def test_a_lock_file_goes_once_the_answer_is_there_and_stays_while_it_is_not(tmp_path: Path) -> None:
    room, key = journal(tmp_path), "ab" * 32
    async with room.hold(key):
        pass
    assert [path.name for path in (tmp_path / "locks").iterdir()] == [f"{key}.lock"]
    async with room.hold(key):
        room.put(entry(key))
    assert list((tmp_path / "locks").iterdir()) == []


async def test_other_keys_are_not_held_back(tmp_path: Path) -> None:
    room = journal(tmp_path)
    async with room.hold("ab" * 32), room.hold("cd" * 32):
        assert len(list((tmp_path / "locks").iterdir())) == 2
