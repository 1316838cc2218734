"""How often one vendor may be asked: rates shared by all processes, and a breaker inside this one.

Decision: the counts live in one SQLite file beside the data (``pyrate-limiter``'s bucket under a file lock),
so a schedule, a manual run and a backfill together keep the vendor's limits. The breaker is per process: its
state is about this machine's connection, and a fresh start should try once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyrate_limiter import Duration, Rate, RateItem, SQLiteBucket

from flows.sources.faults import denied, limited, outage

#: Calls per minute where the settings name none; guesses on the polite side of what the field reports.
CALLS_PER_MINUTE: Mapping[str, int] = {
    "baostock": 240, "eastmoney": 120, "cninfo": 60, "sina": 30, "tencent": 60, "exchanges": 60, "tushare": 180,
}  # fmt: skip
#: Calls in any 24 hours where the settings name none.
DAILY_CAP: Mapping[str, int] = {
    "baostock": 40_000, "eastmoney": 20_000, "cninfo": 20_000, "sina": 3_000, "tencent": 10_000, "exchanges": 5_000,
    "tushare": 20_000,
}  # fmt: skip


class Throttle:
    """At most so many calls per minute and per 24 hours of one vendor, over all processes."""

    def __init__(
        self,
        file: Path,
        vendor: str,
        per_minute: int,
        per_day: int,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """*file* is created with its folder; *sleep* is how waiting is done."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._vendor = vendor
        self._sleep = sleep
        self._thread_lock = threading.Lock()
        table = "calls_" + "".join(c if c.isalnum() else "_" for c in vendor)
        self._bucket = SQLiteBucket.init_from_file(
            _rates(per_minute, per_day), table=table, db_path=str(file), use_file_lock=True
        )

    def acquire(self, patience_s: float) -> None:
        """Count one call, waiting up to *patience_s*; a longer wait (the daily cap) is a RATE_LIMITED fault."""
        while True:
            wait_s = self._try()
            if wait_s is None:
                return
            if wait_s > patience_s:
                raise limited(f"本机对 {self._vendor} 的调用已达上限，约 {_in_words(wait_s)}后可再试", wait_s)
            self._sleep(wait_s)
            patience_s -= wait_s

    def _try(self) -> float | None:
        with self._thread_lock, self._bucket.lock:
            now = time.time_ns() // 1_000_000  # the bucket's own unit, shared by processes
            self._bucket.leak(now)
            item = RateItem(self._vendor, now)
            if self._bucket.put(item):
                return None
            wait_ms = self._bucket.waiting(item)
            return max(wait_ms, 1) / 1000 if isinstance(wait_ms, int) else 1.0


def _rates(per_minute: int, per_day: int) -> list[Rate]:
    """Only the rates that bind: a cap under the minute's rate makes that one idle, and the other way round."""
    minute, day = Rate(max(per_minute, 1), Duration.MINUTE), Rate(max(per_day, 1), Duration.DAY)
    if day.limit <= minute.limit:
        return [day]
    return [minute] if minute.limit * 1_440 <= day.limit else [minute, day]


def _in_words(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} 秒"
    return f"{seconds / 60:.0f} 分钟" if seconds < 7200 else f"{seconds / 3600:.1f} 小时"


@dataclass
class Breaker:
    """Stops asking after *threshold* outages in a row; one call is let through after *rest_s*.

    A vendor that refuses us (blacklist, no right) is left alone for the rest of the process.
    """

    threshold: int = 5
    rest_s: float = 120.0
    _failures: int = 0
    _opened: float | None = None
    _is_barred: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def check(self, vendor: str) -> None:
        """Raise if *vendor* should not be asked now."""
        with self._lock:
            if self._is_barred:
                raise denied(f"{vendor} 已拒绝本机访问，本次运行不再请求；请按提示处理后次日再试")
            if self._opened is None:
                return
            left = self.rest_s - (time.monotonic() - self._opened)
            if left > 0:
                fault = outage(f"{vendor} 连续 {self._failures} 次失败，暂停请求（熔断），{left:.0f} 秒后再试")
                fault.again = False
                raise fault
            self._opened = time.monotonic()  # one trial; the others keep waiting until it reports

    def succeeded(self) -> None:
        """The vendor answered."""
        with self._lock:
            self._failures, self._opened = 0, None

    def failed(self) -> None:
        """The vendor could not be reached or broke off."""
        with self._lock:
            self._failures += 1
            if self._failures >= self.threshold:
                self._opened = time.monotonic()

    def bar(self) -> None:
        """The vendor refuses us."""
        with self._lock:
            self._is_barred = True
