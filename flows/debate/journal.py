"""Every paid answer, durable before it is used and found again by the content of its question.

One JSON file per answer, named by a hash of everything that decides the answer. It is written to a
temporary name, flushed, renamed, and its folder flushed, so after a power cut it is there whole or
not at all. A file that does not prove itself (checksum, key) is set aside and bought again. While one
process buys an answer it holds a lock file of the same hash; others who want it wait and then read.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock

from flows.debate.limits import Pace, try_lock
from flows.debate.usage import Usage

_VERSION = 1
_FIRST_LOOK_S = 0.02
_LAST_LOOK_S = 0.5


@dataclass(frozen=True)
class ToolCall:
    """One function the model asked for, arguments as the JSON text it wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Entry:
    """One paid answer.

    Attributes:
        key: Hash of the question.
        text: The answer as written.
        finish_reason: Why the server stopped: stop, length, tool_calls, content_filter …
        mode: How the schema was demanded from the server.
        elapsed_ms: How long the server took when it was bought.
        answered_at: ISO time when it was bought.
    """

    key: str
    model: str
    text: str
    finish_reason: str | None
    usage: Usage
    mode: str
    elapsed_ms: float
    answered_at: str
    tool_calls: tuple[ToolCall, ...] = field(default=())


@dataclass(frozen=True)
class Question:
    """Everything that decides an answer; two equal questions are one purchase.

    Attributes:
        sample: Distinguishes purposely repeated questions (a second opinion on the same text).
        attempt: Number of the try within one ask, from 0, so that equal retries are separate purchases.
    """

    endpoint: str
    model: str
    messages: Sequence[Mapping[str, Any]]
    schema: str
    max_tokens: int
    temperature: float
    sample: int = 0
    attempt: int = 0
    tools: str = ""

    @property
    def key(self) -> str:
        """SHA-256 over the canonical JSON of the question, hexadecimal."""
        return _digest({name: getattr(self, name) for name in self.__dataclass_fields__})


class Journal:
    """A folder of answers shared by the processes of one machine."""

    def __init__(self, folder: Path, *, pace: Pace) -> None:
        self._folder = folder
        self._pace = pace
        self._locks = folder / "locks"
        self._locks.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> Entry | None:
        """The answer to the question with that key, or None; a broken file counts as none."""
        path = self._path(key)
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        entry = _decode(content, key)
        if entry is None:
            self._set_aside(path)
        return entry

    def put(self, entry: Entry) -> None:
        """Store *entry*; it is durable when this returns."""
        path = self._path(entry.key)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_durably(path, _encode(entry))

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncIterator[None]:
        """Be the only one, in any process, who may buy the answer to *key*."""
        path = self._locks / f"{key}.lock"
        lock = await self._wait_for(path)
        try:
            yield
        finally:
            # Only a stored answer makes the lock file superfluous: whoever still locks the removed
            # file will look first and find the answer.
            if self._path(key).exists():
                with suppress(OSError):
                    path.unlink()
            lock.release()

    async def _wait_for(self, path: Path) -> FileLock:
        pause = _FIRST_LOOK_S
        while (lock := try_lock(path)) is None:
            await self._pace.sleep(pause)
            pause = min(pause * 2, _LAST_LOOK_S)
        return lock

    def _path(self, key: str) -> Path:
        return self._folder / "answers" / key[:2] / f"{key}.json"

    def _set_aside(self, path: Path) -> None:
        aside = self._folder / "corrupt"
        aside.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):
            path.replace(aside / path.name)


def write_durably(path: Path, content: bytes) -> None:
    """Replace *path* by *content* so that after a crash the old or the new file is there, whole."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _encode(entry: Entry) -> bytes:
    body = asdict(entry)
    document = {"version": _VERSION, "checksum": _digest(body), "entry": body}
    return json.dumps(document, ensure_ascii=False, sort_keys=True, indent=1).encode()


def _decode(content: bytes, key: str) -> Entry | None:
    try:
        document = json.loads(content)
        body = document["entry"]
        if document["version"] != _VERSION or document["checksum"] != _digest(body) or body["key"] != key:
            return None
        usage = Usage(**body.pop("usage"))
        calls = tuple(ToolCall(**call) for call in body.pop("tool_calls"))
        return Entry(**body, usage=usage, tool_calls=calls)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
