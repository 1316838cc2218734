"""Concurrency and rate limits that hold across tasks, threads and processes of one machine.

A slot is a locked file: the kernel frees it when its process dies, so no lease has to expire. The rate
is counted by pyrate-limiter's SQLite bucket. Its ``Limiter`` is left out on purpose: it sleeps on the
event loop while it holds the file lock and starts a thread that cleans up; one short locked look per
call does the same here.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from weakref import WeakKeyDictionary

from filelock import FileLock, Timeout
from pyrate_limiter import Duration, Rate, RateItem, SQLiteBucket

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class Pace:
    """Physical time, which passes while one waits, whatever the run's own clock says.

    Attributes:
        monotonic: Seconds that only go forward, of this process.
        wall: Seconds since the epoch, the same for all processes.
    """

    sleep: Sleep = asyncio.sleep
    monotonic: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time


_FIRST_LOOK_S = 0.01
_LAST_LOOK_S = 0.1


def try_lock(path: Path) -> FileLock | None:
    """Lock *path* without waiting; None if somebody else, in whatever process, holds it."""
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


class Slots:
    """At most *count* holders at a time among everybody who uses *folder*."""

    def __init__(self, folder: Path, count: int, *, pace: Pace) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        #: Likely free ones first, so that a look rarely tries more than one file.
        self._paths = deque(folder / f"{number}.lock" for number in range(count))
        self._count = count
        self._pace = pace
        self._gates: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[asyncio.Semaphore, asyncio.Lock]]
        self._gates = WeakKeyDictionary()

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Hold one slot for the duration of the block."""
        inside, looking = self._gate()
        async with inside:
            async with looking:
                path, lock = await self._free_slot()
            try:
                yield
            finally:
                lock.release()
                self._paths.remove(path)
                self._paths.appendleft(path)

    def _gate(self) -> tuple[asyncio.Semaphore, asyncio.Lock]:
        loop = asyncio.get_running_loop()
        if loop not in self._gates:
            self._gates[loop] = (asyncio.Semaphore(self._count), asyncio.Lock())
        return self._gates[loop]

    async def _free_slot(self) -> tuple[Path, FileLock]:
        pause = _FIRST_LOOK_S
        while True:
            for path in tuple(self._paths):
                if (lock := try_lock(path)) is not None:
                    self._paths.remove(path)
                    self._paths.append(path)
                    return path, lock
            await self._pace.sleep(pause)
            pause = min(pause * 2, _LAST_LOOK_S)


class CallRate:
    """At most *per_minute* starts in any 60 seconds among everybody who uses *path*; None means no limit."""

    def __init__(self, path: Path, per_minute: int | None, *, pace: Pace) -> None:
        self._path = path
        self._per_minute = per_minute
        self._pace = pace
        self._bucket: SQLiteBucket | None = None

    async def wait(self) -> None:
        """Return when the next call may start, and count it."""
        if self._per_minute is None:
            return
        while (delay_s := self._try()) > 0:
            await self._pace.sleep(delay_s)

    def _try(self) -> float:
        """Count one start now, or say how many seconds to wait."""
        bucket = self._open()
        with bucket.lock:
            now_ms = int(self._pace.wall() * 1000)
            bucket.leak(now_ms)
            item = RateItem("call", now_ms)
            if bucket.put(item):
                return 0.0
            return max(cast("int", bucket.waiting(item)), 1) / 1000

    def _open(self) -> SQLiteBucket:
        if self._bucket is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            rates = [Rate(self._per_minute or 1, Duration.MINUTE)]
            self._bucket = SQLiteBucket.init_from_file(rates, db_path=str(self._path), use_file_lock=True)
        return self._bucket

    def close(self) -> None:
        """Close the file."""
        if self._bucket is not None:
            self._bucket.close()  # type: ignore[no-untyped-call]
            self._bucket = None


class Pause:
    """Until when nobody may ask a server, because it told one of us to wait; shared through *path*."""

    def __init__(self, path: Path, *, longest_s: float, pace: Pace) -> None:
        self._path = path
        self._longest_s = longest_s
        self._pace = pace

    def remaining_s(self) -> float:
        """Seconds still to wait; 0 if none, or if the file is unreadable or too far ahead to be true."""
        try:
            remaining = float(self._path.read_text("ascii")) - self._pace.wall()
        except (FileNotFoundError, ValueError):
            return 0.0
        return remaining if 0 < remaining <= self._longest_s else 0.0

    def extend(self, seconds: float) -> None:
        """Wait at least *seconds* from now on."""
        if seconds <= self.remaining_s():
            return
        write_aside(self._path, repr(self._pace.wall() + seconds))


class Outage:
    """Whether a server has stopped answering, known to everybody of one run through *path*.

    After a report the whole run leaves the server alone for *rest_s* seconds, once; a report after that
    rest makes the outage final, and nobody waits for the server any more.
    """

    def __init__(self, path: Path, run_id: str, *, rest_s: float, pace: Pace) -> None:
        self._path = path
        self._run_id = run_id
        self._rest_s = rest_s
        self._pace = pace

    @property
    def is_reported(self) -> bool:
        """Whether this run has found the server down and not up again since."""
        return self._read() is not None

    @property
    def is_final(self) -> bool:
        """Whether it was found down again after a rest."""
        found = self._read()
        return found is not None and found[1] > 1

    @property
    def rest_left_s(self) -> float:
        """Seconds for which asking again is pointless; 0 if none."""
        found = self._read()
        left_s = found[0] + self._rest_s - self._pace.wall() if found else 0.0
        return left_s if 0 < left_s <= self._rest_s else 0.0

    def report(self) -> bool:
        """The server is down; whether that is news: reports during a rest are the same outage."""
        found = self._read()
        if found is not None and self.rest_left_s:
            return False
        write_aside(self._path, f"{self._pace.wall()!r} {found[1] + 1 if found else 1} {self._run_id}")
        return True

    def clear(self) -> None:
        """The server has answered."""
        self._path.unlink(missing_ok=True)

    def _read(self) -> tuple[float, int] | None:
        """When this run last reported it, and how often."""
        try:
            at, times, run_id = self._path.read_text("utf-8").split(" ", 2)
            return (float(at), int(times)) if run_id == self._run_id else None
        except (FileNotFoundError, ValueError):
            return None


def write_aside(path: Path, text: str) -> None:
    """Write *path* in one step, so that nobody reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    written.write_text(text, "utf-8")
    written.replace(path)
