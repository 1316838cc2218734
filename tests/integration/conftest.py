"""The real command line in child processes; one sample review is shared by the tests that only read it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

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


def zhengming(*arguments: str | Path, data: Path | None = None, cwd: Path = ROOT, **environment: str) -> Ran:
    """Run ``python -m flows`` with a clean configuration."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("ZHENGMING_", "PREFECT_"))}
    clean |= {"PYTHONPATH": str(ROOT), "COLUMNS": "120", **environment}
    words = [str(a) for a in arguments] + (["--data", str(data)] if data else [])
    done = subprocess.run(
        [sys.executable, "-m", "flows", *words], env=clean, cwd=cwd, capture_output=True, text=True, timeout=900,
        check=False,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


def counts(data: Path) -> dict[str, int]:
    """Rows of every table of the database."""
    tables = zhengming(
        "query", "--sql", "select schema_name || '.' || table_name as name from duckdb_tables()", "--json", data=data
    ).json  # fmt: skip
    body = " union all ".join(f"select '{t['name']}' as name, count(*) as rows from {t['name']}" for t in tables)
    return {row["name"]: row["rows"] for row in zhengming("query", "--sql", body, "--json", data=data).json}


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
