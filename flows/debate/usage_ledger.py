"""The ledger that holds budgets per run and per day across processes.

It is a SQLite file beside the journal. Before a call is sent its largest possible use is reserved;
afterwards the reservation becomes what the server reported. A call that may have been billed without an
answer (timeout, cancelled, killed process) keeps its estimate, since a budget that forgets money is
worse than one that stops a little early.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from flows.debate.usage import Budgets, Purchase, Spent, Usage
from flows.errors import BudgetSpent, ConfigurationError

_SHANGHAI = ZoneInfo("Asia/Shanghai")
_SCHEMA = """
create table if not exists entries (
    id integer primary key,
    run_id text not null, day text not null, pool text not null,
    call_hash text not null, role text not null, model text not null,
    tokens_in integer not null, tokens_out integer not null, cost_cny real,
    status text not null, pid integer not null, booked_at real not null
);
create index if not exists entries_run on entries (run_id, pool);
create index if not exists entries_day on entries (day, pool);
create index if not exists entries_running on entries (status) where status = 'running';
"""


@dataclass(frozen=True)
class Times:
    """The clock that decides the day, physical seconds since the epoch, and how long a call may last."""

    clock: Callable[[], datetime]
    wall: Callable[[], float] = time.time
    longest_call_s: float = 600.0


class Ledger:
    """What was spent, kept in *path* and shared by every process that opens it.

    *pool* keeps the free offline model apart from paid ones. Days are those of Asia/Shanghai. A
    reservation counts as spent once its process is gone or it is older than *longest_call_s*.
    """

    def __init__(self, path: Path, *, run_id: str, budgets: Budgets, times: Times) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._budgets = budgets
        self._run_id = run_id
        self._times = times
        self._thread_lock = threading.Lock()
        self._connection = _open(path)

    @property
    def run_id(self) -> str:
        """The run whose budget is spent."""
        return self._run_id

    @property
    def is_limited(self) -> bool:
        """Whether any budget is set, so that reservations must be exact."""
        return not self._budgets.is_unlimited

    def reserve(self, purchase: Purchase, pool: str) -> int | None:
        """Set aside the most *purchase* can use; returns the entry to settle.

        None if only calls still running stand in the way: wait for them and ask again. Raises
        BudgetSpent if what is spent leaves no room.
        """
        with self._transaction() as connection:
            if not self._budgets.is_unlimited:
                self._book_the_lost(connection)
                if reason := self._exceeded(purchase, pool, with_running=False):
                    raise BudgetSpent(reason)
                if self._exceeded(purchase, pool, with_running=True):
                    return None
            return self._insert(connection, purchase, pool)

    def settle(self, entry: int, usage: Usage, cost_cny: float | None) -> None:
        """Replace the reservation by what was used."""
        with self._transaction() as connection:
            connection.execute(
                "update entries set tokens_in = ?, tokens_out = ?, cost_cny = ?, status = 'paid' where id = ?",
                (usage.tokens_in, usage.tokens_out, cost_cny, entry),
            )

    def abandon(self, entry: int) -> None:
        """The call may have been billed although no answer came: keep the estimate."""
        with self._transaction() as connection:
            connection.execute("update entries set status = 'unknown' where id = ?", (entry,))

    def cancel(self, entry: int) -> None:
        """Nothing was bought: drop the reservation."""
        with self._transaction() as connection:
            connection.execute("delete from entries where id = ?", (entry,))

    def spent(self, pool: str) -> Spent:
        """What this run and this day have used, calls still running not counted."""
        return self._spent(pool, with_running=False)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _insert(self, connection: sqlite3.Connection, purchase: Purchase, pool: str) -> int:
        values = (
            self._run_id, self._day(), pool, purchase.call_hash, purchase.role, purchase.model,
            purchase.most.tokens_in, purchase.most.tokens_out, purchase.most_cost_cny,
            "running", os.getpid(), self._times.wall(),
        )  # fmt: skip
        row = connection.execute(
            "insert into entries (run_id, day, pool, call_hash, role, model, tokens_in, tokens_out, cost_cny,"
            " status, pid, booked_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        return int(row.lastrowid or 0)

    def _exceeded(self, purchase: Purchase, pool: str, *, with_running: bool) -> str:
        spent = self._spent(pool, with_running=with_running)
        tokens = purchase.most.tokens_in + purchase.most.tokens_out
        cost = purchase.most_cost_cny or 0.0
        limits = self._budgets
        checks: tuple[tuple[str, float, float, float | None, str], ...] = (
            ("本次运行的 token", spent.run_tokens, tokens, limits.run_tokens, "RUN_TOKEN_BUDGET"),
            ("今天的 token", spent.day_tokens, tokens, limits.day_tokens, "DAY_TOKEN_BUDGET"),
            ("本次运行的费用（元）", spent.run_cost_cny, cost, limits.run_cost_cny, "RUN_COST_BUDGET_CNY"),
            ("今天的费用（元）", spent.day_cost_cny, cost, limits.day_cost_cny, "DAY_COST_BUDGET_CNY"),
        )
        for what, used, wanted, limit, setting in checks:
            if limit is not None and used + wanted > limit:
                return (
                    f"{what}预算用完：已用 {used:g}，下一次调用最多要 {wanted:g}，上限 {limit:g}。"
                    f"已买到的回答都已保存，重跑不会重复付费；需要继续请调高 ZHENGMING_{setting}。"
                )
        return ""

    def _spent(self, pool: str, *, with_running: bool) -> Spent:
        query = (
            "select coalesce(sum((tokens_in + tokens_out) * (run_id = :run)), 0),"
            " coalesce(sum(cost_cny * (run_id = :run)), 0.0),"
            " coalesce(sum((tokens_in + tokens_out) * (day = :day)), 0),"
            " coalesce(sum(cost_cny * (day = :day)), 0.0) from entries"
            " where pool = :pool and (run_id = :run or day = :day) and (:running or status <> 'running')"
        )
        names = {"run": self._run_id, "day": self._day(), "pool": pool, "running": with_running}
        return Spent(*self._connection.execute(query, names).fetchone())

    def _book_the_lost(self, connection: sqlite3.Connection) -> None:
        """Running calls whose process died or that took too long may have been billed."""
        oldest = self._times.wall() - self._times.longest_call_s
        rows = connection.execute("select id, pid, booked_at from entries where status = 'running'").fetchall()
        lost = [(entry,) for entry, pid, booked_at in rows if booked_at < oldest or not _is_running(pid)]
        connection.executemany("update entries set status = 'unknown' where id = ?", lost)

    def _day(self) -> str:
        return self._times.clock().astimezone(_SHANGHAI).date().isoformat()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._thread_lock:
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=60.0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("pragma journal_mode=wal")
        connection.execute("pragma synchronous=normal")
        connection.executescript(_SCHEMA)
    except sqlite3.DatabaseError as error:
        connection.close()
        message = f"账本 {path.name} 打不开（{error}）：请把它改名或删掉后重试，已付费的回答不受影响。"
        raise ConfigurationError(message) from None
    return connection


def _is_running(pid: int) -> bool:
    """Whether a process of this machine lives; on Windows, where asking is not harmless, the age decides."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
