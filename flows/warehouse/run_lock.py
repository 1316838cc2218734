"""One run at a time per data folder; a second one is refused, naming the first.

The lock is the operating system's (``filelock``), so it is freed by the holder's death however it
dies. Who holds it stands in a file beside it, written after the lock is taken: the lock file itself
is truncated by every attempt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from filelock import FileLock, Timeout

from flows.errors import StoreBusy

_ZONE = ZoneInfo("Asia/Shanghai")


@contextmanager
def run_lock(data_dir: Path, what: str) -> Iterator[None]:
    """Hold *data_dir* for the flow called *what*; raises StoreBusy at once if another run holds it."""
    data_dir.mkdir(parents=True, exist_ok=True)
    holder = data_dir / "run.lock.json"
    lock = FileLock(data_dir / "run.lock", timeout=0, is_singleton=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise StoreBusy(_refusal(data_dir, holder)) from error
    try:
        holder.write_text(json.dumps({"pid": os.getpid(), "flow": what}), encoding="utf-8")
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _refusal(data_dir: Path, holder: Path) -> str:
    try:
        written = holder.read_text(encoding="utf-8")
        started = datetime.fromtimestamp(holder.stat().st_mtime, tz=_ZONE)
        about = json.loads(written)
        who = f"{about['flow']}（进程 {about['pid']}，{started:%Y-%m-%d %H:%M:%S} 开始）"
    except (OSError, ValueError, KeyError):
        who = "另一个运行（刚刚开始）"
    return f"数据目录 {data_dir} 正被{who}使用。请等它结束再运行，或用 --data 指向别的目录；它一旦退出，锁自动释放。"
