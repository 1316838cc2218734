"""One run per data folder; the second is told about the first, and its death frees the folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from flows.errors import StoreBusy
from flows.warehouse.run_lock import run_lock

HOLD = """
import sys
from pathlib import Path
from flows.warehouse.run_lock import run_lock
with run_lock(Path(sys.argv[1]), "post_close"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path):
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()


def test_second_run_is_refused_and_told_who_runs(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    with (
        pytest.raises(StoreBusy, match=rf"post_close（进程 {holder.pid}，20\d\d-\d\d-\d\d \d\d:\d\d:\d\d 开始）"),
        run_lock(tmp_path, "redebate"),
    ):
        pass


def test_refused_run_does_not_free_the_first(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    for _ in range(2):
        with pytest.raises(StoreBusy, match=str(holder.pid)), run_lock(tmp_path, "redebate"):
            pass


def test_death_of_the_holder_frees_the_folder(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.wait()
    with run_lock(tmp_path, "redebate"):
        assert (tmp_path / "run.lock.json").exists()


def test_lock_is_released_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), run_lock(tmp_path, "settle"):
        raise RuntimeError("the flow failed")
    with run_lock(tmp_path, "settle"):
        pass


def test_same_process_is_refused_too(tmp_path: Path) -> None:
    with run_lock(tmp_path, "post_close"), pytest.raises(StoreBusy, match="post_close"), run_lock(tmp_path, "settle"):
        pass
