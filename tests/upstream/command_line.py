"""The real command line in a child process whose clients are led to the local upstream."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.integration.conftest import ROOT, Ran, zhengming
from tests.upstream.serve import environment
from tests.upstream.world import World


@dataclass(frozen=True)
class Line:
    """A served world and the data folder the commands work on."""

    world: World
    data: Path
    ports: tuple[int, int]

    def run(self, *arguments: str, **settings: object) -> Ran:
        """One command with live sources; *settings* are options of ``Settings``."""
        return zhengming(*arguments, "--sources", "live", data=self.data, **self._environment(settings))

    def kill_when(self, reached: threading.Event, *arguments: str, **settings: object) -> int:
        """Start a command and end it with SIGKILL as soon as *reached* is set; its exit code."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ZHENGMING_", "PREFECT_"))}
        child = subprocess.Popen(
            [sys.executable, "-m", "flows", *arguments, "--sources", "live", "--data", str(self.data)],
            env={**clean, **self._environment(settings)}, cwd=ROOT, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        assert reached.wait(240)
        child.send_signal(signal.SIGKILL)
        return child.wait(30)

    def rows(self, sql: str) -> list[dict[str, object]]:
        """What ``query --sql`` answers."""
        return zhengming("query", "--sql", sql, "--json", data=self.data).json["rows"]

    def _environment(self, settings: dict[str, object]) -> dict[str, str]:
        given = {
            f"ZHENGMING_{name.upper()}": value if isinstance(value, str) else json.dumps(value)
            for name, value in settings.items()
        }
        return {**environment(*self.ports), "ZHENGMING_FETCH_ATTEMPTS": "1", **given}


@contextmanager
def line(world: World, data: Path) -> Iterator[Line]:
    """Serve *world* while the block runs."""
    with world.serving() as ports:
        yield Line(world, data, ports)
    assert world.upstream.unexpected == []
