"""The real command line in child processes; one sample review is shared by the tests that only read it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """Standard output as JSON."""
        return json.loads(self.out)


def _environment(**environment: str) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("ZHENGMING_", "PREFECT_"))}
    return clean | {"PYTHONPATH": str(ROOT), "COLUMNS": "120", **environment}


def _command(arguments: tuple[str | Path, ...], data: Path | None) -> list[str]:
    return [sys.executable, "-m", "flows", *map(str, arguments), *(["--data", str(data)] if data else [])]


def zhengming(*arguments: str | Path, data: Path | None = None, cwd: Path = ROOT, **environment: str) -> Ran:
    """Run ``python -m flows`` with a clean configuration."""
    done = subprocess.run(
        _command(arguments, data), env=_environment(**environment), cwd=cwd, capture_output=True, text=True,
        timeout=900, check=False,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


@contextmanager
def started(*arguments: str | Path, data: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command under way in a process group of its own; whatever is left of the group ends with the block."""
    process = subprocess.Popen(
        _command(arguments, data), env=_environment(**environment), cwd=ROOT, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(is_true: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float = 600) -> None:
    """Wait for something a running command does."""
    deadline = time.monotonic() + seconds
    while not is_true():
        assert process.poll() is None, f"ended with {process.returncode} too early"
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


def rows(data: Path, sql: str) -> list[dict[str, Any]]:
    """What a select answers."""
    ran = zhengming("query", "--sql", sql, "--json", data=data)
    assert ran.code == 0, ran.out + ran.err
    found: list[dict[str, Any]] = ran.json["rows"]
    return found


def counts(data: Path) -> dict[str, int]:
    """Rows of every table of the database."""
    tables = zhengming(
        "query", "--sql", "select schema_name || '.' || table_name as name from duckdb_tables()", "--json", data=data
    ).json["rows"]  # fmt: skip
    body = " union all ".join(f"select '{t['name']}' as name, count(*) as rows from {t['name']}" for t in tables)
    return {row["name"]: row["rows"] for row in zhengming("query", "--sql", body, "--json", data=data).json["rows"]}


@dataclass(frozen=True)
class Reviewed:
    """Two evenings of the sample market: the session before and the last one, the last one twice."""

    data: Path
    first: Ran
    last: Ran
    again: Ran
    before_again: dict[str, int]
    after_again: dict[str, int]


@pytest.fixture(scope="session")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Reviewed:
    """Review the sample market on 2026-11-26 and 2026-11-27, then once more."""
    data = tmp_path_factory.mktemp("reviewed")
    first = zhengming("review", "--as-of", "2026-11-26", "--json", data=data)
    last = zhengming("review", "--json", data=data)
    before = counts(data)
    again = zhengming("review", "--json", data=data)
    return Reviewed(data, first, last, again, before, counts(data))
